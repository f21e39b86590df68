//! Every public item is in an example, its own or another's, and every public method is called in one, here or on the pages of the data
//! layer.
//!
//! It reads the source: what is exported, the examples in documentation, and what they call.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that fails says where")]

mod public;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use public::{calls, files, folder, named, source};

/// What a source says.
#[derive(Debug, Default)]
struct Source {
    /// Types and functions, each with whether its documentation has an example.
    items: Vec<(String, bool)>,
    /// Public methods, each with the file that it is in.
    methods: Vec<(String, String)>,
    /// The code of all examples.
    examples: String,
}

impl Source {
    fn read(&mut self, file: &str, text: &str) {
        let mut documentation: Vec<&str> = Vec::new();
        for line in text.lines().map(str::trim) {
            if let Some(text) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
                documentation.push(text.trim_start());
                continue;
            }
            if let Some(name) = named(line, &["struct", "enum", "trait"]) {
                let has_example = documentation.iter().any(|line| line.starts_with("```"));
                self.items.push((name.to_owned(), has_example));
            }
            if let Some(name) = named(line, &["fn"]) {
                self.methods.push((name.to_owned(), file.to_owned()));
            }
            // An attribute between a comment and its item does not end the comment.
            if !line.starts_with("#[") && !line.starts_with(')') && !line.starts_with("reason") {
                self.add_examples(documentation.drain(..));
            }
        }
    }

    /// Adds the code between fences.
    fn add_examples<'l>(&mut self, lines: impl Iterator<Item = &'l str>) {
        let mut is_inside = false;
        for line in lines {
            if line.starts_with("```") {
                is_inside = !is_inside;
            } else if is_inside {
                writeln!(self.examples, "{line}").unwrap();
            }
        }
    }

    /// Whether an example names a type.
    fn names(&self, name: &str) -> bool {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        self.examples.match_indices(name).any(|(place, _)| {
            let before = self.examples.get(..place).unwrap_or_default();
            let after = self.examples.get(place + name.len()..).unwrap_or_default();
            !before.ends_with(is_word) && !after.starts_with(is_word)
        })
    }
}

fn read_everything() -> Source {
    let mut read = Source::default();
    for (file, text) in source() {
        read.read(&file, &text);
    }
    for path in files(&folder("../../docs/data-layer"), "md") {
        let text = fs::read_to_string(path).unwrap();
        read.add_examples(text.lines());
    }
    read
}

/// The names in the `pub use` of this crate's own modules.
fn exported() -> BTreeSet<String> {
    let text = fs::read_to_string(folder("src/lib.rs")).unwrap();
    let statements = text.split(';').filter_map(|statement| {
        let statement = statement.get(statement.find("pub use ")?..)?;
        (!statement.contains("keywright_")).then(|| statement.replace("pub use ", ""))
    });
    let names = statements.flat_map(|statement| {
        let list = statement.rsplit("::").next().unwrap_or_default().replace(['{', '}'], "");
        list.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    });
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_exported_item_is_in_an_example() {
    let source = read_everything();
    let with_example =
        |name: &String| source.names(name) || source.items.iter().any(|(item, has)| item == name && *has);
    let exported = exported();
    assert!(
        exported.len() > 60 && exported.contains("Store"),
        "the export list is not understood: {exported:?}"
    );

    let without: Vec<&String> = exported.iter().filter(|name| !with_example(name)).collect();

    assert!(without.is_empty(), "add an example to the documentation of {without:?}");
}

#[test]
fn every_public_method_is_called_in_an_example() {
    let source = read_everything();
    assert!(source.methods.len() > 80, "methods are not understood");

    let mut never: Vec<String> = source
        .methods
        .iter()
        .filter(|(method, _)| !calls(&source.examples, method))
        .map(|(method, file)| format!("{method} ({file})"))
        .collect();
    never.dedup();

    assert!(never.is_empty(), "call each of these in an example: {never:#?}");
}
