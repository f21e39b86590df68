//! Invitations: they expire, and whoever was invited is in no organization yet.

use keywright::{AccessPattern, Entity, Projection};
use serde::{Deserialize, Serialize};

use super::{App, ByLookup};
use crate::id::{InvitationId, OrganizationId, UserId};

/// An invitation into an organization.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "INVITATION#{invitation_id}",
    index(
        ByLookup,
        partition_key = "INVITATION#{token}",
        sort_key = "INVITATION",
        deviation = "whoever was invited is in no organization yet and has only the token of the link"
    )
)]
pub struct Invitation {
    /// Into which organization.
    pub organization_id: OrganizationId,
    /// Which one.
    pub invitation_id: InvitationId,
    /// Who is invited.
    pub email: String,
    /// 256 random bits of the link, as text.
    pub token: String,
    /// By whom.
    pub invited_by: UserId,
    /// Until when, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// The invitations that nobody took up yet.
#[derive(Debug, AccessPattern)]
#[access_pattern(
    table = App,
    returns(Invitation),
    sort_key_starts_with = "INVITATION",
    filter(expires_at > now)
)]
pub struct PendingInvitations {
    /// In seconds since 1970.
    pub now: u64,
}

/// The invitation of a link.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, index = ByLookup, across_tenants, returns(Invitation as InvitationKeys))]
pub struct InvitationOfLink {
    /// The token of the link.
    pub token: String,
}

/// What the index holds of an invitation.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Invitation)]
pub struct InvitationKeys {
    /// Into which organization.
    pub organization_id: OrganizationId,
    /// Which one.
    pub invitation_id: InvitationId,
    /// Until when, in seconds since 1970.
    pub expires_at: u64,
}

/// One invitation, to take it up or to take it back.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Invitation), sort_key_equals = "INVITATION#{invitation_id}")]
pub struct InvitationById {
    /// Which one.
    pub invitation_id: InvitationId,
}
