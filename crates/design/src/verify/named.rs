//! `KW05`: what must be named, and what must be decided.

mod alarms_missing;
mod alarms_undecided;
mod backup_undecided;
mod billing_undecided;
mod deletion_protection_undecided;
mod entity_never_read;
mod names_nothing;
mod scan_without_cap;
mod scan_without_job;
mod several_tables;
mod sorted_by;
mod stale_exception;
mod stream_undecided;
mod table_without_entities;
mod tags_undecided;
mod tenancy_undecided;
mod time_to_live_undecided;

use super::rule::Rule;

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[
    &names_nothing::RULE,
    &several_tables::RULE,
    &scan_without_job::RULE,
    &scan_without_cap::RULE,
    &tenancy_undecided::RULE,
    &time_to_live_undecided::RULE,
    &stream_undecided::RULE,
    &backup_undecided::RULE,
    &billing_undecided::RULE,
    &alarms_undecided::RULE,
    &alarms_missing::RULE,
    &deletion_protection_undecided::RULE,
    &tags_undecided::RULE,
    &sorted_by::RULE,
    &entity_never_read::RULE,
    &table_without_entities::RULE,
    &stale_exception::RULE,
];
