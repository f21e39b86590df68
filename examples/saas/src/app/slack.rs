//! Slack: its requests name their workspace, and this is what turns that into an organization.

use keywright::{AccessPattern, Entity};
use serde::{Deserialize, Serialize};

use super::App;
use crate::id::{OrganizationId, UserId, WorkspaceId};

/// A workspace of Slack in which an organization installed Wayboard.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "SLACK#{workspace_id}",
    sort_key = "WORKSPACE",
    deviation = "Slack's requests name their workspace, and this is what turns it into an organization"
)]
pub struct SlackWorkspace {
    /// Which one: Slack minted the id.
    pub workspace_id: WorkspaceId,
    /// Whose.
    pub organization_id: OrganizationId,
    /// Who installed it.
    pub installed_by: UserId,
    /// Where the secret store has its token, which is not in an item.
    pub token_location: String,
}

/// The organization of a workspace.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(SlackWorkspace), sort_key_equals = "WORKSPACE")]
pub struct OrganizationOfSlackWorkspace {
    /// Which one.
    pub workspace_id: WorkspaceId,
}
