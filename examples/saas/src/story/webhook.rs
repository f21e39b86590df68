//! Webhooks: an event that comes twice has effect once, because whoever does the work claims it first.

use std::convert::Infallible;
use std::time::Duration;

use keywright::{ClaimError, Claimed, Conditional, Once, OnceError};

use super::{Story, Told};
use crate::app::{OrganizationOfSlackWorkspace, SlackWorkspace};
use crate::id::{EventId, UserId, WorkspaceId};
use crate::live::SlackEvent;

/// Longer than the work can take.
const LEASE: Duration = Duration::from_secs(30);
/// Slack sends an event again for some minutes; this leaves room for a queue that stood still.
const SIX_HOURS: Duration = Duration::from_secs(6 * 60 * 60);

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Webhooks")?;
    let workspace_id = WorkspaceId(format!("T-{}", story.day));
    install(story, &workspace_id).await?;

    // Slack signs its requests, so what they name is so; whose workspace it is says the item.
    let by_id = OrganizationOfSlackWorkspace { workspace_id };
    let found = story.stores.app.lookup_item(by_id).await?.ok_or("it was installed")?;
    let workspace = found.as_bearer("Slack's signature says that the request is of this workspace");
    let doors = story.stores.of(&workspace.organization_id)?;
    if doors.id != story.acme.id {
        return Err("the workspace is acme's".into());
    }
    story.say("Slack sends an event of that workspace: acme is found by it")?;

    let event = SlackEvent {
        event_id: EventId(format!("Ev-{}", story.day)),
        organization_id: workspace.organization_id.clone(),
        claimed_at: None,
    };
    let body = r#"{"type":"app_mention","text":"show me the plan"}"#;
    let mut answers = 0;
    for delivery in 1..=3 {
        let claim = doors.live.claim(&event, LEASE, SIX_HOURS).of_request(body);
        let once = claim.run(async || Ok::<_, Infallible>(post(&mut answers))).await?;
        match once {
            Once::Ran(answer) => story.say(format_args!("delivery {delivery}: {answer:?} was posted"))?,
            Once::Replayed(answer) => {
                story.say(format_args!("delivery {delivery}: {answer:?}, as before; nothing was posted"))?;
            }
        }
    }
    story.say(format_args!("three deliveries, {answers} answer in the channel"))?;

    // The same id with another body is another request, whatever became of the first.
    let claim = doors.live.claim(&event, LEASE, SIX_HOURS).of_request(r#"{"type":"something else"}"#);
    match claim.run(async || Ok::<_, Infallible>(String::new())).await {
        Err(OnceError::Claim(ClaimError::AnotherRequest { .. })) => {
            story.say("the id comes again with another body: refused")?;
        }
        other => return Err(format!("another body was taken for the same: {other:?}").into()),
    }
    in_progress(story).await?;
    story.end()
}

/// Two workers have one event at the same moment: one of them works, the other is told until when to wait.
async fn in_progress(story: &mut Story<'_>) -> Told {
    let live = story.acme.live.clone();
    let event = SlackEvent {
        event_id: EventId(format!("Ev2-{}", story.day)),
        organization_id: story.acme.id.clone(),
        claimed_at: None,
    };
    let claim = || live.claim(&event, LEASE, SIX_HOURS).send::<String>();
    let Claimed::New(held) = claim().await? else { return Err("nobody had the event".into()) };
    story.say("worker 1 claims another event")?;
    let Claimed::InProgress { .. } = claim().await? else { return Err("worker 1 has it".into()) };
    story.say("worker 2 has it, too, and is told that somebody is at it, and until when")?;
    held.give_back().await?;
    story.say("the work of worker 1 fails: it gives the claim back")?;
    let Claimed::New(held) = claim().await? else { return Err("nobody is at it any more".into()) };
    held.complete(&"done at the second try".to_owned()).await?;
    story.say("worker 2 claims it, does the work, and stores the answer")
}

async fn install(story: &mut Story<'_>, workspace_id: &WorkspaceId) -> Told {
    let installed = SlackWorkspace {
        workspace_id: workspace_id.clone(),
        organization_id: story.acme.id.clone(),
        installed_by: UserId::from("ada"),
        token_location: format!("slack/{}", workspace_id.0),
    };
    story.acme.app.put(&installed).if_absent().send().await?.done().ok_or("a new workspace")?;
    story.say("acme installs the app in its Slack workspace")?;
    let stolen = SlackWorkspace { organization_id: story.globex.id.clone(), ..installed };
    match story.globex.app.put(&stolen).if_absent().send().await? {
        Conditional::Done(_) => Err("globex took acme's workspace".into()),
        // That it is taken is said, and not by whom.
        Conditional::Failed { current } => story.say(format_args!(
            "globex installs it in the same workspace: refused, and shown {} of what is there",
            current.map_or("nothing", |_| "something")
        )),
    }
}

/// The effect that must not happen twice.
fn post(answers: &mut u32) -> String {
    *answers += 1;
    "here is the plan".to_owned()
}
