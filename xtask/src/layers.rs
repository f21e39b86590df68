//! `cargo xtask layers`: the house stands as ARCHITECTURE.md draws it.
//!
//! The rules are pure functions over a graph and over file names, so that their tests can give them a wrong one.

mod graph;
mod names;
mod rules;

use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

/// Compares the workspace with the table of [`rules`].
pub(crate) fn check(workspace: &Workspace) -> Outcome {
    let graph = graph::Graph::of(&workspace.metadata()?);
    let mut findings = rules::check_dependencies(&graph);
    findings.extend(rules::check_embedded_tree(&packages_of_embedded(workspace)?));
    findings.extend(names::check(workspace)?);
    if findings.is_empty() {
        println!("  {} crates of ours, every dependency allowed", graph.crates.len());
        Ok(())
    } else {
        Err(Failure::from_findings("the layers are broken", &findings))
    }
}

/// Every package that the embedded client brings to a user, on any platform.
///
/// `cargo tree` is asked rather than the metadata, since metadata joins the features that other crates and tests ask for.
fn packages_of_embedded(workspace: &Workspace) -> Outcome<Vec<String>> {
    let arguments = [
        "tree",
        "--locked",
        "--package",
        "keywright-embedded",
        "--edges",
        "normal,build",
        "--target",
        "all",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let tree = workspace.cargo(&arguments).output()?;
    Ok(tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}
