//! Writes of single items and batches of a client's own.

use keywright_api::Operation;
use serde_json::{Value, json};

use super::{Next, Worker};
use crate::suite::client::Item;
use crate::suite::log::{Change, Doubt, Place};
use crate::suite::schema::THINGS;
use crate::suite::verdict::Violation;

/// A client's items in the table of all.
const OWN_ITEMS: usize = 12;
const GROUPS: usize = 3;

impl Worker<'_> {
    pub(super) fn put(&mut self) -> Result<Next, Violation> {
        let place = self.random_place();
        self.put_at(place)
    }

    pub(super) fn put_at(&mut self, place: Place) -> Result<Next, Violation> {
        let item = self.item(&place);
        let body = json!({"TableName": place.table, "Item": item});
        self.write(Operation::PutItem, &body, Doubt::Whole(vec![Change { place, after: Some(item) }]))
    }

    /// Sets some attributes, of an item or of a new one, and moves it in the indexes or out of one.
    pub(super) fn update(&mut self) -> Result<Next, Violation> {
        let place = self.random_place();
        let fresh = self.item(&place);
        let leaves_group = self.choices.one_in(4);
        let mut after = self.log.items.get(&place).cloned().unwrap_or_else(|| place.bare_item());
        let mut expression = "SET v = :v, n = :n, filler = :filler".to_owned();
        let mut values = json!({":v": fresh["v"], ":n": fresh["n"], ":filler": fresh["filler"]});
        for name in ["v", "n", "filler"] {
            after.insert(name.to_owned(), fresh[name].clone());
        }
        if leaves_group {
            expression.push_str(" REMOVE g");
            after.remove("g");
        } else {
            let group = json!({"S": self.group()});
            expression.push_str(", g = :g");
            values[":g"] = group.clone();
            after.insert("g".to_owned(), group);
        }
        let body = json!({
            "TableName": place.table, "Key": place.key(), "UpdateExpression": expression,
            "ExpressionAttributeValues": values,
        });
        self.write(Operation::UpdateItem, &body, Doubt::Whole(vec![Change { place, after: Some(after) }]))
    }

    pub(super) fn delete(&mut self) -> Result<Next, Violation> {
        let place = self.random_place();
        let body = json!({"TableName": place.table, "Key": place.key()});
        self.write(Operation::DeleteItem, &body, Doubt::Whole(vec![Change { place, after: None }]))
    }

    pub(super) fn batch(&mut self) -> Result<Next, Violation> {
        let changes = self.changes();
        let request = |change: &Change| match &change.after {
            Some(item) => json!({"PutRequest": {"Item": item}}),
            None => json!({"DeleteRequest": {"Key": change.place.key()}}),
        };
        let body = json!({"RequestItems": {THINGS: changes.iter().map(request).collect::<Vec<Value>>()}});
        self.write(Operation::BatchWriteItem, &body, Doubt::Each(changes))
    }

    /// Two to eight puts and deletes of different items.
    pub(super) fn changes(&mut self) -> Vec<Change> {
        let numbers: Vec<i64> = (0..OWN_ITEMS as i64).collect();
        let count = 2 + self.choices.below(7);
        let places = self.choices.several(&numbers, count);
        let mut changes = Vec::with_capacity(count);
        for sk in places {
            let place = self.log.thing(sk);
            let after = (!self.choices.one_in(4)).then(|| self.item(&place));
            changes.push(Change { place, after });
        }
        changes
    }

    pub(super) fn random_place(&self) -> Place {
        self.log.thing(self.choices.below(OWN_ITEMS) as i64)
    }

    /// One of the groups that only this client's items are in.
    pub(super) fn group(&self) -> String {
        format!("group {} of {}", self.choices.below(GROUPS), self.log.partition())
    }

    /// An item that is like no other one: its filler is of its stamp, so that a mixture of two is neither.
    pub(super) fn item(&mut self, place: &Place) -> Item {
        let stamp = self.stamp();
        let length = match self.choices.below(24) {
            0 => self.largest_bytes,
            1..=5 => 2_000,
            _ => 200,
        };
        let mark = format!("{stamp} ");
        let filler = mark.repeat(1 + self.choices.below(length) / mark.len());
        let mut item = place.bare_item();
        item.insert("v".to_owned(), json!({"N": stamp.to_string()}));
        item.insert("n".to_owned(), json!({"N": (1 + self.choices.below(20)).to_string()}));
        item.insert("filler".to_owned(), json!({"S": filler}));
        if !self.choices.one_in(5) {
            item.insert("g".to_owned(), json!({"S": self.group()}));
        }
        if self.choices.one_in(2) {
            item.insert("rank".to_owned(), json!({"N": (1 + self.choices.below(5)).to_string()}));
        }
        item
    }
}
