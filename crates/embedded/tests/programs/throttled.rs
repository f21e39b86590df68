//! Calls that exceed a limit of throughput for longer than the SDK's own attempts last.

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::faults::{Fault, Rule, When};

use crate::{Item, Scene, TABLE, is_throttled, names, pauses, row, string};

/// The first seven writes of one large customer.
fn hot_customer() -> Rule {
    Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput))
        .operation(Operation::PutItem)
        .key_prefix("ORG#large")
        .when(When::First(7))
}

/// Logs what fails, and goes on.
async fn load_and_log(scene: &Scene, rows: &[String]) {
    for name in rows {
        let put = scene.client.put_item().table_name(TABLE).set_item(Some(row(name)));
        if let Err(error) = put.send().await {
            println!("{name}: {error:?}");
        }
    }
}

/// Tries each row again after ever longer pauses; returns why it had to.
async fn load_all(scene: &Scene, rows: &[String]) -> Vec<String> {
    let mut reasons = Vec::new();
    for name in rows {
        let mut is_written = false;
        for pause in pauses() {
            let put = scene.client.put_item().table_name(TABLE).set_item(Some(row(name)));
            let Err(error) = put.send().await else {
                is_written = true;
                break;
            };
            let PutItemError::ThrottlingException(throttled) = error.into_service_error() else {
                panic!("{name} is refused for another reason")
            };
            reasons.extend(throttled.throttling_reasons().iter().filter_map(|reason| reason.reason.clone()));
            scene.pause(pause);
        }
        assert!(is_written, "{name}");
    }
    reasons
}

#[tokio::test]
async fn a_loader_that_logs_what_is_throttled_loses_rows_and_one_that_tries_again_does_not() {
    let rows = [names("ORG#large", 20), names("ORG#small", 20)].concat();
    let scene = Scene::new([hot_customer()]).await;
    load_and_log(&scene, &rows).await;
    // Three attempts for each of the first two rows; the third row succeeds with its second attempt.
    assert_eq!(scene.rows().await, rows[2..]);

    let scene = Scene::new([hot_customer()]).await;
    let reasons = load_all(&scene, &rows).await;
    assert_eq!(scene.rows().await, rows);
    assert_eq!(reasons, ["TableWriteKeyRangeThroughputExceeded"; 2], "which says what to spread, and where");
}

/// Four pages of ten rows; the third one is throttled for the attempts of a whole call.
fn throttled_page() -> Rule {
    Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput))
        .operation(Operation::Scan)
        .when(When::Calls(vec![3, 4, 5]))
}

/// Shows what it has when a page fails.
async fn list_and_stop(scene: &Scene) -> usize {
    let mut pages = scene.client.scan().table_name(TABLE).limit(10).into_paginator().send();
    let mut found = 0;
    while let Some(Ok(page)) = pages.next().await {
        found += page.items().len();
    }
    found
}

/// Goes on from the last page's key.
async fn list_all(scene: &Scene) -> usize {
    let (mut found, mut start): (usize, Option<Item>) = (0, None);
    let mut waits = pauses();
    loop {
        let page = scene.client.scan().table_name(TABLE).limit(10).set_exclusive_start_key(start.clone());
        match page.send().await {
            Ok(page) => {
                found += page.items().len();
                match page.last_evaluated_key {
                    Some(key) => start = Some(key),
                    None => return found,
                }
            }
            Err(error) => {
                assert!(is_throttled(&error), "{error:?}");
                scene.pause(waits.next().expect("it does not last for ever"));
            }
        }
    }
}

#[tokio::test]
async fn a_list_that_ends_at_a_throttled_page_is_short_and_one_that_goes_on_from_its_key_is_whole() {
    for program in ["naive", "right"] {
        let scene = Scene::new([throttled_page()]).await;
        load_and_log(&scene, &names("row", 40)).await;
        match program {
            "naive" => assert_eq!(list_and_stop(&scene).await, 20),
            _ => assert_eq!(list_all(&scene).await, 40),
        }
    }
}

/// The second of ten e-mail addresses looks free, because looking was throttled.
#[tokio::test]
async fn a_look_that_was_throttled_is_no_answer() {
    let rule = || {
        Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput))
            .operation(Operation::GetItem)
            .when(When::Calls(vec![2, 3, 4]))
    };
    let rows = names("mail", 10);
    let scene = Scene::new([rule()]).await;
    load_and_log(&scene, &rows).await;
    let mut free = Vec::new();
    for name in &rows {
        let get = scene.client.get_item().table_name(TABLE).key("pk", string(name.as_str()));
        // As `catch { return null }` in other languages.
        if get.send().await.ok().and_then(|answer| answer.item).is_none() {
            free.push(name.clone());
        }
    }
    assert_eq!(free, rows[1..2]);

    let scene = Scene::new([rule()]).await;
    load_and_log(&scene, &rows).await;
    for name in &rows {
        let mut waits = pauses();
        let item = loop {
            let get = scene.client.get_item().table_name(TABLE).key("pk", string(name.as_str()));
            match get.send().await {
                Ok(answer) => break answer.item,
                Err(error) => {
                    assert!(is_throttled(&error), "{error:?}");
                    scene.pause(waits.next().expect("it does not last for ever"));
                }
            }
        };
        assert!(item.is_some(), "{name}");
    }
}
