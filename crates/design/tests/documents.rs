//! The documents name rules that there are, and the page of the patterns names all of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests stop at the first surprise")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use keywright_design::verify::rules;

fn pages() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/design")
}

fn read(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// The codes in a text: `KW` and four digits.
fn codes(text: &str) -> BTreeSet<String> {
    let after = text.match_indices("KW").filter_map(|(place, _)| text.get(place..place + 6));
    after.filter(|code| code.bytes().skip(2).all(|byte| byte.is_ascii_digit())).map(str::to_owned).collect()
}

#[test]
fn every_rule_that_a_page_about_designs_names_exists() {
    let known: BTreeSet<String> = rules().map(|rule| rule.code.to_owned()).collect();
    for entry in fs::read_dir(pages()).unwrap() {
        let page = entry.unwrap().path();
        if page.extension().is_some_and(|extension| extension == "md") {
            let unknown: Vec<String> = codes(&read(&page)).difference(&known).cloned().collect();
            assert!(unknown.is_empty(), "{} names rules that do not exist: {unknown:?}", page.display());
        }
    }
}

#[test]
fn a_link_to_a_rule_leads_to_that_rule() {
    for name in ["seed.md", "standards.md"] {
        let text = read(&pages().join(name));
        for rule in rules() {
            let begin = format!("[{}](", rule.code);
            let target = format!("{begin}../rules/{}-{}.md)", rule.code, rule.name);
            let links = text.matches(&begin).count();
            assert_eq!(
                links,
                text.matches(&target).count(),
                "{name}: a link of {} leads elsewhere",
                rule.code
            );
        }
    }
}

/// A rule that no pattern asks for stands in the last table of the page.
#[test]
fn the_page_of_the_patterns_names_every_rule() {
    let named = codes(&read(&pages().join("seed.md")));
    let missing: Vec<&str> = rules().map(|rule| rule.code).filter(|code| !named.contains(*code)).collect();
    assert!(missing.is_empty(), "docs/design/seed.md does not name {missing:?}: say which pattern they hold");
}
