//! Batches of which a part is not processed: what is left out of the request comes back in the answer.

use std::collections::BTreeMap;

use keywright_api::{Request, Response, TableName, TableReads, UnprocessedKeys, WriteRequest};

/// What was left out of a batch.
#[derive(Debug)]
pub(crate) enum Unprocessed {
    Items(Vec<(TableName, Vec<WriteRequest>)>),
    Keys(Vec<UnprocessedKeys>),
}

/// The request without the members at these places, and those members. Other requests than batches stay whole.
pub(crate) fn split<Why>(request: Request, left: &BTreeMap<usize, Why>) -> (Request, Option<Unprocessed>) {
    if left.is_empty() {
        return (request, None);
    }
    let mut place = 0..;
    let mut is_left = || place.next().is_some_and(|place| left.contains_key(&place));
    match request {
        Request::BatchWriteItem(mut input) => {
            let mut items = Vec::new();
            for (name, writes) in &mut input.tables {
                let out: Vec<WriteRequest> = writes.extract_if(.., |_| is_left()).collect();
                if !out.is_empty() {
                    items.push((name.clone(), out));
                }
            }
            input.tables.retain(|(_, writes)| !writes.is_empty());
            (input.into(), Some(Unprocessed::Items(items)))
        }
        Request::BatchGetItem(mut input) => {
            let mut unprocessed = Vec::new();
            for TableReads { table_name, keys, parameters, .. } in &mut input.tables {
                let out: Vec<_> = keys.extract_if(.., |_| is_left()).collect();
                if !out.is_empty() {
                    let (table_name, parameters) = (table_name.clone(), parameters.clone());
                    unprocessed.push(UnprocessedKeys { table_name, keys: out, parameters });
                }
            }
            input.tables.retain(|table| !table.keys.is_empty());
            (input.into(), Some(Unprocessed::Keys(unprocessed)))
        }
        request => (request, None),
    }
}

impl Unprocessed {
    /// Adds what was left out to the answer of what was not.
    pub(crate) fn add_to(self, response: &mut Response) {
        match (self, response) {
            (Unprocessed::Items(items), Response::BatchWriteItem(output)) => {
                output.unprocessed_items.extend(items);
            }
            (Unprocessed::Keys(left), Response::BatchGetItem(output)) => {
                for UnprocessedKeys { table_name, keys, parameters } in left {
                    if output.responses.iter().all(|(name, _)| *name != table_name) {
                        output.responses.push((table_name.clone(), Vec::new()));
                    }
                    match output.unprocessed_keys.iter_mut().find(|held| held.table_name == table_name) {
                        Some(held) => held.keys.extend(keys),
                        None => {
                            output.unprocessed_keys.push(UnprocessedKeys { table_name, keys, parameters });
                        }
                    }
                }
            }
            _ => unreachable!("a batch is answered as what it is"),
        }
    }
}
