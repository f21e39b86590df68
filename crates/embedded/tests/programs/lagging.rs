//! A global index that is behind its table, as it always is on the service.

use std::time::Duration;

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem};
use keywright_engine::faults::{Fault, Rule, When};

use crate::{Item, Scene, TABLE, names, number, row, string};

const LAG: Duration = Duration::from_secs(1);
/// Between two clicks, or two customers.
const MOMENT: Duration = Duration::from_millis(300);

fn lag() -> Rule {
    Rule::new(Fault::IndexLag(LAG)).index("by_owner")
}

/// What the index says of an owner.
async fn owned(scene: &Scene, owner: &str) -> Vec<Item> {
    let query = scene.client.query().table_name(TABLE).index_name("by_owner");
    let query = query.key_condition_expression("#o = :o").expression_attribute_names("#o", "owner");
    query.expression_attribute_values(":o", string(owner)).send().await.unwrap().items.unwrap()
}

fn account(mail: &str, click: usize) -> Item {
    let mut account = row(format!("account {mail} {click}"));
    account.insert("owner".to_owned(), string(mail));
    account
}

/// Looks whether the address is free, and takes it.
async fn look_and_sign_up(scene: &Scene, mail: &str, click: usize) {
    if owned(scene, mail).await.is_empty() {
        let put = scene.client.put_item().table_name(TABLE).set_item(Some(account(mail, click)));
        put.send().await.unwrap();
    }
}

/// Takes the address by an item that has it for its key, together with the account.
async fn claim_and_sign_up(scene: &Scene, mail: &str, click: usize) {
    let put = |item: Item| {
        let put = Put::builder().table_name(TABLE).set_item(Some(item));
        let put = put.condition_expression("attribute_not_exists(pk)").build().unwrap();
        TransactWriteItem::builder().put(put).build()
    };
    let claim = vec![put(row(format!("claim {mail}"))), put(account(mail, click))];
    if let Err(error) = scene.client.transact_write_items().set_transact_items(Some(claim)).send().await {
        let error = error.into_service_error();
        assert!(matches!(error, TransactWriteItemsError::TransactionCanceledException(_)), "{error:?}");
    }
}

async fn accounts(scene: &Scene) -> usize {
    scene.rows().await.iter().filter(|name| name.starts_with("account")).count()
}

/// Ten people who click twice. The seed says whose second look is at an old index.
#[tokio::test]
async fn an_index_that_is_behind_gives_one_address_to_two_accounts_and_a_claim_does_not() {
    let mails = names("mail", 10);
    let scene = Scene::new([lag().when(When::Share(0.5))]).await;
    for mail in &mails {
        for click in 0..2 {
            look_and_sign_up(&scene, mail, click).await;
            scene.clock.advance(MOMENT);
        }
        scene.clock.advance(LAG);
    }
    assert_eq!(accounts(&scene).await, 15);

    let scene = Scene::new([lag().when(When::Share(0.5))]).await;
    for mail in &mails {
        for click in 0..2 {
            claim_and_sign_up(&scene, mail, click).await;
            scene.clock.advance(MOMENT);
        }
        scene.clock.advance(LAG);
    }
    assert_eq!(accounts(&scene).await, 10);
}

/// A shop with ten pieces of an article.
async fn open_shop() -> Scene {
    let scene = Scene::new([lag()]).await;
    let mut article = row("article");
    article.extend([("owner".to_owned(), string("shop")), ("n".to_owned(), number(10))]);
    scene.client.put_item().table_name(TABLE).set_item(Some(article)).send().await.unwrap();
    scene.clock.advance(LAG);
    scene
}

fn stock(article: &Item) -> u64 {
    article["n"].as_n().unwrap().parse().unwrap()
}

/// Takes one from what it read in the index.
async fn sell_by_the_index(scene: &Scene) {
    let left = stock(&owned(scene, "shop").await[0]) - 1;
    let update = scene.client.update_item().table_name(TABLE).key("pk", string("article"));
    let update = update.update_expression("SET n = :left").expression_attribute_values(":left", number(left));
    update.send().await.unwrap();
}

/// Begins with the index too, but writes only if it was right, and else reads the table, where the item in an answer to a
/// failed condition is as good.
async fn sell_on_condition(scene: &Scene) {
    let mut read = stock(&owned(scene, "shop").await[0]);
    loop {
        let update = scene.client.update_item().table_name(TABLE).key("pk", string("article"));
        let update = update
            .update_expression("SET n = :left")
            .condition_expression("n = :read AND n > :none")
            .expression_attribute_values(":left", number(read - 1))
            .expression_attribute_values(":read", number(read))
            .expression_attribute_values(":none", AttributeValue::N("0".to_owned()));
        match update.send().await {
            Ok(_) => return,
            Err(error) => {
                assert_eq!(error.code(), Some("ConditionalCheckFailedException"), "{error:?}");
                read = scene.number("article").await;
            }
        }
    }
}

#[tokio::test]
async fn what_is_computed_from_an_old_index_undoes_what_others_did_unless_it_is_on_condition() {
    let scene = open_shop().await;
    for _ in 0..10 {
        sell_by_the_index(&scene).await;
        scene.clock.advance(MOMENT);
    }
    // Each customer sees the stock as it was four customers before.
    assert_eq!(scene.number("article").await, 7, "ten were sold, and three are missing");

    let scene = open_shop().await;
    for _ in 0..10 {
        sell_on_condition(&scene).await;
        scene.clock.advance(MOMENT);
    }
    assert_eq!(scene.number("article").await, 0);
}
