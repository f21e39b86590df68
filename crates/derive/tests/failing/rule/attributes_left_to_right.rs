//! The region is left out, and the city stands to the right of it.

use keywright_derive::{AccessPattern, Entity, Projection, Table};

#[derive(Table)]
#[table(tenant = "organization_id", entities(Place), patterns(InCity), index(ByPlace, partition_key(organization_id, country), sort_key(region, city)))]
struct App;

#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "PLACE#{place_id}", index(ByPlace))]
struct Place {
    organization_id: String,
    place_id: u64,
    country: String,
    region: String,
    city: String,
}

#[derive(Projection)]
#[projection(of = Place)]
struct PlaceId {
    place_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByPlace, returns(Place as PlaceId), sort_key_attributes(city))]
struct InCity {
    country: String,
    city: String,
}

fn main() {}
