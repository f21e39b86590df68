//! Table `Live`: what expires by itself. Losing it means signing in again.

mod code;
mod connection;
mod notification;
mod session;
mod webhook;

use keywright::Table;

pub use code::{HasHash, HasTriesLeft, OneTimeCode, OneTimeCodeById, TryCode};
pub use connection::{Connection, ConnectionById, ConnectionsOfOrganization, OpenConnection};
pub use notification::{Notification, Notifications};
pub use session::{Session, SessionByToken};
pub use webhook::{SlackEvent, StripeEvent};

/// What expires by itself.
#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(OneTimeCode, Notification, Session, Connection, StripeEvent, SlackEvent),
    patterns(OneTimeCodeById, Notifications, SessionByToken, ConnectionById, ConnectionsOfOrganization),
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
