//! Table `Live`: what expires by itself. Losing it means signing in again.

mod code;
mod confirmation;
mod connection;
mod notification;
mod rate_limit;
mod session;
mod visit;
mod webhook;

use keywright::Table;

pub use code::{HasHash, HasTriesLeft, OneTimeCode, OneTimeCodeById, TryCode};
pub use confirmation::{Confirmation, ConfirmationByToken};
pub use connection::{Connection, ConnectionById, ConnectionsOfOrganization, OpenConnection};
pub use notification::{Notification, Notifications};
pub use rate_limit::RateLimit;
pub use session::{Session, SessionByToken};
pub use visit::{Visit, VisitsOfDiagram};
pub use webhook::{SlackEvent, StripeEvent};

/// What expires by itself.
#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(
        OneTimeCode,
        Notification,
        Session,
        Connection,
        Confirmation,
        RateLimit,
        Visit,
        StripeEvent,
        SlackEvent
    ),
    patterns(
        OneTimeCodeById,
        Notifications,
        SessionByToken,
        ConfirmationByToken,
        ConnectionById,
        ConnectionsOfOrganization,
        VisitsOfDiagram
    ),
    index(
        ByOrganization,
        name = "by_organization",
        partition_key(organization_id),
        sort_key(connection_id),
        project(entity, expires_at)
    ),
    ttl = "expires_at"
)]
pub struct Live;
