//! Events that others send until somebody answers: each is claimed, and whoever claims it first does the work.

use keywright::Entity;
use keywright::key::Timestamp;
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{EventId, OrganizationId};

/// An event of Stripe, which sends one again for up to three days: kept for four.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "STRIPE#{event_id}",
    sort_key = "EVENT",
    purpose = "claim",
    ttl = "expires_at",
    deviation = "Stripe mints the id, one for each event of all its customers"
)]
pub struct StripeEvent {
    /// Which one.
    pub event_id: EventId,
    /// Whose payment it is about.
    pub organization_id: OrganizationId,
    /// When it came first: stamped by the store.
    #[entity(created)]
    pub claimed_at: Option<Timestamp>,
}

/// An event of Slack, which sends one again for some minutes: kept for six hours, for a queue that stood still.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "SLACK_EVENT#{event_id}",
    sort_key = "EVENT",
    purpose = "claim",
    ttl = "expires_at",
    deviation = "Slack mints the id, one for each event of all workspaces"
)]
pub struct SlackEvent {
    /// Which one.
    pub event_id: EventId,
    /// Whose workspace sent it.
    pub organization_id: OrganizationId,
    /// When it came first: stamped by the store.
    #[entity(created)]
    pub claimed_at: Option<Timestamp>,
}
