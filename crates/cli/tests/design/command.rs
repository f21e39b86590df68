//! Runs the command in a directory of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A directory in which the command runs.
pub(crate) struct Place(TempDir);

/// How a command ended, and what it printed.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place(TempDir::new().unwrap())
    }

    /// A directory with a `keywright.toml`.
    pub(crate) fn with_design(text: &str) -> Place {
        let place = Place::new();
        place.write("keywright.toml", text.as_bytes());
        place
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.path().join(name), bytes).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs `keywright design` with these arguments, without input.
    pub(crate) fn design<Argument: AsRef<OsStr>>(&self, arguments: &[Argument]) -> Ended {
        self.design_with(arguments, b"", &[])
    }

    /// The same with an input and variables.
    pub(crate) fn design_with<Argument: AsRef<OsStr>>(
        &self,
        arguments: &[Argument],
        input: &[u8],
        variables: &[(&str, &str)],
    ) -> Ended {
        let mut child = Command::new(env!("CARGO_BIN_EXE_keywright"))
            .arg("design")
            .args(arguments)
            .current_dir(self.path())
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that does not read its input may be gone already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Ended {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The text of a file of the repository.
pub(crate) fn repository_text(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap()
}

/// A design that verifies, without any finding.
pub(crate) const SOUND: &str = r#"
tenancy = false

[table.notes]
partition_key = "pk"
sort_key = "sk"
time_to_live = false
stream = false
point_in_time_recovery = true
billing = { on_demand = { read = 500, write = 500 } }
deletion_protection = true
alarms = ["consumed-read-capacity", "consumed-write-capacity", "throttled-requests"]
tags = { team = "notes" }

[entity.note]
partition_key = "USER#{user_id}"
sort_key = "NOTE#{note_id}"
attributes = { note_id = "ulid", text = "string" }
average_size_bytes = 500
largest_size_bytes = 4000
count = { total = 10000, largest_key = 500 }
writes = { per_second = 0.1, per_second_largest_key = 0.1 }

[pattern.newest_notes]
returns = ["note"]
given = ["user_id"]
sort_key = { starts_with = "NOTE" }
order = "descending"
limit = 20
expected = { items = 20, per_second = 0.2, per_second_largest_key = 0.1 }
"#;

/// The same with an error: the caller does not give what the partition key is made of.
pub(crate) fn with_error() -> String {
    SOUND.replace("given = [\"user_id\"]\n", "")
}

/// The same with a warning: nobody decided about alarms.
pub(crate) fn with_warning() -> String {
    SOUND.lines().filter(|line| !line.starts_with("alarms")).collect::<Vec<_>>().join("\n")
}
