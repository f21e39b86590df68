//! The night: what reads whole tables, for an operator and with a reason. Nothing here is for a request handler.

use std::num::NonZeroU64;

use keywright::ScanEnd;

use super::{Story, Told};
use crate::app::{
    Diagram, ImportLock, Invitation, Member, Organization, PageViews, Project, ShareToken, SlackWorkspace,
    Task, Team, Usage, UsageEvent, User, UserEmail,
};
use crate::audit::{AuditEntry, ChainWalk};

/// The most rows that a job reads. At the cap it stops, and says so.
const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("The night")?;
    walk(story).await?;
    verify_chains(story).await?;
    let lines = export(story).await?;
    erase(story, lines).await?;
    story.end()
}

/// Every item decodes, lies where its fields say, and is one tenant's.
async fn walk(story: &mut Story<'_>) -> Told {
    let mut pages = story
        .stores
        .app
        .maintenance("the walk of the night")
        .integrity(MOST)
        .checking::<Organization>()
        .checking::<User>()
        .checking::<UserEmail>()
        .checking::<Team>()
        .checking::<Member>()
        .checking::<Invitation>()
        .checking::<Project>()
        .checking::<Task>()
        .checking::<Diagram>()
        .checking::<ShareToken>()
        .checking::<SlackWorkspace>()
        .checking::<PageViews>()
        .checking::<Usage>()
        .checking::<UsageEvent>()
        .checking::<ImportLock>()
        .pages()?;
    let mut findings = Vec::new();
    while let Some(page) = pages.next().await? {
        findings.extend(page.findings);
    }
    if let Some(finding) = findings.first() {
        return Err(format!("the walk found {finding}").into());
    }
    story.say(format_args!(
        "every item of App is what it should be: {}",
        pages.end() == Some(ScanEnd::Complete)
    ))
}

/// Of all organizations: no entry of the audit trail was changed or left out.
async fn verify_chains(story: &mut Story<'_>) -> Told {
    let mut pages =
        story.stores.audit.maintenance("every entry holds the hash of the one before it").scan(MOST).pages();
    let mut walk = ChainWalk::default();
    let mut broken = 0;
    while let Some(page) = pages.next().await? {
        for row in &page.rows {
            let entry = row.decode::<AuditEntry>()?.ok_or("the table has nothing but entries")?;
            broken += usize::from(!walk.follows(&entry));
        }
    }
    story.say(format_args!("the chains of the audit trail break at {broken} places"))
}

/// Acme leaves, and takes along what it has entered: lines of DynamoDB JSON.
async fn export(story: &mut Story<'_>) -> Result<usize, Box<dyn std::error::Error>> {
    let mut lines = 0;
    let export = story.stores.app.maintenance("acme takes its data along").export(&story.acme.app, MOST);
    let mut pages = export.pages();
    while let Some(page) = pages.next().await? {
        lines += page.lines.lines().count();
    }
    story.say(format_args!("acme takes {lines} items along, whoever's key they lie under"))?;
    Ok(lines)
}

/// And then nothing of it is left. Money and the audit trail stay, as the law asks.
async fn erase(story: &mut Story<'_>, exported: usize) -> Told {
    let of_globex = count(story).await?;
    let reason = "acme has left";
    let plan = story.stores.app.maintenance(reason).erasure(&story.acme.app, MOST).plan().await?;
    let planned = plan.items();
    let erased = plan.carry_out().await?;
    story.say(format_args!(
        "{planned} items are to be erased, {} were, as many as were exported: {}",
        erased.items,
        erased.items == exported as u64
    ))?;
    story.stores.live.maintenance(reason).erasure(&story.acme.live, MOST).plan().await?.carry_out().await?;

    // A whole look finds nothing of acme, and of globex all that there was.
    let left = story.stores.app.maintenance("a recount").erasure(&story.acme.app, MOST).plan().await?;
    story.say(format_args!(
        "a recount finds {} of acme, and globex has all of its items: {}",
        left.items(),
        count(story).await? == of_globex
    ))
}

/// How many items of globex there are.
async fn count(story: &Story<'_>) -> Result<u64, Box<dyn std::error::Error>> {
    let plan = story.stores.app.maintenance("a count").erasure(&story.globex.app, MOST).plan().await?;
    Ok(plan.items())
}
