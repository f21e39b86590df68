//! One suite of work through `aws_sdk_dynamodb::Client`, on two arms: the engine in this process, and the same
//! engine behind its HTTP endpoint. What only one arm has is in `in_process`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "what fails in a test's helper fails the test"
)]

mod arm;
mod cases;
mod faults;
#[path = "../../../server/tests/wire/gate.rs"]
mod gate;
mod in_process;
mod indexes;
mod members;
mod plain_http;

macro_rules! on_both_arms {
    ($($module:ident::$case:ident,)*) => {
        mod embedded {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    crate::$module::$case(crate::arm::embedded()).await;
                }
            )*
        }

        mod over_http {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    crate::$module::$case(crate::arm::over_http()).await;
                }
            )*
        }
    };
}

on_both_arms! {
    cases::a_table_is_created_described_listed_and_deleted,
    cases::the_capacity_of_a_table_is_changed,
    cases::lists_of_tables_come_in_pages,
    cases::an_item_of_every_type_comes_back_as_it_was_put,
    cases::an_item_is_replaced_and_deleted_and_the_old_one_returned,
    cases::a_query_reads_ranges_in_both_directions,
    cases::a_paginator_reads_every_page_once,
    cases::refusals_are_the_typed_errors_of_the_operation,
    cases::a_validation_error_carries_its_code_and_message,
    cases::consumed_capacity_is_reported,
    members::a_batch_writes_and_a_batch_reads_several_tables,
    members::a_transaction_writes_all_or_nothing_and_says_why,
    indexes::indexes_are_created_kept_and_read,
    cases::many_tasks_share_one_client,
}
