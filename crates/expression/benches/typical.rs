//! How long typical expressions take, in nanoseconds: `cargo bench -p keywright-expression`.
//!
//! Each line is the fastest of ten rounds: the machine's noise only ever adds.
#![expect(clippy::print_stdout, reason = "the figures are the output")]
#![expect(clippy::unwrap_used, reason = "the expressions are written below")]

use std::hint::black_box;
use std::time::Instant;

use keywright_expression::{
    ConditionExpression, DeclaredPlaceholders, ExpressionKind, Placeholders, ProjectionExpression,
    UpdateExpression,
};
use keywright_item::json::Reader;
use keywright_item::{AttributeValue, Item, StoredItem};

const CONDITIONS: [(&str, &str); 5] = [
    ("insert", "attribute_not_exists(pk)"),
    ("version", "#v = :one"),
    ("filter", "age BETWEEN :one AND :hundred AND begins_with(sk, :prefix)"),
    ("document", "settings.theme.dark = :yes AND size(tags) > :one AND contains(tags, :tag)"),
    ("list", "standing IN (:a, :b, :c) OR NOT (age < :hundred AND attribute_exists(email))"),
];

const UPDATES: [(&str, &str); 4] = [
    ("counter", "ADD visits :one"),
    ("versioned", "SET email = :a, #v = #v + :one"),
    ("first", "SET visits = if_not_exists(visits, :one) + :one REMOVE email"),
    ("nested", "SET settings.theme.dark = :yes, history[0] = :a ADD tags :more"),
];

fn main() {
    let placeholders = placeholders();
    let item = item();
    let stored = StoredItem::encode(&item);
    println!("item: {} attributes, {} bytes", item.len(), item.size_bytes());
    println!("{:<12} {:>9} {:>9} {:>9}", "condition", "parse", "bind", "evaluate");
    for (name, text) in CONDITIONS {
        let parsed = ConditionExpression::parse(text, ExpressionKind::Condition).unwrap();
        let condition = parsed.bind(&placeholders).unwrap();
        let figures = [
            nanoseconds(|| ConditionExpression::parse(black_box(text), ExpressionKind::Condition)),
            nanoseconds(|| parsed.bind(black_box(&placeholders))),
            nanoseconds(|| condition.holds(Some(black_box(stored.as_ref())))),
        ];
        println!("{name:<12} {:>9} {:>9} {:>9}", figures[0], figures[1], figures[2]);
    }
    println!("{:<12} {:>9} {:>9} {:>9}", "update", "parse", "bind", "apply");
    for (name, text) in UPDATES {
        let parsed = UpdateExpression::parse(text).unwrap();
        let update = parsed.bind(&placeholders).unwrap();
        let figures = [
            nanoseconds(|| UpdateExpression::parse(black_box(text))),
            nanoseconds(|| parsed.bind(black_box(&placeholders))),
            nanoseconds(|| update.apply(Some(black_box(&item)), &item).is_ok()),
        ];
        println!("{name:<12} {:>9} {:>9} {:>9}", figures[0], figures[1], figures[2]);
    }
    let text = "pk, settings.theme.dark, history[1]";
    let parsed = ProjectionExpression::parse(text).unwrap();
    let projection = parsed.bind(&placeholders).unwrap();
    println!(
        "{:<12} {:>9} {:>9} {:>9}",
        "projection",
        nanoseconds(|| ProjectionExpression::parse(black_box(text))),
        nanoseconds(|| parsed.bind(black_box(&placeholders))),
        nanoseconds(|| projection.apply(black_box(stored.as_ref()))),
    );
    println!("clone of the item {}", nanoseconds(|| black_box(&item).clone()));
}

fn nanoseconds<Answer>(run: impl Fn() -> Answer) -> u128 {
    // The test command runs it as well, to see that it still does; only `cargo bench` measures.
    let runs = if std::env::args().any(|argument| argument == "--bench") { 20_000_u32 } else { 1 };
    let round = || {
        let started = Instant::now();
        for _ in 0..runs {
            black_box(run());
        }
        started.elapsed().as_nanos() / u128::from(runs)
    };
    (0..10).map(|_| round()).min().unwrap_or_default()
}

fn placeholders() -> Placeholders {
    let mut declared = DeclaredPlaceholders::default();
    declared.declare_name("#v", "version".to_owned());
    for (placeholder, wire) in [
        (":one", r#"{"N":"1"}"#),
        (":hundred", r#"{"N":"100"}"#),
        (":prefix", r#"{"S":"TEAM#1"}"#),
        (":yes", r#"{"BOOL":true}"#),
        (":tag", r#"{"S":"blue"}"#),
        (":more", r#"{"SS":["green"]}"#),
        (":a", r#"{"S":"active"}"#),
        (":b", r#"{"S":"invited"}"#),
        (":c", r#"{"S":"left"}"#),
    ] {
        declared.declare_value(placeholder, Ok(value(wire)));
    }
    declared.check().unwrap()
}

fn item() -> Item {
    let attributes = [
        ("pk", r#"{"S":"ORG#01HZY3"}"#),
        ("sk", r#"{"S":"TEAM#1#MEMBER#7"}"#),
        ("entity", r#"{"S":"member"}"#),
        ("age", r#"{"N":"42"}"#),
        ("email", r#"{"S":"someone@example.com"}"#),
        ("standing", r#"{"S":"invited"}"#),
        ("visits", r#"{"N":"17"}"#),
        ("version", r#"{"N":"1"}"#),
        ("tags", r#"{"SS":["blue","red"]}"#),
        ("history", r#"{"L":[{"S":"created"},{"S":"invited"}]}"#),
        ("settings", r#"{"M":{"theme":{"M":{"dark":{"BOOL":true},"size":{"N":"12"}}}}}"#),
    ];
    attributes.into_iter().map(|(name, wire)| (name.to_owned(), value(wire))).collect()
}

fn value(wire: &str) -> AttributeValue {
    Reader::new(wire.as_bytes()).attribute_value().unwrap().unwrap()
}
