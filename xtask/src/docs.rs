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

/// Builds the book, or writes its generated pages.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Outcome {
    if options.generate {
        for page in generated_pages(workspace)? {
            let path = workspace.path(&page.file);
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory).attempt(&format!("creating {}", directory.display()))?;
            }
            fs::write(path, page.text).attempt(&format!("writing {}", page.file))?;
            println!("  wrote {}", page.file);
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
    let is_stale = |page: &GeneratedPage| {
        fs::read_to_string(workspace.path(&page.file)).ok().is_none_or(|committed| committed != page.text)
    };
    let stale = generated_pages(workspace)?.into_iter().filter(is_stale);
    Ok(stale.map(|page| format!("{} is not current: run `cargo xtask docs --generate`", page.file)).collect())
}

/// A page as the code would write it now.
struct GeneratedPage {
    /// From the root, with `/`.
    file: String,
    text: String,
}

/// All generated pages, as the package `documents` writes them.
fn generated_pages(workspace: &Workspace) -> Outcome<Vec<GeneratedPage>> {
    let directory = workspace.target().join("documents");
    let below = directory.to_string_lossy().into_owned();
    let files =
        workspace.cargo(&["run", "--locked", "--quiet", "--package", "documents", "--", &below]).output()?;
    let read = |file: &str| {
        let text = fs::read_to_string(directory.join(file)).attempt(&format!("reading {file}"))?;
        Ok(GeneratedPage { file: file.to_owned(), text })
    };
    files.lines().map(read).collect()
}
