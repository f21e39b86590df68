//! People.

use keywright::key::Timestamp;
use keywright::{AccessPattern, Entity, Projection, Update};
use serde::{Deserialize, Serialize};

use super::{App, ByLookup};
use crate::id::{OrganizationId, UserId};

/// A person in one organization. Somebody who is in two is two users with one address.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "USER#{user_id}",
    index(
        ByLookup,
        // `:lower` refuses an address that is not in lower case, so that one person is not two users.
        partition_key = "EMAIL#{email:lower}",
        sort_key = "USER#{user_id}",
        deviation = "signing in begins with the e-mail address alone"
    ),
    unique(UserEmail)
)]
pub struct User {
    /// Where the user is.
    pub organization_id: OrganizationId,
    /// Which one.
    pub user_id: UserId,
    /// Where mail goes, in lower case.
    pub email: String,
    /// What others see.
    pub name: String,
    /// Since when: stamped by the store.
    #[entity(created)]
    pub created_at: Option<Timestamp>,
    /// Counted up by each update.
    #[entity(version)]
    pub version: u64,
}

/// Holds an address for one user of an organization. It is written with the user, in one transaction, and never by itself.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "EMAIL#{email:lower}",
    reservation_of = User
)]
pub struct UserEmail {
    /// Where the user is.
    pub organization_id: OrganizationId,
    /// The address.
    pub email: String,
    /// Whose it is.
    pub user_id: UserId,
}

/// One user.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(User), sort_key_equals = "USER#{user_id}")]
pub struct UserById {
    /// Which one.
    pub user_id: UserId,
}

/// Everybody in the organization.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, returns(User), sort_key_starts_with = "USER")]
pub struct UsersOfOrganization;

/// Which organizations know an address: the first step of signing in, when nobody is anybody yet.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, index = ByLookup, across_tenants, returns(User as UserKeys))]
pub struct OrganizationsOfAddress {
    /// In lower case.
    pub email: String,
}

/// What the keys in the index say of a user.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = User)]
pub struct UserKeys {
    /// Where the user is.
    pub organization_id: OrganizationId,
    /// Which one.
    pub user_id: UserId,
    /// The address.
    pub email: String,
}

/// Who in the organization has an address: the reservation says it.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(UserEmail), sort_key_equals = "EMAIL#{email:lower}")]
pub struct HolderOfAddress {
    /// In lower case.
    pub email: String,
}

/// Another address. The old one is free and the new one held, in the same transaction.
#[derive(Debug, Update)]
#[update(table = App, of = User, unique)]
pub struct ChangeEmail {
    /// In lower case.
    pub email: String,
}
