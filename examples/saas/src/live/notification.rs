//! Notices in the corner of the page.

use keywright::{AccessPattern, Entity};
use serde::{Deserialize, Serialize};

use super::Live;
use crate::id::{NotificationId, OrganizationId, TaskId, UserId};

/// A notice, for thirty days.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "ORG#{organization_id}#USER#{user_id}",
    sort_key = "NOTIFICATION#{notification_id}"
)]
pub struct Notification {
    /// In which organization.
    pub organization_id: OrganizationId,
    /// To whom.
    pub user_id: UserId,
    /// Which one.
    pub notification_id: NotificationId,
    /// About which task.
    pub task_id: TaskId,
    /// What it says.
    pub text: String,
    /// Until when, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// The notices to somebody. Read backwards, the newest come first.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, returns(Notification), sort_key_starts_with = "NOTIFICATION")]
pub struct Notifications {
    /// To whom.
    pub user_id: UserId,
}
