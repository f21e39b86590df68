//! An item that does not decode: the error says which attribute, what was expected and which type is stored, and nothing that is stored.
//!
//! An item that is looked up across tenants fails to decode before anybody knows whose it is. So the text is of the program's own words,
//! whatever is stored, and whatever the entity's types say of it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fmt;
use std::num::NonZeroU8;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{AccessPattern, Entity, ItemProblem, ReadError, Store, Table, Tenant};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use crate::arm::{Arm, in_process_alone};

/// What stands in every text and every name of what is stored; `DIGITS` in every number.
const SECRET: &str = "sesame";
const DIGITS: &str = "4711";

#[derive(Table)]
#[table(tenant(organization_id: String), entities(Thing), patterns(ThingByToken))]
struct Things;

/// One attribute of each kind that serde tells apart.
#[derive(Clone, Debug, Default, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Things,
    partition_key = "THING#{token}",
    sort_key = "THING",
    deviation = "the token is the lookup value"
)]
struct Thing {
    token: String,
    organization_id: String,
    small: Option<u8>,
    signed: Option<i64>,
    share: Option<f64>,
    flag: Option<bool>,
    text: Option<String>,
    letter: Option<char>,
    state: Option<State>,
    counts: Option<BTreeMap<String, u8>>,
    numbered: Option<BTreeMap<u16, String>>,
    list: Option<Vec<u16>>,
    words: Option<BTreeSet<String>>,
    inner: Option<Inner>,
    not_zero: Option<NonZeroU8>,
    address: Option<Address>,
    either: Option<Either>,
    raw: Option<Raw>,
    pair: Option<(u8, String)>,
    #[serde(default)]
    nothing: (),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum State {
    Active,
    Ended { since: u64 },
    Moved(String),
    Between(u8, u8),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inner {
    name: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    size: u8,
}

/// Tells in its error what it does not take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Address(String);

impl TryFrom<String> for Address {
    type Error = String;

    fn try_from(text: String) -> Result<Address, String> {
        if text.contains('@') {
            Ok(Address(text))
        } else {
            Err(format!("missing field `{text}`, expected no {text}"))
        }
    }
}

impl From<Address> for String {
    fn from(address: Address) -> String {
        address.0
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Flag(bool),
}

#[derive(Clone, Debug, PartialEq)]
struct Raw(Vec<u8>);

impl Serialize for Raw {
    fn serialize<Target: serde::Serializer>(&self, target: Target) -> Result<Target::Ok, Target::Error> {
        target.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<Source: Deserializer<'de>>(source: Source) -> Result<Raw, Source::Error> {
        struct Bytes;

        impl Visitor<'_> for Bytes {
            type Value = Raw;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<Problem>(self, bytes: &[u8]) -> Result<Raw, Problem> {
                Ok(Raw(bytes.to_vec()))
            }
        }

        source.deserialize_byte_buf(Bytes)
    }
}

#[derive(AccessPattern)]
#[access_pattern(table = Things, get_item, across_tenants, returns(Thing), sort_key_equals = "THING")]
struct ThingByToken {
    token: String,
}

fn by_token() -> ThingByToken {
    ThingByToken { token: "t".to_owned() }
}

fn thing() -> Thing {
    Thing { token: "t".to_owned(), organization_id: "acme".to_owned(), ..Thing::default() }
}

/// Every attribute of a thing that is not of its key.
const ATTRIBUTES: &[&str] = &[
    "small", "signed", "share", "flag", "text", "letter", "state", "counts", "numbered", "list", "words",
    "inner", "not_zero", "address", "either", "raw", "pair", "nothing",
];

fn texts() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        SECRET.to_owned(),
        String::new(),
        format!("\"{SECRET}"),
        format!("`{SECRET}"),
        format!("a\\\"{SECRET}"),
        format!("missing field `{SECRET}`"),
        format!("{SECRET}, expected {SECRET}"),
        format!("{SECRET}@example.com"),
        format!("{DIGITS}"),
        "7".to_owned(),
        "true".to_owned(),
        "Active".to_owned(),
        "Moved".to_owned(),
        "s".to_owned(),
    ])
}

