//! One import at a time: a lock whose token counts up with every holder.

use keywright::Entity;
use serde::{Deserialize, Serialize};

use super::App;
use crate::id::OrganizationId;

/// Held by the worker that imports. The store keeps who holds it, until when, and how often it was taken: that number is the fencing token.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "IMPORT_LOCK", purpose = "lock")]
pub struct ImportLock {
    /// Into which organization.
    pub organization_id: OrganizationId,
}
