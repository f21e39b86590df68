//! `cargo xtask outside`: what needs GitHub, and so is no part of `cargo xtask test`.
//!
//! Advisories and licences as cargo-deny sees them, and the public conformance suite, whose tests passed on Amazon
//! DynamoDB. The suite is obtained beside the project and never becomes a part of it.

mod suite;

use std::path::PathBuf;

use crate::failure::{Failure, Outcome};
use crate::program::Program;
use crate::tool;
use crate::workspace::Workspace;

/// Which parts to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Run one part (repeat it for more)
    #[arg(long, value_name = "PART")]
    only: Vec<Part>,
    /// A checkout of the conformance suite (cloned from GitHub otherwise)
    #[arg(long, value_name = "DIR")]
    suite: Option<PathBuf>,
    /// Run only the test files whose path contains this text (repeat it for more)
    #[arg(long, value_name = "TEXT")]
    file: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Advisories, licences and sources
    Deny,
    /// The conformance suite
    Suite,
}

const CARGO_DENY_VERSION: &str = "0.20.2";

/// Runs every chosen part, also after one failed.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    let wanted = |part| options.only.is_empty() || options.only.contains(&part);
    let mut findings = Vec::new();
    if wanted(Part::Deny) {
        println!("\n== deny: known vulnerabilities, licences and sources of every dependency");
        findings.extend(deny(workspace).err().map(|failure| format!("deny: {failure}")));
    }
    if wanted(Part::Suite) {
        println!("\n== suite: the public conformance suite against this build");
        let chosen = suite::Options { checkout: options.suite.as_deref(), files: &options.file };
        findings.extend(suite::run(workspace, &chosen).err().map(|failure| format!("suite: {failure}")));
    }
    if findings.is_empty() { Ok(()) } else { Err(Failure::from_findings("outside checks failed", &findings)) }
}

fn deny(workspace: &Workspace) -> Outcome {
    let programs = tool::install(workspace, "cargo-deny", CARGO_DENY_VERSION, &[])?;
    let check = |what: &[&str]| {
        Program::new(programs.join("cargo-deny"))
            .arguments(&["check", "--hide-inclusion-graph"])
            .arguments(what)
            .directory(workspace.root())
            .run()
    };
    let offline = check(&["licenses", "bans", "sources"]);
    let advisories = check(&["advisories"]).map_err(|failure| {
        Failure::new(format!(
            "{failure}\nif the database of advisories could not be fetched from GitHub, nothing was checked: run this where it can"
        ))
    });
    offline.and(advisories)
}
