//! The public conformance suite (nubo-db/dynamodb-conformance, MIT): copied, installed, run, counted by tier.
//!
//! The user's checkout is never written to: everything happens in a copy below the target directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::clients::require;
use crate::endpoint::{Endpoint, Storage};
use crate::failure::{Attempt, Failure, Outcome};
use crate::program::Program;
use crate::workspace::Workspace;

/// How the suite is run.
pub(super) struct Options<'arguments> {
    /// The user's checkout; without it the suite is cloned.
    pub(super) checkout: Option<&'arguments Path>,
    /// Parts of the paths of the test files to run; all when empty.
    pub(super) files: &'arguments [String],
}

const SUITE_URL: &str = "https://github.com/nubo-db/dynamodb-conformance";

/// Runs the suite against a server of this build and prints what passed, by tier.
///
/// # Errors
/// When the suite could not be run. A test that fails is a figure in the table, not an error: the suite also covers
/// what is not built yet.
pub(super) fn run(workspace: &Workspace, options: &Options<'_>) -> Outcome {
    require("npm", "--version", "npm, which comes with Node.js (Debian: apt-get install nodejs npm)")?;
    let checkout = match options.checkout {
        Some(directory) => directory.to_path_buf(),
        None => clone(workspace)?,
    };
    let commit = Program::new("git").arguments(&["rev-parse", "HEAD"]).directory(&checkout).output();
    let copy = copy(workspace, &checkout)?;
    // The lock file names the registry its authors used; the version ranges of package.json decide instead.
    fs::remove_file(copy.join("package-lock.json")).attempt("removing the copy of the suite's lock file")?;
    Program::new("npm")
        .arguments(&["install", "--no-audit", "--no-fund", "--loglevel", "error"])
        .directory(&copy)
        .run()?;
    workspace.cargo(&["build", "--locked", "--package", "keywright-cli"]).run()?;
    let endpoint = Endpoint::start(&workspace.development_binary("keywright"), Storage::Memory)?;
    let report = copy.join("report.json");
    // Vitest exits with 1 when a test fails; whether it ran is seen from its report.
    let outcome = Program::new("npx")
        .arguments(&["vitest", "run", "--reporter=json", "--outputFile=report.json"])
        .arguments(options.files)
        .directory(&copy)
        .environment("DYNAMODB_ENDPOINT", endpoint.url())
        .run();
    let text = fs::read_to_string(&report).map_err(|error| {
        Failure::new(format!("the suite wrote no report ({error}); it ended with {outcome:?}"))
    })?;
    let report: Value =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("the suite's report: {error}")))?;
    match commit {
        Ok(commit) => println!("  commit {}", commit.trim()),
        Err(_) => println!("  the checkout is no git repository: its commit is not known"),
    }
    print_results(&read_report(&report, &copy));
    Ok(())
}

fn clone(workspace: &Workspace) -> Outcome<PathBuf> {
    let beside = workspace.root().parent().unwrap_or(workspace.root()).join("dynamodb-conformance");
    if beside.exists() {
        return Ok(beside);
    }
    Program::new("git")
        .arguments(&["clone", "--depth", "1", SUITE_URL])
        .arguments(&[&beside])
        .run()
        .map_err(|failure| {
            Failure::new(format!(
                "{failure}\nwithout access to GitHub, obtain the suite otherwise and pass --suite DIR"
            ))
        })?;
    Ok(beside)
}

fn copy(workspace: &Workspace, checkout: &Path) -> Outcome<PathBuf> {
    let copy = workspace.target().join("outside/suite");
    if copy.exists() {
        fs::remove_dir_all(&copy).attempt("removing the last copy of the suite")?;
    }
    copy_directory(checkout, &copy)?;
    // Vitest reports its files by their real paths.
    copy.canonicalize().attempt("finding the copy of the suite")
}

fn copy_directory(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).attempt(&format!("creating {}", to.display()))?;
    for entry in fs::read_dir(from).attempt(&format!("reading {}", from.display()))? {
        let entry = entry.attempt("reading a directory")?;
        let name = entry.file_name();
        if name == ".git" || name == "node_modules" {
            continue;
        }
        if entry.path().is_dir() {
            copy_directory(&entry.path(), &to.join(&name))?;
        } else {
            fs::copy(entry.path(), to.join(&name)).attempt(&format!("copying {}", entry.path().display()))?;
        }
    }
    Ok(())
}

