//! No crate and no module is called core, common, utils or helpers: a name says what is inside.

use std::fs;
use std::path::Path;

use crate::failure::{Attempt, Outcome};
use crate::workspace::Workspace;

const FORBIDDEN: &[&str] = &["common", "core", "helper", "helpers", "util", "utils"];

/// The Rust files and directories with a name that says nothing, a line each.
pub(super) fn check(workspace: &Workspace) -> Outcome<Vec<String>> {
    let mut findings = Vec::new();
    for directory in ["crates", "xtask"] {
        visit(&workspace.path(directory), &mut |path, text| findings.extend(check_file(path, text)))?;
    }
    let root = workspace.root().to_string_lossy().into_owned();
    Ok(findings.into_iter().map(|finding| finding.replace(&format!("{root}/"), "")).collect())
}

fn visit(directory: &Path, each: &mut impl FnMut(&Path, &str)) -> Outcome {
    let entries = fs::read_dir(directory).attempt(&format!("reading {}", directory.display()))?;
    for entry in entries {
        let path = entry.attempt("reading a directory")?.path();
        if path.is_dir() {
            visit(&path, each)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).attempt(&format!("reading {}", path.display()))?;
            each(&path, &text);
        }
    }
    Ok(())
}

fn check_file(path: &Path, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for part in path.components().rev().take(4) {
        let part = part.as_os_str().to_string_lossy();
        let name = part.strip_suffix(".rs").unwrap_or(&part);
        if FORBIDDEN.contains(&name) {
            findings.push(format!("{}: `{name}` says nothing about what is inside", path.display()));
        }
    }
    for (index, line) in text.lines().enumerate() {
        if let Some(name) = inline_module(line).filter(|name| FORBIDDEN.contains(name)) {
            let place = format!("{}:{}", path.display(), index + 1);
            findings.push(format!("{place}: the module `{name}` says nothing about what is inside"));
        }
    }
    findings
}

/// The name of the module that a line opens with its body, if it does.
fn inline_module(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("mod ")?;
    if !(before.trim().is_empty() || before.trim_start().starts_with("pub")) {
        return None;
    }
    after.trim_end().strip_suffix('{').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_a_directory_and_an_inline_module_with_an_empty_name_are_found() {
        assert_eq!(check_file(Path::new("crates/item/src/utils.rs"), "").len(), 1);
        assert_eq!(check_file(Path::new("crates/item/tests/common/mod.rs"), "").len(), 1);
        assert_eq!(
            check_file(Path::new("crates/item/src/number.rs"), "pub(crate) mod helpers {\n}\n").len(),
            1
        );
    }

    #[test]
    fn a_name_that_says_what_is_inside_is_left_alone() {
        let text = "mod tests {\n    // the core of the model {\n}\nuse std::core;\n";
        assert_eq!(check_file(Path::new("crates/engine/src/utilisation.rs"), text), Vec::<String>::new());
    }
}
