//! `cargo xtask`: tests, checks, measures and documents keywright.
//!
//! One file a subject. A stage of `cargo xtask test` can also be run by its own command.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's command line tool: printing is its work"
)]

mod bench;
mod book;
mod clients;
mod crash;
mod docs;
mod dynalite;
mod endpoint;
mod failure;
mod layers;
mod licences;
mod others;
mod outside;
mod program;
mod stage;
mod test;
mod tool;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Outcome;
use crate::workspace::Workspace;

/// The arguments of `cargo xtask`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "Tests, checks, measures and documents keywright.")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Everything that must hold before a change lands
    Test(test::Options),
    /// The dependencies between the crates against the table of ARCHITECTURE.md
    Layers,
    /// The licence of every package in the dependency graph against deny.toml
    Licences,
    /// boto3, the AWS SDK for JavaScript and the AWS CLI against a running server
    Clients,
    /// The crash suites alone: stores on files that fail from seeds, and a server that is killed
    Crash(crash::Options),
    /// The data layer's suite on an implementation of DynamoDB that is not ours
    Others,
    /// The book: build it as HTML, or write its generated pages
    Docs(docs::Options),
    /// What needs GitHub: advisories, and the public conformance suite
    Outside(outside::Options),
    /// Measures keywright beside its peers, in one interleaved run
    Bench(bench::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments.task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nfailed: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Outcome {
    let workspace = Workspace::find()?;
    match task {
        Task::Test(options) => test::run(&workspace, &options),
        Task::Layers => layers::check(&workspace),
        Task::Licences => licences::check(&workspace),
        Task::Clients => clients::run(&workspace),
        Task::Crash(options) => crash::run(&workspace, &options),
        Task::Others => others::run(&workspace),
        Task::Docs(options) => docs::run(&workspace, &options),
        Task::Outside(options) => outside::run(&workspace, &options),
        Task::Bench(options) => bench::run(&workspace, &options),
    }
}
