//! The crates of the workspace with the dependencies that they name.

use std::collections::BTreeMap;

use cargo_metadata::{DependencyKind, Metadata};

/// Our crates by package name.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) crates: BTreeMap<String, Dependencies>,
}

/// What one crate names in its Cargo.toml.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    /// What its users compile too.
    pub(super) shipped: Vec<String>,
    /// What only its tests, examples and benchmarks use.
    pub(super) for_tests: Vec<String>,
}

impl Graph {
    /// The graph that cargo sees.
    pub(super) fn of(metadata: &Metadata) -> Graph {
        let mut graph = Graph::default();
        for package in metadata.workspace_packages() {
            let dependencies = graph.crates.entry(package.name.to_string()).or_default();
            for dependency in &package.dependencies {
                match dependency.kind {
                    DependencyKind::Development => dependencies.for_tests.push(dependency.name.clone()),
                    _ => dependencies.shipped.push(dependency.name.clone()),
                }
            }
        }
        graph
    }
}
