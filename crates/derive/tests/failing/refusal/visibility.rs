//! What is named where others can see it can be seen by them.

use keywright_derive::{AccessPattern, Entity, Table};

mod model {
    use super::*;

    #[derive(Table)]
    #[table(tenant = "organization_id", entities(Team), patterns(TeamById))]
    pub struct App;

    #[derive(Entity)]
    #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
    struct Team {
        organization_id: String,
        team_id: u64,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
    pub struct TeamById {
        team_id: u64,
    }
}

fn main() {}
