//! The derives mean the same wherever they are used: under other names, in macros, and beside names of the standard library.
#![deny(missing_docs)]

use ::keywright_derive::{AccessPattern, Condition, Entity, PatternList, Projection, Table, Update};

/// Somewhere else than the key crate's own name.
pub mod data_layer {
    pub use ::keywright_key as key;
}

/// Names that generated code could stumble over.
pub mod shadows {
    /// Not the one of the standard library.
    pub struct Option;
    /// Not the one of the standard library.
    pub struct Result;
    /// Not the attribute of a table.
    pub fn field() {}
}
use self::shadows::field;
#[allow(unused_imports)]
use self::shadows::{Option, Result};

/// Re-exported types under other names.
#[allow(non_camel_case_types)]
pub mod r#type {
    /// A sparse value.
    pub type Maybe = ::core::option::Option<u32>;
    /// Text.
    pub type str = ::std::string::String;
}

/// A table whose key crate is elsewhere.
#[derive(Table)]
#[table(
    crate = crate::data_layer::key,
    tenant = "type",
    entities(r#Struct, made_by_a_macro::Made),
    patterns(Structs),
    index(ByMaybe),
    delimiter = '|',
    timestamp = "unix-seconds",
    letter_case = "lower"
)]
pub struct App;

/// An entity of raw words.
#[derive(Entity)]
#[entity(
    crate = crate::data_layer::key,
    table = crate::App,
    partition_key = "{type:raw}",
    sort_key = "STRUCT|{self_:raw}",
    index(ByMaybe, partition_key = "{type:raw}|MAYBE", sort_key = "{maybe}")
)]
#[allow(non_camel_case_types)]
pub struct r#Struct {
    r#type: r#type::str,
    self_: r#type::str,
    /// Sparse, though no `Option` is to be seen.
    maybe: r#type::Maybe,
}

/// All of them.
#[derive(AccessPattern)]
#[access_pattern(crate = crate::data_layer::key, table = App, index = ByMaybe, returns(r#Struct as Small), skips(), sort_key_range("{maybe}", through = r#fn))]
pub struct Structs {
    r#fn: u32,
}

/// The key alone.
#[derive(Projection)]
#[projection(crate = crate::data_layer::key, of = r#Struct)]
pub struct Small {
    maybe: r#type::Maybe,
}

/// What must hold, with a field called as a raw word is.
#[derive(Condition)]
#[condition(crate = crate::data_layer::key, table = App, of = r#Struct, type = r#type, maybe >= r#fn, exists("type"))]
pub struct Asked {
    r#type: r#type::str,
    r#fn: r#type::Maybe,
}

/// What changes, by a type that does not say that it is an `Option`.
#[derive(Update)]
#[update(crate = crate::data_layer::key, table = App, of = r#Struct)]
pub struct Changed {
    #[update(attribute = "maybe")]
    r#fn: r#type::Maybe,
}

/// Entities that a macro writes.
pub mod made_by_a_macro {
    use super::*;

    macro_rules! entity {
        ($name:ident { $($field:ident: $field_type:ty),* }) => {
            /// Written by a macro.
            #[derive(Entity)]
            #[entity(crate = $crate::data_layer::key, table = App, partition_key = "{type:raw}", sort_key = "MADE|{id:raw}")]
            pub struct $name {
                r#type: ::std::string::String,
                $(
                    /// A field.
                    pub $field: $field_type
                ),*
            }

            /// One of them.
            #[derive(AccessPattern)]
            #[access_pattern(
                crate = $crate::data_layer::key,
                table = App,
                listed_in = List,
                get_item,
                returns($name),
                sort_key_equals = "MADE|{id:raw}"
            )]
            pub struct ById {
                $($field: $field_type),*
            }
        };
    }
    entity!(Made { id: ::std::string::String });

    /// The patterns of this module.
    #[derive(PatternList)]
    #[pattern_list(crate = crate::data_layer::key, table = App, patterns(ById))]
    pub struct List;
}

fn main() {
    field();
}
