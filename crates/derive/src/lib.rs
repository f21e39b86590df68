//! Tables, entities and access patterns as types: the derives that hand a design to the compiler.
//!
//! A derive writes down what a struct says as data (`SHAPE`), and one constant for each rule of `keywright-key`, reported
//! at the user's own word. It decides nothing itself: the rules and their texts are those of the key crate, which
//! `keywright design check` runs too. `docs/derive.md` is the guide.

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod entity;
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
mod table;
mod template;

/// A struct as a table, with its indexes as types.
#[proc_macro_derive(Table, attributes(table))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    table::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as one kind of item of a table.
#[proc_macro_derive(Entity, attributes(entity))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    entity::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as some of the attributes of an entity, for patterns that return no more.
#[proc_macro_derive(Projection, attributes(projection))]
pub fn derive_projection(input: TokenStream) -> TokenStream {
    projection::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as one Query or one GetItem of a table; its fields are what the caller gives.
#[proc_macro_derive(AccessPattern, attributes(access_pattern))]
pub fn derive_access_pattern(input: TokenStream) -> TokenStream {
    pattern::derive(&parse_macro_input!(input as DeriveInput)).into()
}

/// A struct as the list of the access patterns that another crate than the table's declares.
#[proc_macro_derive(PatternList, attributes(pattern_list))]
pub fn derive_pattern_list(input: TokenStream) -> TokenStream {
    pattern_list::derive(&parse_macro_input!(input as DeriveInput)).into()
}
