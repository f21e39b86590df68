//! Tasks: many, so a project is a partition key of its own.

use keywright::key::{Timestamp, component_enum};
use keywright::{AccessPattern, Entity, Projection, Update};
use serde::{Deserialize, Serialize};

use super::{App, ByAssignee};
use crate::id::{OrganizationId, ProjectId, TaskId, UserId};

/// Something to do.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}#PROJECT#{project_id}",
    sort_key = "TASK#{task_id}",
    index(ByAssignee)
)]
pub struct Task {
    /// Whose.
    pub organization_id: OrganizationId,
    /// In which project.
    pub project_id: ProjectId,
    /// Which one.
    pub task_id: TaskId,
    /// What is to be done.
    pub title: String,
    /// In more words.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether it was done.
    pub state: TaskState,
    /// Who does it; without anybody it is not in the index.
    #[serde(default)]
    pub assignee_id: Option<UserId>,
    /// Until when; without a date it is not in the index.
    #[serde(default)]
    pub due_at: Option<Timestamp>,
    /// Counted up by each update.
    #[entity(version)]
    pub version: u64,
}

/// Whether a task was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    /// Not yet.
    Open,
    /// It was.
    Done,
}

component_enum!(TaskState { Open = "open", Done = "done" });

/// One task, as it is now: it is read, changed, and written back with its version.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, get_item, returns(Task), sort_key_equals = "TASK#{task_id}", consistency = strong)]
pub struct TaskById {
    /// In which project.
    pub project_id: ProjectId,
    /// Which one.
    pub task_id: TaskId,
}

/// The tasks of a project. Read backwards, the newest come first.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, returns(Task), sort_key_starts_with = "TASK")]
pub struct NewestTasksOfProject {
    /// Which project.
    pub project_id: ProjectId,
}

/// What somebody has to do in a span of time, the most urgent first: a range on the last attribute of the key.
#[derive(Debug, AccessPattern)]
#[access_pattern(
    table = App,
    index = ByAssignee,
    returns(Task as DueTask),
    sort_key_attributes(state, due_at(from = since, until = until))
)]
pub struct OpenTasksDue {
    /// Who.
    pub assignee_id: UserId,
    /// Open ones, or done ones.
    pub state: TaskState,
    /// From when.
    pub since: Timestamp,
    /// Before when.
    pub until: Timestamp,
}

/// A task, as far as its index holds it.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Task)]
pub struct DueTask {
    /// In which project.
    pub project_id: ProjectId,
    /// Which one.
    pub task_id: TaskId,
    /// What is to be done.
    pub title: String,
    /// Until when.
    pub due_at: Option<Timestamp>,
}

/// It was done.
#[derive(Debug, Update)]
#[update(table = App, of = Task)]
pub struct CloseTask {
    /// [`TaskState::Done`], which moves it in the index.
    pub state: TaskState,
}
