//! An import of many tasks, one worker at a time, and what becomes of a project that nobody needs any more: a lock, and batches.

use std::error::Error;
use std::num::NonZeroU32;
use std::time::Duration;

use keywright::{BatchError, HeldLock, Locked, Reason, Transacted};

use super::moment::Moment;
use super::{Story, Told};
use crate::app::{App, ImportLock, NewestTasksOfProject, Project, ProjectState, Task, TaskById, TaskState};
use crate::id::{ProjectId, TaskId};

const A_MOMENT: Duration = Duration::from_millis(1);
const A_MINUTE: Duration = Duration::from_secs(60);
/// What one project has at most in this story.
const MOST: NonZeroU32 = NonZeroU32::new(1000).unwrap();

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("An import")?;
    let acme = story.acme.app.clone();
    let project_id = ProjectId::from("old-tracker");
    let rows = rows(story, &project_id)?;

    // One import at a time. The first worker falls asleep: its lease is over before it has begun.
    let lock = ImportLock { organization_id: story.acme.id.clone() };
    let Locked::Held(first) = acme.lock(&lock, A_MOMENT).send().await? else {
        return Err("nobody imports".into());
    };
    let Locked::Held(second) = acme.lock(&lock, A_MINUTE).wait(A_MINUTE).await? else {
        return Err("the lease of the first worker does not end".into());
    };
    story.say(format_args!(
        "worker {} sleeps, its lease ends, worker {} takes the lock",
        first.token().number(),
        second.token().number()
    ))?;

    // Any number: in calls of 25, and what comes back unprocessed is sent again until everything is accounted for.
    let mut told = Vec::new();
    let written = acme.batch_put(&rows).on_progress(|progress| told.push(progress.done)).send().await?;
    let steps = told.len();
    story.say(format_args!(
        "{} tasks in {} calls, told {steps} times how far it is",
        written.items, written.calls
    ))?;

    // The ids were minted with the rows, so an import that is begun again writes the same items.
    acme.batch_put(&rows).send().await?;
    let all = || acme.query(NewestTasksOfProject { project_id: project_id.clone() }).all(MOST);
    story.say(format_args!("imported once more: there are still {}", all().await?.len()))?;

    match acme.batch_put(rows.iter().take(1).chain(&rows)).send().await {
        Err(BatchError::Duplicates(pairs)) => {
            story.say(format_args!(
                "one row twice: refused before anything is sent, {} pair named",
                pairs.len()
            ))?;
        }
        other => return Err(format!("one row twice went through: {other:?}").into()),
    }

    // The first worker wakes up and believes that the lock is still its own. What both write asks for the lock.
    story
        .say(format_args!("worker 2 says that it is done: {}", finish(story, &second, &project_id).await?))?;
    story
        .say(format_args!("worker 1 says that it is done: {}", finish(story, &first, &project_id).await?))?;
    second.release().await?;

    let some =
        rows.iter().take(3).map(|task| TaskById { project_id: project_id.clone(), task_id: task.task_id });
    let read = acme.batch_get(some).send().await?;
    story.say(format_args!("three of them by their keys, in {} call", read.calls))?;

    let keys = all()
        .await?
        .into_iter()
        .map(|task| TaskById { project_id: project_id.clone(), task_id: task.task_id });
    let gone = acme.batch_write().delete_all(keys).send().await?;
    story.say(format_args!(
        "the project is cleaned up: {} tasks deleted in {} calls, {} are left",
        gone.items,
        gone.calls,
        all().await?.len()
    ))?;
    story.end()
}

/// The project appears, if this worker still has the lock.
async fn finish(
    story: &Story<'_>,
    worker: &HeldLock<App, ImportLock>,
    project_id: &ProjectId,
) -> Result<&'static str, Box<dyn Error>> {
    let project = Project {
        organization_id: story.acme.id.clone(),
        project_id: project_id.clone(),
        name: "From the old tracker".to_owned(),
        description: None,
        state: ProjectState::Active,
        version: 0,
    };
    let mut both = story.acme.app.transaction();
    let still_held = both.add(worker.check());
    both.add(story.acme.app.put(&project));
    match both.send().await? {
        Transacted::Done(_) => Ok("written"),
        Transacted::Canceled(canceled) => match canceled.reason(&still_held)? {
            Reason::ConditionFailed { .. } => Ok("refused, somebody else has the lock"),
            _ => Err(canceled.into()),
        },
    }
}

/// The rows of a file of another tracker.
fn rows(story: &Story<'_>, project_id: &ProjectId) -> Result<Vec<Task>, Box<dyn Error>> {
    let now = Moment::now()?;
    let row = |number: u64| Task {
        organization_id: story.acme.id.clone(),
        project_id: project_id.clone(),
        task_id: TaskId::new(now.timestamp(), u128::from(number)),
        title: format!("row {number}"),
        description: None,
        state: TaskState::Open,
        assignee_id: None,
        due_at: None,
        version: 0,
    };
    Ok((0..120).map(row).collect())
}
