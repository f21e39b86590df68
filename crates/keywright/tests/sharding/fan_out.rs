//! What a page over several shards is: the order, the end, the filter, and that there is more.

use std::collections::BTreeSet;

use keywright::ReadError;

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

/// Ids in the order of keys.
fn ids(count: u32) -> Vec<String> {
    (0..count).map(|number| format!("{number:04}")).collect()
}

async fn filled(program: &impl Program, count: u32) -> Vec<String> {
    let rows: Vec<Row> = ids(count).iter().map(|id| row("news", id)).collect();
    program.put_all(&rows).await.unwrap();
    ids(count)
}

/// The partition keys under which something lies.
async fn partition_keys(arm: &crate::arm::Arm, table: &str) -> BTreeSet<String> {
    let scan = arm.client().scan().table_name(table).send().await.unwrap();
    scan.items().iter().map(|item| item["pk"].as_s().unwrap().clone()).collect()
}

#[tokio::test]
async fn items_lie_in_all_shards_and_are_read_in_the_order_of_the_sort_key_in_both_directions() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        let expected = filled(&program, 100).await;

        let keys = partition_keys(&arm, program.table()).await;
        assert_eq!(keys, (0..10).map(|shard| format!("ORG#acme#TOPIC#news#{shard}")).collect());
        for limit in [1, 7, 50, 99, 100, 101] {
            assert_eq!(program.ids(Reading::topic("news").limit(limit)).await, expected, "{limit}");
            let mut backward = program.ids(Reading::topic("news").limit(limit).backward()).await;
            backward.reverse();
            assert_eq!(backward, expected, "{limit}");
        }
        assert_eq!(program.ids(Reading::topic("news")).await, expected);
    })
    .await;
}

/// A topic was split over shards, and the newest fifty were read shard by shard: fifty of one shard, then of the next. (Brighter #2810)
#[tokio::test]
async fn the_newest_fifty_are_the_newest_of_all_shards() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        let mut expected = filled(&program, 300).await;
        expected.reverse();

        let page = program.page(&Reading::topic("news").limit(50).backward()).await.unwrap();
        assert_eq!(page.ids(), expected[..50]);
        let page = program.page(&Reading::topic("news").limit(50).backward().after(page.next)).await.unwrap();
        assert_eq!(page.ids(), expected[50..100]);
    })
    .await;
}

#[tokio::test]
async fn a_page_is_as_long_as_its_limit_and_says_whether_there_is_more() {
    let program = ten_alone::Handle::create(&in_process_alone()).await;
    filled(&program, 30).await;

    for (limit, given, has_more) in [(29, 29, true), (30, 30, false), (31, 30, false)] {
        let page = program.page(&Reading::topic("news").limit(limit)).await.unwrap();
        assert_eq!((page.items.len(), page.next.is_some()), (given, has_more), "{limit}");
    }
    let nothing = program.page(&Reading::topic("new").limit(5)).await.unwrap();
    assert_eq!((nothing.items.len(), nothing.next.is_some()), (0, false));
}

#[tokio::test]
async fn what_is_asked_for_as_a_whole_is_whole_or_an_error() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        filled(&program, 60).await;
        let all = |at_most: u32| {
            let news = ten_alone::EventsOfTopic { topic: "news".to_owned() };
            program.tenant.query_sharded(news).all(at_most.try_into().unwrap())
        };

        assert_eq!(all(60).await.unwrap().len(), 60);
        let more = all(59).await;
        assert!(matches!(more, Err(ReadError::TooMany { at_most: 59, .. })), "{more:?}");
    })
    .await;
}

