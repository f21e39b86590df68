//! Access patterns: one Query or one GetItem each.

use super::sort_key_condition::SortKeyCondition;
use crate::component::{ComponentKind, KeyComponent};
use crate::text;

/// One access pattern.
#[derive(Clone, Copy, Debug)]
pub struct PatternShape<'a> {
    /// What the code calls it.
    pub name: &'a str,
    /// One Query, or one GetItem.
    pub operation: ReadOperation,
    /// The index that it reads; the table if none.
    pub index: Option<&'a str>,
    /// The entities that it returns: at least one.
    pub returns: &'a [ReturnShape<'a>],
    /// The entities that lie in its range too and that it leaves out, by name.
    pub skips: &'a [&'a str],
    /// What the caller gives; never the tenant, which the caller already is.
    pub given: &'a [GivenShape<'a>],
    /// Which of the items with the partition key it reads.
    pub sort_key: SortKeyCondition<'a>,
    /// How current the answer is.
    pub consistency: Consistency,
    /// What it leaves out after reading.
    pub filter: FilterShape<'a>,
    /// Whose items it finds.
    pub tenants: TenantScope,
}

/// The operation that a pattern is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOperation {
    /// Items of one partition key, in order.
    Query,
    /// One item by its whole key.
    GetItem,
}

/// An entity that a pattern returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnShape<'a> {
    /// The entity's name.
    pub entity: &'a str,
    /// How much of it.
    pub attributes: Returned<'a>,
}

/// How much of an entity a pattern returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned<'a> {
    /// All of its attributes.
    Whole,
    /// These, as a type that has only them.
    Only(&'a [&'a str]),
}

/// A value that the caller gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenShape<'a> {
    /// Its name: that of the attribute it is compared with, or one that a range or a filter uses.
    pub name: &'a str,
    /// Its kind, where that is known; a design in a file takes it from the entity.
    pub kind: Option<ComponentKind<'a>>,
}

/// How current an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// It may lack the latest writes.
    Eventual,
    /// It has every write that was acknowledged before; not on a global index.
    Strong,
}

/// Whose items a pattern finds, as whoever declares it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TenantScope {
    /// Nobody says; it follows from the keys.
    Unstated,
    /// The tenant's who asks, or, in a table that tenants do not share, everybody's.
    WithinTenant,
    /// Anybody's: each is verified before it is used.
    AcrossTenants,
}

/// What a filter looks at. A filter saves no capacity: it works after the items are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterShape<'a> {
    /// The attributes that it names.
    pub attributes: &'a [&'a str],
    /// The given values that it uses.
    pub given: &'a [&'a str],
}

impl FilterShape<'_> {
    /// No filter.
    pub const NONE: FilterShape<'static> = FilterShape { attributes: &[], given: &[] };
}

impl<'a> ReturnShape<'a> {
    /// The entity with all its attributes.
    #[must_use]
    pub const fn whole(entity: &'a str) -> ReturnShape<'a> {
        ReturnShape { entity, attributes: Returned::Whole }
    }

    /// The entity with these attributes only.
    #[must_use]
    pub const fn only(entity: &'a str, attributes: &'a [&'a str]) -> ReturnShape<'a> {
        ReturnShape { entity, attributes: Returned::Only(attributes) }
    }
}

impl<'a> GivenShape<'a> {
    /// A value whose kind is known.
    #[must_use]
    pub const fn new(name: &'a str, kind: ComponentKind<'a>) -> GivenShape<'a> {
        GivenShape { name, kind: Some(kind) }
    }

    /// A value of this type.
    #[must_use]
    pub const fn of<Given: KeyComponent>(name: &'a str) -> GivenShape<'a> {
        GivenShape::new(name, Given::KIND)
    }

    /// A value whose kind is that of the attribute it is compared with.
    #[must_use]
    pub const fn untyped(name: &'a str) -> GivenShape<'a> {
        GivenShape { name, kind: None }
    }
}

impl<'a> PatternShape<'a> {
    /// One Query on the table for all items with the partition key.
    #[must_use]
    pub const fn query(
        name: &'a str,
        returns: &'a [ReturnShape<'a>],
        given: &'a [GivenShape<'a>],
    ) -> PatternShape<'a> {
        PatternShape {
            name,
            operation: ReadOperation::Query,
            index: None,
            returns,
            skips: &[],
            given,
            sort_key: SortKeyCondition::Any,
            consistency: Consistency::Eventual,
            filter: FilterShape::NONE,
            tenants: TenantScope::Unstated,
        }
    }

    /// One GetItem: the whole key is given.
    #[must_use]
    pub const fn get_item(
        name: &'a str,
        returns: &'a [ReturnShape<'a>],
        given: &'a [GivenShape<'a>],
    ) -> PatternShape<'a> {
        PatternShape { operation: ReadOperation::GetItem, ..PatternShape::query(name, returns, given) }
    }

    /// The same on an index.
    #[must_use]
    pub const fn with_index(self, index: &'a str) -> PatternShape<'a> {
        PatternShape { index: Some(index), ..self }
    }

    /// The same with this condition on the sort key.
    #[must_use]
    pub const fn with_sort_key(self, sort_key: SortKeyCondition<'a>) -> PatternShape<'a> {
        PatternShape { sort_key, ..self }
    }

    /// The same, leaving out these entities.
    #[must_use]
    pub const fn with_skips(self, skips: &'a [&'a str]) -> PatternShape<'a> {
        PatternShape { skips, ..self }
    }

    /// The same with this consistency.
    #[must_use]
    pub const fn with_consistency(self, consistency: Consistency) -> PatternShape<'a> {
        PatternShape { consistency, ..self }
    }

    /// The same with this filter.
    #[must_use]
    pub const fn with_filter(self, filter: FilterShape<'a>) -> PatternShape<'a> {
        PatternShape { filter, ..self }
    }

    /// The same where it is said whose items it finds.
    #[must_use]
    pub const fn with_tenants(self, tenants: TenantScope) -> PatternShape<'a> {
        PatternShape { tenants, ..self }
    }

    /// Whether it returns the entity with this name.
    #[must_use]
    pub const fn returns_entity(&self, entity: &str) -> bool {
        let mut rest = self.returns;
        while let [returned, later @ ..] = rest {
            if text::equal(returned.entity, entity) {
                return true;
            }
            rest = later;
        }
        false
    }

    /// The given value with this name.
    #[must_use]
    pub const fn given(&self, name: &str) -> Option<&'a GivenShape<'a>> {
        let mut rest = self.given;
        while let [given, later @ ..] = rest {
            if text::equal(given.name, name) {
                return Some(given);
            }
            rest = later;
        }
        None
    }
}
