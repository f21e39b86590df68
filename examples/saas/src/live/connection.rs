//! Open WebSocket connections: whom to tell that a board changed.

use keywright::key::Timestamp;
use keywright::{AccessPattern, Entity, Projection};
use serde::{Deserialize, Serialize};

use super::{ByOrganization, Live};
use crate::id::{ConnectionId, OrganizationId, UserId};

/// An open connection. Who closes the browser's lid says nothing, so it expires.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Live,
    partition_key = "CONNECTION#{connection_id}",
    sort_key = "CONNECTION",
    index(ByOrganization),
    deviation = "API Gateway mints the id and names nothing else when a connection closes"
)]
pub struct Connection {
    /// Which one: API Gateway minted the id.
    pub connection_id: ConnectionId,
    /// For which organization.
    pub organization_id: OrganizationId,
    /// Whose.
    pub user_id: UserId,
    /// Since when: stamped by the store.
    #[entity(created)]
    pub connected_at: Option<Timestamp>,
    /// Until when, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// One connection, when it closes.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, get_item, across_tenants, returns(Connection), sort_key_equals = "CONNECTION")]
pub struct ConnectionById {
    /// Which one.
    pub connection_id: ConnectionId,
}

/// All connections of the organization: the index's key holds it, though the table's does not.
#[derive(Debug, AccessPattern)]
#[access_pattern(table = Live, index = ByOrganization, returns(Connection as OpenConnection))]
pub struct ConnectionsOfOrganization;

/// A connection, as far as its index holds it.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Connection)]
pub struct OpenConnection {
    /// Which one.
    pub connection_id: ConnectionId,
    /// Until when, in seconds since 1970.
    pub expires_at: u64,
}
