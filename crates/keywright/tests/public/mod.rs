//! What the source declares as public, and what other texts call.

use std::fs;
use std::path::{Path, PathBuf};

/// A path below this crate.
pub(crate) fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The files in a folder and below that end so, in their order.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The source of this crate: each file below `src` by its name there, and its text.
pub(crate) fn source() -> Vec<(String, String)> {
    let named = |path: PathBuf| {
        let name = path.strip_prefix(folder("src")).unwrap().display().to_string();
        (name, fs::read_to_string(&path).unwrap())
    };
    files(&folder("src"), "rs").into_iter().map(named).collect()
}

/// The word that a declaration names: `pub const fn name(` names `name`.
pub(crate) fn named<'l>(line: &'l str, kinds: &[&str]) -> Option<&'l str> {
    let mut words = line.strip_prefix("pub ")?.split_whitespace();
    let kind = words.find(|word| !matches!(*word, "const" | "async"))?;
    let name = words.next()?;
    let end = name.find(|character: char| !character.is_alphanumeric() && character != '_');
    kinds.contains(&kind).then(|| name.get(..end.unwrap_or(name.len())).unwrap_or(name))
}

/// Whether a text calls a method of this name, or names it as a function.
pub(crate) fn calls(text: &str, method: &str) -> bool {
    text.match_indices(method).any(|(place, _)| {
        let before = text.get(..place).unwrap_or_default();
        let after = text.get(place + method.len()..).unwrap_or_default();
        (before.ends_with('.') || before.ends_with("::"))
            && (after.starts_with('(') || after.starts_with("::<"))
    })
}
