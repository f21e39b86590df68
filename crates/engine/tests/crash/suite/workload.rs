//! What the clients do: writes of every kind, each of which goes into the client's log, and reads that are held against it.
//!
//! Each client works alone on its own items and tables, so that it knows each of them exactly; the accounts, the counter and
//! the groups of indexes are shared. A client ends with its first call that had no answer: it cannot know what it holds.

mod items;
mod reads;
mod transactions;

use keywright_api::Operation;
use serde_json::{Value, json};

use super::choices::Choices;
use super::client::{Answer, Client};
use super::log::{Doubt, Log, Sent};
use super::schema::{self, THINGS};
use super::verdict::{Kind, Violation};

/// One client at work.
pub(crate) struct Worker<'run> {
    pub(crate) client: Box<dyn Client + 'run>,
    pub(crate) log: &'run mut Log,
    pub(crate) choices: Choices,
    /// The store's clock in milliseconds: when tokens are used.
    pub(crate) now: u64,
    /// What no other run of this client has in its tokens.
    pub(crate) run: String,
    /// Some items are of about this size.
    pub(crate) largest_bytes: usize,
}

/// One more on the counter of all clients.
pub(crate) fn count_request() -> Value {
    json!({
        "TableName": THINGS, "Key": schema::counter(), "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "UPDATED_NEW",
    })
}

/// Whether a client goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Another,
    /// A call had no answer.
    End,
}

impl Worker<'_> {
    /// Makes so many calls, or fewer if one has no answer.
    pub(crate) fn work(mut self, calls: usize) -> Result<(), Violation> {
        self.log.ended = None;
        for _ in 0..calls {
            if self.step()? == Next::End {
                break;
            }
        }
        Ok(())
    }

    /// One call.
    pub(crate) fn step(&mut self) -> Result<Next, Violation> {
        match self.choices.below(28) {
            0..=3 => self.put(),
            4..=7 => self.update(),
            8..=9 => self.delete(),
            10..=12 => self.batch(),
            13..=15 => self.transaction(),
            16..=19 => self.transfer(),
            20..=21 => self.count(),
            22..=25 => self.read(),
            _ => self.own_table(),
        }
    }

    /// Sends a write, and notes what became of it.
    fn write(&mut self, operation: Operation, body: &Value, doubt: Doubt) -> Result<Next, Violation> {
        match self.client.call(operation, body) {
            Answer::Done(answer) => {
                self.log.apply(&doubt);
                if let Some(count) = answer["Attributes"]["n"]["N"].as_str() {
                    self.see_count(count.parse().unwrap())?;
                }
                Ok(Next::Another)
            }
            Answer::DiskFull => {
                self.log.refused_by_full_disk += 1;
                Ok(Next::Another)
            }
            Answer::Refused { name, message } => {
                Err(Violation::new(Kind::Refused, format!("{} {body}: {name} {message}", operation.name())))
            }
            Answer::Unknown(why) => {
                self.log.doubt = Some(doubt);
                Ok(self.end(why))
            }
        }
    }

    /// Sends a transaction, mostly with a token. One that is cancelled has not happened.
    fn transact(&mut self, actions: Vec<Value>, changes: Vec<super::log::Change>) -> Result<Next, Violation> {
        let mut body = json!({"TransactItems": actions});
        let has_token = !self.choices.one_in(3);
        if has_token {
            let stamp = self.stamp();
            body["ClientRequestToken"] = json!(format!("{}-{}-{stamp}", self.run, self.log.number));
        }
        let answer = self.client.call(Operation::TransactWriteItems, &body);
        let is_answered = match answer {
            Answer::Done(_) => true,
            Answer::Unknown(why) => {
                self.end(why);
                false
            }
            Answer::DiskFull => {
                self.log.refused_by_full_disk += 1;
                return Ok(Next::Another);
            }
            Answer::Refused { name, .. } if name == "TransactionCanceledException" => {
                return Ok(Next::Another);
            }
            Answer::Refused { name, message } => {
                return Err(Violation::new(Kind::Refused, format!("{body}: {name} {message}")));
            }
        };
        if has_token {
            let changes = changes.clone();
            self.log.sent.push(Sent { body, changes, is_answered, at: self.now });
        }
        let doubt = Doubt::Whole(changes);
        if is_answered {
            self.log.apply(&doubt);
            return Ok(Next::Another);
        }
        self.log.doubt = Some(doubt);
        Ok(Next::End)
    }

    fn count(&mut self) -> Result<Next, Violation> {
        self.write(Operation::UpdateItem, &count_request(), Doubt::Count)
    }

    /// Creates a table of its own, writes to it, or deletes it; the next one has the same name.
    fn own_table(&mut self) -> Result<Next, Violation> {
        let table = self.log.table(self.choices.below(2));
        if !self.log.tables.contains(&table) {
            return self.write(Operation::CreateTable, &schema::definition(&table), Doubt::Create(table));
        }
        if self.choices.one_in(3) {
            let body = json!({"TableName": table});
            return self.write(Operation::DeleteTable, &body, Doubt::Delete(table));
        }
        let place = self.log.place(&table, self.choices.below(4) as i64);
        self.put_at(place)
    }

    /// Counts never go back.
    fn see_count(&mut self, count: i64) -> Result<(), Violation> {
        if count < self.log.highest_count {
            let what = format!("the counter was {} and is {count}", self.log.highest_count);
            return Err(Violation::new(Kind::Read, what));
        }
        self.log.highest_count = count;
        Ok(())
    }

    fn end(&mut self, why: String) -> Next {
        self.log.ended = Some(why);
        Next::End
    }

    fn stamp(&mut self) -> u64 {
        self.log.stamp += 1;
        self.log.stamp
    }
}
