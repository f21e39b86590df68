//! The keys of the file: one table a section.
//!
//! These tables drive the check of a file, the words of its errors, the schema for editors and the reference page. The reader
//! asks for no key that is not here.

mod billing;
mod entity;
mod pattern;
mod table;
mod tenancy;
mod write;

pub(crate) use billing::{ON_DEMAND, ON_DEMAND_CEILING};
pub(crate) use entity::ENTITY;
pub(crate) use pattern::{EQUALS, PATTERN, RANGE, STARTS_WITH};
pub(crate) use table::TABLE;
pub(crate) use tenancy::TENANCY;
pub(crate) use write::{CLAIM, CONSUMER, EXCEPTION, WRITE};

use super::form::{Form, Key, Section, Twice};
use super::texts::{CONSUMER_NAME, ENTITY_NAME, PATTERN_NAME, REGION, TABLE_NAME, WRITE_NAME};

/// The file.
pub(crate) static FILE: Section = Section {
    called: "the file",
    keys: &[
        Key::optional(
            "region",
            Form::Text(&REGION),
            "the region of the price list",
            "The region whose prices count.",
            &["region = \"us-east-1\""],
        ),
        Key::required(
            "table",
            Form::Map { names: &TABLE_NAME, of: &Form::Table(&TABLE) },
            "The tables, each under its name: 3 to 255 letters, digits, `_`, `-` or `.`.",
            &["[table.app]\npartition_key = \"pk\""],
        )
        .also(&["tables"]),
        Key::optional(
            "tenancy",
            Form::OneOf(&[Form::Table(&TENANCY), Form::False]),
            "nobody has decided, which is reported",
            "Whether tenants share the tables, and which attribute says whose an item is; `false` for one tenant.",
            &["tenancy = { attribute = \"organization_id\" }", "tenancy = false"],
        )
        .also(&["tenant", "tenants"]),
        Key::optional(
            "entity",
            Form::Map { names: &ENTITY_NAME, of: &Form::Table(&ENTITY) },
            "no entities",
            "The kinds of items, each under its name: a letter, then letters, digits, `_` or `-`, 64 at most.",
            &["[entity.member]\npartition_key = \"ORG#{organization_id}\""],
        )
        .also(&["entities", "item", "items"]),
        Key::optional(
            "pattern",
            Form::Map { names: &PATTERN_NAME, of: &Form::Table(&PATTERN) },
            "no access patterns",
            "The access patterns, each under its name: what is asked of the data.",
            &["[pattern.team_with_members]\nreturns = [\"team\", \"member\"]"],
        )
        .also(&["patterns", "query", "queries", "access_pattern", "access_patterns"]),
        Key::optional(
            "write",
            Form::Map { names: &WRITE_NAME, of: &Form::Table(&WRITE) },
            "no writes but those that entities say",
            "Writes that are more than storing an item now and then, each under its name.",
            &["[write.accept_invitation]\noperation = \"transaction\""],
        )
        .also(&["writes"]),
        Key::optional(
            "consumer",
            Form::Map { names: &CONSUMER_NAME, of: &Form::Table(&CONSUMER) },
            "no consumers",
            "What reads the streams of the tables, each under its name.",
            &["[consumer.search]\nneeds = \"both-images\""],
        )
        .also(&["consumers"]),
        Key::optional(
            "exception",
            Form::List { of: &Form::Table(&EXCEPTION), twice: Twice::Allowed },
            "no exceptions",
            "Findings that the team has looked at and accepts, each with its reason.",
            &["[[exception]]\nrule = \"KW0601\""],
        )
        .also(&["exceptions", "allow", "ignore"]),
    ],
};