/// What became of some tests.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: usize,
    /// Refused as an operation or a member that this version does not have.
    not_built: usize,
    failed: usize,
    skipped: usize,
}

/// What a report of Vitest says.
#[derive(Debug, Default)]
struct Results {
    /// By tier, and by folder of the tier.
    counts: BTreeMap<String, Counts>,
    /// The tests that failed for another reason than that something is not built.
    failures: Vec<String>,
}

/// The words of our refusals of what is not built.
const NOT_BUILT: &[&str] = &["is not supported by this version", "UnknownOperationException"];

fn read_report(report: &Value, copy: &Path) -> Results {
    let mut results = Results::default();
    let files = report.get("testResults").and_then(Value::as_array);
    for file in files.into_iter().flatten() {
        let path = file.get("name").and_then(Value::as_str).unwrap_or_default();
        let relative = Path::new(path).strip_prefix(copy.join("tests")).unwrap_or(Path::new(path));
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let tier = parts.first().cloned().unwrap_or_default();
        let folder = parts.iter().take(2).cloned().collect::<Vec<_>>().join("/");
        let tests = file.get("assertionResults").and_then(Value::as_array);
        for test in tests.into_iter().flatten() {
            let verdict = Verdict::of(test);
            results.counts.entry(tier.clone()).or_default().add(verdict);
            results.counts.entry(folder.clone()).or_default().add(verdict);
            if verdict == Verdict::Failed {
                let name = test.get("fullName").and_then(Value::as_str).unwrap_or_default();
                results.failures.push(format!("{folder}: {name}"));
            }
        }
    }
    results
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passed,
    NotBuilt,
    Failed,
    Skipped,
}

impl Verdict {
    fn of(test: &Value) -> Verdict {
        let says_not_built = || {
            let messages = test.get("failureMessages").and_then(Value::as_array);
            let mut texts = messages.into_iter().flatten().filter_map(Value::as_str);
            texts.any(|text| NOT_BUILT.iter().any(|words| text.contains(words)))
        };
        match test.get("status").and_then(Value::as_str) {
            Some("passed") => Verdict::Passed,
            Some("failed") if says_not_built() => Verdict::NotBuilt,
            Some("failed") => Verdict::Failed,
            _ => Verdict::Skipped,
        }
    }
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::NotBuilt => self.not_built += 1,
            Verdict::Failed => self.failed += 1,
            Verdict::Skipped => self.skipped += 1,
        }
    }
}

fn print_results(results: &Results) {
    let print_row = |name: &str, row: &Counts| {
        println!("  {name:<32} {:>7} {:>10} {:>7} {:>8}", row.passed, row.not_built, row.failed, row.skipped);
    };
    println!("  {:<32} {:>7} {:>10} {:>7} {:>8}", "", "passed", "not built", "failed", "skipped");
    let mut all = Counts::default();
    for (name, row) in &results.counts {
        print_row(name, row);
        if !name.contains('/') {
            all.passed += row.passed;
            all.not_built += row.not_built;
            all.failed += row.failed;
            all.skipped += row.skipped;
        }
    }
    print_row("all", &all);
    if !results.failures.is_empty() {
        println!("  failed for another reason than a refusal of what is not built:");
    }
    for failure in &results.failures {
        println!("    {failure}");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tests_are_counted_by_tier_and_by_folder() {
        let report = json!({ "testResults": [
            { "name": "/suite/tests/tier1/getItem/basic.test.ts", "assertionResults": [
                { "status": "passed" },
                { "status": "failed", "fullName": "GetItem finds", "failureMessages": ["Error: expected 1 to be 2"] },
                { "status": "failed", "failureMessages": ["ValidationException: X is not supported by this version yet"] },
            ] },
            { "name": "/suite/tests/tier1/query/basic.test.ts", "assertionResults": [{ "status": "skipped" }] },
        ] });
        let results = read_report(&report, Path::new("/suite"));
        let tier = Counts { passed: 1, not_built: 1, failed: 1, skipped: 1 };
        assert_eq!(results.counts.get("tier1"), Some(&tier));
        assert_eq!(results.counts.get("tier1/query"), Some(&Counts { skipped: 1, ..Counts::default() }));
        assert_eq!(results.failures, ["tier1/getItem: GetItem finds"]);
    }
}
