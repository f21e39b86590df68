//! The crate with patterns that the table's crate cannot name. Each feature breaks it in one way.

use keywright_derive::{AccessPattern, Condition, PatternList, Update};
use model::{App, ByUser, Member, Membership, Task, Team};

#[derive(PatternList)]
#[cfg_attr(
    not(feature = "pattern_not_listed"),
    pattern_list(table = App, patterns(TeamById, TeamWithMembers, MembershipsOfUser))
)]
#[cfg_attr(
    feature = "pattern_not_listed",
    pattern_list(table = App, patterns(TeamById, MembershipsOfUser))
)]
pub struct Service;

#[derive(AccessPattern)]
#[access_pattern(table = App, listed_in = Service, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
pub struct TeamById {
    #[cfg(not(feature = "component_type"))]
    pub team_id: u64,
    #[cfg(feature = "component_type")]
    pub team_id: String,
}

#[derive(AccessPattern)]
#[cfg_attr(
    not(any(feature = "entity_not_named", feature = "sort_key_boundary")),
    access_pattern(
        table = App,
        listed_in = Service,
        returns(Team, Member),
        skips(Task),
        sort_key_starts_with = "TEAM#{team_id}"
    )
)]
#[cfg_attr(
    feature = "entity_not_named",
    access_pattern(table = App, listed_in = Service, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")
)]
#[cfg_attr(
    feature = "sort_key_boundary",
    access_pattern(table = App, listed_in = Service, returns(Member), sort_key_starts_with = "TEAM#{team_id}#MEM")
)]
pub struct TeamWithMembers {
    pub team_id: u64,
}

#[derive(AccessPattern)]
#[cfg_attr(
    not(any(feature = "not_projected", feature = "consistent_read")),
    access_pattern(table = App, listed_in = Service, index = ByUser, returns(Member as Membership))
)]
#[cfg_attr(
    feature = "not_projected",
    access_pattern(table = App, listed_in = Service, index = ByUser, returns(Member))
)]
#[cfg_attr(
    feature = "consistent_read",
    access_pattern(
        table = App,
        listed_in = Service,
        index = ByUser,
        returns(Member as Membership),
        consistency = strong
    )
)]
pub struct MembershipsOfUser {
    #[cfg(not(feature = "partition_key_given"))]
    pub user_id: String,
}

#[derive(Condition)]
#[condition(table = App, of = Member, role = expected, exists(nickname))]
pub struct HasRole {
    expected: String,
}

#[derive(Update)]
#[update(table = App, of = Member)]
pub struct Rename {
    #[update(set_if_absent)]
    nickname: String,
    role: String,
    #[cfg(feature = "key_changed")]
    team_id: u64,
}
