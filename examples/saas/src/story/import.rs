//! An import of many tasks, and what becomes of a project that nobody needs any more: batches.

use std::num::NonZeroU32;

use keywright::BatchError;

use super::moment::Moment;
use super::{Story, Told};
use crate::app::{NewestTasksOfProject, Task, TaskById, TaskState};
use crate::id::{ProjectId, TaskId};

/// What one project has at most in this story.
const MOST: NonZeroU32 = NonZeroU32::new(1000).unwrap();

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("An import")?;
    let acme = story.acme.app.clone();
    let project_id = ProjectId::from("old-tracker");
    let rows = rows(story, &project_id)?;

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

/// The rows of a file of another tracker.
fn rows(story: &Story<'_>, project_id: &ProjectId) -> Result<Vec<Task>, Box<dyn std::error::Error>> {
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
