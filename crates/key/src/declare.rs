//! What derives implement: the facts of a design as types of a program.
//!
//! A derive writes shapes, these traits, and one constant for each rule:
//!
//! ```
//! use keywright_key::declare::{Component, Entity, Table, field, same_type};
//! use keywright_key::{
//!     AttributeShape, EntityShape, GivenShape, KeyFormat, KeyShape, PatternShape, ReturnShape, SortKeyCondition, TableShape,
//!     TemplateShape, rule,
//! };
//!
//! struct App;
//! impl Table for App {
//!     const FORMAT: KeyFormat = KeyFormat::STANDARD;
//!     const SHAPE: TableShape<'static> = TableShape::new("App")
//!         .with_tenant("organization_id")
//!         .with_entities(&[&<Team as Entity<App>>::SHAPE])
//!         .with_patterns(&[&TEAM_BY_ID]);
//! }
//! const _: () = rule::index_schema::enforce(&<App as Table>::SHAPE);
//!
//! struct Team {
//!     organization_id: String,
//!     team_id: u64,
//! }
//! impl Entity<App> for Team {
//!     const SHAPE: EntityShape<'static> = EntityShape::new(
//!         "Team",
//!         "team",
//!         KeyShape::new(
//!             TemplateShape::of("ORG#{organization_id}", <App as Table>::FORMAT),
//!             TemplateShape::of("TEAM#{team_id}", <App as Table>::FORMAT),
//!         ),
//!         &[AttributeShape::of::<String>("organization_id"), AttributeShape::of::<u64>("team_id")],
//!     );
//! }
//! impl Component<{ field("team_id") }> for Team {
//!     type Type = u64;
//!     const NAME: &'static str = "team_id";
//! }
//! const _: () = rule::entity_not_listed::enforce(&<App as Table>::SHAPE, &<Team as Entity<App>>::SHAPE);
//! const _: () = rule::same_key::enforce(&<App as Table>::SHAPE, &<Team as Entity<App>>::SHAPE);
//!
//! struct TeamById {
//!     team_id: u64,
//! }
//! const TEAM_BY_ID: PatternShape<'static> = PatternShape::get_item(
//!     "TeamById",
//!     &[ReturnShape::whole(<Team as Entity<App>>::SHAPE.name)],
//!     &[GivenShape::of::<u64>("team_id")],
//! )
//! .with_sort_key(SortKeyCondition::Equals(TemplateShape::of("TEAM#{team_id}", <App as Table>::FORMAT)));
//! const _: () = rule::partition_key_given::enforce(&<App as Table>::SHAPE, &TEAM_BY_ID);
//! const _: () = rule::component_type::enforce_name("team_id", <Team as Component<{ field("team_id") }>>::NAME);
//! const _: () = same_type::<u64, <Team as Component<{ field("team_id") }>>::Type>();
//! ```

mod attribute;
mod change;
#[cfg(feature = "serde")]
mod given;
mod names_item;
mod purpose;
#[cfg(feature = "serde")]
mod read;
mod reservation;
mod sharding;
mod stamp;
mod tenancy;
mod with_serde;

pub use attribute::{Attribute, AttributeValue, KindOf, Opaque, same_attribute, same_value};
pub use change::{Condition, Update};
#[cfg(feature = "serde")]
pub use given::GivenValues;
pub use names_item::NamesItem;
pub use purpose::{
    ApproximateCounter, Claim, CountedInOneItem, Counter, Data, Deletable, ExactCounter, Lock, RateLimit,
    SingleUseToken,
};
#[cfg(feature = "serde")]
pub use read::ReadItems;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use read::{CloneItem, Deserialize, Deserializer, Serialize, Serializer};
pub use reservation::{PlainUpdate, Reservation, UniqueUpdate, Unreserved};
#[cfg(feature = "serde")]
pub use reservation::{Reserving, VisitReservation};
pub use sharding::{FansOut, KeyOfTenant, OneQuery, Sharded, Unsharded};
pub use stamp::{NotYetStamped, Stamp, is_not_yet_stamped, stamp_form};
pub use tenancy::{
    AcrossTenants, HoldsTenant, NotInKey, SameTenant, TenantIs, Tenanted, Tenants, Unshared, WithinTenant,
};

use crate::format::KeyFormat;
use crate::shape::{EntityShape, ExpressionShape, IndexShape, PatternShape, TableShape};

