//! Signing up: an organization and its first user come together or not at all.

use keywright::{Conditional, Reason, Transacted};

use super::{Story, Told};
use crate::app::{Organization, OrganizationById, Plan, RenameOrganization, UserById, UsersOfOrganization};
use crate::id::UserId;
use crate::stores::Doors;

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Signing up")?;
    let (acme, globex) = (story.acme.clone(), story.globex.clone());
    sign_up(story, &acme, "acme").await?;
    sign_up(story, &globex, "globex").await?;
    // The answer was lost, and the browser asks again. The ids are the caller's, so the conditions see that it is done.
    sign_up(story, &acme, "acme").await?;

    let bob = story.user(&acme.id, "bob");
    acme.app.insert_unique(&bob).send().await?.done().ok_or("a new user")?;
    story.say("bob joins, and his address is held for him")?;
    let users = acme.app.query(UsersOfOrganization).page().await?;
    story.say(format_args!("acme has {} users, read with one Query", users.items.len()))?;
    let ada = acme.app.get(UserById { user_id: UserId::from("ada") }).await?.ok_or("ada is a user")?;
    story.say(format_args!("one of them is {}", ada.name))?;
    rename(story, &acme).await?;
    story.end()
}

/// One transaction: the organization and ada, who is in both of this day's.
async fn sign_up(story: &mut Story<'_>, doors: &Doors, name: &str) -> Told {
    let organization = Organization {
        organization_id: doors.id.clone(),
        name: name.to_owned(),
        plan: Plan::Team,
        created_at: None,
        version: 0,
    };
    let ada = story.user(&doors.id, "ada");
    let mut both = doors.app.transaction();
    let signed_up = both.add(doors.app.put(&organization).if_absent());
    // Her address is held by an item of its own, which comes in the same transaction.
    both.add_unique(doors.app.insert_unique(&ada));
    match both.send().await? {
        Transacted::Done(_) => {
            story.say(format_args!("{name} signed up with its first user, together or not at all"))
        }
        // By action, and the item that is there in its own type.
        Transacted::Canceled(canceled) => match canceled.reason(&signed_up)? {
            Reason::ConditionFailed { current: Some(there) } => {
                story.say(format_args!("{} is there already, and nothing was written", there.name))
            }
            _ => Err(canceled.into()),
        },
    }
}

/// Two people change the name at once: the second one is told what is there now.
async fn rename(story: &mut Story<'_>, acme: &Doors) -> Told {
    let read = acme.app.get(OrganizationById).await?.ok_or("it signed up")?;
    story
        .say(format_args!("two people read {}, version {}, and change its name", read.name, read.version))?;
    let rename = |name: &str| RenameOrganization { name: name.to_owned() };
    let first = acme.app.update(OrganizationById, rename("Acme")).if_version(read.version).send().await?;
    let second =
        acme.app.update(OrganizationById, rename("ACME Ltd")).if_version(read.version).send().await?;
    match (first, second) {
        (Conditional::Done(_), Conditional::Failed { current: Some(there) }) => story.say(format_args!(
            "the first of them does; the second is told that it is {} now, version {}",
            there.name, there.version
        )),
        _ => Err("two people changed one version".into()),
    }
}
