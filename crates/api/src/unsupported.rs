//! What the service knows and this version does not: one table, so that nothing is ever ignored silently.
//!
//! Invariants: a member of a request is read by its operation, or is in [`TABLE`] or noted by it, or is unknown to the service as
//! well and skipped; a request that uses one of the table is refused, after every refusal that the service itself
//! would have for it.

use keywright_item::json::{ListType, ObjectType, Reader, SerializationError};

use crate::{Operation, Validation};

/// A member that this version cannot honour.
struct Unsupported {
    operation: Operation,
    member: &'static str,
    content: Content,
}

/// What the member must be on the wire.
#[derive(Clone, Copy)]
enum Content {
    Text,
    /// A boolean.
    Boolean,
    /// A list.
    List,
    /// A structure of this name.
    Structure(&'static str),
    /// A structure of this name whose switch of this name, when it is false and alone, is as good as absence.
    Switched(&'static str, &'static str),
}

#[rustfmt::skip]
const TABLE: &[Unsupported] = &[
    row(Operation::CreateTable, "StreamSpecification", Content::Switched("StreamSpecification", "StreamEnabled")),
    row(Operation::CreateTable, "SSESpecification", Content::Switched("SSESpecification", "Enabled")),
    row(Operation::CreateTable, "WarmThroughput", Content::Structure("WarmThroughput")),
    row(Operation::CreateTable, "OnDemandThroughput", Content::Structure("OnDemandThroughput")),
    row(Operation::CreateTable, "ResourcePolicy", Content::Text),
    row(Operation::UpdateTable, "StreamSpecification", Content::Structure("StreamSpecification")),
    row(Operation::UpdateTable, "SSESpecification", Content::Structure("SSESpecification")),
    row(Operation::UpdateTable, "ReplicaUpdates", Content::List),
    row(Operation::UpdateTable, "TableClass", Content::Text),
    row(Operation::UpdateTable, "MultiRegionConsistency", Content::Text),
    row(Operation::UpdateTable, "GlobalTableWitnessUpdates", Content::List),
    row(Operation::UpdateTable, "OnDemandThroughput", Content::Structure("OnDemandThroughput")),
    row(Operation::UpdateTable, "WarmThroughput", Content::Structure("WarmThroughput")),
    row(Operation::UpdateTable, "GlobalTableSettingsReplicationMode", Content::Text),
    row(Operation::UpdateTable, "DisassociationProtectionEnabled", Content::Boolean),
    row(Operation::UpdateTable, "VectorIndexUpdates", Content::List),
];

const fn row(operation: Operation, member: &'static str, content: Content) -> Unsupported {
    Unsupported { operation, member, content }
}

/// The members of one request that this version cannot honour.
#[derive(Debug)]
pub(crate) struct UsedUnsupported {
    operation: Operation,
    used: Vec<&'static str>,
}

impl UsedUnsupported {
    pub(crate) const fn new(operation: Operation) -> Self {
        Self { operation, used: Vec::new() }
    }

    /// Reads a member that the operation itself does not know.
    pub(crate) fn read(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), SerializationError> {
        let row = TABLE.iter().find(|row| row.operation == self.operation && row.member == name);
        let Some(row) = row else { return reader.skip() };
        let used = reader.optional(|reader| row.content.read(reader))?;
        if used == Some(true) {
            self.use_member(row.member);
        }
        Ok(())
    }

    /// Notes a member that its operation read, be it one of a structure within the request.
    pub(crate) fn use_member(&mut self, name: &'static str) {
        if !self.used.contains(&name) {
            self.used.push(name);
        }
    }

    /// Whether there is one.
    pub(crate) const fn is_used(&self) -> bool {
        !self.used.is_empty()
    }

    /// Refuses the first of them.
    pub(crate) fn check(&self) -> Result<(), Validation> {
        match self.used.first() {
            Some(member) => Err(Validation::NotSupportedYet { member }),
            None => Ok(()),
        }
    }
}

impl Content {
    /// Passes over the content; whether it is anything but a switch that is off.
    fn read(self, reader: &mut Reader<'_>) -> Result<bool, SerializationError> {
        match self {
            Self::Text => reader.string().map(|_| true),
            Self::Boolean => reader.boolean().map(|_| true),
            Self::List => reader.array(ListType::Member, Reader::skip).map(|()| true),
            Self::Structure(name) => {
                reader.object(ObjectType::Structure(name), |_, reader| reader.skip()).map(|()| true)
            }
            Self::Switched(name, switch) => {
                let mut on = false;
                reader.object(ObjectType::Structure(name), |member, reader| {
                    if member == switch {
                        on |= reader.optional(Reader::boolean)?.unwrap_or(false);
                    } else {
                        on |= reader.optional(Reader::skip)?.is_some();
                    }
                    Ok::<(), SerializationError>(())
                })?;
                Ok(on)
            }
        }
    }
}
