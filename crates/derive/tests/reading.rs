//! What patterns give back: an item for each entity, whose it is, and what is left out.
#![allow(clippy::unwrap_used, reason = "a test: what fails shows itself")]

use std::any::TypeId;

use keywright_derive::{AccessPattern, Entity, Projection, Table};
use keywright_key::component_newtype;
use keywright_key::declare::{
    AccessPattern as _, AcrossTenants, GivenValues as _, NamesItem, ReadItems, Tenanted, Unshared,
    WithinTenant,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OrganizationId(String);
component_newtype!(OrganizationId(String));

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UserId(u64);
component_newtype!(UserId(u64));

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Team, Member, Share, Silent),
    patterns(TeamById, TeamWithMembers, RolesOf, ShareByToken, Silence),
    index(ByLevel, partition_key(organization_id, user_id: number), sort_key(level: number))
)]
struct App;

#[derive(Table)]
#[table(tenant(organization_id: OrganizationId))]
struct Empty;

#[derive(Table)]
#[table(entities(Alone))]
struct Single;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}", discriminator = "t")]
struct Team {
    organization_id: OrganizationId,
    team_id: u64,
    name: String,
}

#[derive(Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}#MEMBER#{user_id}", index(ByLevel))]
struct Member {
    organization_id: OrganizationId,
    team_id: u64,
    user_id: UserId,
    role: String,
    level: u64,
    nickname: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Projection, Serialize, Deserialize)]
#[projection(of = Member)]
struct MemberRole {
    user_id: UserId,
    role: String,
}

#[derive(Projection, Serialize, Deserialize)]
#[projection(of = Member)]
struct MemberId {
    user_id: UserId,
}

/// In no key has it the tenant, so it does not say of which type that is.
#[derive(Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "SHARE#{token}", sort_key = "SHARE", deviation = "the token is the lookup value")]
struct Share {
    token: u64,
    organization_id: OrganizationId,
}

/// What serde does not know can be an entity too, as long as nobody reads it.
#[derive(Entity)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "SILENT")]
struct Silent {
    organization_id: OrganizationId,
}

#[derive(Entity)]
#[entity(table = Single, partition_key = "ALONE#{id}", sort_key = "ALONE")]
struct Alone {
    id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
struct TeamById {
    team_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(
    table = App,
    returns(Team, Member as MemberRole),
    sort_key_starts_with = "TEAM#{team_id}",
    filter(
        role = role,
        role <> other,
        exists(nickname),
        not_exists(name),
        begins_with(nickname, role),
        contains(nickname, part),
        role >= least
    )
)]
struct TeamWithMembers {
    team_id: u64,
    role: String,
    other: String,
    part: String,
    least: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByLevel, returns(Member as MemberId), sort_key_attributes(level(from = least)))]
struct RolesOf {
    #[access_pattern(attribute = "user_id")]
    user: UserId,
    least: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Share), sort_key_equals = "SHARE", across_tenants)]
struct ShareByToken {
    token: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Silent), sort_key_starts_with = "SILENT")]
struct Silence;

fn read<Pattern: ReadItems>(discriminator: &str, item: Value) -> Option<Result<Pattern::Item, String>> {
    Pattern::read(discriminator, item).map(|read| read.map_err(|error| error.to_string()))
}

#[test]
fn an_item_of_one_entity_is_that_entity() {
    let item = json!({ "organization_id": "acme", "team_id": 7, "name": "Crew", "pk": "ORG#acme" });
    let team =
        Team { organization_id: OrganizationId("acme".to_owned()), team_id: 7, name: "Crew".to_owned() };
    assert_eq!(read::<TeamById>("t", item.clone()), Some(Ok(team)));
    assert_eq!(read::<TeamById>("member", item), None);
}

#[test]
fn an_item_of_several_entities_is_told_by_its_discriminator() {
    let member = json!({ "user_id": 1, "role": "owner", "team_id": 7 });
    let expected =
        TeamWithMembersItem::MemberRole(MemberRole { user_id: UserId(1), role: "owner".to_owned() });
    let found = read::<TeamWithMembers>("member", member.clone()).unwrap().unwrap();
    assert_eq!(found.clone(), expected);
    assert_eq!(format!("{found:?}"), r#"MemberRole(MemberRole { user_id: UserId(1), role: "owner" })"#);
    assert_eq!(read::<TeamWithMembers>("silent", member.clone()), None);

    let team = json!({ "organization_id": "acme", "team_id": 7, "name": "Crew" });
    let found = read::<TeamWithMembers>("t", team).unwrap().unwrap();
    assert!(matches!(&found, TeamWithMembersItem::Team(team) if team.team_id == 7));
    assert_ne!(found, expected);
    let refused = read::<TeamWithMembers>("t", member).unwrap();
    assert_eq!(refused, Err("missing field `organization_id`".to_owned()));
}

#[test]
fn a_filter_numbers_each_attribute_and_each_value_once() {
    let filter = TeamWithMembers::FILTER;
    assert_eq!(
        filter.text,
        "#0 = :0 AND #0 <> :1 AND attribute_exists(#1) AND attribute_not_exists(#2) AND begins_with(#1, :0) AND \
         contains(#1, :2) AND #0 >= :3"
    );
    assert_eq!(filter.attributes, ["role", "nickname", "name"]);
    assert_eq!(filter.given, ["role", "other", "part", "least"]);
    assert_eq!(TeamById::FILTER.text, "");
}

#[test]
fn a_pattern_gives_the_values_that_requests_need() {
    let given = |text: &str| text.to_owned();
    let pattern = TeamWithMembers {
        team_id: 7,
        role: given("a"),
        other: given("b"),
        part: given("c"),
        least: given("d"),
    };
    let value = |name: &str| pattern.serialize_given(name, serde_json::value::Serializer).map(Result::unwrap);
    let values: Vec<Value> = TeamWithMembers::FILTER.given.iter().filter_map(|name| value(name)).collect();
    assert_eq!(values, ["a", "b", "c", "d"]);
    assert_eq!(value("team_id"), None, "a key is rendered, not sent as it is");

    let of_user = RolesOf { user: UserId(1), least: 2 };
    let value = |name: &str| of_user.serialize_given(name, serde_json::value::Serializer).map(Result::unwrap);
    assert_eq!((value("user_id"), value("least"), value("user")), (Some(json!(1)), Some(json!(2)), None));
}

#[test]
fn a_table_says_what_tenants_are_known_by() {
    fn tenant_of<Table: Tenanted<TenantId: 'static>>() -> TypeId {
        TypeId::of::<Table::TenantId>()
    }
    fn unshared<Table: Unshared>() {}

    assert_eq!(tenant_of::<App>(), TypeId::of::<OrganizationId>());
    assert_eq!(tenant_of::<Empty>(), TypeId::of::<OrganizationId>());
    unshared::<Single>();
}

#[test]
fn a_pattern_says_whose_its_items_are_and_which_one_it_names() {
    fn within<Pattern: WithinTenant>() {}
    fn across<Pattern: AcrossTenants>() {}
    fn named<Pattern: NamesItem<Entity: 'static>>() -> TypeId {
        TypeId::of::<Pattern::Entity>()
    }

    within::<TeamById>();
    within::<TeamWithMembers>();
    within::<Silence>();
    across::<ShareByToken>();
    assert_eq!(named::<TeamById>(), TypeId::of::<Team>());
    assert_eq!(named::<ShareByToken>(), TypeId::of::<Share>());
}
