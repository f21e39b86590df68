//! An import of many tasks, one worker at a time, and what becomes of a project that nobody needs any more: a lock, and batches.

use std::error::Error;
use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use keywright::{BatchChange, BatchError, HeldLock, Locked, Reason, Transacted};

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
    write_rows(story, &rows).await?;
    // The first worker wakes up and believes that the lock is still its own. What both write asks for the lock.
    for (worker, lock) in [(2, &second), (1, &first)] {
        let outcome = finish(story, lock, &project_id).await?;
        story.say(format_args!("worker {worker} writes that the project is there: {outcome}"))?;
    }
    second.release().await?;
    story.say("worker 2 gives the lock back")?;
    read_rows(story, &rows).await?;
    clean_up(story, &rows).await?;
    hottest(story, &project_id)?;
    story.end()
}

/// Any number: in calls of 25, and what comes back unprocessed is sent again until everything is accounted for.
async fn write_rows(story: &mut Story<'_>, rows: &[Task]) -> Told {
    let acme = story.acme.app.clone();
    let mut told = Vec::new();
    let written = acme.batch_put(rows).on_progress(|progress| told.push(progress.done)).send().await?;
    let steps = told.len();
    story.say(format_args!(
        "{} tasks in {} calls, told {steps} times how far it is",
        written.items, written.calls
    ))?;

    // The ids were minted with the rows, so an import that is begun again writes the same items.
    let again = stream::iter(rows.iter().cloned()).map(BatchChange::put);
    let written = acme.batch_write_stream(again).send().await?;
    let items = written.items;
    story.say(format_args!("the import begins again, as a stream, with the same ids: {items} written"))?;

    match acme.batch_put(rows.iter().take(1).chain(rows)).send().await {
        Err(BatchError::Duplicates(pairs)) => story
            .say(format_args!("one row twice: refused before anything is sent, {} pair named", pairs.len())),
        other => Err(format!("one row twice went through: {other:?}").into()),
    }
}

/// By their keys, a hundred in a call; and all of the project, whatever their keys are.
async fn read_rows(story: &mut Story<'_>, rows: &[Task]) -> Told {
    let acme = story.acme.app.clone();
    let read = acme.batch_get(rows.iter().take(3).map(by_id)).send().await?;
    story.say(format_args!("three tasks by their keys, in {} call, consistently", read.calls))?;

    let mut stream = acme.batch_get_stream(stream::iter(rows.iter().map(by_id)));
    let mut titles = Vec::new();
    while let Some(task) = stream.next().await {
        titles.push(task?.ok_or("it was imported")?.title.clone());
    }
    let (first, last) = (titles.first().ok_or("rows")?, titles.last().ok_or("rows")?);
    story.say(format_args!("all of them by their keys, as a stream in their order: {first} to {last}"))?;

    let there = count(story, rows).await?;
    story.say(format_args!("by a Query, page after page: there are {there}"))
}

async fn clean_up(story: &mut Story<'_>, rows: &[Task]) -> Told {
    let gone = story.acme.app.batch_write().delete_all(rows.iter().map(by_id)).send().await?;
    let (items, calls) = (gone.items, gone.calls);
    story.say(format_args!("the project is cleaned up: {items} tasks deleted in {calls} calls"))?;
    let left = count(story, rows).await?;
    story.say(format_args!("{left} are left"))
}

fn by_id(task: &Task) -> TaskById {
    TaskById { project_id: task.project_id.clone(), task_id: task.task_id }
}

/// How many tasks the project of these has.
async fn count(story: &Story<'_>, rows: &[Task]) -> Result<usize, Box<dyn Error>> {
    let project_id = rows.first().ok_or("rows")?.project_id.clone();
    Ok(story.acme.app.query(NewestTasksOfProject { project_id }).all(MOST).await?.len())
}

/// Which partition key takes the most is counted by a hash, so that no id is in a metric; a key that is suspected is hashed, too.
fn hottest(story: &mut Story<'_>, project_id: &ProjectId) -> Told {
    let app = &story.stores.app;
    let hottest = app.take_hot_keys().into_iter().next().ok_or("something was written")?;
    let suspected = app.key_hash(&format!("ORG#{}#PROJECT#{}", story.acme.id.0, project_id.0));
    if hottest.key != suspected {
        return Err("another key was hotter than that of the import".into());
    }
    story.say(format_args!("the hottest partition key of App is that project's: {:.0} units", hottest.units))
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
        Transacted::Done(_) => Ok("done, since the lock is asked in the same transaction"),
        Transacted::Canceled(canceled) => match canceled.reason(&still_held)? {
            Reason::ConditionFailed { .. } => Ok("refused, somebody else has taken the lock since"),
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
