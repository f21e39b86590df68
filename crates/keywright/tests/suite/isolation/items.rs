//! What the other tenant has: the same names, and a secret in every value.

use std::num::NonZeroU32;

use keywright::{Cursor, Tenant};

use super::NUMBER;
use crate::application::*;
use crate::hostile::{Names, SECRET};

/// Cursors that were given to the other tenant.
pub(super) struct Cursors {
    /// Of a team with its members, in the table.
    pub(super) team: Cursor,
    /// Of an entity that has one sort key for many, in the table.
    pub(super) documents: Cursor,
    /// Of a global index whose key holds the tenant.
    pub(super) memberships: Cursor,
    /// Of a global index across tenants.
    pub(super) invitations: Cursor,
}

/// Stores everything.
pub(super) async fn put(theirs: &Tenant<App>, names: &Names, later: u64) {
    let organization = names.theirs.as_str();
    let team = Team { name: SECRET.to_owned(), ..team(organization, &names.team) };
    theirs.put(&team).send().await.unwrap();
    let others = format!("{}{SECRET}", names.team);
    for team_id in [&names.team, &others] {
        let member = member(organization, team_id, &names.user);
        theirs.put(&Member { role: SECRET.to_owned(), points: 7, ..member }).send().await.unwrap();
    }
    theirs.put(&share_token(organization, &names.token, later)).send().await.unwrap();
    for document_id in [1, 2] {
        let document = Document { title: SECRET.to_owned(), ..document(organization, document_id) };
        theirs.put(&document).send().await.unwrap();
    }
    for invitation_id in [1, NUMBER] {
        let invitation = invitation(organization, invitation_id, &names.user, later);
        theirs.put(&Invitation { note: SECRET.to_owned(), ..invitation }).send().await.unwrap();
    }
}

/// Reads the first page of each, by the other tenant.
pub(super) async fn cursors(theirs: &Tenant<App>, names: &Names) -> Cursors {
    let one = NonZeroU32::MIN;
    let team = theirs.query(TeamWithMembers { team_id: names.team.clone() }).limit(one).page().await;
    let documents = theirs.query(Documents {}).limit(one).page().await;
    let memberships = theirs.query(MembershipsOfUser { user_id: names.user.clone() }).limit(one).page().await;
    let by_address = InvitationsByAddress { address: names.user.clone() };
    let invitations = theirs.lookup(by_address).limit(one).page().await;
    Cursors {
        team: team.unwrap().next.unwrap(),
        documents: documents.unwrap().next.unwrap(),
        memberships: memberships.unwrap().next.unwrap(),
        invitations: invitations.unwrap().next.unwrap(),
    }
}
