//! The application of the page about uniqueness: users whose addresses are theirs alone.

use keywright::key::component_newtype;
use keywright::{AccessPattern, Condition, CursorKey, CursorKeys, Entity, Store, Table, Tenant, Update};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(User, UserEmail, UserHandle, Project, ProjectName),
    patterns(UserById, UserByEmail, UserByHandle, ProjectById)
)]
pub struct App;

/// Somebody with an address that nobody else in the organization has, and perhaps a handle that nobody else has anywhere.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "USER#{user_id}",
    unique(UserEmail, UserHandle)
)]
pub struct User {
    pub organization_id: OrganizationId,
    pub user_id: String,
    pub email: String,
    pub handle: Option<String>,
    pub name: String,
    #[entity(version)]
    pub version: u64,
}

/// Holds an address for one user of an organization.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EMAIL#{email}",
    reservation_of = User
)]
pub struct UserEmail {
    pub organization_id: OrganizationId,
    pub email: String,
    pub user_id: String,
}

/// Holds a handle for one user of all organizations.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "HANDLE#{handle}",
    sort_key = "HANDLE",
    reservation_of = User,
    deviation = "a handle is one user's in all organizations"
)]
pub struct UserHandle {
    pub handle: String,
    pub organization_id: OrganizationId,
    pub user_id: String,
}

/// Something with a name that is its own, and without a version.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "PROJECT#{project_id}",
    unique(ProjectName)
)]
pub struct Project {
    pub organization_id: OrganizationId,
    pub project_id: u64,
    pub name: String,
}

/// Holds a name for one project of an organization.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "PROJECT-NAME#{name}",
    reservation_of = Project
)]
pub struct ProjectName {
    pub organization_id: OrganizationId,
    pub name: String,
    pub project_id: u64,
}

#[derive(Clone, Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Project), sort_key_equals = "PROJECT#{project_id}")]
pub struct ProjectById {
    pub project_id: u64,
}

#[derive(Clone, Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(User), sort_key_equals = "USER#{user_id}")]
pub struct UserById {
    pub user_id: String,
}

/// Who has an address: the reservation says it.
#[derive(Clone, Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(UserEmail), sort_key_equals = "EMAIL#{email}")]
pub struct UserByEmail {
    pub email: String,
}

#[derive(Clone, Debug, AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(UserHandle), sort_key_equals = "HANDLE")]
pub struct UserByHandle {
    pub handle: String,
}

#[derive(Clone, Debug, Update)]
#[update(table = App, of = User, unique)]
pub struct ChangeEmail {
    pub email: String,
}

#[derive(Clone, Debug, Update)]
#[update(table = App, of = User)]
pub struct ChangeName {
    pub name: String,
}

#[derive(Debug, Condition)]
#[condition(table = App, of = User, email = email)]
pub struct HasEmail {
    pub email: String,
}

pub async fn acme() -> Result<Tenant<App>, Box<dyn std::error::Error>> {
    let store = Store::<App>::in_memory(CursorKeys::new(CursorKey::generate()?)).await?;
    Ok(store.tenant(&OrganizationId("acme".to_owned()))?)
}

pub fn user(user_id: &str, email: &str) -> User {
    User {
        organization_id: OrganizationId("acme".to_owned()),
        user_id: user_id.to_owned(),
        email: email.to_owned(),
        handle: None,
        name: user_id.to_owned(),
        version: 0,
    }
}
