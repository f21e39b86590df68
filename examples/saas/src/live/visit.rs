//! Visits of shared diagrams: who came from where, for one day, however many come at once.

use keywright::key::Timestamp;
use keywright::{AccessPattern, Entity};
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{DiagramId, OrganizationId, VisitId};

/// Somebody looked at a diagram through its link. Many links are looked at by nobody and one by everybody, so the key is spread over four
/// shards. Which one a visit is in follows from its sort key.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#VISITS#{diagram_id}",
    sort_key = "VISIT#{visited_at}#{visit_id}",
    shards = 4
)]
pub struct Visit {
    /// Whose diagram.
    pub organization_id: OrganizationId,
    /// Which diagram.
    pub diagram_id: DiagramId,
    /// When.
    pub visited_at: Timestamp,
    /// Which one.
    pub visit_id: VisitId,
    /// From which page, if the browser said it.
    #[serde(default)]
    pub referrer: Option<String>,
    /// Until when it is kept, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// The visits of a diagram. It fans out: one Query for each shard, merged in the order of time, under one cursor.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, returns(Visit), sort_key_starts_with = "VISIT")]
pub struct VisitsOfDiagram {
    /// Which diagram.
    pub diagram_id: DiagramId,
}
