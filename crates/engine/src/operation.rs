//! The operations: a read is answered at once, a write is prepared here and decided by the sequencer.
//!
//! Preparing checks and encodes on the caller's thread; deciding reads what the group's earlier requests left and returns
//! a change. The order in which refusals win stands at the head of each operation's file.

mod batch_get_item;
mod batch_write_item;
mod create_table;
mod delete_item;
mod delete_table;
mod describe_table;
mod get_item;
mod list_tables;
mod put_item;
mod query;
mod scan;
mod transact_get_items;
mod transact_write_items;
mod transaction;
mod update_item;
mod update_table;

use std::time::Duration;

use keywright_api::{Error, Request, Response};

use crate::group::{Change, Group};
use crate::state::State;

/// A request that passed everything which can be checked without the sequencer.
#[derive(Debug)]
pub(crate) enum Prepared {
    Answer(Response),
    Write(Write),
}

/// A write that waits for its decision.
#[derive(Debug)]
pub(crate) enum Write {
    CreateTable(create_table::CreateTable),
    UpdateTable(update_table::UpdateTable),
    DeleteTable(delete_table::DeleteTable),
    PutItem(put_item::PutItem),
    UpdateItem(update_item::UpdateItem),
    DeleteItem(delete_item::DeleteItem),
    BatchWriteItem(batch_write_item::BatchWriteItem),
    TransactWriteItems(transact_write_items::TransactWriteItems),
}

/// Answers a read, or prepares a write. A global index is read as it was so long ago.
pub(crate) fn prepare(request: Request, state: &State, index_lag: Duration) -> Result<Prepared, Error> {
    let write = match request {
        Request::CreateTable(input) => Write::CreateTable(create_table::prepare(input)),
        Request::UpdateTable(input) => Write::UpdateTable(update_table::prepare(input)),
        Request::DeleteTable(input) => Write::DeleteTable(delete_table::prepare(input)),
        Request::PutItem(input) => Write::PutItem(put_item::prepare(input, state)?),
        Request::UpdateItem(input) => Write::UpdateItem(update_item::prepare(input, state)?),
        Request::DeleteItem(input) => Write::DeleteItem(delete_item::prepare(input, state)?),
        Request::BatchWriteItem(input) => Write::BatchWriteItem(batch_write_item::prepare(input, state)?),
        Request::TransactWriteItems(input) => {
            Write::TransactWriteItems(transact_write_items::prepare(input, state)?)
        }
        Request::BatchGetItem(input) => return batch_get_item::answer(input, state).map(into_answer),
        Request::TransactGetItems(input) => return transact_get_items::answer(input, state).map(into_answer),
        Request::DescribeTable(input) => return describe_table::answer(input, state).map(into_answer),
        Request::ListTables(input) => return Ok(into_answer(list_tables::answer(&input, state))),
        Request::GetItem(input) => return get_item::answer(&input, state).map(into_answer),
        Request::Scan(input) => return scan::answer(input, state, index_lag).map(into_answer),
        Request::Query(input) => return query::answer(input, state, index_lag).map(into_answer),
    };
    Ok(Prepared::Write(write))
}

fn into_answer(output: impl Into<Response>) -> Prepared {
    Prepared::Answer(output.into())
}

impl Write {
    /// Decides the write against its group.
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        match self {
            Write::CreateTable(write) => write.decide(group),
            Write::UpdateTable(write) => write.decide(group),
            Write::DeleteTable(write) => write.decide(group),
            Write::PutItem(write) => write.decide(group),
            Write::UpdateItem(write) => write.decide(group),
            Write::DeleteItem(write) => write.decide(group),
            Write::BatchWriteItem(write) => write.decide(group),
            Write::TransactWriteItems(write) => write.decide(group),
        }
    }
}
