//! Page views: a public diagram can be on the front page of the world, so the count is spread over ten items.

use jiff::civil::Date;
use keywright::Entity;
use serde::{Deserialize, Serialize};

use super::App;
use crate::id::{DiagramId, OrganizationId};

/// How often a diagram was looked at on a day. A view that is counted twice after a lost answer does no harm, hence approximate.
///
/// The store keeps the count itself, in `views`: each view is one `ADD` to one of ten items by chance, and a reader adds all ten up.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#VIEWS#{diagram_id}",
    sort_key = "DAY#{day}",
    shards = 10,
    purpose = "approximate-counter",
    count = "views"
)]
pub struct PageViews {
    /// Whose diagram.
    pub organization_id: OrganizationId,
    /// Which diagram.
    pub diagram_id: DiagramId,
    /// On which day, in UTC.
    pub day: Date,
}
