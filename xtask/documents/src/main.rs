//! Writes the generated pages of the book below a directory: `documents DIRECTORY`.
//!
//! Called by `cargo xtask docs --generate` and by the test that compares the committed pages. Prints the path of each page
//! from the root, one a line.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a generator: its output says what it wrote")]

mod design_file;
mod operations;
mod rules;

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use keywright_design::verify;

fn main() -> ExitCode {
    let Some(directory) = std::env::args_os().nth(1) else {
        eprintln!("usage: documents DIRECTORY");
        return ExitCode::from(2);
    };
    match write_pages(Path::new(&directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the pages cannot be written into {}: {error}", directory.display());
            ExitCode::FAILURE
        }
    }
}

fn write_pages(directory: &Path) -> io::Result<()> {
    for (file, text) in pages() {
        let path = directory.join(&file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
        println!("{file}");
    }
    Ok(())
}

/// Every generated page: its path from the root, and its text.
fn pages() -> impl Iterator<Item = (String, String)> {
    let lists = [
        ("docs/reference/keywright-toml.md".to_owned(), design_file::reference()),
        ("docs/reference/keywright.schema.json".to_owned(), design_file::schema()),
        ("docs/reference/operations.md".to_owned(), operations::page()),
        ("docs/rules/README.md".to_owned(), rules::index()),
    ];
    let rules =
        verify::rules().map(|rule| (format!("docs/rules/{}", rules::file(&rule)), rules::page(&rule)));
    lists.into_iter().chain(rules)
}
