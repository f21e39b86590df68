//! A table as a map: what each operation of one client answers when nobody else touches its items.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub(crate) type Item = Map<String, Value>;

/// The items by partition and sort key.
#[derive(Debug, Default)]
pub(crate) struct TableMap(pub(crate) BTreeMap<(String, i64), Item>);

/// A condition that the clients use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    Absent,
    Present,
    /// The attribute `n` is below this.
    Below(i64),
}

/// What an update does; each edits whole attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit {
    SetN(i64),
    AddN(i64),
    /// Adds to `n`, or to ten where there is none.
    CountN(i64),
    RemoveN,
    /// Moves the item in the index by `g`.
    SetG(usize),
}

impl TableMap {
    pub(crate) fn get(&self, key: &(String, i64)) -> Option<&Item> {
        self.0.get(key)
    }

    /// The items of a partition with sort keys in this range.
    pub(crate) fn range(&self, partition: &str, low: i64, high: i64) -> Vec<Item> {
        let range = (partition.to_owned(), low)..=(partition.to_owned(), high);
        if low > high { Vec::new() } else { self.0.range(range).map(|(_, item)| item.clone()).collect() }
    }
}

impl Condition {
    pub(crate) fn holds(self, item: Option<&Item>) -> bool {
        match self {
            Condition::Absent => item.is_none(),
            Condition::Present => item.is_some(),
            Condition::Below(bound) => item.and_then(number).is_some_and(|held| held < bound),
        }
    }

    /// The members of a request.
    pub(crate) fn members(self) -> Value {
        match self {
            Condition::Absent => json!({"ConditionExpression": "attribute_not_exists(pk)"}),
            Condition::Present => json!({"ConditionExpression": "attribute_exists(pk)"}),
            Condition::Below(bound) => json!({
                "ConditionExpression": "n < :bound", "ExpressionAttributeValues": {":bound": {"N": bound.to_string()}},
            }),
        }
    }
}

impl Edit {
    /// The members of a request of the client whose indexed values begin so.
    pub(crate) fn members(self, client: &str) -> Value {
        let (expression, values) = match self {
            Edit::SetN(value) => ("SET n = :v", json!({":v": {"N": value.to_string()}})),
            Edit::AddN(value) => ("ADD n :v", json!({":v": {"N": value.to_string()}})),
            Edit::CountN(value) => (
                "SET n = if_not_exists(n, :ten) + :v",
                json!({":v": {"N": value.to_string()}, ":ten": {"N": "10"}}),
            ),
            Edit::RemoveN => return json!({"UpdateExpression": "REMOVE n"}),
            Edit::SetG(value) => ("SET g = :v", json!({":v": {"S": format!("{client}{value}")}})),
        };
        json!({"UpdateExpression": expression, "ExpressionAttributeValues": values})
    }

    /// The attribute that it names.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Edit::SetG(_) => "g",
            Edit::SetN(_) | Edit::AddN(_) | Edit::CountN(_) | Edit::RemoveN => "n",
        }
    }

    /// The item afterwards; `before` is its key alone where there was none.
    pub(crate) fn apply(self, mut before: Item, client: &str) -> Item {
        let held = number(&before);
        let value = match self {
            Edit::SetN(value) => value,
            Edit::AddN(value) => held.unwrap_or(0) + value,
            Edit::CountN(value) => held.unwrap_or(10) + value,
            Edit::RemoveN => {
                before.remove("n");
                return before;
            }
            Edit::SetG(value) => {
                before.insert("g".to_owned(), json!({"S": format!("{client}{value}")}));
                return before;
            }
        };
        before.insert("n".to_owned(), json!({"N": value.to_string()}));
        before
    }
}

/// The attribute `n` of an item.
pub(crate) fn number(item: &Item) -> Option<i64> {
    Some(item.get("n")?["N"].as_str().unwrap().parse().unwrap())
}
