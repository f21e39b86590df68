//! Sessions: a request brings one, and the session says for which organization it is.

use keywright::key::Timestamp;
use keywright::{AccessPattern, Entity};
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{OrganizationId, UserId};

/// A user who is signed in.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "SESSION#{token_hash}",
    sort_key = "SESSION",
    deviation = "a request brings its session, and the session says which organization it is for"
)]
pub struct Session {
    /// The SHA-256 of the 256 random bits in the cookie, as text.
    pub token_hash: String,
    /// For which organization.
    pub organization_id: OrganizationId,
    /// Who.
    pub user_id: UserId,
    /// Since when: stamped by the store.
    #[entity(created)]
    pub created_at: Option<Timestamp>,
    /// Until when, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// The session of a cookie.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, get_item, across_tenants, returns(Session), sort_key_equals = "SESSION")]
pub struct SessionByToken {
    /// The SHA-256 of what is in the cookie.
    pub token_hash: String,
}