fn numbers() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "0",
        "7",
        "255",
        "4711",
        "-4711",
        "4711.5",
        "4711E40",
        "4.711E-30",
        "18446744073709551615",
    ])
    .prop_map(str::to_owned)
}

fn names() -> impl Strategy<Value = String> {
    let known =
        ["name", "parts", "size", "since", "Ended", "Moved", "Between", "Active", "7"].map(str::to_owned);
    prop_oneof![
        prop::sample::select(known.to_vec()),
        texts().prop_filter("a name is not empty", |name| !name.is_empty())
    ]
}

fn stored() -> impl Strategy<Value = AttributeValue> {
    let bytes = || prop::sample::select(vec![Blob::new(SECRET), Blob::new([0, 255])]);
    let leaf = prop_oneof![
        texts().prop_map(AttributeValue::S),
        numbers().prop_map(AttributeValue::N),
        bytes().prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null(true)),
        prop::collection::btree_set(texts(), 1..3)
            .prop_map(|set| AttributeValue::Ss(set.into_iter().collect())),
        prop::collection::btree_set(prop::sample::select(vec!["7", "4711", "-4711.5"]), 1..3)
            .prop_map(|set| AttributeValue::Ns(set.into_iter().map(str::to_owned).collect())),
        // No text: a set of bytes is no set of texts here, and is one for `serde_dynamo` if it can be.
        Just(AttributeValue::Bs(vec![Blob::new([0, 255])])),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(AttributeValue::L),
            prop::collection::hash_map(names(), inner, 0..3).prop_map(AttributeValue::M),
        ]
    })
}

/// Stores a thing with these values as another program does, perhaps one of a later version, and gives what is stored then.
async fn store_raw(
    arm: &Arm,
    store: &Store<Things>,
    acme: &Tenant<Things>,
    values: &[(&str, AttributeValue)],
) -> HashMap<String, AttributeValue> {
    let mut item = acme.put(&thing()).request().unwrap().item.unwrap();
    item.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let key = acme.get_request(&by_token()).unwrap().key;
    let (client, table) = (arm.client(), store.table_name());
    client.put_item().table_name(table).set_item(Some(item)).send().await.unwrap();
    // A set comes back in another order.
    client.get_item().table_name(table).set_key(key).send().await.unwrap().item.unwrap()
}

async fn things() -> (Arm, Store<Things>, Tenant<Things>) {
    let arm = in_process_alone();
    let store = arm.store::<Things>().await;
    let acme = store.tenant(&"acme".to_owned()).unwrap();
    (arm, store, acme)
}

/// Everything that an error tells anybody.
fn told(error: &ReadError) -> String {
    let mut told = format!("{error} {error:?}");
    let mut source = error.source();
    while let Some(error) = source {
        told.push_str(&format!(" {error} {error:?}"));
        source = error.source();
    }
    told
}

