//! The rules that must hold at compile time. `design` runs the same functions on a design from a file.
//!
//! A rule is one file: what it is called and why it exists ([`Rule`]), `check`, which says what is wrong if something
//! is, and `enforce`, which stops the compilation with the same words. A rule says nothing where another rule already
//! reports the cause: an entity that is not there, a template that names no field.
//!
//! Codes are stable and are never used again. The first two digits are the subject: `KW01` templates and keys, `KW02`
//! tables and entities, `KW03` access patterns, conditions and updates, `KW04` tenants.

/// `enforce` of a rule: `check`, and a message stops the compilation.
macro_rules! enforced {
    (Table) => {
        /// Stops the compilation with what [`check`] finds.
        ///
        /// # Panics
        /// When the rule is broken.
        #[track_caller]
        pub const fn enforce(table: &$crate::shape::TableShape<'_>) {
            if let Some(message) = check(table) {
                message.fail()
            }
        }
    };
    (Entity) => {
        /// Stops the compilation with what [`check`] finds.
        ///
        /// # Panics
        /// When the rule is broken.
        #[track_caller]
        pub const fn enforce<'a>(
            table: &$crate::shape::TableShape<'a>,
            entity: &$crate::shape::EntityShape<'a>,
        ) {
            if let Some(message) = check(table, entity) {
                message.fail()
            }
        }
    };
    (Pattern) => {
        /// Stops the compilation with what [`check`] finds.
        ///
        /// # Panics
        /// When the rule is broken.
        #[track_caller]
        pub const fn enforce<'a>(
            table: &$crate::shape::TableShape<'a>,
            pattern: &$crate::shape::PatternShape<'a>,
        ) {
            if let Some(message) = check(table, pattern) {
                message.fail()
            }
        }
    };
    (Condition) => {
        /// Stops the compilation with what [`check`] finds.
        ///
        /// # Panics
        /// When the rule is broken.
        #[track_caller]
        pub const fn enforce<'a>(
            table: &$crate::shape::TableShape<'a>,
            condition: &$crate::shape::ConditionShape<'a>,
        ) {
            if let Some(message) = check(table, condition) {
                message.fail()
            }
        }
    };
    (Update) => {
        /// What is wrong with the update, if something is: the first change with which something is.
        #[must_use]
        pub const fn check<'a>(
            table: &$crate::shape::TableShape<'a>,
            update: &$crate::shape::UpdateShape<'a>,
        ) -> Option<$crate::message::Message> {
            let mut place = 0;
            while place < update.changes.len() {
                if let Some(message) = check_change(table, update, place) {
                    return Some(message);
                }
                place += 1;
            }
            None
        }

        /// Stops the compilation with what [`check_change`] finds.
        ///
        /// # Panics
        /// When the change at `place` breaks the rule.
        #[track_caller]
        pub const fn enforce_change<'a>(
            table: &$crate::shape::TableShape<'a>,
            update: &$crate::shape::UpdateShape<'a>,
            place: usize,
        ) {
            if let Some(message) = check_change(table, update, place) {
                message.fail()
            }
        }
    };
}

mod changing;
mod key_view;
mod placed_template;
mod reach;
mod reading;

pub mod action_type;
pub mod attributes_left_to_right;
pub mod changed_twice;
pub mod component_computed;
pub mod component_form;
pub mod component_type;
pub mod condition_attribute;
pub mod consistent_read;
pub mod deviation;
pub mod entity_not_listed;
pub mod entity_not_named;
pub mod expiry_of_purpose;
pub mod filter_on_key;
pub mod format_differs;
pub mod index_key_incomplete;
pub mod index_schema;
pub mod key_changed;
pub mod key_schema;
pub mod key_too_long;
pub mod managed_attribute;
pub mod not_in_index;
pub mod not_projected;
pub mod optional_component;
pub mod partition_key_given;
pub mod pattern_not_listed;
pub mod required_removed;
pub mod reservation;
pub mod reservation_update;
pub mod reserved_attribute;
pub mod same_attribute;
pub mod same_discriminator;
pub mod same_key;
pub mod several_partitions;
pub mod sharded_purpose;
pub mod sharded_without_sort_key;
pub mod sort_key_boundary;
pub mod sort_key_given;
pub mod sort_key_range;
pub mod template_text;
pub mod tenant_argument;
pub mod tenant_missing;
pub mod tenant_place;
pub mod tenant_scope;
pub mod time_to_live;
pub mod time_to_live_type;
pub mod unknown_field;
pub mod unknown_name;
pub mod unused_argument;
pub mod update_attribute;
pub mod version;
pub mod whole_key;

use crate::message::Message;
use crate::shape::{ConditionShape, EntityShape, PatternShape, TableShape, UpdateShape};

