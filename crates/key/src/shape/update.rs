//! Updates: what a write does to a stored item.

use super::attribute::Presence;

/// An update of the items of one entity.
#[derive(Clone, Copy, Debug)]
pub struct UpdateShape<'a> {
    /// What the code calls it.
    pub name: &'a str,
    /// The entity.
    pub entity: &'a str,
    /// What it changes, each attribute once.
    pub changes: &'a [ChangeShape<'a>],
    /// Whether reservations change with it.
    pub kind: UpdateKind,
}

/// Whether an update changes what a reservation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// It leaves reservations as they are.
    Plain,
    /// It changes what a reservation holds: the old one goes and a new one comes with it.
    Unique,
}

/// The change of one attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeShape<'a> {
    /// The attribute, by the name that items store.
    pub attribute: &'a str,
    /// The value, by the name of its field; not used by a removal.
    pub given: &'a str,
    /// What happens to the attribute.
    pub action: ChangeAction,
    /// Whether a value is always given. What is set and not given is removed; of the other actions nothing happens without it.
    pub presence: Presence,
}

/// What happens to an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeAction {
    /// It becomes the value.
    Set,
    /// It becomes the value unless it is there.
    SetIfAbsent,
    /// The value is added: to a number, or its members to a set. What is not there begins from nothing.
    Add,
    /// The value is subtracted from a number. One that is not there begins from nothing.
    Subtract,
    /// The value's elements go to the end of a list; a list that is not there begins with them.
    Append,
    /// The value's members are taken out of a set.
    DeleteFrom,
    /// It goes.
    Remove,
}
