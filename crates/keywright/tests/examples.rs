//! Every public item has an example of its own, in its documentation.
//!
//! It reads the source: each declaration that begins with `pub`, and the documentation before it. What is not to compile shows what an item
//! refuses and not what it does, so that alone is no example.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails says where")]

mod public;

use std::collections::HashMap;

use public::{named, source};

/// What is declared public, and needs an example.
const KINDS: &[&str] = &["struct", "enum", "trait", "fn", "const", "static", "type"];

/// A public item.
struct Item<'t> {
    name: &'t str,
    /// What its examples show, line by line.
    examples: Vec<&'t str>,
}

/// The public items of a file. What is declared in a module inside of it is not public, since such modules are private; methods of what is
/// public are, wherever they are written.
fn items(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let mut before = Before::default();
    let mut module: Option<usize> = None;
    for line in text.lines() {
        let declared = line.trim_start();
        let indent = line.len() - declared.len();
        if opens_module(declared) {
            module = Some(indent);
        } else if declared == "}" && module == Some(indent) {
            module = None;
        }
        if !before.takes(declared) {
            let Before { examples, is_hidden, .. } = std::mem::take(&mut before);
            let is_private = is_hidden || module.is_some_and(|module| indent == module + 4);
            let name = named(declared, KINDS).filter(|_| !is_private);
            items.extend(name.map(|name| Item { name, examples }));
        }
    }
    items
}

/// Whether a module begins here that is in this file.
fn opens_module(line: &str) -> bool {
    line.strip_suffix(" {").is_some_and(|line| line.split_whitespace().rev().nth(1) == Some("mod"))
}

/// What stands before an item: its documentation and its attributes.
#[derive(Default)]
struct Before<'t> {
    is_in_attribute: bool,
    is_hidden: bool,
    fence: Option<Fence>,
    examples: Vec<&'t str>,
}

/// What is between fences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fence {
    /// Code that is to compile.
    Example,
    /// Text, or code that is not to.
    Other,
}

impl<'t> Before<'t> {
    /// Takes a line if it is one of them.
    fn takes(&mut self, line: &'t str) -> bool {
        if let Some(text) = line.strip_prefix("///") {
            self.take_documentation(text.trim());
            return true;
        }
        if line.starts_with("#[") {
            self.is_in_attribute = true;
            self.is_hidden |= line == "#[doc(hidden)]";
        }
        let is_of_attribute = self.is_in_attribute;
        self.is_in_attribute &= !line.ends_with(']');
        is_of_attribute || line.starts_with("//")
    }

    fn take_documentation(&mut self, text: &'t str) {
        let is_hidden = text == "#" || text.starts_with("# ");
        self.fence = match (self.fence, text.strip_prefix("```")) {
            (None, Some(begins)) => {
                let is_example = |word| matches!(word, "" | "rust" | "no_run" | "should_panic");
                Some(if begins.split(',').all(is_example) { Fence::Example } else { Fence::Other })
            }
            (Some(_), Some(_)) | (None, None) => None,
            (Some(fence), None) => {
                if fence == Fence::Example && !is_hidden && !text.is_empty() {
                    self.examples.push(text);
                }
                Some(fence)
            }
        };
    }
}

/// The public items of all files, each with its file.
fn all_items(source: &[(String, String)]) -> Vec<(&str, Item<'_>)> {
    let of_file = |(file, text)| items(text).into_iter().map(move |item| (file, item));
    source.iter().flat_map(|(file, text)| of_file((file.as_str(), text.as_str()))).collect()
}

#[test]
fn every_public_item_has_an_example_of_its_own() {
    let source = source();
    let items = all_items(&source);
    assert!(items.len() > 400, "items are not understood: there are {}", items.len());
    for known in [
        ("store.rs", "Store"),
        ("store/places.rs", "in_memory"),
        ("write/put.rs", "put"),
        ("write/outcome.rs", "is_done"),
        ("query/sharded.rs", "requests"),
        ("transaction/action.rs", "TransactionAction"),
        ("cursor/key.rs", "BYTES"),
        ("etag.rs", "InvalidETag"),
    ] {
        assert!(items.iter().any(|(file, item)| (*file, item.name) == known), "{known:?} is not found");
    }

    let without = items.iter().filter(|(_, item)| item.examples.is_empty());
    let without: Vec<String> = without.map(|(file, item)| format!("{} ({file})", item.name)).collect();

    assert!(
        without.is_empty(),
        "add an example to the documentation of these {}: {without:#?}",
        without.len()
    );
}

/// A copy shows what the other item does, and nothing of this one.
#[test]
fn no_two_items_have_one_example() {
    let source = source();
    let mut seen: HashMap<Vec<&str>, String> = HashMap::new();
    let mut twice = Vec::new();
    for (file, item) in all_items(&source).into_iter().filter(|(_, item)| !item.examples.is_empty()) {
        let place = format!("{} ({file})", item.name);
        if let Some(first) = seen.insert(item.examples, place.clone()) {
            twice.push(format!("{first} and {place}"));
        }
    }
    assert!(twice.is_empty(), "give each of these an example of its own: {twice:#?}");
}

#[test]
fn an_item_without_an_example_is_found_and_one_with_an_example_is_not() {
    let text = "
        //! ```
        //! the_example_of_the_module();
        //! ```
        use std::fmt;

        /// With one.
        ///
        /// ```
        /// # fn hidden() {}
        /// shown();
        /// ```
        #[must_use = \"it says so\"]
        pub async fn shown() {}

        /// Without one.
        #[derive(Debug)]
        pub struct Silent {
            /// A field needs none.
            pub field: u8,
        }

        impl Silent {
            /// The first of two: it has none of its own.
            pub const LIMIT: usize = 32;
            /// The second.
            ///
            /// ```no_run
            /// Silent::limited();
            /// ```
            #[expect(
                clippy::unwrap_used,
                reason = \"an attribute of several lines is none\"
            )]
            pub const fn limited() {}

            pub(crate) fn internal() {}
        }

        /// It shows what is refused alone.
        ///
        /// ```compile_fail,E0277
        /// refused();
        /// ```
        pub fn refused() {}

        /// It shows a text alone.
        ///
        /// ```text
        /// PK: ORG#acme
        /// ```
        pub enum Drawn {}

        /// It shows nothing.
        ///
        /// ```
        /// # let _ = empty;
        /// ```
        pub fn empty() {}

        #[doc(hidden)]
        pub fn hidden() {}

        pub(super) mod sealed {
            pub trait Sealed {}

            impl Silent {
                pub fn reachable() {}
            }
        }

        pub trait Last {}
    ";
    let found: Vec<(&str, Vec<&str>)> =
        items(text).into_iter().map(|item| (item.name, item.examples)).collect();
    let none = Vec::new;
    let expected = [
        ("shown", vec!["shown();"]),
        ("Silent", none()),
        ("LIMIT", none()),
        ("limited", vec!["Silent::limited();"]),
        ("refused", none()),
        ("Drawn", none()),
        ("empty", none()),
        ("reachable", none()),
        ("Last", none()),
    ];
    assert_eq!(found, expected);
}
