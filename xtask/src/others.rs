//! `cargo xtask others`: the data layer's suite on an implementation of DynamoDB that is not ours.
//!
//! The suite declares what that implementation cannot do, and asserts it. What needs faults or a clock that is moved runs on our
//! engine alone, in the stage `tests`.

use crate::dynalite;
use crate::failure::Outcome;
use crate::workspace::Workspace;

/// Tests that never leave this process.
const IN_PROCESS: &[&str] = &["faults::", "isolation::", "model::"];

/// Installs and starts dynalite, and runs the suite on it.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    let server = dynalite::start(&dynalite::install(workspace)?)?;
    // The packages of the stage `tests`, so that nothing is compiled again; other crates' suites of that name take seconds.
    let mut arguments =
        vec!["test", "--locked", "--workspace", "--test", "suite", "--test", "coordination", "--"];
    for tests in IN_PROCESS {
        arguments.extend(["--skip", tests]);
    }
    workspace.cargo(&arguments).environment("KEYWRIGHT_OTHER_ENDPOINT", server.url()).run()
}
