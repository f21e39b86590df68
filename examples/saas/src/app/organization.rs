//! The organization itself.

use keywright::key::{Timestamp, component_enum};
use keywright::{AccessPattern, Entity, Update};
use serde::{Deserialize, Serialize};

use super::App;
use crate::id::OrganizationId;

/// An organization: a tenant, and its own first item.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "ORGANIZATION")]
pub struct Organization {
    /// Its id.
    pub organization_id: OrganizationId,
    /// Its name.
    pub name: String,
    /// What it pays for.
    pub plan: Plan,
    /// When it signed up: stamped by the store.
    #[entity(created)]
    pub created_at: Option<Timestamp>,
    /// Counted up by each update.
    #[entity(version)]
    pub version: u64,
}

/// What an organization pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plan {
    /// Nothing.
    Free,
    /// Seats.
    Team,
    /// A contract.
    Enterprise,
}

component_enum!(Plan { Free = "free", Team = "team", Enterprise = "enterprise" });

/// The organization that asks.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Organization), sort_key_equals = "ORGANIZATION")]
pub struct OrganizationById;

/// Another name.
#[derive(Debug, Update)]
#[update(table = App, of = Organization)]
pub struct RenameOrganization {
    /// The new one.
    pub name: String,
}
