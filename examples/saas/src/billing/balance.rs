//! The balance: credit that is spent, and never below zero.

use keywright::Entity;
use keywright::key::Timestamp;
use serde::{Deserialize, Serialize};

use super::Billing;
use crate::id::OrganizationId;

/// What an organization has left. The store keeps the cents themselves, in `balance`; it is exact: only in a transaction with the entry
/// of what it changed for does it change.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Billing,
    partition_key = "ORG#{organization_id}",
    sort_key = "BALANCE",
    purpose = "exact-counter",
    count = "balance"
)]
pub struct Balance {
    /// Whose.
    pub organization_id: OrganizationId,
    /// When it changed last: stamped by the store.
    #[entity(updated)]
    pub updated_at: Timestamp,
}
