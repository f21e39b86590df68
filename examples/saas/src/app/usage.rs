//! Usage: what an organization stored in a month, which is on its bill, so each event counts once.

use keywright::Entity;
use serde::{Deserialize, Serialize};

use super::App;
use crate::id::{EventId, Month, OrganizationId};

/// What was stored in a month. The store keeps the count itself, in `stored_megabytes`; it is exact, since it is on a bill.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "USAGE#{month}",
    purpose = "exact-counter",
    count = "stored_megabytes"
)]
pub struct Usage {
    /// Whose.
    pub organization_id: OrganizationId,
    /// In which month.
    pub month: Month,
}

/// That one event was counted: the storage service sends it until it hears an answer, and its queue delivers it twice now and then.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#USAGE_EVENT#{event_id}",
    sort_key = "EVENT",
    purpose = "claim",
    ttl = "expires_at"
)]
pub struct UsageEvent {
    /// Whose.
    pub organization_id: OrganizationId,
    /// Which one.
    pub event_id: EventId,
}
