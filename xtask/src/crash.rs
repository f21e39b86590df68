//! `cargo xtask crash`: the crash suites alone, in the short form of the test command or in the long one.
//!
//! Stores in this process on files that fail from seeds, damaged stores, and a server that is killed. The long form runs ten times
//! as much, and each seed and kill with its outcome is in a file below the build directory.

use crate::failure::Outcome;
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

/// Runs both suites.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let suites = [("keywright-engine", "crash", ""), ("keywright-cli", "serve", "crash::")];
    for (package, test, filter) in suites {
        let mut arguments =
            vec!["test", "--locked", "--package", package, "--test", test, "--", "--nocapture"];
        if !filter.is_empty() {
            arguments.push(filter);
        }
        with_form(workspace.cargo(&arguments), options).run()?;
    }
    Ok(())
}

fn with_form(program: Program, options: &Options) -> Program {
    let program = if options.long { program.environment("KEYWRIGHT_LONG", "1") } else { program };
    match options.seed {
        Some(seed) => program.environment("KEYWRIGHT_SEED", seed.to_string()),
        None => program,
    }
}
