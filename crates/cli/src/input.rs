//! Text that a command reads: a file, or standard input.
//!
//! Bounded: what is larger than any design is refused before it fills the memory.

use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, ErrorKind, Read, stdin};
use std::path::{Path, PathBuf};

/// The largest text that is read. Five hundred entities with two thousand patterns take less than one megabyte.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The text of the file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let failed = |cause| Failure { path: path.to_owned(), cause };
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| failed(Cause::Read(error)))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed(Cause::TooLarge));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().iter().take(valid);
        failed(Cause::NotUtf8 { line: 1 + before.filter(|byte| **byte == b'\n').count() })
    })?;
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(failed(Cause::Empty));
    }
    Ok(text)
}

/// What the input is called in messages.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Why there is no text, and what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Read(io::Error),
    TooLarge,
    NotUtf8 { line: usize },
    Empty,
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let name = name(&self.path);
        match &self.cause {
            Cause::Read(error) => match error.kind() {
                ErrorKind::NotFound => write!(
                    formatter,
                    "there is no file `{name}` here; name the design file, or `-` for standard input"
                ),
                ErrorKind::IsADirectory => write!(
                    formatter,
                    "`{name}` is a directory; name the file in it, such as {}",
                    self.path.join("keywright.toml").display()
                ),
                _ => write!(formatter, "`{name}` cannot be read: {error}"),
            },
            Cause::TooLarge => write!(
                formatter,
                "`{name}` is larger than {} MB, which no design is",
                MOST_BYTES / (1024 * 1024)
            ),
            Cause::NotUtf8 { line } => write!(
                formatter,
                "`{name}` is not UTF-8 in line {line}; save it in that encoding, as TOML wants it"
            ),
            Cause::Empty => write!(
                formatter,
                "`{name}` is empty; a design names its tables, entities and patterns: see docs/design/README.md"
            ),
        }
    }
}
