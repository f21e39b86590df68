//! How long `cargo check` takes on a generated application of 100 entities and 400 access patterns.
//!
//! Each figure is of one crate from scratch, without incremental compilation, its dependencies being checked already; the
//! median of several runs. The same structs without the derives say what is the rules' share.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::failure::{Attempt, Outcome};
use crate::program::Program;
use crate::workspace::Workspace;

const ENTITIES: &str = "100";
const PATTERNS: &str = "400";
const RUNS: usize = 3;

/// The crates of the generated application, in the order in which they depend on each other.
const CRATES: [&str; 2] = ["model", "patterns"];

/// Generates the application with and without derives, measures both and the derive crate itself, and prints the table.
pub(super) fn run(workspace: &Workspace) -> Outcome {
    let derived = generate(workspace, "derived", &[])?;
    let bare = generate(workspace, "bare", &["bare"])?;
    println!(
        "cargo check, seconds, median of {RUNS}: {ENTITIES} entities (model), {PATTERNS} patterns (patterns)"
    );
    println!("{:<20} {:>12} {:>12}", "crate", "derived", "bare");
    for name in CRATES {
        let source = format!("{name}/src/lib.rs");
        let with = measure(&derived, name, &derived.join(&source))?;
        let without = measure(&bare, name, &bare.join(&source))?;
        println!("{name:<20} {:>12.2} {:>12.2}", with.as_secs_f64(), without.as_secs_f64());
    }
    let itself = measure(workspace.root(), "keywright-derive", &workspace.path("crates/derive/src/lib.rs"))?;
    println!("{:<20} {:>12.2}", "the derive itself", itself.as_secs_f64());
    Ok(())
}

/// The directory of a new application, its dependencies checked once.
fn generate(workspace: &Workspace, name: &str, options: &[&str]) -> Outcome<PathBuf> {
    let parent = workspace.target().join("bench-check");
    let directory = parent.join(name);
    if directory.exists() {
        fs::remove_dir_all(&directory).attempt(&format!("removing {}", directory.display()))?;
    }
    fs::create_dir_all(&parent).attempt(&format!("creating {}", parent.display()))?;
    let place = directory.to_string_lossy().into_owned();
    let generator = ["run", "--locked", "--quiet", "--package", "keywright-derive", "--example"];
    workspace
        .cargo(&generator)
        .arguments(&["generate_application", "--", &place, ENTITIES, PATTERNS])
        .arguments(options)
        .run()?;
    check(&directory, "patterns")?;
    Ok(directory)
}

fn measure(directory: &Path, package: &str, source: &Path) -> Outcome<Duration> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        // The same text written again: a newer file, so that the crate is checked again.
        let text = fs::read(source).attempt(&format!("reading {}", source.display()))?;
        fs::write(source, text).attempt(&format!("writing {}", source.display()))?;
        let start = Instant::now();
        check(directory, package)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(RUNS / 2).copied().unwrap_or_default())
}

fn check(directory: &Path, package: &str) -> Outcome {
    Program::new("cargo")
        .arguments(&["check", "--offline", "--quiet", "--package", package])
        .environment("CARGO_INCREMENTAL", "0")
        .directory(directory)
        .run()
}
