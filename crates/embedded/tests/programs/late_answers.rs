//! Answers that come later than the program waits, and calls that are carried out when nobody waits any more.

use std::future::Future;
use std::time::Duration;

use aws_sdk_dynamodb::types::{TransactWriteItem, Update};
use keywright_api::Operation;
use keywright_engine::faults::{Fault, Moment, Rule, When};

use crate::{READ_TIMEOUT, Scene, TABLE, number, row, string};

const DELAY: Duration = READ_TIMEOUT.saturating_mul(2);

fn slow(moment: Moment) -> Rule {
    Rule::new(Fault::Delay(moment, DELAY))
        .operation(Operation::UpdateItem)
        .operation(Operation::TransactWriteItems)
        .when(When::First(1))
}

/// Lets the client's patience end as soon as the count is there and its answer is not.
async fn impatiently<Answer>(scene: &Scene, call: impl Future<Output = Answer>) -> Answer {
    let time = async {
        while scene.number("count").await == 0 {
            tokio::task::yield_now().await;
        }
        scene.clock.advance(READ_TIMEOUT);
    };
    tokio::join!(call, time).0
}

/// The program sends one count. Its client does not wait for the answer, and sends another one.
#[tokio::test]
async fn a_count_whose_answer_is_late_is_counted_twice_without_a_token_and_once_with_it() {
    let scene = Scene::new([slow(Moment::AfterCommit)]).await;
    let update = scene.client.update_item().table_name(TABLE).key("pk", string("count"));
    let update = update.update_expression("ADD n :one").expression_attribute_values(":one", number(1));
    impatiently(&scene, update.send()).await.unwrap();
    assert_eq!(scene.number("count").await, 2);

    let scene = Scene::new([slow(Moment::AfterCommit)]).await;
    let update = Update::builder().table_name(TABLE).set_key(Some(row("count")));
    let update = update.update_expression("ADD n :one").expression_attribute_values(":one", number(1));
    let update = TransactWriteItem::builder().update(update.build().unwrap()).build();
    impatiently(&scene, scene.client.transact_write_items().transact_items(update).send()).await.unwrap();
    assert_eq!(scene.number("count").await, 1);
}

/// Sets the state of a document, whatever it is.
async fn set(scene: &Scene, state: u64) {
    let update = scene.client.update_item().table_name(TABLE).key("pk", string("document"));
    let update = update.update_expression("SET n = :n").expression_attribute_values(":n", number(state));
    update.send().await.unwrap();
}

/// Sets the state of a document that still has the version which the program read.
async fn set_version(scene: &Scene, state: u64, read: u64) {
    let update = scene.client.update_item().table_name(TABLE).key("pk", string("document"));
    let update = update
        .update_expression("SET n = :n, version = :next")
        .condition_expression("attribute_not_exists(version) OR version = :read")
        .expression_attribute_values(":n", number(state))
        .expression_attribute_values(":next", number(read + 1))
        .expression_attribute_values(":read", number(read));
    update.send().await.unwrap();
}

const DRAFT: u64 = 1;
const PUBLISHED: u64 = 2;

/// The first attempt is held up, the second one succeeds, the document goes on, and then the first attempt arrives.
#[tokio::test]
async fn a_write_that_arrives_late_overwrites_what_came_after_it_unless_it_has_a_version() {
    let time = |scene: &Scene| {
        let clock = scene.clock.clone();
        async move { clock.advance(READ_TIMEOUT) }
    };
    let scene = Scene::new([slow(Moment::BeforeCommit)]).await;
    tokio::join!(set(&scene, DRAFT), time(&scene));
    assert_eq!(scene.number("document").await, DRAFT);
    set(&scene, PUBLISHED).await;
    assert_eq!(scene.number("document").await, PUBLISHED);
    scene.clock.advance(DELAY);
    while scene.number("document").await == PUBLISHED {
        tokio::task::yield_now().await;
    }
    assert_eq!(scene.number("document").await, DRAFT, "the published document is a draft again");

    let scene = Scene::new([slow(Moment::BeforeCommit)]).await;
    tokio::join!(set_version(&scene, DRAFT, 0), time(&scene));
    set_version(&scene, PUBLISHED, 1).await;
    scene.clock.advance(DELAY);
    for _ in 0..100 {
        assert_eq!(scene.number("document").await, PUBLISHED, "the late one is refused");
        tokio::task::yield_now().await;
    }
}
