//! Table `Audit`: who did what, for seven years. Entries are only ever added.

use std::collections::BTreeMap;

use keywright::key::Timestamp;
use keywright::{AccessPattern, Entity, Table};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::id::{EntryId, OrganizationId};

/// What must never change.
#[derive(Debug, Table)]
#[table(tenant = "organization_id", entities(AuditEntry), patterns(AuditTrail), ttl = "expires_at")]
pub struct Audit;

/// Something that somebody did. Each entry holds the hash of the one before it, so that none can be changed or left out unseen.
#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(table = Audit, partition_key = "ORG#{organization_id}", sort_key = "{occurred_at}#{entry_id}")]
pub struct AuditEntry {
    /// In which organization.
    pub organization_id: OrganizationId,
    /// When.
    pub occurred_at: Timestamp,
    /// Which one: made of the number of the record that it is about, so that the same record is the same entry.
    pub entry_id: EntryId,
    /// Who did it.
    pub actor: String,
    /// What.
    pub action: String,
    /// The hash of the entry before; of the first one, of nothing.
    pub previous_hash: String,
    /// What it was.
    #[serde(default)]
    pub before: Option<BTreeMap<String, String>>,
    /// What it is.
    #[serde(default)]
    pub after: Option<BTreeMap<String, String>>,
    /// Until when it is kept, in seconds since 1970.
    #[entity(ttl)]
    pub expires_at: u64,
}

/// What was done in a span of time. Read backwards, the newest come first.
#[derive(Debug, AccessPattern)]
#[access_pattern(
    table = Audit,
    returns(AuditEntry),
    sort_key_range("{occurred_at}", from = since, until = until)
)]
pub struct AuditTrail {
    /// From when.
    pub since: Timestamp,
    /// Before when.
    pub until: Timestamp,
}

/// Goes along chains of entries, one organization's after the other, in the order of their keys.
#[derive(Debug, Default)]
pub struct ChainWalk {
    organization_id: Option<OrganizationId>,
    hash: String,
}

impl AuditEntry {
    /// The hash of all that it says, which the next entry holds.
    #[must_use]
    pub fn hash(&self) -> String {
        let AuditEntry { organization_id, occurred_at, entry_id, actor, action, previous_hash, .. } = self;
        let (before, after) = (&self.before, &self.after);
        // `Debug` quotes texts, so that no two entries are written alike.
        let said = format!(
            "{organization_id:?} {occurred_at} {entry_id:?} {actor:?} {action:?} {previous_hash:?} {before:?} {after:?}"
        );
        Sha256::digest(said).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl ChainWalk {
    /// Whether an entry follows the one that was looked at before; the first one of an organization follows nothing.
    pub fn follows(&mut self, entry: &AuditEntry) -> bool {
        if self.organization_id.as_ref() != Some(&entry.organization_id) {
            self.organization_id = Some(entry.organization_id.clone());
            self.hash.clear();
        }
        let follows = entry.previous_hash == self.hash;
        self.hash = entry.hash();
        follows
    }
}