fn problem(error: &ReadError) -> (&str, &str) {
    match error {
        ReadError::Item(error) => match error.problem() {
            ItemProblem::Attribute { path, reason } => (path, reason),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// A text of another tenant was in the error of a lookup that nobody had verified: a number that is none of its type, what stood behind a
/// quote in a text, a word that no variant is called, a name in a map. Now every value of every type is tried in every place.
///
/// What decodes is what `serde_dynamo` reads, and the same.
#[test]
fn nothing_that_is_stored_is_in_an_error() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (arm, store, acme) = runtime.block_on(things());
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 100_000 } else { 2_000 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let refused = Cell::new(0);
    let values = prop::collection::vec((prop::sample::select(ATTRIBUTES), stored()), 1..3);
    TestRunner::new(config)
        .run(&values, |values| {
            runtime.block_on(async {
                let item = store_raw(&arm, &store, &acme, &values).await;
                let expected: Result<Thing, _> = serde_dynamo::from_item(item);
                let found = store.lookup_item(by_token()).await;
                let own = acme.get(by_token()).await;
                match (expected, found, own) {
                    (Ok(expected), Ok(Some(found)), Ok(Some(own))) => {
                        prop_assert_eq!(format!("{:?}", &*own), format!("{expected:?}"));
                        prop_assert!(found.verify(&acme).is_ok());
                    }
                    (Err(_), Err(found), Err(own)) => {
                        for told in [told(&found), told(&own)] {
                            prop_assert!(!told.contains(SECRET) && !told.contains(DIGITS), "{}", told);
                        }
                        refused.set(refused.get() + 1);
                    }
                    (expected, found, own) => {
                        prop_assert!(false, "{:?} {:?} {:?}", expected, found.is_ok(), own)
                    }
                }
                Ok(())
            })
        })
        .unwrap();
    assert!(refused.get() > cases / 4 && refused.get() < cases, "{} of {cases} do not decode", refused.get());
}

#[tokio::test]
async fn the_error_names_the_attribute_what_was_expected_and_the_stored_type() {
    let (arm, store, acme) = things().await;
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let number = |number: &str| AttributeValue::N(number.to_owned());
    let map = |name: &str, value: AttributeValue| AttributeValue::M([(name.to_owned(), value)].into());
    let part = map("size", text("7"));
    let cases = [
        ("small", number("12.5"), "small", "`u8` was expected, and the stored number is none"),
        ("small", text("7"), "small", "`u8` was expected, and the stored text is none"),
        (
            "small",
            AttributeValue::Ns(vec!["7".to_owned()]),
            "small",
            "`u8` was expected, and the stored set of numbers is none",
        ),
        ("flag", text("true"), "flag", "`bool` was expected, and the stored text is none"),
        ("letter", text("ab"), "letter", "one character was expected, and the stored text is none"),
        (
            "state",
            text("Gone"),
            "state",
            "one of `Active`, `Ended`, `Moved`, `Between` was expected, and the stored text is none",
        ),
        (
            "state",
            map("Ended", map("since", text("7"))),
            "state.since",
            "`u64` was expected, and the stored text is none",
        ),
        ("state", map("Ended", AttributeValue::M(HashMap::new())), "state.since", "it is missing"),
        ("counts", map("anything", text("7")), "counts.*", "`u8` was expected, and the stored text is none"),
        (
            "numbered",
            map("seven", text("7")),
            "numbered.*",
            "`u16` was expected, and the stored name is none",
        ),
        (
            "list",
            AttributeValue::L(vec![number("7"), text("7")]),
            "list[]",
            "`u16` was expected, and the stored text is none",
        ),
        ("list", text("7"), "list", "a list was expected, and the stored text is none"),
        ("inner", map("name", text("7")), "inner.parts", "it is missing"),
        ("inner", map("else", text("7")), "inner.*", "the stored name is none that its type takes"),
        (
            "inner",
            map("parts", AttributeValue::L(vec![part])),
            "inner.parts[].size",
            "`u8` was expected, and the stored text is none",
        ),
        ("inner", number("7"), "inner", "a map was expected, and the stored number is none"),
        ("not_zero", number("0"), "not_zero", "the stored number is none that its type takes"),
        ("address", text("nowhere"), "address", "the stored text is none that its type takes"),
        ("either", text("nowhere"), "either", "the stored text is none that its type takes"),
        ("raw", text("nowhere"), "raw", "bytes were expected, and the stored text is none"),
        ("nothing", text("nowhere"), "nothing", "a null was expected, and the stored text is none"),
    ];
    for (attribute, value, path, reason) in cases {
        store_raw(&arm, &store, &acme, &[(attribute, value)]).await;
        let error = store.lookup_item(by_token()).await.unwrap_err();
        assert_eq!(problem(&error), (path, reason));
    }
}
