//! Scan: every item of a table or index, or of one of its segments, in the order of the partitions' hashes, a page at a time.
//!
//! Order of refusal: request shape and expressions (in `api`), table, index, form of the exclusive start key, what a global
//! index does not project, the start key against the table, start key within the segment, paths into key attributes.

use std::time::Duration;

use keywright_api::{Error, KeySchema, ScanInput, ScanOutput, Select, Validation};
use keywright_item::Item;

use crate::index::{self, IndexStartKey, ReadSource};
use crate::key::KeyRange;
use crate::key_schema::PrimaryKey;
use crate::page::PageRequest;
use crate::state::State;
use crate::storage::Direction;

pub(crate) fn answer(input: ScanInput, state: &State, index_lag: Duration) -> Result<ScanOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let index = index::find(table, input.index_name.as_ref(), input.consistency)?;
    let start_key = input.exclusive_start_key.as_ref();
    let (mut range, start, source) = match index {
        None => {
            let start = start_key.map(|key| read_start_key(&table.key_schema, key)).transpose()?;
            let range = KeyRange::segment(&table.number.prefix(), input.segment);
            (range, start.map(|key| key.storage_key(table.number)), ReadSource::Table)
        }
        Some(index) => {
            let start = start_key.map(|key| IndexStartKey::check(table, index, key)).transpose()?;
            let source = ReadSource::select(table, Some(index), &input.select)?;
            let start = start.map(|key| key.entry_key(table, index)).transpose()?;
            (index::segment_range(table.number, index.number, input.segment), start, source)
        }
    };
    if let Some(start) = start {
        if !range.contains(&start) {
            return Err(Validation::StartKeyOutsideSegment(input.segment).into());
        }
        range.continue_after(start, Direction::Forward);
    }
    if let Select::Attributes(projection) = &input.select {
        index::check_scalar(table, &projection.nested_attributes().collect::<Vec<_>>())?;
    }
    if let Some(filter) = &input.filter {
        index::check_scalar(table, &filter.condition.nested_attributes().collect::<Vec<_>>())?;
    }

    let request = PageRequest {
        table,
        source,
        index_lag,
        range,
        direction: Direction::Forward,
        limit: input.limit.map_or(usize::MAX, |limit| limit.get() as usize),
        filter: input.filter.as_ref(),
        select: &input.select,
    };
    let page = request.read(state)?;
    let consumed = page.consumed(source, input.consistency);
    Ok(ScanOutput {
        items: (input.select != Select::Count).then_some(page.items),
        count: page.count,
        scanned_count: page.scanned_count,
        last_evaluated_key: page.last_evaluated_key,
        consumed_capacity: input.return_consumed_capacity.report(&table.name, consumed),
    })
}

/// The start key, if it is a key of the table. Unlike Query, Scan has one text for every way in which it is not.
fn read_start_key<'request>(
    schema: &KeySchema,
    key: &'request Item,
) -> Result<PrimaryKey<'request>, Validation> {
    PrimaryKey::exact(schema, key).map_err(|refusal| Validation::StartKeyRefused(Box::new(refusal)))
}
