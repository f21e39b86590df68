//! Batches of which a part comes back.

use aws_sdk_dynamodb::types::{KeysAndAttributes, PutRequest, WriteRequest};
use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::faults::{Fault, Rule, When};

use crate::{Item, Scene, TABLE, is_throttled, names, pauses, row};

fn requests(rows: &[String]) -> Vec<WriteRequest> {
    let put = |name: &String| PutRequest::builder().set_item(Some(row(name))).build().unwrap();
    rows.iter().map(|name| WriteRequest::builder().put_request(put(name)).build()).collect()
}

/// Takes a batch without an error for a batch that was written.
async fn write_and_forget(scene: &Scene, rows: &[String]) {
    for chunk in rows.chunks(25) {
        scene.client.batch_write_item().request_items(TABLE, requests(chunk)).send().await.unwrap();
    }
}

/// Sends what came back again, five times in all, at once, and then goes on.
async fn write_in_five_tries(scene: &Scene, rows: &[String]) {
    for chunk in rows.chunks(25) {
        let mut left = requests(chunk);
        let mut tries = 0;
        while !left.is_empty() && tries < 5 {
            let answer = scene.client.batch_write_item().request_items(TABLE, left).send().await.unwrap();
            left = answer.unprocessed_items.and_then(|mut tables| tables.remove(TABLE)).unwrap_or_default();
            tries += 1;
        }
    }
}

/// Sends what came back again after ever longer pauses, and returns what it could not write.
async fn write_all(scene: &Scene, rows: &[String]) -> Vec<WriteRequest> {
    let mut unwritten = Vec::new();
    for chunk in rows.chunks(25) {
        let mut left = requests(chunk);
        for pause in pauses() {
            match scene.client.batch_write_item().request_items(TABLE, left.clone()).send().await {
                Ok(answer) => {
                    let tables = answer.unprocessed_items;
                    left = tables.and_then(|mut tables| tables.remove(TABLE)).unwrap_or_default();
                }
                // Nothing of the batch was written.
                Err(error) => assert!(is_throttled(&error), "{error:?}"),
            }
            if left.is_empty() {
                break;
            }
            scene.pause(pause);
        }
        unwritten.extend(left);
    }
    unwritten
}

/// A burst: of each of the first twelve batches, one half comes back.
fn burst() -> Rule {
    Rule::new(Fault::Unprocessed { share: 0.5 }).operation(Operation::BatchWriteItem).when(When::First(12))
}

#[tokio::test]
async fn a_program_that_ignores_unprocessed_items_loses_half_of_its_rows() {
    let rows = names("row", 100);
    let scene = Scene::new([burst()]).await;
    write_and_forget(&scene, &rows).await;
    assert_eq!(scene.rows().await.len(), 4 * 12, "of each batch of 25, 13 came back");
}

/// The loop of the pattern's own text: after the fifth try, and without a pause between them, a row is lost without a word.
#[tokio::test]
async fn five_tries_without_a_pause_lose_rows_too() {
    let rows = names("row", 100);
    let scene = Scene::new([burst()]).await;
    write_in_five_tries(&scene, &rows).await;
    assert_eq!(scene.rows().await.len(), 98, "25, 13, 7, 4, 2, 1: one row of each of the first two batches");
}

#[tokio::test]
async fn a_program_that_sends_again_what_is_left_until_nothing_is_loses_none() {
    let rows = names("row", 100);
    let scene = Scene::new([burst()]).await;
    assert_eq!(write_all(&scene, &rows).await, []);
    assert_eq!(scene.rows().await, rows);
}

/// Where it never ends, the right program ends all the same, and says what it has not written.
#[tokio::test]
async fn what_cannot_be_written_is_reported_and_not_forgotten() {
    let rows = [names("cold", 90), names("hot", 10)].concat();
    let hot = || Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput)).key_prefix("hot");
    let forgetful = Scene::new([hot().operation(Operation::BatchWriteItem)]).await;
    write_and_forget(&forgetful, &rows).await;
    assert_eq!(forgetful.rows().await, rows[..90], "ten rows are missing, and nobody knows");

    let scene = Scene::new([hot().operation(Operation::BatchWriteItem)]).await;
    assert_eq!(write_all(&scene, &rows).await, requests(&rows[90..]));
    assert_eq!(scene.rows().await, rows[..90]);
}

fn keys(rows: impl IntoIterator<Item = Item>) -> KeysAndAttributes {
    KeysAndAttributes::builder()
        .set_keys(Some(rows.into_iter().collect()))
        .consistent_read(true)
        .build()
        .unwrap()
}

/// Takes a row that is not in the answer for a row that is not there.
async fn read_and_forget(scene: &Scene, rows: &[String]) -> usize {
    let mut found = 0;
    for chunk in rows.chunks(100) {
        let read = scene.client.batch_get_item().request_items(TABLE, keys(chunk.iter().map(row)));
        found += read.send().await.unwrap().responses.unwrap()[TABLE].len();
    }
    found
}

/// Asks again for what came back, and returns how many rows it found and how many it could not read.
async fn read_all(scene: &Scene, rows: &[String]) -> (usize, usize) {
    let (mut found, mut unread) = (0, 0);
    for chunk in rows.chunks(100) {
        let mut left = Some(keys(chunk.iter().map(row)));
        for pause in pauses() {
            let Some(wanted) = left.clone() else { break };
            match scene.client.batch_get_item().request_items(TABLE, wanted).send().await {
                Ok(answer) => {
                    found += answer.responses.unwrap()[TABLE].len();
                    left = answer.unprocessed_keys.and_then(|mut tables| tables.remove(TABLE));
                }
                Err(error) => assert!(is_throttled(&error), "{error:?}"),
            }
            scene.pause(pause);
        }
        unread += left.map_or(0, |left| left.keys.len());
    }
    (found, unread)
}

#[tokio::test]
async fn a_program_that_ignores_unprocessed_keys_takes_rows_that_are_there_for_missing() {
    let rows = names("row", 300);
    let rule = || {
        Rule::new(Fault::Unprocessed { share: 0.3 }).operation(Operation::BatchGetItem).when(When::First(5))
    };
    let scene = Scene::new([rule()]).await;
    write_and_forget(&scene, &rows).await;
    assert_eq!(read_and_forget(&scene, &rows).await, 3 * 70);

    let scene = Scene::new([rule()]).await;
    write_and_forget(&scene, &rows).await;
    assert_eq!(read_all(&scene, &rows).await, (300, 0));
}
