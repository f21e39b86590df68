//! The outcomes of a run, one line a part. With `KEYWRIGHT_LONG=1` they are in a file, each before the next part begins and before
//! anything unwinds: the outcome that matters is the one that failed.

use std::any::Any;
use std::fmt::Display;
use std::fs::File;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Collects them.
pub(crate) struct Outcomes {
    /// `None` in the short form.
    file: Option<(File, PathBuf)>,
    failed: Vec<String>,
}

impl Outcomes {
    /// In `crash-<name>.txt` below the build directory in the long form.
    pub(crate) fn new(name: &str) -> Outcomes {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("crash-{name}.txt"));
        match std::env::var_os("KEYWRIGHT_LONG") {
            Some(_) => Outcomes::in_file(&path),
            None => Outcomes { file: None, failed: Vec::new() },
        }
    }

    /// In this file.
    pub(crate) fn in_file(path: &Path) -> Outcomes {
        let file = File::create(path).unwrap();
        Outcomes { file: Some((file, path.to_owned())), failed: Vec::new() }
    }

    /// Runs a part. A panic is an outcome, too.
    pub(crate) fn run<Outcome: Display>(
        &mut self,
        part: &str,
        run: impl FnOnce() -> Result<Outcome, String>,
    ) -> Option<Outcome> {
        let outcome = catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|panic| Err(format!("a panic: {}", words(panic.as_ref()))));
        match outcome {
            Ok(outcome) => {
                self.write(&format!("{part}: {outcome}"));
                Some(outcome)
            }
            Err(failure) => {
                let line = format!("{part}: FAILED: {failure}");
                println!("{line}");
                self.write(&line);
                self.failed.push(part.to_owned());
                None
            }
        }
    }

    /// Says something of the whole run, aloud and in the file.
    pub(crate) fn say(&mut self, summary: &str) {
        println!("{summary}");
        self.write(summary);
    }

    /// Fails when a part did.
    pub(crate) fn finish(self) {
        if let Some((_, path)) = &self.file {
            println!("every outcome: {}", path.display());
        }
        assert!(
            self.failed.is_empty(),
            "failed: {}; KEYWRIGHT_SEED=n repeats a seed",
            self.failed.join(", ")
        );
    }

    fn write(&mut self, text: &str) {
        if let Some((file, _)) = &mut self.file {
            writeln!(file, "{}", text.replace('\n', " ")).unwrap();
        }
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without words")
}

/// The long form ran for hours, and the seed that failed was in no file: it was written at the end, which a failure never reached.
#[test]
fn a_part_that_fails_is_in_the_file_and_keeps_no_other_from_running() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("outcomes.txt");
    let mut outcomes = Outcomes::in_file(&path);
    let lines = || std::fs::read_to_string(&path).unwrap();
    assert_eq!(outcomes.run("a part", || Ok(7)), Some(7));
    assert_eq!(
        outcomes.run("one that panics", || -> Result<u8, String> { panic!("an item\nis gone") }),
        None
    );
    assert_eq!(lines(), "a part: 7\none that panics: FAILED: a panic: an item is gone\n");
    assert_eq!(outcomes.run("one that fails", || Err::<u8, _>("no table".to_owned())), None);
    outcomes.say("1 of 3");
    assert!(lines().ends_with("one that fails: FAILED: no table\n1 of 3\n"), "{}", lines());
    let failed = catch_unwind(AssertUnwindSafe(|| outcomes.finish())).unwrap_err();
    assert!(
        words(failed.as_ref()).starts_with("failed: one that panics, one that fails;"),
        "{}",
        words(failed.as_ref())
    );
}
