//! A random table with indexes, and what the definition of each index makes of the table's items.

use std::cmp::Ordering;

use keywright_api::Operation;
use keywright_engine::Engine;
use serde_json::{Map, Value, json};

use crate::client::call;
use crate::seeds::Choices;

pub(crate) type Item = Map<String, Value>;

/// The attributes beside the key, by the type that they have in keys of indexes.
const ATTRIBUTES: [(&str, &str); 7] =
    [("a", "S"), ("b", "S"), ("c", "S"), ("m", "N"), ("n", "N"), ("x", "B"), ("y", "B")];
/// Values of each type in the order of the service: signs and decimals, zero bytes, bytes above 0x7F.
const STRINGS: [&str; 5] = ["x", "x\0", "x\0y", "xy", "\u{e9}"];
const NUMBERS: [&str; 5] = ["-12.5", "-0.7", "0", "2", "10"];
const BINARIES: [&str; 5] = ["AA==", "AP8=", "AQ==", "gA==", "/w=="];

fn values(kind: &str) -> &'static [&'static str; 5] {
    match kind {
        "S" => &STRINGS,
        "N" => &NUMBERS,
        _ => &BINARIES,
    }
}

/// A secondary index.
#[derive(Clone, Debug)]
pub(crate) struct IndexPlan {
    pub(crate) name: String,
    pub(crate) is_local: bool,
    pub(crate) partition: Vec<&'static str>,
    pub(crate) sort: Vec<&'static str>,
    /// The attributes beside the keys; `None` is all of them.
    projected: Option<Vec<&'static str>>,
}

/// A table with the key `pk`, `sk`.
#[derive(Clone, Debug)]
pub(crate) struct TablePlan {
    pub(crate) indexes: Vec<IndexPlan>,
}

impl TablePlan {
    /// One to eight indexes of any kind, up to four attributes in each part of a global one's key.
    pub(crate) fn random(choices: &Choices) -> TablePlan {
        let mut local_left = 5;
        let indexes = (0..1 + choices.below(8)).map(|number| {
            let is_local = local_left > 0 && choices.one_in(3);
            local_left -= usize::from(is_local);
            IndexPlan::random(choices, format!("index{number}"), is_local)
        });
        TablePlan { indexes: indexes.collect() }
    }

    pub(crate) fn create(&self, engine: &Engine) {
        let mut definitions = vec![("pk", "S"), ("sk", "N")];
        definitions.extend(ATTRIBUTES.iter().filter(|(name, _)| self.is_index_key(name)));
        let definitions: Vec<Value> = definitions
            .iter()
            .map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind}))
            .collect();
        let mut body = json!({
            "TableName": "items", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": definitions,
            "KeySchema": key_schema(&["pk"], &["sk"]),
        });
        for (member, is_local) in [("LocalSecondaryIndexes", true), ("GlobalSecondaryIndexes", false)] {
            let indexes = self.indexes.iter().filter(|index| index.is_local == is_local);
            let indexes: Vec<Value> = indexes.map(IndexPlan::definition).collect();
            if !indexes.is_empty() {
                body[member] = json!(indexes);
            }
        }
        call(engine, Operation::CreateTable, &body).unwrap();
    }

    fn is_index_key(&self, name: &str) -> bool {
        self.indexes.iter().any(|index| index.key_names().any(|key| key == name))
    }

    /// Whether an item's attribute may have this value: one of a key is of the key's type and not empty.
    pub(crate) fn allows(&self, name: &str, value: &Value) -> bool {
        let kind = ATTRIBUTES.iter().find(|(attribute, _)| *attribute == name).map(|(_, kind)| kind);
        let fits = kind.is_none_or(|kind| value.get(kind).is_some_and(|value| value != ""));
        fits || !self.is_index_key(name)
    }
}

