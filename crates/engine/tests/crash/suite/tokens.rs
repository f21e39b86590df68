//! What a client does whose transaction had no answer: it sends it again with its token. And some that had one, to see that
//! nothing happens twice.

use keywright_api::Operation;
use serde_json::Value;

use super::client::{Answer, Client};
use super::log::{Change, Doubt, Log};
use super::verdict::{Kind, Violation};
use super::world::World;

/// How long a token stands for its transaction, in milliseconds. Source:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>.
const TOKEN_LIFE_MS: u64 = 10 * 60 * 1_000;

/// Of each client, so many of the last transactions are sent again.
const SENT_AGAIN: usize = 5;

/// Sends transactions again, and checks everything once more. Answers how many were sent.
pub(crate) fn replay(world: &mut World, client: &mut dyn Client, now: u64) -> Result<usize, Violation> {
    let mut sent_again = 0;
    for log in &mut world.logs {
        log.sent.retain(|sent| now < sent.at + TOKEN_LIFE_MS);
        sent_again += replay_client(log, client, now)?;
    }
    if sent_again > 0 {
        world.check(client).map_err(|violation| Violation::new(Kind::Token, violation.to_string()))?;
    }
    Ok(sent_again)
}

fn replay_client(log: &mut Log, client: &mut dyn Client, now: u64) -> Result<usize, Violation> {
    let first = log.sent.len().saturating_sub(SENT_AGAIN);
    let mut happened: Vec<Vec<Change>> = Vec::new();
    for sent in &mut log.sent[first..] {
        match client.call(Operation::TransactWriteItems, &sent.body) {
            Answer::Done(_) if sent.is_answered => {}
            Answer::Done(_) => {
                happened.push(sent.changes.clone());
                (sent.is_answered, sent.at) = (true, now);
            }
            // It did not happen before, and cannot now: an account is too low by now.
            Answer::Refused { name, .. } if !sent.is_answered && name == "TransactionCanceledException" => {}
            other => {
                return Err(Violation::new(Kind::Token, format!("sent again, {} had {other:?}", sent.body)));
            }
        }
    }
    let count = log.sent.len() - first;
    happened.into_iter().for_each(|changes| log.apply(&Doubt::Whole(changes)));
    log.sent.retain(|sent| sent.is_answered);
    if let Some(sent) = log.sent.last() {
        refuse_another(client, &sent.body)?;
    }
    Ok(count)
}

/// The token stands for its transaction and for no other one.
fn refuse_another(client: &mut dyn Client, body: &Value) -> Result<(), Violation> {
    let mut other = body.clone();
    other["TransactItems"].as_array_mut().unwrap().truncate(1);
    match client.call(Operation::TransactWriteItems, &other) {
        Answer::Refused { name, .. } if name == "IdempotentParameterMismatchException" => Ok(()),
        answer => Err(Violation::new(Kind::Token, format!("{other} had {answer:?} with a token of another"))),
    }
}
