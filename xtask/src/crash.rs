//! `cargo xtask crash`: the crash suites alone, in the short form of the test command or in the long one.
//!
//! Stores in this process on files that fail from seeds, damaged stores, and a server that is killed. The long form runs ten times
//! as much, and each seed, flip and kill with its outcome, and what is said of them all, is in a file below the build directory. A suite
//! that fails keeps no other from running.

use crate::failure::{Failure, Outcome};
use crate::program::Program;
use crate::workspace::Workspace;

/// How much to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// 1,000 seeds and 200 kills in place of 100 and 20
    #[arg(long)]
    long: bool,
    /// Run only this seed, and kill by it
    #[arg(long, value_name = "NUMBER", conflicts_with = "long")]
    seed: Option<u64>,
}

/// The suites: package, test, and which tests of it.
const SUITES: [(&str, &str, Option<&str>); 3] = [
    ("keywright-engine", "crash", None),
    ("keywright-engine", "storage", Some("power_loss::")),
    ("keywright-cli", "serve", Some("crash::")),
];

/// Runs all suites.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let ran = run_all(SUITES.map(|(package, test, filter)| {
        let mut arguments =
            vec!["test", "--locked", "--package", package, "--test", test, "--", "--nocapture"];
        arguments.extend(filter);
        with_form(workspace.cargo(&arguments), options)
    }));
    if options.long {
        println!("every outcome: {}", workspace.target().join("tmp").join("crash-*.txt").display());
    }
    ran
}

/// Runs them one after the other, whatever becomes of one; fails with all that failed.
fn run_all(programs: impl IntoIterator<Item = Program>) -> Outcome {
    let failed: Vec<String> = programs
        .into_iter()
        .filter_map(|program| program.run().err())
        .map(|failure| failure.to_string())
        .collect();
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::from_findings("crash suites", &failed)),
    }
}

fn with_form(program: Program, options: &Options) -> Program {
    let program = if options.long { program.environment("KEYWRIGHT_LONG", "1") } else { program };
    match options.seed {
        Some(seed) => program.environment("KEYWRIGHT_SEED", seed.to_string()),
        None => program,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's suite failed, and nobody was told that kills lose items, too.
    #[test]
    fn a_suite_that_fails_keeps_no_other_from_running_and_all_that_fail_are_named() {
        let cargo = |argument: &str| Program::new(env!("CARGO")).arguments(&[argument]);
        let failure = run_all([cargo("--no-such"), cargo("--version"), cargo("--nor-such")]).unwrap_err();
        let text = failure.to_string();
        assert!(text.starts_with("crash suites (2):"), "{text}");
        assert!(text.contains("--no-such`") && text.contains("--nor-such`"), "{text}");
    }
}
