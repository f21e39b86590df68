//! Other programs: said aloud, then run; a non-zero exit is a failure that names the command.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::{Attempt, Failure, Outcome};

/// A program with its arguments, not started yet.
#[derive(Debug)]
pub(crate) struct Program {
    shown: String,
    command: Command,
}

impl Program {
    /// The program called `name`, from the PATH or by its path.
    pub(crate) fn new(name: impl AsRef<OsStr>) -> Program {
        let shown = Path::new(name.as_ref())
            .file_name()
            .map_or_else(String::new, |file| file.to_string_lossy().into_owned());
        Program { shown, command: Command::new(name) }
    }

    /// A prepared command, shown as `name`.
    pub(crate) fn from_command(name: &str, command: Command) -> Program {
        Program { shown: name.to_owned(), command }
    }

    /// Adds arguments.
    pub(crate) fn arguments<Argument: AsRef<OsStr>>(mut self, arguments: &[Argument]) -> Program {
        for argument in arguments {
            self.shown.push(' ');
            self.shown.push_str(&argument.as_ref().to_string_lossy());
            self.command.arg(argument);
        }
        self
    }

    /// Sets one environment variable.
    pub(crate) fn environment(mut self, name: &str, value: impl AsRef<OsStr>) -> Program {
        self.command.env(name, value);
        self
    }

    /// Starts the program in `directory`.
    pub(crate) fn directory(mut self, directory: &Path) -> Program {
        self.command.current_dir(directory);
        self
    }

    /// Runs it with its output shown, and fails when it does.
    pub(crate) fn run(mut self) -> Outcome {
        println!("  $ {}", self.shown);
        let status = self.command.stdin(Stdio::null()).status().attempt(&self.shown)?;
        if status.success() { Ok(()) } else { Err(Failure::new(format!("`{}`: {status}", self.shown))) }
    }

    /// Runs it quietly and returns what it wrote to standard output; fails with what it wrote to standard error.
    pub(crate) fn output(mut self) -> Outcome<String> {
        let output = self.command.stdin(Stdio::null()).output().attempt(&self.shown)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(Failure::new(format!("`{}`: {}\n{}", self.shown, output.status, errors.trim_end())))
    }
}
