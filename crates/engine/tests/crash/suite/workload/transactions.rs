//! Transactions of a client's own items, and transfers between the accounts of all, each with its receipt.

use serde_json::{Value, json};

use super::{Next, Worker};
use crate::suite::log::Change;
use crate::suite::schema::{self, ACCOUNTS, BANK, RECEIPTS};
use crate::suite::verdict::Violation;

impl Worker<'_> {
    /// Puts and deletes that happen together.
    pub(super) fn transaction(&mut self) -> Result<Next, Violation> {
        let changes = self.changes();
        let action = |change: &Change| match &change.after {
            Some(item) => json!({"Put": {"TableName": change.place.table, "Item": item}}),
            None => json!({"Delete": {"TableName": change.place.table, "Key": change.place.key()}}),
        };
        let actions = changes.iter().map(action).collect();
        self.transact(actions, changes)
    }

    /// One account pays one or two others, if it has enough; the receipt is in another table.
    pub(super) fn transfer(&mut self) -> Result<Next, Violation> {
        let accounts: Vec<usize> = (0..ACCOUNTS).collect();
        let parties = self.choices.several(&accounts, 2 + self.choices.below(2));
        let part = 1 + self.choices.below(200) as i64;
        let moves: Vec<(usize, i64)> = parties
            .iter()
            .enumerate()
            .map(|(place, account)| {
                (*account, if place == 0 { -part * (parties.len() as i64 - 1) } else { part })
            })
            .collect();
        let receipt = self.log.receipt(self.log.stamp as i64);
        let mut item = receipt.bare_item();
        item.insert("moves".to_owned(), json!({"S": serde_json::to_string(&moves).unwrap()}));
        let stamp = self.stamp();
        item.insert("v".to_owned(), json!({"N": stamp.to_string()}));
        let mut actions: Vec<Value> =
            moves.iter().map(|(account, amount)| update(*account, *amount)).collect();
        actions.push(json!({"Put": {"TableName": RECEIPTS, "Item": item}}));
        self.transact(actions, vec![Change { place: receipt, after: Some(item) }])
    }
}

fn update(account: usize, amount: i64) -> Value {
    let mut update = json!({
        "TableName": BANK, "Key": schema::account(account), "UpdateExpression": "SET balance = balance + :amount",
        "ExpressionAttributeValues": {":amount": {"N": amount.to_string()}},
    });
    if amount < 0 {
        update["ConditionExpression"] = json!("balance >= :needed");
        update["ExpressionAttributeValues"][":needed"] = json!({"N": (-amount).to_string()});
    }
    json!({"Update": update})
}
