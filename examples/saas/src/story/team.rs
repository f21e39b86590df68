//! Teams, invitations, and what one organization cannot do to another.

use keywright::{Conditional, Reason, Transacted, Upserted};

use super::moment::{Moment, secret};
use super::{Story, Told};
use crate::app::{
    ChangeRole, Invitation, InvitationById, InvitationOfLink, Member, MemberById, PendingInvitations, Role,
    Team, TeamWithMembers, TeamWithMembersItem, TeamsOfUser,
};
use crate::id::{InvitationId, TeamId, UserId};

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Teams")?;
    let acme = story.acme.app.clone();
    let now = Moment::now()?;
    for team_id in ["1", "10"] {
        acme.put(&team(story, team_id)).if_absent().send().await?.done().ok_or("a new team")?;
    }
    for (team_id, user, role) in
        [("1", "ada", Role::Lead), ("1", "bob", Role::Guest), ("10", "ada", Role::Member)]
    {
        acme.put(&member(story, team_id, user, role, now)).send().await?;
    }
    story.say("teams 1 and 10 with three memberships, each an item and, by its user, in an index")?;

    let items = acme.query(TeamWithMembers { team_id: TeamId::from("1") }).page().await?.into_items()?;
    let members = items.iter().filter(|item| matches!(item, TeamWithMembersItem::Member(_))).count();
    story.say(format_args!("team 1 and its {members} members are one Query; team 10 is not in it"))?;
    show_request(story)?;

    let bob = || MemberById { team_id: TeamId::from("1"), user_id: UserId::from("bob") };
    let first = member(story, "1", "bob", Role::Member, now);
    let promoted = acme.update(bob(), ChangeRole { role: Role::Member }).or_insert(&first).await?;
    if let Conditional::Done(Upserted::Updated(updated)) = promoted {
        story.say(format_args!("bob is {:?} now", updated.item.role))?;
    }

    let teams = acme.query(TeamsOfUser { user_id: UserId::from("ada") }).page().await?.into_items()?;
    let teams: Vec<&str> = teams.iter().map(|membership| membership.team_id.0.as_str()).collect();
    story.say(format_args!("ada is in teams {}", teams.join(" and ")))?;

    let globex = story.globex.app.clone();
    let refused = globex.put(&team(story, "1")).send().await;
    story.say(match refused {
        Ok(_) => return Err("an organization wrote into another one".into()),
        Err(error) => format!("globex writes acme's team: {error}"),
    })?;
    let found = globex.query(TeamWithMembers { team_id: TeamId::from("1") }).page().await?.items.len();
    story.say(format_args!("globex reads its own team 1: {found} items"))?;
    invite(story, now).await?;
    story.end()
}

/// Nothing is hidden: every call shows the request that it would send.
fn show_request(story: &mut Story<'_>) -> Told {
    let request = story.acme.app.query(TeamWithMembers { team_id: TeamId::from("1") }).request()?;
    let request = request.ok_or("a team has an id")?;
    let mut condition = request.key_condition_expression().unwrap_or_default().to_owned();
    for (placeholder, name) in request.expression_attribute_names().into_iter().flatten() {
        condition = condition.replace(placeholder, name);
    }
    for (placeholder, value) in request.expression_attribute_values().into_iter().flatten() {
        let text = value.as_s().map_err(|_| "keys are texts")?;
        condition = condition.replace(placeholder, &format!("{text:?}"));
    }
    story.say(format_args!("its key condition: {condition}"))
}

async fn invite(story: &mut Story<'_>, now: Moment) -> Told {
    let acme = story.acme.app.clone();
    let token = secret()?;
    for (invitation_id, token, expires_at) in
        [("in-time", token.clone(), now.plus_days(7)?), ("too-late", secret()?, now.plus_days(-1)?)]
    {
        let invitation = Invitation {
            organization_id: story.acme.id.clone(),
            invitation_id: InvitationId::from(invitation_id),
            email: story.email("cyd"),
            token,
            invited_by: UserId::from("ada"),
            expires_at: expires_at.seconds(),
        };
        acme.put(&invitation).if_absent().send().await?.done().ok_or("a new invitation")?;
    }
    story.say("two invitations; the time of one of them is over")?;
    let pending = acme.query(PendingInvitations { now: now.seconds() }).page().await?;
    story.say(format_args!(
        "{} invitation is pending; the other one is still stored, and gone for every reader",
        pending.items.len()
    ))?;

    // Whoever opens the link is in no organization yet.
    let page = story.stores.app.lookup(InvitationOfLink { token }).page().await?;
    let unverified = page.into_items()?.pop().ok_or("it is pending")?;
    let keys = unverified.as_bearer("the token has 256 random bits and reached the invited address");
    story.say("cyd opens the link, which says the organization: nobody is signed in yet")?;
    // The invitation goes, the user and the membership come: all of it, or none.
    let host = story.stores.of(&keys.organization_id)?;
    for click in ["first", "second"] {
        let mut accept = host.app.transaction();
        let by_id = InvitationById { invitation_id: keys.invitation_id.clone() };
        let invitation = accept.add(host.app.delete(by_id).if_present());
        accept.add_unique(host.app.insert_unique(&story.user(&host.id, "cyd")));
        accept.add(host.app.put(&member(story, "1", "cyd", Role::Guest, now)).if_absent());
        match accept.send().await? {
            Transacted::Done(_) => {
                story.say(format_args!("cyd's {click} click on the link: a user, and a guest of team 1"))?
            }
            Transacted::Canceled(canceled) => match canceled.reason(&invitation)? {
                Reason::ConditionFailed { current: None } => {
                    story.say(format_args!(
                        "cyd's {click} click on the link: the invitation is gone, and nothing was written"
                    ))?;
                }
                _ => return Err(canceled.into()),
            },
        }
    }
    Ok(())
}

fn team(story: &Story<'_>, team_id: &str) -> Team {
    Team {
        organization_id: story.acme.id.clone(),
        team_id: TeamId::from(team_id),
        name: format!("Team {team_id}"),
        created_at: None,
        version: 0,
    }
}

fn member(story: &Story<'_>, team_id: &str, user: &str, role: Role, now: Moment) -> Member {
    Member {
        organization_id: story.acme.id.clone(),
        team_id: TeamId::from(team_id),
        user_id: UserId::from(user),
        role,
        joined_at: now.timestamp(),
        nickname: None,
    }
}
