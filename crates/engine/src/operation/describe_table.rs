//! DescribeTable: what a table is, in whatever status.

use keywright_api::{DescribeTableInput, DescribeTableOutput, Error, ResourceNotFound};

use crate::state::State;
use crate::table::Audience;

pub(crate) fn answer(input: DescribeTableInput, state: &State) -> Result<DescribeTableOutput, Error> {
    let now = state.clock.now();
    match state.catalog().table(&input.table_name, now) {
        Some(table) => Ok(DescribeTableOutput { table: table.describe(now, Audience::Reader) }),
        None => Err(Error::ResourceNotFound(ResourceNotFound::Table(input.table_name))),
    }
}
