//! A named step of `cargo xtask test`: announced, timed, and summed up at the end.
//!
//! A stage that fails does not stop the ones after it: a developer sees everything that is wrong at once.

use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

/// A step with the sentence that announces it.
pub(crate) struct Stage {
    /// The name for `--only`.
    pub(crate) name: &'static str,
    /// What it checks, in one line.
    pub(crate) what: &'static str,
    /// The check itself.
    pub(crate) run: fn(&Workspace) -> Outcome,
}

/// Runs every stage, prints the table, and fails when one of them failed.
pub(crate) fn run_all(stages: &[&Stage], workspace: &Workspace) -> Outcome {
    let mut results = Vec::with_capacity(stages.len());
    for (index, stage) in stages.iter().enumerate() {
        println!("\n== {}/{} {}: {}", index + 1, stages.len(), stage.name, stage.what);
        let started = Instant::now();
        let outcome = (stage.run)(workspace);
        if let Err(failure) = &outcome {
            println!("  {} failed: {failure}", stage.name);
        }
        results.push(StageResult { name: stage.name, took: started.elapsed(), outcome });
    }
    print_summary(&results);
    let failed: Vec<&str> =
        results.iter().filter(|result| result.outcome.is_err()).map(|result| result.name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let only = failed.iter().map(|name| format!("cargo xtask test --only {name}")).collect::<Vec<_>>();
    Err(Failure::new(format!("{}; again: {}", failed.join(", "), only.join("; "))))
}

struct StageResult {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

fn print_summary(results: &[StageResult]) {
    println!("\n== summary");
    for result in results {
        let verdict = if result.outcome.is_ok() { "ok" } else { "FAILED" };
        println!("  {:<10} {:<7} {:>7.1} s", result.name, verdict, result.took.as_secs_f64());
    }
    let total: Duration = results.iter().map(|result| result.took).sum();
    println!("  {:<10} {:<7} {:>7.1} s", "all", "", total.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_stage_does_not_stop_the_next_one_and_is_named_at_the_end() {
        let workspace = Workspace::find().expect("the workspace of this test");
        let broken = Stage { name: "broken", what: "fails", run: |_| Err(Failure::new("as planned")) };
        let last =
            Stage { name: "last", what: "fails too, so that the test sees that it ran", run: broken.run };
        let fine = Stage { name: "fine", what: "passes", run: |_| Ok(()) };
        let failure = run_all(&[&broken, &fine, &last], &workspace).expect_err("two stages failed");
        assert_eq!(
            failure.to_string(),
            "broken, last; again: cargo xtask test --only broken; cargo xtask test --only last"
        );
    }
}
