//! Scan: every item of a table, or of one of its segments, in the order of the partitions' hashes, a page at a time.
//!
//! Order of refusal: request shape and expressions (in `api`), table, form of the exclusive start key, start key within the
//! segment, paths into key attributes.

use keywright_api::{Error, KeySchema, ScanInput, ScanOutput, Select, Validation};
use keywright_item::Item;

use crate::capacity;
use crate::key::KeyRange;
use crate::key_schema::{self, PrimaryKey};
use crate::page::PageRequest;
use crate::state::State;
use crate::storage::Direction;

pub(crate) fn answer(input: ScanInput, state: &State) -> Result<ScanOutput, Error> {
    let catalog = state.catalog();
    let table = catalog.active_table(&input.table_name, state.clock.now())?;
    let mut range = KeyRange::segment(table.number, input.segment);
    if let Some(key) = &input.exclusive_start_key {
        let start_key = read_start_key(&table.key_schema, key)?.storage_key(table.number);
        if !range.contains(&start_key) {
            return Err(Validation::StartKeyOutsideSegment(input.segment).into());
        }
        range.continue_after(start_key, Direction::Forward);
    }
    if let Select::Attributes(projection) = &input.select {
        key_schema::check_scalar(&table.key_schema, &projection.nested_attributes().collect::<Vec<_>>())?;
    }
    if let Some(filter) = &input.filter {
        let nested: Vec<&str> = filter.condition.nested_attributes().collect();
        key_schema::check_scalar(&table.key_schema, &nested)?;
    }

    let request = PageRequest {
        table,
        range,
        direction: Direction::Forward,
        limit: input.limit.map_or(usize::MAX, |limit| limit.get() as usize),
        filter: input.filter.as_ref(),
        select: &input.select,
    };
    let page = request.read(state)?;
    let units = capacity::read_units(page.size_bytes, input.consistency);
    Ok(ScanOutput {
        items: (input.select != Select::Count).then_some(page.items),
        count: page.count,
        scanned_count: page.scanned_count,
        last_evaluated_key: page.last_evaluated_key,
        consumed_capacity: input.return_consumed_capacity.report(&table.name, units),
    })
}

/// The start key, if it is a key of the table. Unlike Query, Scan has one text for every way in which it is not.
fn read_start_key<'request>(
    schema: &KeySchema,
    key: &'request Item,
) -> Result<PrimaryKey<'request>, Validation> {
    PrimaryKey::exact(schema, key).map_err(|refusal| Validation::StartKeyRefused(Box::new(refusal)))
}
