use std::time::Duration;

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::faults::{Fault, Faults, Moment, Rule, When};

use super::*;

/// A file with this one fault.
fn with(fault: &str) -> Result<Faults, Problem> {
    parse(&format!("seed = 7\n[[fault]]\n{fault}"))
}

fn refused(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn every_kind_of_fault_and_of_call_is_read() {
    let text = r#"
        seed = 18_446_744_073_709_551_615

        [[fault]]
        operation = "BatchWriteItem"
        unprocessed = 0.5
        share = 0.1

        [[fault]]
        operations = ["PutItem", "UpdateItem"]
        table = "app"
        index = "by_user"
        key_prefix = "ORG#1#"
        throttle = "KeyRangeThroughputExceeded"

        [[fault]]
        transaction = "conflict"
        share_of_keys = 1

        [[fault]]
        transaction = "in-progress"
        call = 3

        [[fault]]
        index_lag_ms = 1_500
        calls = [3, 5]

        [[fault]]
        internal_server_error = "before-commit"
        every = 4

        [[fault]]
        cut_connection = "after-commit"
        first = 2

        [[fault]]
        delay_before_commit_ms = 10

        [[fault]]
        delay_after_commit_ms = 0x10
    "#;
    let rules = [
        Rule::new(Fault::Unprocessed { share: 0.5 })
            .operation(Operation::BatchWriteItem)
            .when(When::Share(0.1)),
        Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput))
            .operation(Operation::PutItem)
            .operation(Operation::UpdateItem)
            .table("app")
            .index("by_user")
            .key_prefix("ORG#1#"),
        Rule::new(Fault::TransactionConflict).when(When::ShareOfKeys(1.0)),
        Rule::new(Fault::TransactionInProgress).when(When::Calls(vec![3])),
        Rule::new(Fault::IndexLag(Duration::from_millis(1500))).when(When::Calls(vec![3, 5])),
        Rule::new(Fault::InternalServerError(Moment::BeforeCommit)).when(When::Every(4)),
        Rule::new(Fault::CutConnection(Moment::AfterCommit)).when(When::First(2)),
        Rule::new(Fault::Delay(Moment::BeforeCommit, Duration::from_millis(10))),
        Rule::new(Fault::Delay(Moment::AfterCommit, Duration::from_millis(16))),
    ];
    let expected = rules.into_iter().fold(Faults::new(u64::MAX), |faults, rule| faults.rule(rule).unwrap());
    assert_eq!(parse(text), Ok(expected));
}

/// The listing at the end shows rules, which a reader wants to copy into a file.
#[test]
fn a_rule_that_is_written_as_it_is_listed_is_the_same_rule() {
    let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit))
        .operation(Operation::PutItem)
        .operation(Operation::DeleteItem)
        .table("app")
        .key_prefix("a \"quoted\" \\ prefix, \u{1} \n \u{e9} \u{85}")
        .when(When::Share(0.125));
    let written = rule.to_string().replace(", operations", "\noperations").replace(", table", "\ntable");
    let written = written.replace(", key_prefix", "\nkey_prefix").replace(", share", "\nshare");
    assert_eq!(with(&written), Ok(Faults::new(7).rule(rule).unwrap()));
}

