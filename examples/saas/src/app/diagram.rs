//! Diagrams, and links by which one of them can be seen from outside.

use keywright::key::Timestamp;
use keywright::{AccessPattern, Entity, Projection, Update};
use serde::{Deserialize, Serialize};

use super::{App, ByPublication};
use crate::id::{DiagramId, OrganizationId, UserId};

/// A diagram. A large one has its body elsewhere, so that a read never pays for 400 KB.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "DIAGRAM#{diagram_id}",
    index(ByPublication)
)]
pub struct Diagram {
    /// Whose.
    pub organization_id: OrganizationId,
    /// Which one.
    pub diagram_id: DiagramId,
    /// What it shows.
    pub title: String,
    /// Itself, up to 14 KB.
    #[serde(default)]
    pub body: Option<String>,
    /// Where it is, if it is larger.
    #[serde(default)]
    pub body_location: Option<String>,
    /// Since when everybody may see it; a draft has none, and is not in the index.
    #[serde(default)]
    pub published_at: Option<Timestamp>,
    /// Counted up by each update.
    #[entity(version)]
    pub version: u64,
}

/// A link by which one diagram can be seen.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "SHARE#{token}",
    sort_key = "SHARE",
    deviation = "the token of the link is the lookup value"
)]
pub struct ShareToken {
    /// 256 random bits, as text.
    pub token: String,
    /// Whose diagram.
    pub organization_id: OrganizationId,
    /// Which diagram.
    pub diagram_id: DiagramId,
    /// Who made the link.
    pub created_by: UserId,
    /// Until when, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// One diagram.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Diagram), sort_key_equals = "DIAGRAM#{diagram_id}")]
pub struct DiagramById {
    /// Which one.
    pub diagram_id: DiagramId,
}

/// What was published. Read backwards, the newest come first.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, index = ByPublication, returns(Diagram as PublishedDiagram))]
pub struct PublishedDiagrams;

/// A published diagram, as far as its index holds it.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Diagram)]
pub struct PublishedDiagram {
    /// Which one.
    pub diagram_id: DiagramId,
    /// What it shows.
    pub title: String,
    /// Since when.
    pub published_at: Option<Timestamp>,
}

/// What a link names. Whoever has the token may see the diagram; whose it is is said by the item.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(ShareToken), sort_key_equals = "SHARE")]
pub struct ShareTokenByToken {
    /// The token of the link.
    pub token: String,
}

/// It may be seen from now on, which puts it into the index.
#[derive(Debug, Update)]
#[update(table = App, of = Diagram)]
pub struct PublishDiagram {
    /// When.
    pub published_at: Timestamp,
}