/// What a rule is called, what it finds and why. Its page in the documentation is made of this.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The stable code: `KW0301`.
    pub code: &'static str,
    /// The name in words joined by hyphens, as the rule's page is called.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// How bad it is to break it.
    pub severity: Severity,
    /// What it finds.
    pub finds: &'static str,
    /// Why that hurts.
    pub hurts: &'static str,
    /// An example that breaks it, in the form of `keywright.toml`.
    pub example: &'static str,
    /// What to do instead.
    pub instead: &'static str,
    /// What it looks at, and the function that looks.
    pub check: Check,
}

/// How bad it is to break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It does not compile, and a design with it does not verify.
    Error,
    /// It is reported, and nothing stops.
    Warning,
}

/// What a rule looks at: it gives a message if the rule is broken.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The text of a template, while it is parsed.
    Text,
    /// A table as a whole.
    Table(fn(&TableShape<'_>) -> Option<Message>),
    /// An entity of a table, and the table.
    Entity(for<'a> fn(&TableShape<'a>, &EntityShape<'a>) -> Option<Message>),
    /// A pattern of a table, and the table.
    Pattern(for<'a> fn(&TableShape<'a>, &PatternShape<'a>) -> Option<Message>),
    /// A condition of a program on items of a table, and the table.
    Condition(for<'a> fn(&TableShape<'a>, &ConditionShape<'a>) -> Option<Message>),
    /// An update of a program of items of a table, and the table.
    Update(for<'a> fn(&TableShape<'a>, &UpdateShape<'a>) -> Option<Message>),
}

/// Every rule, in the order of the codes.
pub static RULES: &[&Rule] = &[
    &template_text::RULE,
    &unknown_field::RULE,
    &component_form::RULE,
    &optional_component::RULE,
    &key_too_long::RULE,
    &entity_not_listed::RULE,
    &pattern_not_listed::RULE,
    &same_key::RULE,
    &same_discriminator::RULE,
    &key_schema::RULE,
    &index_schema::RULE,
    &format_differs::RULE,
    &time_to_live::RULE,
    &sharded_without_sort_key::RULE,
    &reserved_attribute::RULE,
    &version::RULE,
    &same_attribute::RULE,
    &expiry_of_purpose::RULE,
    &sharded_purpose::RULE,
    &reservation::RULE,
    &time_to_live_type::RULE,
    &partition_key_given::RULE,
    &sort_key_given::RULE,
    &sort_key_boundary::RULE,
    &sort_key_range::RULE,
    &not_in_index::RULE,
    &not_projected::RULE,
    &consistent_read::RULE,
    &entity_not_named::RULE,
    &component_type::RULE,
    &attributes_left_to_right::RULE,
    &several_partitions::RULE,
    &unused_argument::RULE,
    &whole_key::RULE,
    &filter_on_key::RULE,
    &unknown_name::RULE,
    &condition_attribute::RULE,
    &update_attribute::RULE,
    &key_changed::RULE,
    &index_key_incomplete::RULE,
    &managed_attribute::RULE,
    &changed_twice::RULE,
    &component_computed::RULE,
    &required_removed::RULE,
    &action_type::RULE,
    &reservation_update::RULE,
    &tenant_missing::RULE,
    &deviation::RULE,
    &tenant_place::RULE,
    &tenant_argument::RULE,
    &tenant_scope::RULE,
];

/// Everything that a table breaks: each rule for the table, for each entity and for each pattern, the same words once.
///
/// ```
/// use keywright_key::rule::verify;
/// use keywright_key::{AttributeShape, ComponentKind, EntityShape, KeyFormat, KeyShape, TableShape, TemplateShape};
///
/// const ATTRIBUTES: &[AttributeShape<'static>] = &[AttributeShape::component("team_id", ComponentKind::Text)];
/// const KEY: KeyShape<'static> = KeyShape::new(
///     TemplateShape::of("TEAM#{team_id}", KeyFormat::STANDARD),
///     TemplateShape::of("TEAM", KeyFormat::STANDARD),
/// );
/// const TEAM: EntityShape<'static> = EntityShape::new("Team", "team", KEY, ATTRIBUTES);
/// const TWIN: EntityShape<'static> = EntityShape::new("Twin", "twin", KEY, ATTRIBUTES);
///
/// let found = verify(&TableShape::new("App").with_entities(&[&TEAM, &TWIN]));
/// assert_eq!(found.len(), 1);
/// assert!(found[0].as_str().starts_with("KW0203: `Team` and `Twin` can render the same key"));
/// ```
#[must_use]
pub fn verify(table: &TableShape<'_>) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    for rule in RULES {
        let messages: Vec<Message> = match rule.check {
            // No table lists conditions and updates: programs say them where they write.
            Check::Text | Check::Condition(_) | Check::Update(_) => Vec::new(),
            Check::Table(check) => check(table).into_iter().collect(),
            Check::Entity(check) => table.entities.iter().filter_map(|entity| check(table, entity)).collect(),
            Check::Pattern(check) => {
                table.patterns.iter().filter_map(|pattern| check(table, pattern)).collect()
            }
        };
        for message in messages {
            if !found.contains(&message) {
                found.push(message);
            }
        }
    }
    found
}
