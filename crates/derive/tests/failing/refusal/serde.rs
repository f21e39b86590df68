//! What serde would store otherwise than can be seen.

use keywright_derive::{Entity, Projection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(entities(Team, Named, Wrapped, Cased), index(ByName))]
struct App;

#[derive(Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "{slug}#{short}")]
#[serde(deny_unknown_fields)]
struct Team {
    #[serde(alias = "team")]
    team_id: String,
    #[serde(skip)]
    slug: String,
    #[serde(rename(serialize = "short", deserialize = "abbreviation"))]
    abbreviation: String,
    #[serde(skip_serializing)]
    read_only: u8,
    #[serde(skip_deserializing)]
    write_only: u8,
    #[serde(flatten)]
    address: Address,
}

#[derive(Serialize, Deserialize)]
struct Address {
    street: String,
}

#[derive(Entity, Serialize)]
#[entity(table = App, partition_key = "NAMED#{id}", sort_key = "NAMED")]
#[serde(tag = "kind", into = "String")]
struct Named {
    id: String,
}

impl From<Named> for String {
    fn from(named: Named) -> String {
        named.id
    }
}

impl Clone for Named {
    fn clone(&self) -> Named {
        Named { id: self.id.clone() }
    }
}

#[derive(Entity, Serialize)]
#[entity(table = App, partition_key = "WRAPPED#{id}", sort_key = "WRAPPED")]
#[serde(transparent)]
struct Wrapped {
    id: String,
}

#[derive(Entity, Serialize)]
#[entity(
    table = App,
    partition_key = "CASED#{id}",
    sort_key = "CASED",
    index(ByName, partition_key = "NAME#{name}", sort_key = "CASED")
)]
struct Cased {
    #[serde(serialize_with = "lowercase")]
    id: String,
    #[serde(with = "cased")]
    name: String,
    #[serde(serialize_with = "lowercase")] // in no key
    note: String,
}

fn lowercase<Target: serde::Serializer>(value: &str, target: Target) -> Result<Target::Ok, Target::Error> {
    target.serialize_str(&value.to_lowercase())
}

mod cased {
    pub(super) use super::lowercase as serialize;
}

#[derive(Projection, Deserialize)]
#[projection(of = Wrapped)]
#[serde(rename_all(serialize = "camelCase", deserialize = "kebab-case"))]
struct Summary {
    id: String,
}

fn main() {}
