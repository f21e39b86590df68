//! The documents as a whole: links resolve, the summary lists every page, Rust blocks are compiled, generated pages are current.
//!
//! Needs neither a network nor mdBook. Links to other sites are not followed.

mod links;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use self::page::Page;
use crate::docs;
use crate::failure::{Attempt, Failure, Outcome};
use crate::workspace::Workspace;

/// The pages at the root, outside the book.
const ROOT_PAGES: &[&str] = &["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "test-data/README.md"];

/// Checks every page.
pub(crate) fn check(workspace: &Workspace) -> Outcome {
    let book = workspace.path("docs");
    let mut pages = Vec::new();
    for path in markdown_files(&book)? {
        pages.push(Page::read(workspace.root(), &path)?);
    }
    let in_book = pages.len();
    for name in ROOT_PAGES {
        pages.push(Page::read(workspace.root(), &workspace.path(name))?);
    }
    let mut findings = links::check(workspace.root(), &pages);
    findings.extend(check_summary(&pages));
    findings.extend(pages.iter().flat_map(|page| {
        let blocks = page.blocks_without_language.iter();
        blocks.map(|line| format!("{}:{line}: a code block without a language", page.name))
    }));
    findings.extend(check_rust_blocks(workspace, &pages)?);
    findings.extend(docs::stale_pages(workspace)?);
    if findings.is_empty() {
        println!("  {in_book} pages in the book, {} beside it", ROOT_PAGES.len());
        Ok(())
    } else {
        Err(Failure::from_findings("the documents need work", &findings))
    }
}

fn markdown_files(directory: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).attempt(&format!("reading {}", directory.display()))? {
            let path = entry.attempt("reading a directory")?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Every page of the book is in the summary, once.
fn check_summary(pages: &[Page]) -> Vec<String> {
    let Some(summary) = pages.iter().find(|page| page.name == "docs/SUMMARY.md") else {
        return vec!["docs/SUMMARY.md is missing".to_owned()];
    };
    let listed: Vec<String> = summary.links.iter().map(|link| format!("docs/{}", link.target)).collect();
    pages
        .iter()
        .filter(|page| page.name.starts_with("docs/") && page.name != summary.name)
        .filter_map(|page| match listed.iter().filter(|name| **name == page.name).count() {
            1 => None,
            count => Some(format!("{} is listed {count} times in docs/SUMMARY.md, not once", page.name)),
        })
        .collect()
}

/// Every page with a Rust block is compiled by the package `documents`.
fn check_rust_blocks(workspace: &Workspace, pages: &[Page]) -> Outcome<Vec<String>> {
    let place = "xtask/documents/src/lib.rs";
    let compiled = fs::read_to_string(workspace.path(place)).attempt(&format!("reading {place}"))?;
    Ok(pages
        .iter()
        .filter(|page| page.has_rust_block && !compiled.contains(&format!("/{}\"", page.name)))
        .map(|page| format!("{} has a Rust block that {place} does not compile", page.name))
        .collect())
}
