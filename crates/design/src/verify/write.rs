//! `KW08`: writes, time to live, streams and replication.

mod absence_of_expired;
mod add_to_no_number;
mod audit_changed;
mod audit_view;
mod batch_in_chunks;
mod batch_with_condition;
mod batches_not_tuned;
mod claim_without_condition;
mod consumer_not_idempotent;
mod consumer_without_stream;
mod counter_overwritten;
mod deletes_without_image;
mod effect_twice;
mod goes_below_zero;
mod image_missing;
mod index_key_half_known;
mod key_attribute_changed;
mod lock_without_lease;
mod no_dead_letters;
mod once_does_not_hold;
mod region_local_condition;
mod replicated_capacity;
mod replicated_stream;
mod replication_regions;
mod retries_without_limit;
mod stays_for_ever;
mod stream_without_consumer;
mod strong_replication;
mod time_to_live_not_seconds;
mod time_to_live_of_nothing;
mod token_window;
mod too_many_consumers;
mod transaction_across_regions;
mod transaction_of_one;
mod transaction_too_large;
mod version_not_compared;

use super::rule::Rule;
use crate::facts::Facts;
use crate::model::{Entity, Write};

/// The rules, in the order of their codes.
pub(super) static RULES: &[&Rule] = &[
    &stays_for_ever::RULE,
    &time_to_live_of_nothing::RULE,
    &time_to_live_not_seconds::RULE,
    &absence_of_expired::RULE,
    &claim_without_condition::RULE,
    &lock_without_lease::RULE,
    &version_not_compared::RULE,
    &counter_overwritten::RULE,
    &add_to_no_number::RULE,
    &goes_below_zero::RULE,
    &effect_twice::RULE,
    &once_does_not_hold::RULE,
    &token_window::RULE,
    &key_attribute_changed::RULE,
    &index_key_half_known::RULE,
    &transaction_too_large::RULE,
    &transaction_of_one::RULE,
    &batch_with_condition::RULE,
    &batch_in_chunks::RULE,
    &audit_changed::RULE,
    &audit_view::RULE,
    &consumer_without_stream::RULE,
    &image_missing::RULE,
    &deletes_without_image::RULE,
    &consumer_not_idempotent::RULE,
    &no_dead_letters::RULE,
    &retries_without_limit::RULE,
    &batches_not_tuned::RULE,
    &too_many_consumers::RULE,
    &stream_without_consumer::RULE,
    &region_local_condition::RULE,
    &transaction_across_regions::RULE,
    &strong_replication::RULE,
    &replicated_stream::RULE,
    &replicated_capacity::RULE,
    &replication_regions::RULE,
];

/// The entities that a write writes, as far as they are there.
fn written<'d>(facts: &Facts<'d>, write: &'d Write) -> impl Iterator<Item = &'d Entity> + Clone {
    write.entities.iter().filter_map(|name| facts.entity(name))
}
