//! The `keywright` command: arguments in, one command called, an exit code out.
//!
//! Results go to standard output, failures to standard error in one line. One file a command.

mod allocator;
mod design;
mod exit;
mod input;
mod report;
mod serve;
mod signals;
mod terminal;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::exit::Exit;

/// The environment variable that chooses which events are printed, such as `info` or `keywright_server=debug`.
const LOG_VARIABLE: &str = "KEYWRIGHT_LOG";

const EXIT_CODES: &str = "\
Exit codes:
  0  done, or stopped by a signal after everything was finished
  1  failed, and standard error says why; or a check found something, and standard output says what
  2  the command line is wrong, or names a design file that cannot be read

Environment:
  KEYWRIGHT_LOG  which events go to standard error: error, warn (default), info, debug, trace";

/// DynamoDB on this machine: the right keys, checked, and an endpoint that every AWS SDK can call.
#[derive(Debug, Parser)]
#[command(name = "keywright", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve DynamoDB's API over HTTP until a signal stops it.
    #[command(after_help = EXIT_CODES)]
    Serve(serve::Arguments),
    /// Verify a design of tables, entities and access patterns, and say what it costs.
    #[command(subcommand)]
    Design(design::Command),
}

fn main() -> ExitCode {
    allocator::return_large_memory();
    let arguments = Arguments::parse();
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        // What cannot be written is lost: to say so on standard error would panic, and with it the thread that met the event.
        .log_internal_errors(false)
        .with_env_filter(EnvFilter::try_from_env(LOG_VARIABLE).unwrap_or_else(|_| EnvFilter::new("warn")))
        .init();
    let exit = match arguments.command {
        Command::Serve(arguments) => match serve::run(&arguments) {
            Ok(()) => Exit::Done,
            Err(failure) => {
                report::failure(&failure);
                failure.exit()
            }
        },
        Command::Design(command) => design::run(&command),
    };
    exit.into()
}
