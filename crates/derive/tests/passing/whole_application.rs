//! Every construct of the derives in one application.
#![deny(warnings, missing_docs)]

use keywright_derive::{AccessPattern, Condition, Entity, Projection, Table, Update};
use keywright_key::{component_enum, component_newtype};
use serde::{Deserialize, Serialize};

/// An organization's id.
#[derive(Clone, Serialize, Deserialize)]
pub struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

/// A team's id.
#[derive(Clone, Serialize, Deserialize)]
pub struct TeamId(String);
component_newtype!(TeamId(String));

/// A user's id.
#[derive(Clone, Serialize, Deserialize)]
pub struct UserId(String);
component_newtype!(UserId(String));

/// How far a task is.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub enum Status {
    /// It was begun.
    Begun,
    /// It is done.
    Done,
}
component_enum!(Status { Begun = "begun", Done = "done" });

/// The one table.
#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Team, Member, Task, ShareToken, Event, Place),
    patterns(
        TeamById, TeamWithMembers, MembershipsOfUser, TasksOfAssignee, TasksDue, SharedBy, EventsOfTopic,
        PlacesIn, TasksWithin
    ),
    index(ByUser, project(role)),
    index(ByAssignee, partition_key = "gsi2pk", sort_key = "gsi2sk", project_all = "the task list shows whole tasks"),
    index(ByDue, local, project(title, "task-status")),
    index(ByPlace, partition_key(organization_id, country), sort_key(region, city, year: number)),
    ttl = "expires_at",
    discriminator = "kind"
)]
pub struct App;

/// A team.
#[derive(Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub struct Team {
    organization_id: OrganizationId,
    team_id: TeamId,
    /// Its name.
    pub name: String,
    #[entity(version)]
    version: u64,
}

/// A user in a team.
#[derive(Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
pub struct Member {
    organization_id: OrganizationId,
    team_id: TeamId,
    user_id: UserId,
    role: Role,
    joined_at: u64,
    left_at: Option<u64>,
}

// Less visible than the entity, as fields may be.
#[derive(Serialize, Deserialize)]
enum Role {
    Owner,
}

/// What a list of members shows.
#[derive(Projection, Deserialize)]
#[projection(of = Member)]
pub struct MemberSummary {
    user_id: UserId,
    joined_at: u64,
    role: Role,
}

/// Something to do. Without an assignee it is in no assignee's list.
#[derive(Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TASK#{type}",
    discriminator = "todo",
    index(ByAssignee, partition_key = "ORG#{organization_id}#USER#{assignee}", sort_key = "{task-status}#{due}"),
    index(ByDue, sort_key = "TASK#{due:10}")
)]
#[serde(rename_all = "kebab-case")]
pub struct Task {
    #[serde(rename = "organization_id")]
    organization_id: OrganizationId,
    r#type: String,
    assignee: Option<UserId>,
    task_status: Status,
    due: u32,
    title: String,
    #[serde(skip)]
    opened: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<f64>,
}

/// A link that whoever holds it may follow.
#[derive(Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "SHARE#{token}", sort_key = "SHARE", deviation = "the token is the lookup value")]
pub struct ShareToken {
    token: String,
    organization_id: OrganizationId,
    #[entity(ttl)]
    expires_at: u64,
}

/// Something that happened, often.
#[derive(Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#TOPIC#{topic}",
    sort_key = "EVENT#{at}",
    shards = 8,
    earlier_shards(1, 4)
)]
pub struct Event {
    organization_id: OrganizationId,
    topic: String,
    at: u64,
}

/// Somewhere.
#[derive(Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "PLACE#{place_id}", index(ByPlace))]
pub struct Place {
    organization_id: OrganizationId,
    place_id: u64,
    country: String,
    region: String,
    city: String,
    year: u16,
}

/// One team.
#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}", consistency = strong)]
pub struct TeamById {
    team_id: TeamId,
}

/// A team and everyone in it.
#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
pub struct TeamWithMembers {
    team_id: TeamId,
}

/// The teams that a user is in.
#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member as MemberSummary))]
pub struct MembershipsOfUser {
    user_id: UserId,
}

/// What a user has to do, until some day.
#[derive(AccessPattern, Serialize)]
#[access_pattern(
    table = App,
    index = ByAssignee,
    returns(Task),
    sort_key_range("{task-status}#{due}", from = since, until = end),
    filter(title = wanted, contains(notes, note), exists(notes), due >= least)
)]
pub struct TasksOfAssignee {
    assignee: UserId,
    #[access_pattern(attribute = "task-status")]
    status: Status,
    since: u32,
    end: u32,
    #[serde(rename = "is")]
    wanted: String,
    note: f64,
    least: u32,
}

/// What is due.
#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByDue, returns(Task as TaskTitle), sort_key_range("TASK#{due:10}", through = end))]
pub struct TasksDue {
    end: u32,
}

/// The title of a task.
#[derive(Projection, Deserialize)]
#[projection(of = Task)]
pub struct TaskTitle {
    /// The title.
    pub title: String,
    #[serde(rename = "task-status")]
    status: Status,
}

/// What a link leads to.
#[derive(AccessPattern)]
#[access_pattern(table = App, returns(ShareToken), across_tenants)]
pub struct SharedBy {
    token: String,
}

/// What happened.
#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Event), sort_key_range("EVENT#{at}", after = since))]
pub struct EventsOfTopic {
    topic: String,
    since: u64,
}

/// The places of a region whose city begins with something.
#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByPlace, returns(Place), sort_key_attributes(region, city(starts_with = beginning)))]
pub struct PlacesIn {
    country: String,
    region: String,
    beginning: String,
}

/// All tasks.
#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Task), sort_key_starts_with = "TASK")]
pub struct TasksWithin;

/// Nobody changed the role, and it is one.
#[derive(Condition)]
#[condition(table = App, of = Member, role = expected, not_exists(left_at))]
pub struct StillHasRole {
    expected: Role,
}

/// A task is done by somebody.
#[derive(Update)]
#[update(table = App, of = Task)]
pub struct Finish {
    assignee: Option<UserId>,
    #[update(attribute = "task-status")]
    status: Status,
    due: u32,
    #[update(append)]
    notes: Vec<f64>,
}

fn main() {}
