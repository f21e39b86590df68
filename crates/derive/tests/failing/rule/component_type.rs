//! The number 7 and the text "7" are different keys.

use keywright_derive::{AccessPattern, Entity, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Order), patterns(OrderByNumber, OrdersSince, Open))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "ORDER#{number}")]
struct Order {
    organization_id: String,
    number: u64,
    is_open: bool,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Order), sort_key_equals = "ORDER#{number}")]
struct OrderByNumber {
    number: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Order), sort_key_range("ORDER#{number}", from = since))]
struct OrdersSince {
    since: u32,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Order), sort_key_starts_with = "ORDER", filter(is_open = is_open))]
struct Open {
    is_open: String,
}

fn main() {}
