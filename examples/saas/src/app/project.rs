//! Projects.

use keywright::key::component_enum;
use keywright::{AccessPattern, Entity};
use serde::{Deserialize, Serialize};

use super::App;
use crate::id::{OrganizationId, ProjectId};

/// A project of an organization.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "PROJECT#{project_id}")]
pub struct Project {
    /// Whose.
    pub organization_id: OrganizationId,
    /// Which one.
    pub project_id: ProjectId,
    /// What it is called.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether it goes on.
    pub state: ProjectState,
    /// Counted up by each update.
    #[entity(version)]
    pub version: u64,
}

/// Whether a project goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProjectState {
    /// It does.
    Active,
    /// It does not.
    Archived,
}

component_enum!(ProjectState { Active = "active", Archived = "archived" });

/// The projects of the organization.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = App, returns(Project), sort_key_starts_with = "PROJECT")]
pub struct Projects;
