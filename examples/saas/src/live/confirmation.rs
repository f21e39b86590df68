//! Links that confirm an address: each is good once, for an hour.

use keywright::{AccessPattern, Entity, TokenHash};
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{OrganizationId, UserId};

/// A link that was sent to a new address of somebody. The secret is in the link alone; the key is its hash.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "CONFIRM#{token}",
    sort_key = "CONFIRM",
    purpose = "single-use-token",
    ttl = "expires_at",
    deviation = "whoever clicks on the link brings its token and nothing else"
)]
pub struct Confirmation {
    /// The hash of the secret.
    pub token: TokenHash,
    /// In which organization.
    pub organization_id: OrganizationId,
    /// Whose new address.
    pub user_id: UserId,
    /// The address.
    pub email: String,
}

/// The confirmation of a link.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, get_item, across_tenants, returns(Confirmation), sort_key_equals = "CONFIRM")]
pub struct ConfirmationByToken {
    /// The hash of what is in the link.
    pub token: TokenHash,
}
