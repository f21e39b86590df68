//! The audit trail: entries that hold the hash of the one before, so that none is changed or left out unseen.
//!
//! In production a consumer of the stream of `app` writes them, from the old and the new image of each item. Consumers are not built
//! yet, so the story writes the entries of three changes itself.

use std::collections::BTreeMap;

use keywright::key::{InvalidTimestamp, Timestamp};

use super::moment::Moment;
use super::{Story, Told};
use crate::audit::{AuditEntry, AuditTrail, ChainWalk};
use crate::id::EntryId;

/// Seven years.
const KEPT_DAYS: i64 = 7 * 365;

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("The audit trail")?;
    let now = Moment::now()?;
    let audit = story.acme.audit.clone();
    let changes = [("ada", "invited cyd"), ("bob", "closed task 0"), ("ada", "paid")];
    let mut previous_hash = String::new();
    for (number, change) in (1_i64..).zip(changes) {
        let entry = entry(story, now, number, change, previous_hash)?;
        previous_hash = entry.hash();
        audit.put(&entry).if_absent().send().await?.done().ok_or("a new entry")?;
        // The record is delivered twice. Its entry has the same key: it is there.
        let again = audit.put(&entry).if_absent().send().await?;
        if again.is_done() {
            return Err("one record became two entries".into());
        }
    }
    story.say("three records, each delivered twice: three entries")?;

    let trail = || -> Result<_, InvalidTimestamp> {
        Ok(AuditTrail { since: now.timestamp(), until: now.plus_days(1)?.timestamp() })
    };
    let newest = audit.query(trail()?).backward().page().await?.into_items()?;
    let actions: Vec<String> =
        newest.iter().map(|entry| format!("{} {}", entry.actor, entry.action)).collect();
    story.say(format_args!("newest first: {}", actions.join(", ")))?;

    let entries = audit.query(trail()?).page().await?.into_items()?;
    story.say(format_args!("as they were written: {}", chain(&entries)))?;
    // Somebody with the right to write changes what happened.
    let [_, second, _] = entries.as_slice() else { return Err("there are three entries".into()) };
    let forged = AuditEntry { actor: "nobody".to_owned(), ..second.clone() };
    for (what, entry) in [("entry 2 is forged", &forged), ("and put right", second)] {
        audit.put(entry).send().await?;
        let entries = audit.query(trail()?).page().await?.into_items()?;
        story.say(format_args!("{what}: {}", chain(&entries)))?;
    }
    story.end()
}

/// Whether each entry holds the hash of the one before it.
fn chain(entries: &[AuditEntry]) -> String {
    let mut walk = ChainWalk::default();
    let broken = entries.iter().position(|entry| !walk.follows(entry));
    broken.map_or("the chain holds".to_owned(), |place| format!("the chain breaks at entry {}", place + 1))
}

/// An entry about one record. Its id is made of the record's number, so that the same record is the same entry.
fn entry(
    story: &Story<'_>,
    now: Moment,
    number: i64,
    (actor, action): (&str, &str),
    previous_hash: String,
) -> Result<AuditEntry, InvalidTimestamp> {
    Ok(AuditEntry {
        organization_id: story.acme.id.clone(),
        occurred_at: Timestamp::from_unix_milliseconds(now.timestamp().unix_milliseconds() + number)?,
        entry_id: EntryId(format!("{number:021}")),
        actor: actor.to_owned(),
        action: action.to_owned(),
        previous_hash,
        before: None,
        after: Some(BTreeMap::from([("by".to_owned(), actor.to_owned())])),
        expires_at: now.plus_days(KEPT_DAYS)?.seconds(),
    })
}