/// A table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "nothing can be stored in it",
    note = "add `#[derive(Table)] #[table(entities(..), patterns(..))]` to `{Self}`"
)]
pub trait Table {
    /// How its keys are written; apart from the shape, since the shape is made of templates that need it.
    const FORMAT: KeyFormat;
    /// The table with everything that it lists.
    const SHAPE: TableShape<'static>;
    /// Whether everything that it lists is readable. If not, the place has been reported, and rules keep silent: what they
    /// would say follows from it.
    const IS_READABLE: bool = true;
}

/// The access patterns of a table that another crate lists, one that the table's own crate cannot name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list patterns of table `{TableType}`",
    label = "no list of patterns of `{TableType}`",
    note = "add `#[derive(PatternList)] #[pattern_list(table = {TableType}, patterns(..))]` to `{Self}`"
)]
pub trait PatternList<TableType: Table> {
    /// The table with these patterns instead of its own.
    const SHAPE: TableShape<'static>;
    /// Whether the table and these patterns are readable.
    const IS_READABLE: bool = true;
}

/// An entity of a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity of table `{TableType}`",
    label = "not stored in `{TableType}`",
    note = "add `#[derive(Entity)] #[entity(table = {TableType}, ..)]` to `{Self}`, or read the table that it is stored in"
)]
pub trait Entity<TableType: Table> {
    /// Its name, keys and attributes.
    const SHAPE: EntityShape<'static>;
    /// Whether every template of it can be read. If not, the shape holds others in their place.
    const IS_READABLE: bool = true;
}

/// A type that has some of the attributes of an entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of `{EntityType}`",
    label = "nothing says which attributes of `{EntityType}` it has",
    note = "add `#[derive(Projection)] #[projection(of = {EntityType})]` to `{Self}`"
)]
pub trait ProjectionOf<EntityType> {
    /// The names of the attributes, as items store them.
    const ATTRIBUTES: &'static [&'static str];
}

/// An index of a table, as a type of its own.
pub trait Index {
    /// The table that it is an index of.
    type Table: Table;
    /// Its keys and what it projects.
    const SHAPE: IndexShape<'static>;
}

/// An entity that has a key in an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no key in index `{IndexType}`",
    label = "its items are never in this index",
    note = "add `index({IndexType}, partition_key = .., sort_key = ..)` to the entity"
)]
pub trait IndexedBy<IndexType: Index> {}

/// An access pattern of a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an access pattern",
    label = "not one Query and not one GetItem",
    note = "add `#[derive(AccessPattern)] #[access_pattern(table = .., returns(..))]` to `{Self}`"
)]
pub trait AccessPattern {
    /// The table that it reads, also through an index.
    type Table: Table;
    /// What it reads: the table, or an index.
    type Source;
    /// What it is given, reads and returns.
    const SHAPE: PatternShape<'static>;
    /// What it leaves out after reading; its attributes and given values are those of the shape's filter.
    const FILTER: ExpressionShape<'static> = ExpressionShape::NONE;
    /// Whether its condition on the sort key can be read. If not, the shape holds another in its place.
    const IS_READABLE: bool = true;
}

/// What can be read with strong consistency: tables and local indexes.
#[diagnostic::on_unimplemented(
    message = "a consistent read is not possible here: `{Self}` is a global secondary index",
    label = "global secondary indexes are eventually consistent only",
    note = "read the table or a local index where a write must be seen at once"
)]
pub trait ConsistentReads {}

/// The type of an entity's attribute, found by the hash of its name.
///
/// Within an entity two names with one hash are two implementations of one trait, which do not compile. Between an entity and a
/// pattern [`enforce_name`](crate::rule::component_type::enforce_name) compares the names themselves.
#[diagnostic::on_unimplemented(
    message = "no key of `{Self}` is made of an attribute of this name",
    label = "nothing to compare it with",
    note = "a pattern's field is called as the attribute that it is compared with, or says which: `#[access_pattern(attribute = \"..\")]`"
)]
pub trait Component<const FIELD: u64> {
    /// The type of the component; of an `Option`, what is in it.
    type Type;
    /// The name itself.
    const NAME: &'static str;
}

/// A type that is the one which was declared.
#[diagnostic::on_unimplemented(
    message = "this component is `{Declared}` in the entity, and `{Self}` in the pattern",
    label = "must be `{Declared}`: another type is written as another key"
)]
pub trait SameType<Declared> {}

impl<Type> SameType<Type> for Type {}

/// Compiles only if both types are one.
pub const fn same_type<Given: SameType<Declared>, Declared>() {}

/// The hash by which [`Component`] finds an attribute: FNV-1a with 64 bits.
#[must_use]
pub const fn field(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut rest = name.as_bytes();
    while let [byte, later @ ..] = rest {
        hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        rest = later;
    }
    hash
}
