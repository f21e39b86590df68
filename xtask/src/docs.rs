//! `cargo xtask docs`: the book as HTML, and its generated pages.
//!
//! A generated page is printed by the package `documents` from the lists that drive the program; it is committed, and
//! `cargo xtask test` compares it.

use std::fs;

use crate::failure::{Attempt, Outcome};
use crate::program::Program;
use crate::tool;
use crate::workspace::Workspace;

/// What to do with the book.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Write the generated pages into docs/ and stop
    #[arg(long)]
    generate: bool,
}

/// The version of mdBook that builds the book.
const MDBOOK_VERSION: &str = "0.5.4";

/// The generated pages: the name that `documents` knows, and the file.
const GENERATED: &[(&str, &str)] = &[("operations", "docs/reference/operations.md")];

/// Builds the book, or writes its generated pages.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    if options.generate {
        for (name, file) in GENERATED {
            fs::write(workspace.path(file), generate(workspace, name)?)
                .attempt(&format!("writing {file}"))?;
            println!("  wrote {file}");
        }
        return Ok(());
    }
    let programs = tool::install(workspace, "mdbook", MDBOOK_VERSION, &["--no-default-features"])?;
    let output = workspace.target().join("book");
    Program::new(programs.join("mdbook"))
        .arguments(&["build", "docs", "--dest-dir"])
        .arguments(&[&output])
        .directory(workspace.root())
        .run()?;
    println!("  open {}", output.join("index.html").display());
    Ok(())
}

/// The generated pages that do not say what the code says, a line each.
pub(crate) fn stale_pages(workspace: &Workspace) -> Outcome<Vec<String>> {
    let mut stale = Vec::new();
    for (name, file) in GENERATED {
        let committed = fs::read_to_string(workspace.path(file)).attempt(&format!("reading {file}"))?;
        if committed != generate(workspace, name)? {
            stale.push(format!("{file} is not current: run `cargo xtask docs --generate`"));
        }
    }
    Ok(stale)
}

fn generate(workspace: &Workspace, page: &str) -> Outcome<String> {
    workspace.cargo(&["run", "--locked", "--quiet", "--package", "documents", "--", page]).output()
}
