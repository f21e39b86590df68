//! `cargo xtask test`: the one command that says whether the project is sound.
//!
//! The stages are one list: it drives the run, `--only` and `--list`. Cheap ones come first.

use crate::failure::{Failure, Outcome};
use crate::stage::{self, Stage};
use crate::workspace::Workspace;
use crate::{book, clients, layers, licences, others};

/// Which stages to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Run one stage (repeat it for more)
    #[arg(long, value_name = "STAGE")]
    only: Vec<String>,
    /// Print the stages and stop
    #[arg(long)]
    list: bool,
}

/// Every stage in its order.
const STAGES: &[Stage] = &[
    Stage { name: "format", what: "every Rust file is formatted as rustfmt does it", run: format },
    Stage {
        name: "layers",
        what: "crates depend on what ARCHITECTURE.md allows, and on no more",
        run: layers::check,
    },
    Stage {
        name: "licences",
        what: "every dependency has a licence that deny.toml allows",
        run: licences::check,
    },
    Stage {
        name: "clippy",
        what: "the compiler and clippy have no warning on any target, nor on the tests for AWS",
        run: clippy,
    },
    Stage { name: "tests", what: "unit, property, wire and crash tests of every crate", run: tests },
    Stage {
        name: "doctests",
        what: "code blocks in doc comments, README.md and docs/ compile and run",
        run: doctests,
    },
    Stage { name: "rustdoc", what: "the API documentation builds without a warning", run: rustdoc },
    Stage {
        name: "book",
        what: "links of docs/ and README.md resolve; generated pages are current",
        run: book::check,
    },
    Stage {
        name: "clients",
        what: "boto3, the AWS SDK for JavaScript and the AWS CLI do real work",
        run: clients::run,
    },
    Stage {
        name: "others",
        what: "the data layer's suites on an implementation that is not ours",
        run: others::run,
    },
];

/// Runs the chosen stages, all by default.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    if options.list {
        for stage in STAGES {
            println!("{:<10} {}", stage.name, stage.what);
        }
        return Ok(());
    }
    stage::run_all(&choose(&options.only)?, workspace)
}

fn choose(only: &[String]) -> Outcome<Vec<&'static Stage>> {
    if only.is_empty() {
        return Ok(STAGES.iter().collect());
    }
    only.iter()
        .map(|name| {
            STAGES.iter().find(|stage| stage.name == name).ok_or_else(|| {
                let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
                Failure::new(format!("no stage is called `{name}`; there are {}", names.join(", ")))
            })
        })
        .collect()
}

fn format(workspace: &Workspace) -> Outcome {
    workspace.cargo(&["fmt", "--all", "--check"]).run()
}

fn clippy(workspace: &Workspace) -> Outcome {
    let on = |what: &[&str]| {
        let arguments = [&["clippy", "--locked", "--quiet"], what, &["--", "-D", "warnings"]].concat();
        workspace.cargo(&arguments).run()
    };
    let all = on(&["--workspace", "--all-targets"]);
    // The arm on Amazon DynamoDB, which nothing else compiles.
    all.and(on(&["--package", "keywright", "--tests", "--features", "suite-on-aws"]))
}

fn tests(workspace: &Workspace) -> Outcome {
    workspace.cargo(&["test", "--locked", "--workspace", "--all-targets", "--no-fail-fast"]).run()
}

fn doctests(workspace: &Workspace) -> Outcome {
    workspace.cargo(&["test", "--locked", "--workspace", "--doc", "--no-fail-fast"]).run()
}

fn rustdoc(workspace: &Workspace) -> Outcome {
    workspace
        .cargo(&["doc", "--locked", "--workspace", "--no-deps", "--keep-going", "--quiet"])
        .environment("RUSTDOCFLAGS", "-D warnings")
        .run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_stage_is_refused_with_the_names_that_exist() {
        let failure = choose(&["clipy".to_owned()]).err().expect("no such stage");
        assert!(failure.to_string().contains("`clipy`"), "{failure}");
        assert!(failure.to_string().contains("clippy"), "{failure}");
    }

    #[test]
    fn no_two_stages_share_a_name() {
        for (index, stage) in STAGES.iter().enumerate() {
            assert!(STAGES.iter().skip(index + 1).all(|other| other.name != stage.name), "{}", stage.name);
        }
    }
}
