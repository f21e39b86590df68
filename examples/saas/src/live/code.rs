//! Codes that are sent by mail: six digits, ten minutes, five tries.

use keywright::{AccessPattern, Condition, Entity, Update};
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{CodeId, OrganizationId, UserId};

/// A code that was sent. Only its hash is stored; each is an item of its own, so that another one does not bring back the tries of the
/// first.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#USER#{user_id}",
    sort_key = "CODE#{code_id}"
)]
pub struct OneTimeCode {
    /// For which organization.
    pub organization_id: OrganizationId,
    /// To whom.
    pub user_id: UserId,
    /// Which one.
    pub code_id: CodeId,
    /// The hash of the digits.
    pub code_hash: String,
    /// How often somebody tried.
    pub tries: u64,
    /// Until when, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// One code, as it is now: written a moment ago, typed in now.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, get_item, returns(OneTimeCode), sort_key_equals = "CODE#{code_id}", consistency = strong)]
pub struct OneTimeCodeById {
    /// To whom it was sent.
    pub user_id: UserId,
    /// Which one.
    pub code_id: CodeId,
}

/// One more try, counted before the digits are compared: five in all, however many come at once.
#[derive(Debug, Update)]
#[update(table = Live, of = OneTimeCode)]
pub struct TryCode {
    /// How many more: one.
    #[update(add)]
    pub tries: u64,
}

/// Some tries are left.
#[derive(Debug, Condition)]
#[condition(table = Live, of = OneTimeCode, tries < most)]
pub struct HasTriesLeft {
    /// How many there are in all.
    pub most: u64,
}

/// It is the code that was sent.
#[derive(Debug, Condition)]
#[condition(table = Live, of = OneTimeCode, code_hash = hash)]
pub struct HasHash {
    /// The hash of the digits that were typed in.
    pub hash: String,
}