/// A page of ten was what ten reads left after the filter, so it was short, or the rest of what was read was lost.
#[tokio::test]
async fn a_filter_fills_its_pages_and_ends_them_at_the_last_item_that_was_given() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        let mut rows: Vec<Row> = ids(200).iter().map(|id| row("news", id)).collect();
        rows.iter_mut().step_by(10).for_each(|row| row.text = "rare".to_owned());
        program.put_all(&rows).await.unwrap();
        let rare = || Reading::of(Of::Saying("news".to_owned(), "rare".to_owned())).limit(6);

        let page = program.page(&rare()).await.unwrap();
        assert_eq!(page.ids(), ["0000", "0010", "0020", "0030", "0040", "0050"]);
        assert!(page.next.is_some());
        let all = program.ids(rare()).await;
        assert_eq!(all, ids(200).into_iter().step_by(10).collect::<Vec<_>>());
        let none = Reading::of(Of::Saying("news".to_owned(), "none".to_owned())).limit(3);
        assert_eq!(program.ids(none.backward()).await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_range_reads_its_part_of_every_shard_and_a_whole_sort_key_one_shard() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        let all = filled(&program, 100).await;
        let between = |from: &str, until: &str| {
            Reading::of(Of::Between("news".to_owned(), from.to_owned(), until.to_owned()))
        };

        assert_eq!(program.ids(between("0010", "0090").limit(9)).await, all[10..=90]);
        let mut backward = program.ids(between("0010", "0090").limit(9).backward()).await;
        backward.reverse();
        assert_eq!(backward, all[10..=90]);
        assert!(program.ids(between("0090", "0010")).await.is_empty());

        let requests_before = program.usage().reads["EventsBetween"].requests;
        assert_eq!(program.ids(Reading::of(Of::Id("news".to_owned(), "0042".to_owned()))).await, ["0042"]);
        assert_eq!(program.usage().reads["EventsWithId"].requests, 1);
        assert_eq!(program.usage().reads["EventsBetween"].requests, requests_before);
    })
    .await;
}

/// One page of a stream after the other, each read when it is asked for.
#[tokio::test]
async fn pages_come_as_a_stream_too() {
    use std::future::poll_fn;
    use std::pin::Pin;

    use futures_core::Stream;

    let program = ten_alone::Handle::create(&in_process_alone()).await;
    let expected = filled(&program, 45).await;
    let news = || ten_alone::EventsOfTopic { topic: "news".to_owned() };

    let query = program.tenant.query_sharded(news()).limit(20.try_into().unwrap());
    let mut stream = query.pages().into_stream();
    let mut found = Vec::new();
    while let Some(page) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        found.push(page.unwrap().into_items().unwrap());
    }
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [20, 20, 5]);
    assert!(found.concat().iter().map(|event| &event.id).eq(&expected));
    assert_eq!(program.usage().reads["EventsOfTopic"].items_given, 45);
}

/// Items whose time is over are skipped; they fill pages, and never end them.
#[tokio::test]
async fn items_whose_time_is_over_are_gone_and_pages_are_full_without_them() {
    let arm = in_process_alone();
    let program = ten_alone::Handle::create(&arm).await;
    let mut rows: Vec<Row> = ids(60).iter().map(|id| row("news", id)).collect();
    let now = arm.now_seconds();
    rows.iter_mut().step_by(2).for_each(|row| row.expires_at = Some(now));
    program.put_all(&rows).await.unwrap();

    let page = program.page(&Reading::topic("news").limit(20)).await.unwrap();
    assert_eq!(page.items.len(), 20);
    assert_eq!(
        program.ids(Reading::topic("news").limit(20)).await,
        ids(60).into_iter().skip(1).step_by(2).collect::<Vec<_>>()
    );
}

/// A shard ends its answer at 1 MB. What other shards have behind that is not given before what it has not read.
#[tokio::test]
async fn shards_that_end_at_a_megabyte_keep_the_order_without_a_limit() {
    let program = ten_alone::Handle::create(&in_process_alone()).await;
    let mut rows: Vec<Row> = ids(90).iter().map(|id| row("news", id)).collect();
    rows.iter_mut().for_each(|row| row.body = "x".repeat(300_000));
    program.put_all(&rows).await.unwrap();

    let first = program.page(&Reading::topic("news")).await.unwrap();
    assert!(first.next.is_some() && first.items.len() < 90, "{}", first.items.len());
    assert_eq!(program.ids(Reading::topic("news")).await, ids(90));
    let mut backward = program.ids(Reading::topic("news").backward()).await;
    backward.reverse();
    assert_eq!(backward, ids(90));
}
