//! The night: what reads whole tables, for an operator and with a reason. Nothing here is for a request handler.

use std::num::{NonZeroU32, NonZeroU64};

use keywright::{ScanEnd, ScanPosition};

use super::{Story, Told};
use crate::app::{
    Diagram, ImportLock, Invitation, Member, Organization, PageViews, Project, ShareToken, SlackWorkspace,
    Task, Team, Usage, UsageEvent, User, UserEmail,
};
use crate::audit::{AuditEntry, ChainWalk};

const FIVE: NonZeroU32 = NonZeroU32::new(5).unwrap();
const TEN: NonZeroU64 = NonZeroU64::new(10).unwrap();
/// The most rows that a job reads. At the cap it stops, and says so.
const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("The night")?;
    capped(story).await?;
    walk(story).await?;
    verify_chains(story).await?;
    let lines = export(story).await?;
    erase(story, lines).await?;
    story.end()
}

/// A scan says at most how many rows it reads. At the cap it stops and says so; where it was is text, with which it goes on.
async fn capped(story: &mut Story<'_>) -> Told {
    let mut kept: Option<String> = None;
    for night in ["tonight", "tomorrow"] {
        let mut scan = story.stores.app.maintenance("a new search index").scan(TEN).rows_per_page(FIVE);
        if let Some(text) = kept.take() {
            scan = scan.resume(text.parse::<ScanPosition>()?);
        }
        let mut pages = scan.pages();
        let mut rows = 0;
        while let Some(page) = pages.next().await? {
            rows += page.rows.len();
            kept = Some(page.position.to_string());
        }
        if pages.end() != Some(ScanEnd::Cap) {
            return Err("there are more than twenty items".into());
        }
        story
            .say(format_args!("{night}: {rows} rows are read, the cap is reached, and the position kept"))?;
    }
    Ok(())
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
    if pages.end() != Some(ScanEnd::Complete) {
        return Err("the walk reached its cap".into());
    }
    story.say("a walk over App: every item decodes, lies where its fields say, and is one tenant's")
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
    story.say(format_args!("a walk over Audit: the chains break at {broken} places"))
}

/// Acme leaves, and takes along what it has entered: lines of DynamoDB JSON.
async fn export(story: &mut Story<'_>) -> Result<usize, Box<dyn std::error::Error>> {
    let mut lines = 0;
    let export = story.stores.app.maintenance("acme takes its data along").export(&story.acme.app, MOST);
    let mut pages = export.pages();
    while let Some(page) = pages.next().await? {
        lines += page.lines.lines().count();
    }
    story.say(format_args!("acme leaves, and takes {lines} items of App along as lines of JSON"))?;
    Ok(lines)
}

/// And then nothing of it is left. Money and the audit trail stay, as the law asks.
async fn erase(story: &mut Story<'_>, exported: usize) -> Told {
    let of_globex = count(story).await?;
    story.say(format_args!("before anything is erased, globex has {of_globex} items"))?;
    let reason = "acme has left";
    let plan = story.stores.app.maintenance(reason).erasure(&story.acme.app, MOST).plan().await?;
    let planned = plan.items();
    story.say(format_args!("the plan: {planned} items of acme are to go, as many as were exported"))?;
    let erased = plan.carry_out().await?;
    if (erased.items, planned) != (exported as u64, exported as u64) {
        return Err(format!("{exported} were exported, {planned} planned, {} erased", erased.items).into());
    }
    story.say(format_args!("{} are erased", erased.items))?;
    let of_live = story.stores.live.maintenance(reason).erasure(&story.acme.live, MOST).plan().await?;
    let erased = of_live.carry_out().await?;
    story
        .say(format_args!("and {} of Live; money and the audit trail stay, as the law asks", erased.items))?;

    // A whole look finds nothing of acme, and of globex all that there was.
    let left = story.stores.app.maintenance("a recount").erasure(&story.acme.app, MOST).plan().await?;
    story.say(format_args!("a recount finds {} of acme", left.items()))?;
    let of_globex_after = count(story).await?;
    if of_globex_after != of_globex {
        return Err(format!("globex had {of_globex} items, and has {of_globex_after}").into());
    }
    story.say(format_args!("and {of_globex_after} of globex, as before"))
}

/// How many items of globex there are.
async fn count(story: &Story<'_>) -> Result<u64, Box<dyn std::error::Error>> {
    let plan = story.stores.app.maintenance("a count").erasure(&story.globex.app, MOST).plan().await?;
    Ok(plan.items())
}
