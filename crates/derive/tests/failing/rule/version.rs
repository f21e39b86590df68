//! A version that is text cannot be counted up, and one of eight bits no further than to 255.

use keywright_derive::{Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Document, Draft))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "DOCUMENT#{document_id}")]
struct Document {
    organization_id: String,
    document_id: String,
    #[entity(version)]
    version: String,
}

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "DRAFT#{document_id}")]
struct Draft {
    organization_id: String,
    document_id: String,
    #[entity(version)]
    version: u8,
}

fn main() {}