/// An attribute with a value that mostly fits its type; now and then one of another type, or an empty one.
pub(crate) fn random_attribute(choices: &Choices) -> (&'static str, Value) {
    let (name, kind) = *choices.of(&ATTRIBUTES);
    let value = match choices.below(40) {
        0 => json!({"S": ""}),
        1 => json!({"B": ""}),
        2 => json!({"BOOL": true}),
        3 => json!({*choices.of(&["S", "N"]): "7"}),
        _ => json!({kind: choices.of(values(kind))}),
    };
    (name, value)
}

/// An attribute's name.
pub(crate) fn random_name(choices: &Choices) -> &'static str {
    choices.of(&ATTRIBUTES).0
}

fn key_schema(partition: &[&str], sort: &[&str]) -> Value {
    let element = |role: &'static str| move |name: &&str| json!({"AttributeName": name, "KeyType": role});
    partition.iter().map(element("HASH")).chain(sort.iter().map(element("RANGE"))).collect()
}

impl IndexPlan {
    fn random(choices: &Choices, name: String, is_local: bool) -> IndexPlan {
        let names: Vec<&'static str> = ATTRIBUTES.iter().map(|(name, _)| *name).collect();
        let (partition, sort) = if is_local {
            (vec!["pk"], choices.several(&names, 1))
        } else {
            let mut key = choices.several(&names, 1 + choices.below(7));
            let sort = key.split_off((1 + choices.below(4)).min(key.len()));
            (key, sort.into_iter().take(4).collect())
        };
        let projected = match choices.below(3) {
            0 => None,
            1 => Some(Vec::new()),
            _ => Some(choices.several(&names, 1 + choices.below(3))),
        };
        IndexPlan { name, is_local, partition, sort, projected }
    }

    fn definition(&self) -> Value {
        let projection = match self.projected.as_deref() {
            None => json!({"ProjectionType": "ALL"}),
            Some([]) => json!({"ProjectionType": "KEYS_ONLY"}),
            Some(names) => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
        };
        let key_schema = key_schema(&self.partition, &self.sort);
        json!({"IndexName": self.name, "KeySchema": key_schema, "Projection": projection})
    }

    fn key_names(&self) -> impl Iterator<Item = &'static str> {
        self.partition.iter().chain(&self.sort).copied()
    }

    /// The items that have every attribute of the index's key.
    pub(crate) fn members(&self, table: &[Item]) -> Vec<Item> {
        table.iter().filter(|item| self.key_names().all(|name| item.contains_key(name))).cloned().collect()
    }

    /// What the index has of an item.
    pub(crate) fn project(&self, item: &Item) -> Item {
        let is_projected = |name: &str| match &self.projected {
            None => true,
            Some(names) => {
                matches!(name, "pk" | "sk")
                    || names.contains(&name)
                    || self.key_names().any(|key| key == name)
            }
        };
        let kept = item.iter().filter(|(name, _)| is_projected(name));
        kept.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The attributes by which an entry's partition is named.
    pub(crate) fn partition_of(&self, item: &Item) -> Vec<Value> {
        self.partition.iter().map(|name| item[*name].clone()).collect()
    }

    /// Orders the entries of a partition, ties aside.
    pub(crate) fn compare(&self, one: &Item, other: &Item) -> Ordering {
        let rank = |item: &Item| self.sort.iter().map(|name| rank(&item[*name])).collect::<Vec<_>>();
        rank(one).cmp(&rank(other))
    }
}

/// The place of a key's value among those of its type.
pub(crate) fn rank(value: &Value) -> usize {
    let (kind, value) = value.as_object().unwrap().iter().next().unwrap();
    // "7" is not among the values of the type, but it may come by chance: it is between 2 and 10, and below every string.
    let place = values(kind).iter().position(|known| known == value);
    match (kind.as_str(), place) {
        (_, Some(place)) => 2 * place + 2,
        ("N", None) => 9,
        (_, None) => 0,
    }
}

/// In an order in which lists of items can be compared.
pub(crate) fn sorted(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_cached_key(|item| Value::Object(item.clone()).to_string());
    items
}
