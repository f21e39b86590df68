//! Table `App`: organizations and what they own.

mod diagram;
mod import_lock;
mod invitation;
mod organization;
mod page_views;
mod project;
mod slack;
mod task;
mod team;
mod usage;
mod user;

use keywright::Table;

pub use diagram::{
    Diagram, DiagramById, PublishDiagram, PublishedDiagram, PublishedDiagrams, ShareToken, ShareTokenByToken,
};
pub use import_lock::ImportLock;
pub use invitation::{Invitation, InvitationById, InvitationKeys, InvitationOfLink, PendingInvitations};
pub use organization::{Organization, OrganizationById, Plan, RenameOrganization};
pub use page_views::PageViews;
pub use project::{Project, ProjectState, Projects};
pub use slack::{OrganizationOfSlackWorkspace, SlackWorkspace};
pub use task::{CloseTask, DueTask, NewestTasksOfProject, OpenTasksDue, Task, TaskById, TaskState};
pub use team::{
    ChangeRole, Member, MemberById, Membership, Role, Team, TeamWithMembers, TeamWithMembersItem, TeamsOfUser,
};
pub use usage::{Usage, UsageEvent};
pub use user::{
    ChangeEmail, HolderOfAddress, OrganizationsOfAddress, User, UserById, UserEmail, UserKeys,
    UsersOfOrganization,
};

/// What people enter.
// Names are in quotes where several indexes have them: Clippy takes a word that comes twice in an attribute for a mistake.
#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(
        Organization, User, UserEmail, Team, Member, Invitation, Project, Task, Diagram, ShareToken, SlackWorkspace,
        PageViews, Usage, UsageEvent, ImportLock
    ),
    patterns(
        OrganizationById,
        UserById,
        UsersOfOrganization,
        OrganizationsOfAddress,
        HolderOfAddress,
        TeamWithMembers,
        TeamsOfUser,
        MemberById,
        PendingInvitations,
        InvitationOfLink,
        InvitationById,
        Projects,
        TaskById,
        NewestTasksOfProject,
        OpenTasksDue,
        DiagramById,
        PublishedDiagrams,
        ShareTokenByToken,
        OrganizationOfSlackWorkspace
    ),
    // Whatever is looked up by a value from outside, before anybody knows the organization.
    index(
        ByLookup,
        name = "by_lookup",
        partition_key = "gsi1pk",
        sort_key = "gsi1sk",
        project("organization_id", "entity", "expires_at")
    ),
    // Keys of the items' own attributes: nothing is rendered. What lacks one of them is not in the index.
    index(
        ByUser,
        name = "by_user",
        partition_key("organization_id", user_id),
        sort_key(joined_at),
        project(role, "entity")
    ),
    index(
        ByAssignee,
        name = "by_assignee",
        partition_key("organization_id", assignee_id),
        sort_key(state, due_at),
        project("title", "entity")
    ),
    index(
        ByPublication,
        name = "by_publication",
        partition_key("organization_id"),
        sort_key(published_at),
        project("title", "entity")
    ),
    ttl = "expires_at",
    stream = "new-and-old-images"
)]
pub struct App;
