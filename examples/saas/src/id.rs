//! Ids: each of a type of its own, so that a team's is never given where a user's is meant.

use keywright::key::{Timestamp, component_newtype};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

macro_rules! text_id {
    ($($(#[$about:meta])* $id:ident),+ $(,)?) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $id(pub String);

        component_newtype!($id(String));

        impl From<&str> for $id {
            fn from(text: &str) -> $id {
                $id(text.to_owned())
            }
        }
    )+};
}

macro_rules! ulid_id {
    ($($(#[$about:meta])* $id:ident),+ $(,)?) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $id(Ulid);

        component_newtype!($id(Ulid));

        impl $id {
            /// The id of what came into being at a time, told apart from all others of that millisecond by random bits.
            pub fn new(at: Timestamp, random: u128) -> $id {
                $id(Ulid::from_parts(u64::try_from(at.unix_milliseconds()).unwrap_or_default(), random))
            }
        }

        impl TryFrom<String> for $id {
            type Error = ulid::DecodeError;

            fn try_from(text: String) -> Result<$id, ulid::DecodeError> {
                Ulid::from_string(&text).map($id)
            }
        }

        impl From<$id> for String {
            fn from(id: $id) -> String {
                id.0.to_string()
            }
        }
    )+};
}

text_id! {
    /// An organization: a tenant.
    OrganizationId,
    /// A person in an organization.
    UserId,
    /// A team of an organization.
    TeamId,
    /// An invitation into an organization.
    InvitationId,
    /// A project of an organization.
    ProjectId,
    /// A diagram of an organization.
    DiagramId,
    /// A workspace of Slack.
    WorkspaceId,
    /// An open connection.
    ConnectionId,
    /// An event of Stripe or of Slack.
    EventId,
    /// An entry of the audit trail.
    EntryId,
    /// A month: `2026-11`.
    Month,
}

ulid_id! {
    /// A task. Its id begins with the time at which it was made, so tasks lie in the order of their making.
    TaskId,
    /// A code that was sent to somebody.
    CodeId,
    /// A notice to somebody.
    NotificationId,
    /// A change of a balance.
    ChargeId,
    /// A visit of a shared diagram.
    VisitId,
}
