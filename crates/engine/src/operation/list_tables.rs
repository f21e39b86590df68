//! ListTables: the names of the tables, in pages, sorted by their bytes.

use keywright_api::{ListTablesInput, ListTablesOutput, TableName};

use crate::state::State;

pub(crate) fn answer(input: &ListTablesInput, state: &State) -> ListTablesOutput {
    let catalog = state.catalog();
    let mut names = catalog.names_after(input.exclusive_start_table_name.as_deref(), state.clock.now());
    let table_names: Vec<TableName> = names.by_ref().take(input.limit).cloned().collect();
    let last_evaluated_table_name = names.next().and_then(|_| table_names.last().cloned());
    ListTablesOutput { table_names, last_evaluated_table_name }
}
