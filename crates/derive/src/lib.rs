//! Tables, entities and access patterns as types: the derives that hand a design to the compiler.
//!
//! A derive writes down what a struct says as data (`SHAPE`), and one constant for each rule of `keywright-key`, reported
//! at the user's own word. It decides nothing itself: the rules and their texts are those of the key crate, which
//! `keywright design check` runs too. `docs/derive.md` is the guide.

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod condition;
mod entity;
mod expression;
mod given_values;
mod key_path;
mod nearest;
mod option;
mod pattern;
mod pattern_list;
mod projection;
mod rule;
mod serde;
mod stored_field;
mod structure;
mod subject;
mod table;
mod template;
mod update;

/// A struct as a table, with its indexes as types.
///
/// It implements `Table`, and for each `index(..)` writes a type that implements `Index`. Every entity and pattern that says
/// `table = App` is in its lists, or does not compile.
///
/// ```
/// use keywright_derive::{Entity, Table};
///
/// #[derive(Table)]
/// #[table(tenant = "organization_id", entities(Team), index(ByName))]
/// struct App;
/// # #[derive(Entity)]
/// # #[entity(
/// #     table = App,
/// #     partition_key = "ORG#{organization_id}",
/// #     sort_key = "TEAM#{team_id}",
/// #     index(ByName, partition_key = "ORG#{organization_id}", sort_key = "NAME#{name}")
/// # )]
/// # struct Team { organization_id: String, team_id: u64, name: String }
/// ```
#[proc_macro_derive(Table, attributes(table))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    table::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as one kind of item of a table.
///
/// It implements `Entity`, `IndexedBy` for each index, and `Components`, which fills its keys. Names are those that serde
/// stores; what serde would hide is refused.
///
/// ```
/// use keywright_derive::{Entity, Table};
///
/// # #[derive(Table)]
/// # #[table(tenant = "organization_id", entities(Team))]
/// # struct App;
/// #[derive(Entity)]
/// #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
/// struct Team {
///     organization_id: String,
///     team_id: u64,
///     #[entity(version)]
///     version: u64,
/// }
/// ```
///
/// A key that does not hold the tenant does not compile:
///
/// ```compile_fail
/// use keywright_derive::{Entity, Table};
///
/// # #[derive(Table)]
/// # #[table(tenant = "organization_id", entities(Team))]
/// # struct App;
/// #[derive(Entity)]
/// #[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
/// struct Team {
///     organization_id: String,
///     team_id: u64,
/// }
/// ```
#[proc_macro_derive(Entity, attributes(entity))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    entity::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as some of the attributes of an entity, for patterns that return no more: `returns(Team as TeamName)`.
///
/// Each field has the name and the type that it has in the entity.
///
/// ```
/// use keywright_derive::{Entity, Projection, Table};
///
/// # #[derive(Table)]
/// # #[table(entities(Team))]
/// # struct App;
/// # #[derive(Entity)]
/// # #[entity(table = App, partition_key = "TEAM#{team_id}", sort_key = "TEAM")]
/// # struct Team { team_id: u64, name: String }
/// #[derive(Projection)]
/// #[projection(of = Team)]
/// struct TeamName {
///     name: String,
/// }
/// ```
#[proc_macro_derive(Projection, attributes(projection))]
pub fn derive_projection(input: TokenStream) -> TokenStream {
    projection::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as one Query or one GetItem of a table; its fields are what the caller gives.
///
/// It implements `AccessPattern`, and `Components`, which fills the keys that it asks for.
///
/// ```
/// use keywright_derive::{AccessPattern, Entity, Table};
///
/// # #[derive(Table)]
/// # #[table(tenant = "organization_id", entities(Team), patterns(TeamById))]
/// # struct App;
/// # #[derive(Entity)]
/// # #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
/// # struct Team { organization_id: String, team_id: u64 }
/// #[derive(AccessPattern)]
/// #[access_pattern(table = App, get_item, returns(Team), sort_key_equals = "TEAM#{team_id}")]
/// struct TeamById {
///     team_id: u64,
/// }
/// ```
#[proc_macro_derive(AccessPattern, attributes(access_pattern))]
pub fn derive_access_pattern(input: TokenStream) -> TokenStream {
    pattern::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as the list of the access patterns that another crate than the table's declares.
///
/// A table's crate cannot name what depends on it. Such a pattern says `listed_in = Service` and is held to the same rules.
///
/// ```
/// use keywright_derive::{AccessPattern, Entity, PatternList, Table};
///
/// # #[derive(Table)]
/// # #[table(tenant = "organization_id", entities(Team))]
/// # struct App;
/// # #[derive(Entity)]
/// # #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "TEAM#{team_id}")]
/// # struct Team { organization_id: String, team_id: u64 }
/// #[derive(PatternList)]
/// #[pattern_list(table = App, patterns(Teams))]
/// struct Service;
///
/// #[derive(AccessPattern)]
/// #[access_pattern(table = App, listed_in = Service, returns(Team), sort_key_starts_with = "TEAM")]
/// struct Teams;
/// ```
#[proc_macro_derive(PatternList, attributes(pattern_list))]
pub fn derive_pattern_list(input: TokenStream) -> TokenStream {
    pattern_list::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as what must hold of a stored item for a write to happen; its fields are what the caller gives.
///
/// Clauses are those of filters, and all of them must hold. What is compared with an attribute has the type of its values.
///
/// ```
/// use keywright_derive::{Condition, Entity, Table};
///
/// # #[derive(Table)]
/// # #[table(entities(Account))]
/// # struct App;
/// # #[derive(Entity)]
/// # #[entity(table = App, partition_key = "ACCOUNT#{account_id}", sort_key = "ACCOUNT")]
/// # struct Account { account_id: u64, balance: u64, closed_at: Option<u64> }
/// #[derive(Condition)]
/// #[condition(table = App, of = Account, balance >= least, not_exists(closed_at))]
/// struct HasBalance {
///     least: u64,
/// }
/// ```
#[proc_macro_derive(Condition, attributes(condition))]
pub fn derive_condition(input: TokenStream) -> TokenStream {
    condition::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as a change of a stored item; its fields are the new values, or what is added, subtracted, appended or taken out.
///
/// It implements `Update`, and `Components`, which fills the keys of indexes anew. What a stored item's key is made of does
/// not change, and an update of a component gives all that the key of its index is rendered from.
///
/// ```
/// use keywright_derive::{Entity, Table, Update};
///
/// # #[derive(Table)]
/// # #[table(entities(Task))]
/// # struct App;
/// # #[derive(Entity)]
/// # #[entity(table = App, partition_key = "TASK#{task_id}", sort_key = "TASK")]
/// # struct Task { task_id: u64, status: String, points: u64, notes: Vec<String>, nickname: Option<String> }
/// #[derive(Update)]
/// #[update(table = App, of = Task, remove(nickname))]
/// struct CompleteTask {
///     status: String,
///     #[update(add)]
///     points: u64,
///     #[update(append)]
///     notes: Vec<String>,
/// }
/// ```
#[proc_macro_derive(Update, attributes(update))]
pub fn derive_update(input: TokenStream) -> TokenStream {
    update::derive(&parse_macro_input!(input as DeriveInput)).into()
}
