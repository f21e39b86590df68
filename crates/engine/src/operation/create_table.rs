//! CreateTable: a new, empty table under a name that no table has.
//!
//! Order of refusal: request shape (in `api`), the name is taken.

use std::sync::Mutex;

use keywright_api::{
    BillingMode, CreateTableInput, CreateTableOutput, Error, ResourceInUse, Response, TableStatus,
};

use crate::group::{Change, Group, TableChange};
use crate::index::{Index, IndexNumber};
use crate::random::Random;
use crate::statistics::Statistics;
use crate::table::throughput::Throughput;
use crate::table::{Audience, Table};

/// A CreateTable that waits for its decision.
#[derive(Debug)]
pub(crate) struct CreateTable(CreateTableInput);

pub(crate) fn prepare(input: CreateTableInput) -> CreateTable {
    CreateTable(input)
}

impl CreateTable {
    pub(crate) fn decide(self, group: &Group<'_>) -> Result<(Change, Response), Error> {
        let CreateTable(input) = self;
        let (state, now) = (group.state(), group.now());
        if group.catalog().table(&input.table_name, now).is_some() {
            return Err(Error::ResourceInUse(ResourceInUse::TableExists(input.table_name)));
        }
        let table = Table {
            number: group.catalog().next_number(),
            arn: format!("arn:aws:dynamodb:{}:{}:table/{}", state.region, state.account, input.table_name),
            name: input.table_name,
            id: table_id(state.random.as_ref()),
            key_schema: input.key_schema,
            indexes: (1..)
                .zip(input.indexes)
                .map(|(number, definition)| Index::new(IndexNumber(number), definition, Statistics::new(now)))
                .collect(),
            billing_mode: input.billing_mode,
            throughput: Throughput::default(),
            on_demand_since: (input.billing_mode == BillingMode::OnDemand).then_some(now),
            table_class: input.table_class,
            deletion_protection: input.deletion_protection,
            tags: input.tags,
            created_at: now,
            active_at: now.plus(state.table_delay),
            gone_at: None,
            statistics: Mutex::new(Statistics::new(now)),
        };
        let mut description = table.describe(now, Audience::Reader);
        // The service always answers CREATING, however soon the table is ready.
        description.status = TableStatus::Creating;
        description.indexes.iter_mut().for_each(|index| index.status = TableStatus::Creating);
        let change = Change { table: Some(TableChange::Create(table)), ..Change::default() };
        Ok((change, CreateTableOutput { table: description }.into()))
    }
}

/// A random UUID (version 4) in its canonical text.
fn table_id(random: &dyn Random) -> String {
    let bits = (u128::from(random.next_u64()) << 64) | u128::from(random.next_u64());
    let version = (bits & !(0xf << 76)) | (0x4 << 76);
    let variant = (version & !(0x3 << 62)) | (0x2 << 62);
    let digits = format!("{variant:032x}");
    let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)];
    parts.map(|(start, end)| digits.get(start..end).unwrap_or_default()).join("-")
}
