//! Two tenants with hostile ids and the same hostile names, for the tests of isolation.

use std::collections::BTreeMap;
use std::future::Future;

use aws_sdk_dynamodb::types::AttributeValue;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::arm::Arm;

/// What stands in every value of the other tenant: if it is seen anywhere, something leaked.
pub(crate) const SECRET: &str = "the other tenant's secret";

/// What two tenants and their items are called.
pub(crate) struct Names {
    pub(crate) mine: String,
    pub(crate) theirs: String,
    pub(crate) team: String,
    pub(crate) user: String,
    pub(crate) token: String,
}

/// Pieces of ids that have broken keys somewhere: delimiters, what escapes are made of, prefixes of one another, letter case,
/// characters whose order differs between encodings, combining ones, control characters, and names of this design.
const PIECES: &[&str] = &[
    "a",
    "A",
    "b",
    "1",
    "10",
    "#",
    "$",
    "$23",
    "%",
    "\\",
    "/",
    ".",
    "..",
    "*",
    "?",
    " ",
    "\u{0}",
    "\u{7f}",
    "\n",
    "é",
    "e\u{301}",
    "\u{ff61}",
    "\u{10002}",
    "\u{202e}",
    "ORG",
    "ORG#",
    "TEAM#",
    "#TEAM#1",
    "MEMBER",
    "#MEMBER#",
    "SHARE#",
    "EMAIL#",
    "#EMAIL#",
    "HANDLE#",
    "PERSON#",
    "${organization_id}",
    "{team_id}",
    "default",
    "null",
    "\"",
    "'",
    ")",
    " OR attribute_exists(pk)",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..4).prop_map(|pieces| pieces.concat())
}

/// Everything that a tenant has, by key, as it is stored.
pub(crate) async fn stored_items(arm: &Arm, table: &str, owner: &str) -> BTreeMap<String, String> {
    let output = arm.client().scan().table_name(table).send().await.unwrap();
    assert!(output.last_evaluated_key.is_none(), "the test keeps tables small");
    output
        .items
        .unwrap_or_default()
        .into_iter()
        .filter(|item| item["organization_id"] == AttributeValue::S(owner.to_owned()))
        .map(|item| {
            let key = format!("{:?} {:?}", item["pk"], item["sk"]);
            let attributes: BTreeMap<String, AttributeValue> = item.into_iter().collect();
            (key, format!("{attributes:?}"))
        })
        .collect()
}

/// Runs a test with many names: so many, or with `KEYWRIGHT_LONG` fifty times as many.
pub(crate) fn with_hostile_names<Run: Future<Output = ()>>(cases: u32, test: impl Fn(Names) -> Run) {
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 50 * cases } else { cases };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let names = (hostile(), hostile(), hostile(), hostile(), hostile())
        .prop_filter("two tenants are two", |(mine, theirs, ..)| mine != theirs);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&names, |(mine, theirs, team, user, token)| {
            runtime.block_on(test(Names { mine, theirs, team, user, token }));
            Ok(())
        })
        .unwrap();
}
