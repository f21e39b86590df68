//! Table `Live`: what expires by itself. Losing it means signing in again.

mod code;
mod notification;
mod session;

use keywright::Table;

pub use code::{HasHash, HasTriesLeft, OneTimeCode, OneTimeCodeById, TryCode};
pub use notification::{Notification, Notifications};
pub use session::{Session, SessionByToken};

/// What expires by itself.
#[derive(Debug, Table)]
#[table(
    tenant = "organization_id",
    entities(OneTimeCode, Notification, Session),
    patterns(OneTimeCodeById, Notifications, SessionByToken),
    ttl = "expires_at"
)]
pub struct Live;
