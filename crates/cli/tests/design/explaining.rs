//! `design explain`.

use crate::command::{Place, repository_text};

#[test]
fn a_rule_is_explained_by_its_code_or_its_name() {
    let place = Place::new();
    let by_code = place.design(&["explain", "KW0203"]);
    assert_eq!(by_code.code, 0);
    for heading in ["KW0203: ", "What it finds", "Why it hurts", "Example", "Instead"] {
        assert!(by_code.out.contains(heading), "{heading}: {}", by_code.out);
    }
    for wanted in ["kw0203", "same-key"] {
        assert_eq!(place.design(&["explain", wanted]).out, by_code.out);
    }
}

#[test]
fn without_a_code_every_rule_has_a_line() {
    let ended = Place::new().design(&["explain"]);
    assert_eq!(ended.code, 0);
    let listed: Vec<&str> = ended.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let book = repository_text("docs/rules/README.md");
    let in_book =
        book.lines().filter_map(|line| line.strip_prefix("| [")?.split_once(']')).map(|(code, _)| code);
    assert_eq!(listed, in_book.collect::<Vec<_>>());
}

#[test]
fn an_unknown_rule_is_refused_with_where_to_look() {
    let ended = Place::new().design(&["explain", "KW9999"]);
    assert_eq!(ended.code, 2);
    assert_eq!(ended.out, "");
    assert!(ended.err.contains("`keywright design explain` lists them all"), "{}", ended.err);
}
