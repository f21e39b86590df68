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
#[path = "../../../server/tests/wire/gate.rs"]
mod gate;
mod in_process;
mod plain_http;

macro_rules! on_both_arms {
    ($($case:ident,)*) => {
        mod embedded {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    crate::cases::$case(crate::arm::embedded()).await;
                }
            )*
        }

        mod over_http {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    crate::cases::$case(crate::arm::over_http()).await;
                }
            )*
        }
    };
}

on_both_arms! {
    a_table_is_created_described_listed_and_deleted,
    lists_of_tables_come_in_pages,
    an_item_of_every_type_comes_back_as_it_was_put,
    an_item_is_replaced_and_deleted_and_the_old_one_returned,
    a_query_reads_ranges_in_both_directions,
    a_paginator_reads_every_page_once,
    refusals_are_the_typed_errors_of_the_operation,
    a_validation_error_carries_its_code_and_message,
    consumed_capacity_is_reported,
    many_tasks_share_one_client,
}
