//! Signing in: from an address to an organization, a code, and a session.

use keywright::Conditional;

use super::moment::{Moment, hash, random, secret};
use super::{Story, Told};
use crate::app::OrganizationsOfAddress;
use crate::id::{CodeId, UserId};
use crate::live::{HasHash, HasTriesLeft, OneTimeCode, OneTimeCodeById, Session, SessionByToken, TryCode};

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Signing in")?;
    let page = story.stores.app.lookup(OrganizationsOfAddress { email: story.email("ada") }).page().await?;
    // Nobody is anybody yet, so what is found is unverified. Only ids are taken of it, to send a code to the address.
    let found =
        page.into_items()?.into_iter().map(|user| user.as_bearer("a code is sent to the address itself"));
    let organizations: Vec<String> = found.map(|user| user.organization_id.0.clone()).collect();
    story.say(format_args!("ada's address is known to {} organizations", organizations.len()))?;

    let now = Moment::now()?;
    let user_id = UserId::from("ada");
    let live = story.acme.live.clone();
    let code = OneTimeCode {
        organization_id: story.acme.id.clone(),
        user_id: user_id.clone(),
        code_id: CodeId::new(now.timestamp(), random()?),
        code_hash: hash("314159"),
        tries: 0,
        expires_at: now.seconds() + 10 * 60,
    };
    live.put(&code).if_absent().send().await?.done().ok_or("a new code")?;
    story.say("a code is sent to it; its hash is stored, for ten minutes and five tries")?;

    let by_id = || OneTimeCodeById { user_id: user_id.clone(), code_id: code.code_id };
    for typed in ["271828", "314159", "314159"] {
        // Counted before it is compared: five tries, however many come at once.
        let counted =
            live.update(by_id(), TryCode { tries: 1 }).when(&HasTriesLeft { most: 5 }).send().await?;
        let Conditional::Done(counted) = counted else {
            story.say("no code: it was used, has expired, or has no tries left")?;
            continue;
        };
        // The condition makes one of two callers the winner.
        let used = live.delete(by_id()).when(&HasHash { hash: hash(typed) }).send().await?;
        story.say(format_args!(
            "try {}: {}",
            counted.item.tries,
            if used.is_done() { "right" } else { "wrong" }
        ))?;
    }
    if live.get(by_id()).await?.is_some() {
        return Err("a code was used, and is still there".into());
    }
    story.say("the code is gone, as a consistent read says")?;

    let cookie = secret()?;
    let token_hash = hash(&cookie);
    let session = Session {
        token_hash,
        organization_id: story.acme.id.clone(),
        user_id,
        created_at: None,
        expires_at: now.seconds() + 12 * 60 * 60,
    };
    live.put(&session).if_absent().send().await?.done().ok_or("a new session")?;
    story.say("ada is signed in: a session is stored under the hash of her cookie, for twelve hours")?;

    // The next request brings the cookie and nothing else.
    let found = story
        .stores
        .live
        .lookup_item(SessionByToken { token_hash: hash(&cookie) })
        .await?
        .ok_or("it was just made")?;
    let session = found.as_bearer("the cookie holds 256 random bits, of which the key is the hash");
    story.say(format_args!(
        "a request is {}'s, for the organization that its session names",
        session.user_id.0
    ))?;
    story.end()
}
