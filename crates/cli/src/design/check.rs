//! `keywright design check FILE`: whether a design holds, and what it costs.

use std::path::PathBuf;

use clap::ValueEnum;
use keywright_design::report::{Counts, Report};

use crate::exit::Exit;
use crate::report::Format;
use crate::{input, terminal};

/// How the command ends.
pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  the design verifies: it has no errors, other than accepted ones
  1  it does not: it has errors, or findings that --deny names
  2  the command line is wrong, or the file cannot be read; standard error says why

Environment:
  NO_COLOR  set to anything: no colours on a terminal either
  COLUMNS   how wide lines may be";

/// The command line of `design check`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The design file; `-` reads standard input.
    #[arg(value_name = "FILE", default_value = "keywright.toml")]
    file: PathBuf,

    /// How to print: a report for people, or one JSON object in one line.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// What makes the design fail. Accepted findings never do.
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "errors")]
    deny: Level,
}

/// From which severity on findings make the design fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Level {
    /// Errors alone.
    Errors,
    /// Errors and warnings.
    Warnings,
    /// Every finding.
    Advice,
}

/// Prints the report of a design.
pub(crate) fn run(arguments: &Arguments) -> Exit {
    let text = match input::read(&arguments.file) {
        Ok(text) => text,
        Err(failure) => {
            crate::report::failure(&failure);
            return Exit::Usage;
        }
    };
    let report = Report::of(&input::name(&arguments.file), &text);
    let text = match arguments.format {
        Format::Text => report.text(terminal::layout()),
        Format::Json => report.json(),
    };
    let refused = arguments.deny.refuses(report.counts());
    super::print(&text, if refused { Exit::Failed } else { Exit::Done })
}

impl Level {
    const fn refuses(self, counts: Counts) -> bool {
        counts.errors > 0
            || match self {
                Level::Errors => false,
                Level::Warnings => counts.warnings > 0,
                Level::Advice => counts.warnings > 0 || counts.advice > 0,
            }
    }
}
