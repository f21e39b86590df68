//! What no two items may have: reservations are taken and given back with the items that have them, whatever comes between.

mod adoption;
mod expiry;
mod faults;
mod integrity;
mod isolation;
mod writes;

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{AccessPattern, Condition, Entity, Store, Table, Tenant, Update};
use serde::{Deserialize, Serialize};

use crate::application::OrganizationId;
use crate::arm::Arm;

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Person, PersonEmail, PersonHandle, Guest, GuestEmail),
    patterns(PersonById, PersonByEmail, PersonByHandle, GuestById),
    ttl = "expires_at"
)]
pub(crate) struct Directory;

/// Has an address that nobody else in the organization has, and perhaps a handle that nobody else has anywhere.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Directory,
    partition_key = "ORG#{organization_id}",
    sort_key = "PERSON#{person_id}",
    unique(PersonEmail, PersonHandle)
)]
pub(crate) struct Person {
    pub(crate) organization_id: OrganizationId,
    pub(crate) person_id: String,
    pub(crate) email: String,
    pub(crate) handle: Option<String>,
    pub(crate) name: String,
    #[entity(version)]
    pub(crate) version: u64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Directory,
    partition_key = "ORG#{organization_id}",
    sort_key = "EMAIL#{email}",
    reservation_of = Person
)]
pub(crate) struct PersonEmail {
    pub(crate) organization_id: OrganizationId,
    pub(crate) email: String,
    pub(crate) person_id: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Directory,
    partition_key = "HANDLE#{handle}",
    sort_key = "HANDLE",
    reservation_of = Person,
    deviation = "a handle is one person's in all organizations"
)]
pub(crate) struct PersonHandle {
    pub(crate) handle: String,
    pub(crate) organization_id: OrganizationId,
    pub(crate) person_id: String,
}

/// Is gone after a while, and the address is free then.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Directory,
    partition_key = "ORG#{organization_id}",
    sort_key = "GUEST#{guest_id}",
    unique(GuestEmail)
)]
pub(crate) struct Guest {
    pub(crate) organization_id: OrganizationId,
    pub(crate) guest_id: u64,
    pub(crate) email: String,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Directory,
    partition_key = "ORG#{organization_id}",
    sort_key = "INVITED#{email}",
    reservation_of = Guest
)]
pub(crate) struct GuestEmail {
    pub(crate) organization_id: OrganizationId,
    pub(crate) email: String,
    pub(crate) guest_id: u64,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = Directory, get_item, returns(Person), sort_key_equals = "PERSON#{person_id}")]
pub(crate) struct PersonById {
    pub(crate) person_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Directory, get_item, returns(PersonEmail), sort_key_equals = "EMAIL#{email}")]
pub(crate) struct PersonByEmail {
    pub(crate) email: String,
}

#[derive(AccessPattern)]
#[access_pattern(
    table = Directory,
    get_item,
    across_tenants,
    returns(PersonHandle),
    sort_key_equals = "HANDLE"
)]
pub(crate) struct PersonByHandle {
    pub(crate) handle: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Directory, get_item, returns(Guest), sort_key_equals = "GUEST#{guest_id}")]
pub(crate) struct GuestById {
    pub(crate) guest_id: u64,
}

#[derive(Update)]
#[update(table = Directory, of = Person, unique)]
pub(crate) struct ChangeEmail {
    pub(crate) email: String,
}

#[derive(Update)]
#[update(table = Directory, of = Person, unique)]
pub(crate) struct ChangeHandle {
    pub(crate) handle: Option<String>,
}

#[derive(Update)]
#[update(table = Directory, of = Person)]
pub(crate) struct ChangeName {
    pub(crate) name: String,
}

#[derive(Update)]
#[update(table = Directory, of = Guest, unique)]
pub(crate) struct Extend {
    pub(crate) expires_at: u64,
}

#[derive(Condition)]
#[condition(table = Directory, of = Person, name = name)]
pub(crate) struct IsCalled {
    pub(crate) name: String,
}

pub(crate) fn tenant(store: &Store<Directory>, id: &str) -> Tenant<Directory> {
    store.tenant(&OrganizationId(id.to_owned())).unwrap()
}

pub(crate) fn by_id(person_id: &str) -> PersonById {
    PersonById { person_id: person_id.to_owned() }
}

pub(crate) fn person(organization: &str, person_id: &str, email: &str) -> Person {
    Person {
        organization_id: OrganizationId(organization.to_owned()),
        person_id: person_id.to_owned(),
        email: email.to_owned(),
        handle: None,
        name: "Plain".to_owned(),
        version: 0,
    }
}

pub(crate) fn with_handle(organization: &str, person_id: &str, email: &str, handle: &str) -> Person {
    Person { handle: Some(handle.to_owned()), ..person(organization, person_id, email) }
}

/// Everything that is stored.
pub(crate) async fn stored(arm: &Arm, table: &str) -> Vec<BTreeMap<String, AttributeValue>> {
    let output = arm.client().scan().table_name(table).consistent_read(true).send().await.unwrap();
    assert!(output.last_evaluated_key.is_none(), "the tests keep tables small");
    output.items.unwrap_or_default().into_iter().map(|item| item.into_iter().collect()).collect()
}

/// Asserts that persons have exactly the reservations that they should, and nobody else has one.
pub(crate) async fn assert_held(arm: &Arm, table: &str, place: &str) {
    let items = stored(arm, table).await;
    let text = |item: &BTreeMap<String, AttributeValue>, name: &str| -> Option<String> {
        item.get(name).map(|value| value.as_s().unwrap().clone())
    };
    let of = |entity: &str| {
        let is_it = move |item: &&BTreeMap<String, AttributeValue>| text(item, "entity").unwrap() == entity;
        items.iter().filter(is_it).collect::<Vec<_>>()
    };
    let mut expected = BTreeSet::new();
    for person in of("person") {
        let whose = (text(person, "organization_id").unwrap(), text(person, "person_id").unwrap());
        let is_new = expected.insert(("email", text(person, "email").unwrap(), whose.clone()));
        assert!(is_new, "{place}: {items:#?}");
        expected.extend(text(person, "handle").map(|handle| ("handle", handle, whose)));
    }
    let mut found = BTreeSet::new();
    for (entity, attribute) in [("person_email", "email"), ("person_handle", "handle")] {
        for item in of(entity) {
            let whose = (text(item, "organization_id").unwrap(), text(item, "person_id").unwrap());
            found.insert((attribute, text(item, attribute).unwrap(), whose));
        }
    }
    assert_eq!(found, expected, "{place}");
}
