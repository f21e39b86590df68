//! The tables of the workload, and what the definition of each index makes of a table's items.

use keywright_api::Operation;
use serde_json::{Value, json};

use super::client::{Client, Item};
use super::verdict::Violation;

/// Items of the clients, each of which writes only its own, and the counter that all of them add to.
pub(crate) const THINGS: &str = "things";
/// The accounts between which all clients transfer.
pub(crate) const BANK: &str = "bank";
/// A receipt for each transfer, written in its transaction.
pub(crate) const RECEIPTS: &str = "receipts";
/// Tables of one client begin so; it creates and deletes them.
pub(crate) const EXTRA: &str = "extra-";

pub(crate) const ACCOUNTS: usize = 5;
pub(crate) const OPENING_BALANCE: i64 = 1_000;

/// A secondary index.
pub(crate) struct IndexPlan {
    pub(crate) name: &'static str,
    is_local: bool,
    pub(crate) partition: &'static str,
    sort: Option<&'static str>,
    /// The attributes beside the keys; `None` is all of them.
    projected: Option<&'static [&'static str]>,
}

/// By group and number, with everything: entries move when an update sets the one or the other.
const BY_GROUP: IndexPlan =
    IndexPlan { name: "by_group", is_local: false, partition: "g", sort: Some("n"), projected: None };
const BY_NUMBER: IndexPlan =
    IndexPlan { name: "by_number", is_local: false, partition: "n", sort: None, projected: Some(&["v"]) };
const BY_RANK: IndexPlan =
    IndexPlan { name: "by_rank", is_local: true, partition: "pk", sort: Some("rank"), projected: Some(&[]) };
const BY_BALANCE: IndexPlan = IndexPlan {
    name: "by_balance",
    is_local: false,
    partition: "pk",
    sort: Some("balance"),
    projected: None,
};

/// The indexes of a table.
pub(crate) fn indexes(table: &str) -> &'static [IndexPlan] {
    match table {
        THINGS => &[BY_GROUP, BY_NUMBER, BY_RANK],
        BANK => &[BY_BALANCE],
        RECEIPTS => &[],
        _ => &[BY_GROUP],
    }
}

/// The request that creates a table.
pub(crate) fn definition(table: &str) -> Value {
    let mut attributes = vec![("pk", "S"), ("sk", "N")];
    let mut body = json!({
        "TableName": table, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key_schema("pk", Some("sk")),
    });
    for index in indexes(table) {
        let kind = if index.is_local { "LocalSecondaryIndexes" } else { "GlobalSecondaryIndexes" };
        if body[kind].is_null() {
            body[kind] = json!([]);
        }
        body[kind].as_array_mut().unwrap().push(index.definition());
        for name in index.key_names() {
            if !attributes.iter().any(|(known, _)| *known == name) {
                attributes.push((name, if name == "g" { "S" } else { "N" }));
            }
        }
    }
    let attribute = |(name, kind)| json!({"AttributeName": name, "AttributeType": kind});
    body["AttributeDefinitions"] = attributes.into_iter().map(attribute).collect();
    body
}

/// Creates the lasting tables, opens the accounts and sets the counter to zero, as far as that has not been done.
pub(crate) fn set_up(client: &mut dyn Client) -> Result<(), Violation> {
    let there = client.must(Operation::ListTables, &json!({}))?;
    for table in [THINGS, BANK, RECEIPTS] {
        if !there["TableNames"].as_array().unwrap().contains(&json!(table)) {
            client.must(Operation::CreateTable, &definition(table))?;
        }
    }
    for number in 0..ACCOUNTS {
        let mut account = account(number);
        account["balance"] = json!({"N": OPENING_BALANCE.to_string()});
        client.must(Operation::PutItem, &json!({"TableName": BANK, "Item": account}))?;
    }
    let mut zero = counter();
    zero["n"] = json!({"N": "0"});
    client.must(Operation::PutItem, &json!({"TableName": THINGS, "Item": zero})).map(drop)
}

/// The key of an account.
pub(crate) fn account(number: usize) -> Value {
    json!({"pk": {"S": "account"}, "sk": {"N": number.to_string()}})
}

/// The key of the counter.
pub(crate) fn counter() -> Value {
    json!({"pk": {"S": "counter"}, "sk": {"N": "0"}})
}

fn key_schema(partition: &str, sort: Option<&str>) -> Value {
    let element = |(name, role)| json!({"AttributeName": name, "KeyType": role});
    [(partition, "HASH")].into_iter().chain(sort.map(|name| (name, "RANGE"))).map(element).collect()
}

impl IndexPlan {
    fn definition(&self) -> Value {
        let projection = match self.projected {
            None => json!({"ProjectionType": "ALL"}),
            Some([]) => json!({"ProjectionType": "KEYS_ONLY"}),
            Some(names) => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
        };
        json!({
            "IndexName": self.name, "KeySchema": key_schema(self.partition, self.sort), "Projection": projection,
        })
    }

    fn key_names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.partition).chain(self.sort)
    }

    /// What the index must hold of the items of its table.
    pub(crate) fn entries<'items>(&self, items: impl IntoIterator<Item = &'items Item>) -> Vec<Item> {
        let is_member = |item: &&Item| self.key_names().all(|name| item.contains_key(name));
        sorted(items.into_iter().filter(is_member).map(|item| self.project(item)).collect())
    }

    fn project(&self, item: &Item) -> Item {
        let is_projected = |name: &str| match self.projected {
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
}

/// In an order in which lists of items can be compared.
pub(crate) fn sorted(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_cached_key(|item| Value::Object(item.clone()).to_string());
    items
}
