//! Charges: what changed the balance, and when.

use keywright::key::{Timestamp, component_enum};
use keywright::{AccessPattern, Entity, Projection};
use serde::{Deserialize, Serialize};

use super::{Billing, ByKind};
use crate::id::{ChargeId, OrganizationId};

/// One change of the balance. It is written in one transaction with that, and never changed.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Billing,
    partition_key = "ORG#{organization_id}",
    sort_key = "CHARGE#{charged_at}#{charge_id}",
    index(ByKind, sort_key = "KIND#{kind}#{charged_at}")
)]
pub struct Charge {
    /// Whose.
    pub organization_id: OrganizationId,
    /// When.
    pub charged_at: Timestamp,
    /// Which one. Whoever asks for it minted the id, so that asking again is the same charge.
    pub charge_id: ChargeId,
    /// For what.
    pub kind: Kind,
    /// In cents.
    pub amount: u32,
}

/// What the balance changed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// People.
    Seats,
    /// Diagrams.
    Storage,
    /// It was paid.
    TopUp,
}

component_enum!(Kind { Seats = "seats", Storage = "storage", TopUp = "top-up" });

/// The charges of a span of time. Read backwards, the newest come first.
#[derive(Debug, AccessPattern)]
#[access_pattern(
    table = Billing,
    returns(Charge),
    sort_key_range("CHARGE#{charged_at}", from = since, until = until)
)]
pub struct ChargesOfPeriod {
    /// From when.
    pub since: Timestamp,
    /// Before when.
    pub until: Timestamp,
}

/// The charges of one kind: who just paid wants to see it, so the read is consistent.
#[derive(Debug, AccessPattern)]
#[access_pattern(
    table = Billing,
    index = ByKind,
    returns(Charge as ChargeOfKind),
    sort_key_starts_with = "KIND#{kind}",
    consistency = strong
)]
pub struct ChargesOfKind {
    /// Which kind.
    pub kind: Kind,
}

/// A charge, as far as its index holds it.
#[derive(Clone, Debug, PartialEq, Projection, Deserialize)]
#[projection(of = Charge)]
pub struct ChargeOfKind {
    /// Which one.
    pub charge_id: ChargeId,
    /// When.
    pub charged_at: Timestamp,
    /// In cents.
    pub amount: u32,
}
