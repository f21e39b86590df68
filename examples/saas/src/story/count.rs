//! Counting: approximately where it is much, exactly where it is money, and up to a limit.

use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::future::join_all;
use keywright::{Added, AddedOnce, Limits, Rate, Taken};

use super::moment::{Moment, random};
use super::{Story, Told};
use crate::app::{PageViews, Usage, UsageEvent};
use crate::id::{DiagramId, EventId, UserId, VisitId};
use crate::live::{RateLimit, Visit, VisitsOfDiagram};

const FIVE: NonZeroU32 = NonZeroU32::new(5).unwrap();
/// As long as an event may come again.
const FOUR_DAYS: Duration = Duration::from_secs(4 * 24 * 60 * 60);

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Counting")?;
    let now = Moment::now()?;
    count_views(story, now).await?;
    follow_visits(story, now).await?;
    count_usage(story, now).await?;
    limit(story).await?;
    story.end()
}

/// Forty people look at once. No view waits for another, and none is lost.
async fn count_views(story: &mut Story<'_>, now: Moment) -> Told {
    let app = story.acme.app.clone();
    let views = PageViews {
        organization_id: story.acme.id.clone(),
        diagram_id: DiagramId::from("plan"),
        day: now.date()?,
    };
    for counted in join_all((0..40).map(|_| app.add(&views, 1).send())).await {
        let Added::Done { .. } = counted? else { return Err("a view has no limit".into()) };
    }
    story.say("forty views at once, each one ADD, into ten items by chance")?;
    let sum = app.count(&views).await?;
    story.say(format_args!("the ten are read by one request, and added up: {sum}"))
}

/// What is written faster than one partition key takes is spread over several, and read as if it were one.
async fn follow_visits(story: &mut Story<'_>, now: Moment) -> Told {
    let live = story.acme.live.clone();
    let diagram_id = DiagramId::from("plan");
    for number in 1..=12 {
        let visited_at = now.plus_seconds(number)?.timestamp();
        let visit = Visit {
            organization_id: story.acme.id.clone(),
            diagram_id: diagram_id.clone(),
            visited_at,
            visit_id: VisitId::new(visited_at, random()?),
            referrer: Some(format!("page {number}")),
            expires_at: now.plus_days(1)?.seconds(),
        };
        live.put(&visit).send().await?;
    }
    story.say("twelve visits, each in the one of four shards that follows from its sort key")?;
    let visits =
        || live.query_sharded(VisitsOfDiagram { diagram_id: diagram_id.clone() }).backward().limit(FIVE);
    let mut cursor = None;
    for which in ["a page", "the next page"] {
        let page = match cursor.take() {
            Some(after) => visits().after(after).page().await?,
            None => visits().page().await?,
        };
        cursor.clone_from(&page.next);
        let from: Vec<String> = page.into_items()?.into_iter().filter_map(|visit| visit.referrer).collect();
        story.say(format_args!("{which} merged of four Queries, newest first: {}", from.join(", ")))?;
    }
    Ok(())
}

/// The storage service delivers an event twice. It is on the bill once.
async fn count_usage(story: &mut Story<'_>, now: Moment) -> Told {
    let app = story.acme.app.clone();
    let organization_id = story.acme.id.clone();
    let usage = Usage { organization_id: organization_id.clone(), month: now.month()? };
    let event =
        |name: &str| UsageEvent { organization_id: organization_id.clone(), event_id: EventId::from(name) };
    for (name, megabytes) in [("stored-1", 5), ("stored-2", 7), ("stored-1", 5)] {
        let counted = app.add_once(&event(name), FOUR_DAYS).add(&usage, megabytes).send().await?;
        let what = match counted {
            AddedOnce::Done => "counted",
            AddedOnce::Before => "came before, and is not counted again",
            AddedOnce::Refused { .. } => return Err("nothing limits what is stored".into()),
        };
        story.say(format_args!("event {name}, {megabytes} megabytes: {what}"))?;
    }
    let sum = app.count(&usage).await?;
    story.say(format_args!("{sum} megabytes are on the bill"))?;
    // More is deleted than there is: refused, and the event is not taken for counted.
    let floor = Limits::at_least(0);
    let refused = app.add_once(&event("deleted-1"), FOUR_DAYS).add_within(&usage, -20, floor).send().await?;
    let AddedOnce::Refused { count: Some(left), .. } = refused else {
        return Err(format!("20 of {sum} were taken away: {refused:?}").into());
    };
    story.say(format_args!("event deleted-1, 20 megabytes less: refused, there are {left}"))
}

/// Three requests a minute: what is too much is refused by the write that counts, and says when to come back.
async fn limit(story: &mut Story<'_>) -> Told {
    let live = story.acme.live.clone();
    let bucket = RateLimit { organization_id: story.acme.id.clone(), user_id: UserId::from("bob") };
    let rate = Rate::new(3, Duration::from_secs(60))?;
    let (mut served, mut refused) = (0, 0);
    for outcome in join_all((0..5).map(|_| live.take(&bucket, rate, 1))).await {
        match outcome? {
            Taken::Allowed { .. } => served += 1,
            // A few milliseconds more if this one asked before the others were served.
            Taken::Refused { retry_after } if retry_after.as_secs() <= 20 => refused += 1,
            Taken::Refused { retry_after } => return Err(format!("a permit takes {retry_after:?}").into()),
        }
    }
    story.say(format_args!(
        "five requests at once, three a minute: {served} served, {refused} told to come back in 20 seconds"
    ))
}
