//! A version that is text cannot be counted up.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Document))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "DOCUMENT#{document_id}")]
struct Document {
    organization_id: String,
    document_id: String,
    #[entity(version)]
    version: String,
}

fn main() {}
