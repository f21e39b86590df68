//! What the source declares as public.

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

/// The word that a declaration names: `pub const fn name(` names `name`, and `pub const NAME: u8` names `NAME`.
pub(crate) fn named<'l>(line: &'l str, kinds: &[&str]) -> Option<&'l str> {
    let mut words = line.strip_prefix("pub ")?.split_whitespace();
    let (mut kind, mut name) = (words.next()?, words.next()?);
    while matches!(kind, "const" | "async" | "unsafe") && matches!(name, "async" | "unsafe" | "fn") {
        (kind, name) = (name, words.next()?);
    }
    let end = name.find(|character: char| !character.is_alphanumeric() && character != '_');
    kinds.contains(&kind).then(|| name.get(..end.unwrap_or(name.len())).unwrap_or(name))
}
