//! A new address: it is confirmed by a link that is good once, and is one user's, also when several want it at once.

use std::time::Duration;

use keywright::{Consumed, TokenSecret, UniqueWrite};

use super::{Story, Told};
use crate::app::{ChangeEmail, HolderOfAddress, User, UserById};
use crate::id::UserId;
use crate::live::{Confirmation, ConfirmationByToken};

const AN_HOUR: Duration = Duration::from_secs(60 * 60);

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("A new address")?;
    let acme = story.acme.clone();
    // Two items hold what is one: the user, and its address. They are written in one transaction, so two sign-ups cannot both have it.
    let eve = User { email: story.email("bob"), ..story.user(&acme.id, "eve") };
    let UniqueWrite::Taken { reservations } = acme.app.insert_unique(&eve).send().await? else {
        return Err("two users have one address".into());
    };
    story.say(format_args!("eve signs up with bob's address: taken, says {}", reservations.join(", ")))?;

    let secret = TokenSecret::generate();
    let confirmation = Confirmation {
        token: secret.hash(),
        organization_id: acme.id.clone(),
        user_id: UserId::from("bob"),
        email: story.email("robert"),
    };
    acme.live.issue(&confirmation, &secret, AN_HOUR).await?;
    // The link is sent to the address itself. The table has no more than a hash of what is in it.
    let link = format!("https://wayboard.example/confirm/{}", secret.reveal());
    story.say("a link is sent to bob's new address; what is stored of it is a hash, for an hour")?;
    for click in ["first", "second"] {
        let outcome = confirm(story, &link).await?;
        story.say(format_args!("bob's {click} click on the link: {outcome}"))?;
    }

    let holder = acme.app.get(HolderOfAddress { email: story.email("robert") }).await?.ok_or("bob has it")?;
    story.say(format_args!("the new address is {}'s", holder.user_id.0))?;
    acme.app.insert_unique(&eve).send().await?.done().ok_or("the old address is free")?;
    story.say("eve signs up with bob's old address: it is hers")?;
    acme.app
        .delete_unique(UserById { user_id: UserId::from("eve") })
        .send()
        .await?
        .done()
        .ok_or("eve is a user")?;
    story.say("eve leaves: her address is free again")?;
    story.end()
}

/// What happens when somebody opens a link.
async fn confirm(story: &Story<'_>, link: &str) -> Result<&'static str, Box<dyn std::error::Error>> {
    let secret = TokenSecret::parse(link.rsplit('/').next().unwrap_or_default())?;
    let by_token = || ConfirmationByToken { token: secret.hash() };
    let found = story.stores.live.lookup_item(by_token()).await?.ok_or("no such link")?;
    let link = found.as_bearer("the secret has 256 random bits and was sent to the address that it confirms");
    let doors = story.stores.of(&link.organization_id)?;
    let confirmed = match doors.live.consume(by_token(), &secret).await? {
        Consumed::Done(confirmed) => confirmed,
        Consumed::Before => return Ok("it was used"),
        Consumed::Unknown => return Ok("it is no link of ours, or its time is over"),
    };
    let user = || UserById { user_id: confirmed.user_id.clone() };
    let version = doors.app.get(user()).await?.ok_or("the user is there")?.version;
    let change = ChangeEmail { email: confirmed.email.clone() };
    // The old address is free and the new one held, with the change or not at all.
    match doors.app.update_unique(user(), change).if_version(version).send().await? {
        UniqueWrite::Done(_) => Ok("the address is changed"),
        UniqueWrite::Taken { .. } => Ok("somebody was faster"),
        UniqueWrite::Failed { .. } => Ok("the user has changed since"),
    }
}
