//! A small application of tenants: organizations with teams, members and share tokens.

use std::collections::BTreeMap;

use keywright::key::component_newtype;
use keywright::{AccessPattern, Condition, Entity, Store, Table, Tenant, Update};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OrganizationId(pub String);
component_newtype!(OrganizationId(String));

#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Team, Member, ShareToken, Document, Invitation),
    patterns(
        TeamWithMembers,
        TeamById,
        MemberById,
        MembershipsOfUser,
        ShareByToken,
        DocumentById,
        Documents,
        DocumentsTitled,
        DocumentsTagged,
        InvitationById,
        Invitations,
        InvitationsByAddress,
        InvitationsNoted
    ),
    index(ByUser, project(role)),
    index(ByAddress, project(note, expires_at, organization_id)),
    ttl = "expires_at",
    stream = "new-and-old-images"
)]
pub(crate) struct App;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
pub(crate) struct Team {
    pub(crate) organization_id: OrganizationId,
    pub(crate) team_id: String,
    pub(crate) name: String,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TEAM#{team_id}#MEMBER#{user_id}",
    index(ByUser, partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}")
)]
pub(crate) struct Member {
    pub(crate) organization_id: OrganizationId,
    pub(crate) team_id: String,
    pub(crate) user_id: String,
    pub(crate) role: String,
    pub(crate) joined_at: u64,
    #[serde(default)]
    pub(crate) points: i64,
}

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "SHARE#{token}",
    sort_key = "SHARE",
    discriminator = "share",
    deviation = "the token is the lookup value"
)]
pub(crate) struct ShareToken {
    pub(crate) token: String,
    pub(crate) organization_id: OrganizationId,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Team, Member), sort_key_starts_with = "TEAM#{team_id}")]
pub(crate) struct TeamWithMembers {
    pub(crate) team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
pub(crate) struct TeamById {
    pub(crate) team_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(
    table = App,
    get_item,
    returns(Member),
    sort_key_equals = "TEAM#{team_id}#MEMBER#{user_id}"
)]
pub(crate) struct MemberById {
    pub(crate) team_id: String,
    pub(crate) user_id: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByUser, returns(Member as MemberRole))]
pub(crate) struct MembershipsOfUser {
    pub(crate) user_id: String,
}

/// `team_id` and `joined_at` are not projected into the index: they are read back from its keys.
#[derive(Clone, Debug, PartialEq, keywright::Projection, Deserialize)]
#[projection(of = Member)]
pub(crate) struct MemberRole {
    pub(crate) role: String,
    pub(crate) team_id: String,
    pub(crate) joined_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, across_tenants, returns(ShareToken), sort_key_equals = "SHARE")]
pub(crate) struct ShareByToken {
    pub(crate) token: String,
}

pub(crate) fn tenant(store: &Store<App>, id: &str) -> Tenant<App> {
    store.tenant(&OrganizationId(id.to_owned())).unwrap()
}

pub(crate) fn team(organization: &str, team: &str) -> Team {
    Team {
        organization_id: OrganizationId(organization.to_owned()),
        team_id: team.to_owned(),
        name: format!("Team {team}"),
    }
}

pub(crate) fn member(organization: &str, team: &str, user: &str) -> Member {
    Member {
        organization_id: OrganizationId(organization.to_owned()),
        team_id: team.to_owned(),
        user_id: user.to_owned(),
        role: "engineer".to_owned(),
        joined_at: 7,
        points: 0,
    }
}

#[derive(Update)]
#[update(table = App, of = Member)]
pub(crate) struct ChangeRole {
    pub(crate) role: String,
}

/// The new time moves the member in the index by user, too.
#[derive(Update)]
#[update(table = App, of = Member)]
pub(crate) struct Rejoin {
    pub(crate) joined_at: u64,
}

#[derive(Update)]
#[update(table = App, of = Member)]
pub(crate) struct Award {
    #[update(add)]
    pub(crate) points: i64,
}

