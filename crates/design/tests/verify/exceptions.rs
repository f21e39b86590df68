//! What exceptions accept.

use crate::{TABLE, findings, found};

const SCAN: &str = r#"
[entity.order]
table = "app"
partition_key = "ORDER#{order_id}"
sort_key = "ORDER"

[pattern.orders]
operation = "scan"
returns = ["order"]

[pattern.orders_of_day]
operation = "scan"
returns = ["order"]
"#;

fn with(exception: &str) -> String {
    format!("{TABLE}{SCAN}{exception}")
}

fn exception(rule: &str, at: &str) -> String {
    format!("\n[[exception]]\nrule = \"{rule}\"\nat = \"{at}\"\nreason = \"decided in review\"\n")
}

/// The places of scans, and whether each is accepted.
fn scans(text: &str) -> Vec<(String, bool)> {
    let scans = findings(text).into_iter().filter(|finding| finding.rule.code == "KW0503");
    scans.map(|finding| (finding.place.to_string(), finding.accepted.is_some())).collect()
}

#[test]
fn an_exception_accepts_what_lies_within_its_place() {
    let text = with(&exception("KW0503", "pattern.orders"));
    assert_eq!(
        scans(&text),
        [
            ("pattern.orders.operation".to_owned(), true),
            // Its name only begins alike.
            ("pattern.orders_of_day.operation".to_owned(), false),
        ]
    );
    assert_eq!(found(&text, "KW0517"), [""; 0]);
}

#[test]
fn an_exception_is_for_one_rule() {
    let text = with(&exception("KW0504", "pattern.orders"));
    assert!(scans(&text).iter().all(|(_, is_accepted)| !is_accepted));
    assert_eq!(found(&text, "KW0517"), ["exception.0"]);
}

#[test]
fn a_table_may_have_dots_in_its_name() {
    let text = with(&exception("KW0516", "table.archive.2026"));
    let text = format!("{text}\n[table.\"archive.2026\"]\npartition_key = \"pk\"\n");
    assert_eq!(found(&text, "KW0501"), [""; 0]);
    assert_eq!(found(&text, "KW0517"), [""; 0]);
    let accepted = findings(&text).into_iter().find(|finding| finding.rule.code == "KW0516").unwrap();
    assert_eq!(accepted.accepted.as_deref(), Some("decided in review"));
}

#[test]
fn what_an_exception_names_wrongly_is_said_once() {
    let text = with(&exception("KW0503", "pattern.ordres"));
    assert_eq!(found(&text, "KW0501"), ["exception.0.at"]);
    assert_eq!(found(&text, "KW0517"), [""; 0]);
}
