//! Projects and tasks: pages with a cursor, a range of dates, and a change that somebody else was faster with.

use std::num::NonZeroU32;

use keywright::{Cursor, Transaction};

use super::moment::{Moment, random};
use super::{Story, Told};
use crate::app::{
    CloseTask, NewestTasksOfProject, OpenTasksDue, Project, ProjectState, Projects, Task, TaskById, TaskState,
};
use crate::id::{NotificationId, ProjectId, TaskId, UserId};
use crate::live::{Notification, Notifications};

const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Tasks")?;
    let acme = story.acme.app.clone();
    let now = Moment::now()?;
    let project_id = ProjectId::from("launch");
    let project = Project {
        organization_id: story.acme.id.clone(),
        project_id: project_id.clone(),
        name: "Launch".to_owned(),
        description: None,
        state: ProjectState::Active,
        version: 0,
    };
    acme.put(&project).if_absent().send().await?.done().ok_or("a new project")?;
    story.say("a new project")?;
    let projects = acme.query(Projects).page().await?.into_items()?;
    story.say(format_args!(
        "{} project is read: {}",
        projects.len(),
        projects.first().map_or("", |project| &project.name)
    ))?;

    for number in 0..5_i64 {
        let at = now.plus_days(number - 5)?;
        let task = Task {
            organization_id: story.acme.id.clone(),
            project_id: project_id.clone(),
            task_id: TaskId::new(at.timestamp(), random()?),
            title: format!("task {number}"),
            description: None,
            state: TaskState::Open,
            // The last one is nobody's, so it is not in the index.
            assignee_id: (number < 4).then(|| UserId::from("ada")),
            due_at: Some(now.plus_days(number * 3)?.timestamp()),
            version: 0,
        };
        acme.put(&task).if_absent().send().await?.done().ok_or("a new task")?;
    }
    story.say("five tasks; those of an assignee are in an index, too")?;
    read_pages(story, &project_id).await?;

    let due = OpenTasksDue {
        assignee_id: UserId::from("ada"),
        state: TaskState::Open,
        since: now.timestamp(),
        // One is due at this very moment: that is no longer before it.
        until: now.plus_days(6)?.timestamp(),
    };
    let due = acme.query(due).page().await?.into_items()?;
    let titles: Vec<&str> = due.iter().map(|task| task.title.as_str()).collect();
    story.say(format_args!("due in six days: {}", titles.join(", ")))?;

    let Some(first) = due.first() else { return Err("some tasks are due".into()) };
    close(story, first.project_id.clone(), first.task_id).await?;
    notify(story, now, first.task_id).await?;
    move_task(story, &project_id).await?;
    story.end()
}

/// The newest first, two a page. The cursor is text: it goes to a browser and comes back.
async fn read_pages(story: &mut Story<'_>, project_id: &ProjectId) -> Told {
    let mut cursor: Option<String> = None;
    loop {
        let newest = story
            .acme
            .app
            .query(NewestTasksOfProject { project_id: project_id.clone() })
            .backward()
            .limit(TWO);
        let query = match &cursor {
            Some(text) => newest.after(text.parse::<Cursor>()?),
            None => newest,
        };
        let page = query.page().await?;
        cursor = page.next.as_ref().map(ToString::to_string);
        let titles: Vec<String> = page.into_items()?.into_iter().map(|task| task.title).collect();
        let more = if cursor.is_some() { "there are more" } else { "that is all" };
        story.say(format_args!("newest: {} ({more})", titles.join(", ")))?;
        if cursor.is_none() {
            return Ok(());
        }
    }
}

/// Two people close a task: the entity tag tells the second one.
async fn close(story: &mut Story<'_>, project_id: ProjectId, task_id: TaskId) -> Told {
    let by_id = || TaskById { project_id: project_id.clone(), task_id };
    let read = story.acme.app.get(by_id()).await?.ok_or("it is there")?;
    let etag = read.etag().ok_or("it was written by this program")?;
    let line = format!("two people read {}, with its entity tag", read.title);
    story.say(line)?;
    let close =
        || story.acme.app.update(by_id(), CloseTask { state: TaskState::Done }).if_match(&etag).send();
    let (first, second) = (close().await?, close().await?);
    if !first.is_done() || second.is_done() {
        return Err("two people closed one task".into());
    }
    let title = read.title.clone();
    story
        .say(format_args!("{title} is closed once; who was late has an entity tag of before, and is refused"))
}

async fn notify(story: &mut Story<'_>, now: Moment, task_id: TaskId) -> Told {
    let live = story.acme.live.clone();
    let notification = Notification {
        organization_id: story.acme.id.clone(),
        user_id: UserId::from("ada"),
        notification_id: NotificationId::new(now.timestamp(), random()?),
        task_id,
        text: "bob closed a task of yours".to_owned(),
        expires_at: now.plus_days(30)?.seconds(),
    };
    live.put(&notification).send().await?;
    story.say("ada is told, for thirty days")?;
    let notices = live.query(Notifications { user_id: UserId::from("ada") }).all(TWO).await?;
    story.say(format_args!("ada has {} notice", notices.len()))
}

/// A task goes to another project, which is another key: it is put there and deleted here, or neither.
///
/// The process dies when it has sent the transaction. The next one finds the token, and does not move the task twice.
async fn move_task(story: &mut Story<'_>, from: &ProjectId) -> Told {
    let acme = story.acme.app.clone();
    let mut newest =
        acme.query(NewestTasksOfProject { project_id: from.clone() }).backward().limit(TWO).pages();
    // A page may be empty though more comes after it.
    let task = loop {
        let page = newest.next().await?.ok_or("there are tasks")?;
        if let Some(task) = page.into_items()?.into_iter().next() {
            break task;
        }
    };
    story.say("the newest tasks are read")?;
    let here = || TaskById { project_id: from.clone(), task_id: task.task_id };
    let there = || TaskById { project_id: ProjectId::from("relaunch"), task_id: task.task_id };
    let moved = Task { project_id: there().project_id, ..task.clone() };
    let move_it = |mut transaction: Transaction| {
        transaction.add(acme.delete(here()).if_version(task.version));
        transaction.add(acme.put(&moved).if_absent());
        transaction
    };
    let first = move_it(acme.transaction());
    let kept = first.token().to_string(); // written down before it is sent
    first.send().await?.done().ok_or("the task moves")?;
    story.say(format_args!(
        "{} moves to another project: put there and deleted here, or neither",
        moved.title
    ))?;
    let again = move_it(acme.resume_transaction(kept.parse()?)).send().await?.done().ok_or("it is done")?;
    // An answer without write units is that of a transaction which was done before.
    let was_done = again.write_units().is_none();
    story.say(format_args!("a new process resumes it by its token: it was done before: {was_done}"))?;

    let mut both = acme.snapshot();
    let (here, there) = (both.get(here()), both.get(there()));
    let read = both.send().await?;
    story.say(format_args!(
        "a snapshot of both places: here {}, there {}",
        usize::from(read.item(&here)?.is_some()),
        usize::from(read.item(&there)?.is_some())
    ))
}
