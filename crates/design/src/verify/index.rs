//! `KW07`: indexes.

mod back_pressure;
mod capacity;
mod decision_on_index;
mod discriminator_not_in_index;
mod expiry_not_in_index;
mod few_partition_keys;
mod joined_attributes;
mod key_parts;
mod key_type;
mod local_index;
mod moving_key;
mod needs;
mod not_sparse;
mod price;
mod projects_all;
mod quota;
mod rendered_twice;
mod same_index;
mod undeclared_entry;
mod unread;
mod unread_projection;

use super::rule::Rule;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[
    &quota::RULE,
    &unread::RULE,
    &projects_all::RULE,
    &unread_projection::RULE,
    &expiry_not_in_index::RULE,
    &discriminator_not_in_index::RULE,
    &not_sparse::RULE,
    &same_index::RULE,
    &moving_key::RULE,
    &few_partition_keys::RULE,
    &capacity::RULE,
    &back_pressure::RULE,
    &joined_attributes::RULE,
    &local_index::RULE,
    &decision_on_index::RULE,
    &rendered_twice::RULE,
    &undeclared_entry::RULE,
    &key_type::RULE,
];
