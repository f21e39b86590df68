//! The balance: credit that is spent, and never below zero.

use keywright::key::Timestamp;
use keywright::{AccessPattern, Condition, Entity, Update};
use serde::{Deserialize, Serialize};

use super::Billing;
use crate::id::OrganizationId;

/// What an organization has left.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Billing, partition_key = "ORG#{organization_id}", sort_key = "BALANCE")]
pub struct Balance {
    /// Whose.
    pub organization_id: OrganizationId,
    /// In cents.
    pub balance: u64,
    /// When it changed last: stamped by the store.
    #[entity(updated)]
    pub updated_at: Timestamp,
}

/// The balance, as it is now.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Billing, get_item, returns(Balance), sort_key_equals = "BALANCE", consistency = strong)]
pub struct BalanceOfOrganization;

/// Something was used.
#[derive(Debug, Update)]
#[update(table = Billing, of = Balance)]
pub struct Spend {
    /// How much less it is, in cents.
    #[update(subtract)]
    pub balance: u64,
}

/// Something was paid.
#[derive(Debug, Update)]
#[update(table = Billing, of = Balance)]
pub struct TopUp {
    /// How much more it is, in cents.
    #[update(add)]
    pub balance: u64,
}

/// There is enough. The condition and the change are one request, so that two charges at once cannot both see the last cent.
#[derive(Debug, Condition)]
#[condition(table = Billing, of = Balance, balance >= cost)]
pub struct HasCredit {
    /// What something costs, in cents.
    pub cost: u64,
}
