//! `KW09`: tenants, and whether DynamoDB and the layout fit.

mod another_database;
mod computed_over_items;
mod dearer_class;
mod dearer_mode;
mod fan_out;
mod fixed_capacity;
mod guessable_bearer;
mod leading_keys;
mod never_together;
mod no_ceiling;
mod not_a_query;
mod read_time_check;
mod read_together;
mod tenant_id_form;
mod tenant_in_disguise;

use super::rule::Rule;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[
    &read_time_check::RULE,
    &guessable_bearer::RULE,
    &tenant_id_form::RULE,
    &leading_keys::RULE,
    &not_a_query::RULE,
    &computed_over_items::RULE,
    &another_database::RULE,
    &read_together::RULE,
    &never_together::RULE,
    &fixed_capacity::RULE,
    &dearer_mode::RULE,
    &no_ceiling::RULE,
    &dearer_class::RULE,
    &fan_out::RULE,
    &tenant_in_disguise::RULE,
];
