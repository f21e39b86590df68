//! `keywright design`: what can be done with a design file. One file a command.

mod check;
mod explain;

use clap::Subcommand;

use crate::exit::Exit;
use crate::report;

/// The commands on designs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verify a design file: every pattern one request, no hot keys, no leaks between tenants, and what it costs.
    #[command(after_help = check::EXIT_CODES)]
    Check(check::Arguments),
    /// Say what a rule finds, why that hurts and what to do instead; without a code, list the rules.
    Explain(explain::Arguments),
}

/// Runs one of them.
pub(crate) fn run(command: &Command) -> Exit {
    match command {
        Command::Check(arguments) => check::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
    }
}

/// Prints a command's result, which ends as `exit` if it could be written.
fn print(text: &str, exit: Exit) -> Exit {
    match report::whole_result(text) {
        Ok(()) => exit,
        Err(error) => {
            report::failure(&format!("the report cannot be written: {error}"));
            Exit::Failed
        }
    }
}
