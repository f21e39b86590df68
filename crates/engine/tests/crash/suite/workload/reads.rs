//! Reads while others write: what a client was told is what it finds, and what all of them share is as some transaction left it.

use keywright_api::Operation;
use serde_json::{Value, json};

use super::{Next, Worker};
use crate::suite::client::{Answer, Item, number};
use crate::suite::found::query;
use crate::suite::log::Place;
use crate::suite::schema::{self, ACCOUNTS, BANK, OPENING_BALANCE, THINGS, sorted};
use crate::suite::verdict::{Kind, Violation};

impl Worker<'_> {
    pub(super) fn read(&mut self) -> Result<Next, Violation> {
        match self.choices.below(6) {
            0 => self.read_item(),
            1..=2 => self.read_partition(),
            3 => self.read_group(),
            4 => self.read_accounts(),
            _ => self.read_counter(),
        }
    }

    fn read_item(&mut self) -> Result<Next, Violation> {
        let place = self.random_place();
        let body = json!({"TableName": THINGS, "Key": place.key(), "ConsistentRead": true});
        let Some(answer) = self.answer(Operation::GetItem, &body)? else { return Ok(Next::End) };
        let expected = self.log.items.get(&place);
        if answer["Item"].as_object() != expected {
            return Err(wrong(&body, &answer, &expected));
        }
        Ok(Next::Another)
    }

    /// Page by page, in either direction: nobody else writes there.
    fn read_partition(&mut self) -> Result<Next, Violation> {
        let is_forward = self.choices.one_in(2);
        let body = json!({
            "TableName": THINGS, "ConsistentRead": true, "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": {"S": self.log.partition()}}, "ScanIndexForward": is_forward,
        });
        let Some(mut found) = self.pages(body.clone())? else { return Ok(Next::End) };
        if !is_forward {
            found.reverse();
        }
        let own = self.log.items.iter().filter(|(place, _)| place.table == THINGS);
        let expected: Vec<Item> = own.map(|(_, item)| item.clone()).collect();
        if found != expected { Err(wrong(&body, &found, &expected)) } else { Ok(Next::Another) }
    }

    /// A group of an index, which only this client's items are in.
    fn read_group(&mut self) -> Result<Next, Violation> {
        let group = json!({"S": self.group()});
        let index = &schema::indexes(THINGS)[0];
        let body = query(THINGS, index, &group);
        let Some(found) = self.pages(body.clone())? else { return Ok(Next::End) };
        let is_member =
            |(place, item): &(&Place, &Item)| place.table == THINGS && item.get("g") == Some(&group);
        let expected = index.entries(self.log.items.iter().filter(is_member).map(|(_, item)| item));
        let found = sorted(found);
        if found != expected { Err(wrong(&body, &found, &expected)) } else { Ok(Next::Another) }
    }

    /// The balances have their sum in every transaction and in every page, of the table and of its index.
    fn read_accounts(&mut self) -> Result<Next, Violation> {
        let get = |number| json!({"Get": {"TableName": BANK, "Key": schema::account(number)}});
        let (operation, body) = match self.choices.below(3) {
            0 => (
                Operation::TransactGetItems,
                json!({"TransactItems": (0..ACCOUNTS).map(get).collect::<Vec<Value>>()}),
            ),
            1 => (Operation::Scan, json!({"TableName": BANK, "ConsistentRead": true})),
            _ => {
                let index = &schema::indexes(BANK)[0];
                (Operation::Query, query(BANK, index, &json!({"S": "account"})))
            }
        };
        let Some(answer) = self.answer(operation, &body)? else { return Ok(Next::End) };
        let items: Vec<&Value> = match answer["Responses"].as_array() {
            Some(responses) => responses.iter().map(|response| &response["Item"]).collect(),
            None => answer["Items"].as_array().unwrap().iter().collect(),
        };
        let balances: Option<Vec<i64>> =
            items.iter().map(|item| number(item.as_object()?, "balance")).collect();
        let sum = balances
            .filter(|balances| balances.len() == ACCOUNTS)
            .map(|balances| balances.iter().sum::<i64>());
        if sum != Some(ACCOUNTS as i64 * OPENING_BALANCE) {
            return Err(wrong(&body, &answer, &"the sum of all"));
        }
        Ok(Next::Another)
    }

    fn read_counter(&mut self) -> Result<Next, Violation> {
        let body = json!({"TableName": THINGS, "Key": schema::counter(), "ConsistentRead": true});
        let Some(answer) = self.answer(Operation::GetItem, &body)? else { return Ok(Next::End) };
        let count = answer["Item"].as_object().and_then(|item| number(item, "n"));
        self.see_count(count.unwrap_or(-1))?;
        Ok(Next::Another)
    }

    /// The items of all pages of a Query, which are of any length; `None` when one had no answer.
    fn pages(&mut self, mut body: Value) -> Result<Option<Vec<Item>>, Violation> {
        let mut items = Vec::new();
        loop {
            body["Limit"] = json!(1 + self.choices.below(8));
            let Some(page) = self.answer(Operation::Query, &body)? else { return Ok(None) };
            items.extend(
                page["Items"].as_array().unwrap().iter().map(|item| item.as_object().unwrap().clone()),
            );
            match page.get("LastEvaluatedKey") {
                Some(key) => body["ExclusiveStartKey"] = key.clone(),
                None => return Ok(Some(items)),
            }
        }
    }

    /// The answer to a read; `None` when there is none.
    fn answer(&mut self, operation: Operation, body: &Value) -> Result<Option<Value>, Violation> {
        match self.client.call(operation, body) {
            Answer::Done(answer) => Ok(Some(answer)),
            Answer::Unknown(why) => {
                self.end(why);
                Ok(None)
            }
            other => Err(Violation::new(Kind::Refused, format!("{} {body}: {other:?}", operation.name()))),
        }
    }
}

fn wrong(body: &Value, found: &dyn std::fmt::Debug, expected: &dyn std::fmt::Debug) -> Violation {
    Violation::new(Kind::Read, format!("{body} has {found:?}, and there was {expected:?}"))
}