#[test]
fn what_is_wrong_is_named_with_its_line_and_what_to_write() {
    let cases = [
        ("", "line 1: the seed is missing, which the decisions follow from: write `seed = 7` first"),
        ("seed = 7\n", "line 1: no fault is here: each begins with `[[fault]]`"),
        ("seed = -1\n", "line 1: no fault is here: each begins with `[[fault]]`"),
        ("seed = -1\n[[fault]]\n", "line 1: `seed` is a whole number, such as 3"),
        ("seed = 7\n[fault]\nunprocessed = 1\n", "line 2: faults are tables: begin each with `[[fault]]`"),
        ("seed = 7\nfault = [1]\n", "line 2: faults are tables: begin each with `[[fault]]`"),
        ("sed = 7\n[[fault]]\n", "line 1: there is no `sed`; did you mean `seed`?"),
        (
            "seed = 7\n\n[[fault]]\ntable = \"app\"\n",
            "line 3: the fault does not say what happens: write one of unprocessed, throttle, transaction, \
             index_lag_ms, internal_server_error, cut_connection, delay_before_commit_ms, delay_after_commit_ms",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refused(text), expected, "{text}");
    }
    let of_faults = [
        ("unprocesed = 0.5", "line 3: there is no `unprocesed`; did you mean `unprocessed`?"),
        (
            "unprocessed = 0.5\nkey-prefix = \"a\"",
            "line 4: there is no `key-prefix`; did you mean `key_prefix`?",
        ),
        (
            "unprocessed = 0.5\nshare = 0.1\ncall = 3",
            "line 5: `share` and `call` exclude each other: write a [[fault]] for each",
        ),
        (
            "throttle = \"AccountLimitExceeded\"\ncut_connection = \"after-commit\"",
            "line 4: `throttle` and `cut_connection` exclude each other: write a [[fault]] for each",
        ),
        ("unprocessed = \"half\"", "line 3: `unprocessed` is a number, such as 0.1"),
        ("unprocessed = 1.5", "line 3: 1.5 is not a share: above 0 and up to 1, such as 0.1 for a tenth"),
        (
            "unprocessed = 0.5\nshare = 0",
            "line 4: 0 is not a share: above 0 and up to 1, such as 0.1 for a tenth",
        ),
        ("unprocessed = nan", "line 3: NaN is not a share: above 0 and up to 1, such as 0.1 for a tenth"),
        (
            "throttle = \"KeyRangeThroughput\"",
            "line 3: \"KeyRangeThroughput\" is not known; did you mean \"KeyRangeThroughputExceeded\"?",
        ),
        (
            "throttle = \"yes\"",
            "line 3: \"yes\" is not known; write \"KeyRangeThroughputExceeded\" or \"ProvisionedThroughputExceeded\" or \
             \"MaxOnDemandThroughputExceeded\" or \"AccountLimitExceeded\"",
        ),
        ("cut_connection = \"after\"", "line 3: \"after\" is not known; did you mean \"after-commit\"?"),
        ("cut_connection = true", "line 3: `cut_connection` is a text in quotes"),
        (
            "unprocessed = 1\noperation = \"BatchWrite\"",
            "line 4: there is no operation `BatchWrite`; did you mean `BatchWriteItem`?",
        ),
        (
            "unprocessed = 1\noperation = \"PutItem\"",
            "line 4: `unprocessed = 1` never happens to PutItem, only to BatchGetItem, BatchWriteItem",
        ),
        (
            "unprocessed = 1\noperations = []",
            "line 4: no operation is named; leave the key out for all of them",
        ),
        (
            "unprocessed = 1\noperations = [1]",
            "line 4: `operations` is the name of an operation, or several in an array",
        ),
        (
            "unprocessed = 1\ntable = \"my table\"",
            "line 4: \"my table\" is not the name of a table: 1 to 255 of a-z, A-Z, 0-9, `_`, `-`, `.`",
        ),
        (
            "unprocessed = 1\ncalls = [1, 0]",
            "line 4: calls are counted from 1, and at least one must be named",
        ),
        ("unprocessed = 1\ncalls = 3", "line 4: `calls` is whole numbers, such as [3, 5]"),
        ("unprocessed = 1\nevery = -2", "line 4: `every` is a whole number, such as 3"),
        ("index_lag_ms = 0", "line 3: a time is at least 1 millisecond, and at most a hundred years"),
        ("index_lag_ms = 2.5", "line 3: `index_lag_ms` is a whole number, such as 3"),
    ];
    for (fault, expected) in of_faults {
        assert_eq!(with(fault).unwrap_err().to_string(), expected, "{fault}");
    }
}

#[test]
fn hostile_texts_are_refused_and_nothing_else_happens() {
    let deep = format!("seed = 7\nfault = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let many = format!("seed = 7\n{}", "[[fault]]\nunprocessed = 2\n".repeat(50_000));
    let big = format!("seed = {}\n[[fault]]\nunprocessed = 1\n", "9".repeat(100_000));
    for text in [
        "seed",
        "seed = ",
        "seed = 7 = 7",
        "seed = 7\nseed = 8",
        "seed = 7\n[[fault",
        "seed = 7\n[[fault]]\nunprocessed = 1\nunprocessed = 1",
        "seed = 7\n[[fault]]\n[fault.more]\n",
        "seed = 7\n[[fault]]\nunprocessed.share = 1",
        "seed = 2026-01-01\n[[fault]]\nunprocessed = 1",
        "\u{0}",
        "seed = 7\r[[fault]]",
        "\u{feff}\u{feff}seed = 7",
        &deep,
        &many,
        &big,
    ] {
        let refused = refused(text);
        assert!(refused.starts_with("line "), "{refused}");
    }
}

/// Who copies the example of the book gets what the book says.
#[test]
fn the_examples_of_the_book_are_fault_files() {
    let page = include_str!("../../../../../docs/faults.md");
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let rules: Vec<String> = blocks.map(|block| format!("{:?}", parse(block).unwrap())).collect();
    assert!(!rules.is_empty());
}
