//! Rate limits: a bucket of permits that fills with time.

use keywright::Entity;
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{OrganizationId, UserId};

/// The requests of a user. The store keeps when the bucket is full again: taking a permit counts and refuses in one request.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#LIMIT#{user_id}",
    sort_key = "REQUESTS",
    purpose = "rate-limit",
    ttl = "expires_at"
)]
pub struct RateLimit {
    /// In which organization.
    pub organization_id: OrganizationId,
    /// Whose.
    pub user_id: UserId,
}