#[derive(Condition)]
#[condition(table = App, of = Member, points >= least)]
pub(crate) struct HasPoints {
    pub(crate) least: i64,
}

pub(crate) fn share_token(organization: &str, token: &str, expires_at: u64) -> ShareToken {
    ShareToken {
        token: token.to_owned(),
        organization_id: OrganizationId(organization.to_owned()),
        expires_at,
    }
}

/// Counts its versions.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "DOC#{document_id}")]
pub(crate) struct Document {
    pub(crate) organization_id: OrganizationId,
    pub(crate) document_id: u64,
    pub(crate) title: String,
    pub(crate) views: i64,
    #[serde(default)]
    pub(crate) tags: BTreeMap<String, String>,
    #[entity(version)]
    pub(crate) version: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, get_item, returns(Document), sort_key_equals = "DOC#{document_id}")]
pub(crate) struct DocumentById {
    pub(crate) document_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Document), sort_key_starts_with = "DOC")]
pub(crate) struct Documents {}

#[derive(AccessPattern)]
#[access_pattern(
    table = App,
    returns(Document),
    sort_key_starts_with = "DOC",
    filter(title = title)
)]
pub(crate) struct DocumentsTitled {
    pub(crate) title: String,
}

#[derive(AccessPattern)]
#[access_pattern(
    table = App,
    returns(Document),
    sort_key_starts_with = "DOC",
    filter(tags = tags)
)]
pub(crate) struct DocumentsTagged {
    pub(crate) tags: BTreeMap<String, String>,
}

#[derive(Update)]
#[update(table = App, of = Document)]
pub(crate) struct Retitle {
    pub(crate) title: String,
}

#[derive(Update)]
#[update(table = App, of = Document)]
pub(crate) struct CountViews {
    #[update(add)]
    pub(crate) views: i64,
}

pub(crate) fn document(organization: &str, document_id: u64) -> Document {
    Document {
        organization_id: OrganizationId(organization.to_owned()),
        document_id,
        title: "Plain".to_owned(),
        views: 0,
        tags: BTreeMap::new(),
        version: 0,
    }
}

/// Found by its address by whoever signs in, before the tenant is known.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "INVITATION#{invitation_id}",
    index(
        ByAddress,
        partition_key = "ADDRESS#{address}",
        sort_key = "INVITATION#{invitation_id}",
        deviation = "who signs in has an address and no tenant yet"
    )
)]
pub(crate) struct Invitation {
    pub(crate) organization_id: OrganizationId,
    pub(crate) invitation_id: u64,
    pub(crate) address: String,
    pub(crate) note: String,
    #[entity(ttl)]
    pub(crate) expires_at: u64,
}

#[derive(AccessPattern)]
#[access_pattern(
    table = App,
    get_item,
    returns(Invitation),
    sort_key_equals = "INVITATION#{invitation_id}"
)]
pub(crate) struct InvitationById {
    pub(crate) invitation_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, returns(Invitation), sort_key_starts_with = "INVITATION")]
pub(crate) struct Invitations {}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByAddress, returns(Invitation), across_tenants)]
pub(crate) struct InvitationsByAddress {
    pub(crate) address: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = App, index = ByAddress, returns(Invitation), across_tenants, filter(note = note))]
pub(crate) struct InvitationsNoted {
    pub(crate) address: String,
    pub(crate) note: String,
}

#[derive(Update)]
#[update(table = App, of = Invitation)]
pub(crate) struct EndInvitation {
    pub(crate) expires_at: u64,
}

#[derive(Update)]
#[update(table = App, of = ShareToken)]
pub(crate) struct EndShare {
    pub(crate) expires_at: u64,
}

pub(crate) fn invitation(
    organization: &str,
    invitation_id: u64,
    address: &str,
    expires_at: u64,
) -> Invitation {
    Invitation {
        organization_id: OrganizationId(organization.to_owned()),
        invitation_id,
        address: address.to_owned(),
        note: format!("Invitation {invitation_id} of {organization}"),
        expires_at,
    }
}
