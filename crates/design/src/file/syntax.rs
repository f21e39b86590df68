//! Errors of TOML itself, in the words of its parser.

use toml::de::Error;

use super::problem::{ProblemKind, Problems};

/// Reports what keeps the text from being TOML.
pub(super) fn report(text: &str, errors: &[Error], problems: &mut Problems) {
    for error in errors {
        let range = error.span().unwrap_or(text.len()..text.len());
        problems.report(ProblemKind::Syntax, range, error.message(), "write TOML 1.0, see https://toml.io");
    }
}
