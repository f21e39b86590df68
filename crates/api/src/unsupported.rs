//! What the service knows and this version does not: one table, so that nothing is ever ignored silently.
//!
//! Invariants: a member of a request is read by its operation, or is in [`TABLE`], or is unknown to the service as
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
    List,
    /// A structure of this name.
    Structure(&'static str),
    /// A boolean; false is as good as absent.
    Switch,
    /// A structure of this name whose switch of this name, when it is false and alone, is as good as absence.
    Switched(&'static str, &'static str),
}

#[rustfmt::skip]
const TABLE: &[Unsupported] = &[
    row(Operation::CreateTable, "LocalSecondaryIndexes", Content::List),
    row(Operation::CreateTable, "GlobalSecondaryIndexes", Content::List),
    row(Operation::CreateTable, "StreamSpecification", Content::Switched("StreamSpecification", "StreamEnabled")),
    row(Operation::CreateTable, "SSESpecification", Content::Switched("SSESpecification", "Enabled")),
    row(Operation::CreateTable, "DeletionProtectionEnabled", Content::Switch),
    row(Operation::CreateTable, "WarmThroughput", Content::Structure("WarmThroughput")),
    row(Operation::CreateTable, "OnDemandThroughput", Content::Structure("OnDemandThroughput")),
    row(Operation::CreateTable, "ResourcePolicy", Content::Text),
    row(Operation::Query, "IndexName", Content::Text),
    row(Operation::Scan, "IndexName", Content::Text),
];

const fn row(operation: Operation, member: &'static str, content: Content) -> Unsupported {
    Unsupported { operation, member, content }
}

/// The members of one request that are in the table.
#[derive(Debug)]
pub(crate) struct UsedUnsupported {
    operation: Operation,
    used: Vec<UsedMember>,
}

#[derive(Debug)]
struct UsedMember {
    name: &'static str,
    /// How many elements it has, where it is a list.
    length: usize,
}

impl UsedUnsupported {
    pub(crate) const fn new(operation: Operation) -> Self {
        Self { operation, used: Vec::new() }
    }

    /// Reads a member that the operation itself does not know.
    pub(crate) fn read(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), SerializationError> {
        let row = TABLE.iter().find(|row| row.operation == self.operation && row.member == name);
        let Some(row) = row else { return reader.skip() };
        let mut length = 0;
        let used = reader.optional(|reader| row.content.read(reader, &mut length))?;
        if used == Some(true) && !self.has(name) {
            self.used.push(UsedMember { name: row.member, length });
        }
        Ok(())
    }

    /// Whether the request uses this member.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.used.iter().any(|member| member.name == name)
    }

    /// Whether the request uses this member, and has nothing in it.
    pub(crate) fn is_empty_list(&self, name: &str) -> bool {
        self.used.iter().any(|member| member.name == name && member.length == 0)
    }

    /// Those of `names` that the request uses, in that order.
    pub(crate) fn among(&self, names: &[&'static str]) -> Vec<&'static str> {
        names.iter().copied().filter(|name| self.has(name)).collect()
    }

    /// Refuses the first of them.
    pub(crate) fn check(&self) -> Result<(), Validation> {
        match self.used.first() {
            Some(member) => Err(Validation::NotSupportedYet { member: member.name }),
            None => Ok(()),
        }
    }
}

impl Content {
    /// Passes over the content; whether it is anything but a switch that is off.
    fn read(self, reader: &mut Reader<'_>, length: &mut usize) -> Result<bool, SerializationError> {
        match self {
            Self::Text => reader.string().map(|_| true),
            Self::List => reader
                .array(ListType::Member, |reader| {
                    *length += 1;
                    reader.skip()
                })
                .map(|()| true),
            Self::Structure(name) => {
                reader.object(ObjectType::Structure(name), |_, reader| reader.skip()).map(|()| true)
            }
            Self::Switch => reader.boolean(),
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
