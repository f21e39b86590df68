//! `cargo xtask others`: the data layer's suites on an implementation of DynamoDB that is not ours.
//!
//! A suite declares what that implementation cannot do, and asserts it. What needs faults or a clock that is moved runs on our
//! engine alone, in the stage `tests`; so do transactions, which that implementation lacks.

use crate::dynalite;
use crate::endpoint::Endpoint;
use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

/// A test of crate `keywright` whose tests run on every arm.
struct Suite {
    name: &'static str,
    /// The modules whose tests never leave this process.
    in_process: &'static [&'static str],
}

const SUITES: &[Suite] = &[
    Suite { name: "suite", in_process: &["faults::", "isolation::", "model::"] },
    Suite { name: "batch", in_process: &["faults::", "leftovers::"] },
    Suite { name: "coordination", in_process: &["faults::"] },
    Suite { name: "sharding", in_process: &["cost::", "faults::", "isolation::", "model::"] },
];

/// Installs and starts dynalite, and runs every suite on it, also after one failed.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let server = dynalite::start(&dynalite::install(workspace)?)?;
    let mut findings = Vec::new();
    for suite in SUITES {
        findings.extend(run_one(workspace, &server, suite).err().map(|failure| failure.to_string()));
    }
    if findings.is_empty() { Ok(()) } else { Err(Failure::from_findings("suites failed", &findings)) }
}

fn run_one(workspace: &Workspace, server: &Endpoint, suite: &Suite) -> Outcome {
    // The packages of the stage `tests`, so that nothing is compiled again; other crates' suites of that name take seconds.
    let mut arguments = vec!["test", "--locked", "--workspace", "--test", suite.name, "--"];
    for tests in suite.in_process {
        arguments.extend(["--skip", tests]);
    }
    workspace.cargo(&arguments).environment("KEYWRIGHT_OTHER_ENDPOINT", server.url()).run()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Two modules called `isolation` were skipped that run on every arm, since a third one is called so that does not.
    #[test]
    fn no_test_is_skipped_that_runs_on_every_arm() {
        let workspace = Workspace::find().expect("the workspace of this test");
        for suite in SUITES {
            let directory = workspace.path(&format!("crates/keywright/tests/{}", suite.name));
            let mut modules = Vec::new();
            modules_on_every_arm(&directory, "", &mut modules);
            assert!(!modules.is_empty(), "{}", suite.name);
            for module in modules {
                let skipped = suite.in_process.iter().find(|skipped| module.contains(**skipped));
                assert_eq!(skipped, None, "{}: {module}", suite.name);
            }
        }
    }

    /// The paths, as `claims::isolation::`, of the modules in which a test runs on every arm.
    fn modules_on_every_arm(directory: &Path, parent: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(directory).expect("the suite's directory") {
            let path = entry.expect("an entry of it").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let module = format!("{parent}{name}::");
            if path.is_dir() {
                modules_on_every_arm(&path, &module, found);
            } else if fs::read_to_string(&path).expect("a module").contains("    on_every_arm(|") {
                found.push(module);
            }
        }
    }
}
