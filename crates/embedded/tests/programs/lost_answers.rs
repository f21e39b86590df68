//! Answers that do not come: the call was carried out, or it was not, and the program cannot tell.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use keywright_api::Operation;
use keywright_engine::faults::{Fault, Moment, Rule, When};

use crate::{Scene, TABLE, names, number, pauses, row, string};

const ORDERS: usize = 30;
const VIEWS: u64 = 100;

fn lost(fault: Fault) -> Rule {
    Rule::new(fault).operation(Operation::PutItem).when(When::Share(0.3))
}

/// Reports an error to its user, and forgets the order.
async fn give_up(scene: &Scene, orders: &[String]) {
    for order in orders {
        let _reported = scene.client.put_item().table_name(TABLE).set_item(Some(row(order))).send().await;
    }
}

/// Writes the order again, with an identifier that each try generates.
async fn write_anew(scene: &Scene, orders: &[String]) {
    for order in orders {
        for attempt in 0.. {
            let item = row(format!("{order} generated {attempt}"));
            if scene.client.put_item().table_name(TABLE).set_item(Some(item)).send().await.is_ok() {
                break;
            }
        }
    }
}

/// Writes the order again under its own identifier, on condition that it is not there: then it was the first try.
async fn write_once(scene: &Scene, orders: &[String]) {
    for order in orders {
        let mut waits = pauses();
        loop {
            let put = scene.client.put_item().table_name(TABLE).set_item(Some(row(order)));
            match put.condition_expression("attribute_not_exists(pk)").send().await {
                Ok(_) => break,
                Err(error) if error.code() == Some("ConditionalCheckFailedException") => break,
                Err(_) => scene.pause(waits.next().expect("it does not last for ever")),
            }
        }
    }
}

/// For each way to lose an answer: how many rows the seed leaves of 30 orders.
#[tokio::test]
async fn orders_are_lost_or_doubled_unless_a_second_try_knows_the_first() {
    let orders = names("order", ORDERS);
    let cases = [
        (Fault::InternalServerError(Moment::BeforeCommit), 21, 30),
        (Fault::InternalServerError(Moment::AfterCommit), 30, 42),
        (Fault::CutConnection(Moment::BeforeCommit), 23, 30),
        (Fault::CutConnection(Moment::AfterCommit), 30, 42),
    ];
    for (fault, given_up, written_anew) in cases {
        let scene = Scene::without_retries([lost(fault)]).await;
        give_up(&scene, &orders).await;
        assert_eq!(scene.rows().await.len(), given_up, "{fault}: whoever gives up");
        let scene = Scene::without_retries([lost(fault)]).await;
        write_anew(&scene, &orders).await;
        assert_eq!(scene.rows().await.len(), written_anew, "{fault}: whoever writes anew");
        let scene = Scene::without_retries([lost(fault)]).await;
        write_once(&scene, &orders).await;
        assert_eq!(scene.rows().await, orders, "{fault}");
    }
}

/// Nothing in this program sends anything twice: the SDK does.
async fn count_views(scene: &Scene) {
    for _ in 0..VIEWS {
        let update = scene.client.update_item().table_name(TABLE).key("pk", string("views"));
        let update = update.update_expression("ADD n :one").expression_attribute_values(":one", number(1));
        update.send().await.unwrap();
    }
}

/// In a transaction, whose token is the same for all attempts of a call.
async fn count_views_by_transactions(scene: &Scene) {
    for _ in 0..VIEWS {
        let update = Update::builder().table_name(TABLE).set_key(Some(row("views")));
        let update = update.update_expression("ADD n :one").expression_attribute_values(":one", number(1));
        let update = TransactWriteItem::builder().update(update.build().unwrap()).build();
        scene.client.transact_write_items().transact_items(update).send().await.unwrap();
    }
}

/// On condition that the view is not among those that were counted.
async fn count_views_by_name(scene: &Scene) {
    for view in names("view", 100) {
        let update = scene.client.update_item().table_name(TABLE).key("pk", string("views"));
        let update = update
            .update_expression("ADD n :one, counted :this")
            .condition_expression("NOT contains(counted, :view)")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":this", AttributeValue::Ss(vec![view.clone()]))
            .expression_attribute_values(":view", string(view));
        match update.send().await {
            Ok(_) => {}
            Err(SdkError::ServiceError(error)) => {
                assert!(error.err().is_conditional_check_failed_exception(), "{error:?}");
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test]
async fn a_counter_counts_twice_when_the_sdk_sends_again_unless_the_count_has_a_name() {
    let rule = |fault| {
        let rule = Rule::new(fault).operation(Operation::UpdateItem).operation(Operation::TransactWriteItems);
        rule.when(When::Share(0.05))
    };
    let cases = [
        (Fault::InternalServerError(Moment::AfterCommit), 4),
        (Fault::CutConnection(Moment::AfterCommit), 4),
        (Fault::InternalServerError(Moment::BeforeCommit), 0),
        (Fault::CutConnection(Moment::BeforeCommit), 0),
    ];
    for (fault, counted_twice) in cases {
        let scene = Scene::new([rule(fault)]).await;
        count_views(&scene).await;
        assert_eq!(scene.number("views").await, VIEWS + counted_twice, "{fault}");
        let scene = Scene::new([rule(fault)]).await;
        count_views_by_transactions(&scene).await;
        assert_eq!(scene.number("views").await, VIEWS, "{fault}: by transactions");
        let scene = Scene::new([rule(fault)]).await;
        count_views_by_name(&scene).await;
        assert_eq!(scene.number("views").await, VIEWS, "{fault}: by name");
    }
}
