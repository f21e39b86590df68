//! Indexes of and beside keys with shards: there items may have one sort key, in one shard and in several.

use std::collections::BTreeSet;

use crate::application::*;
use crate::arm::{Arm, in_process_alone, on_every_arm};

/// Sixty events of five days, twelve a day: in each shard some of a day.
async fn filled(program: &impl Program) {
    let rows: Vec<Row> = (0..60)
        .map(|number| Row { day: u64::from(number / 12_u32), ..row("news", &format!("{number:02}")) })
        .collect();
    program.put_all(&rows).await.unwrap();
}

/// The days of what was found, and that every item was found once.
fn days(found: &[(String, String, String)]) -> Vec<u32> {
    let ids: BTreeSet<&str> = found.iter().map(|(_, id, _)| id.as_str()).collect();
    assert_eq!(ids.len(), found.len(), "something was found twice");
    found.iter().map(|(_, id, _)| id.parse::<u32>().unwrap() / 12).collect()
}

#[tokio::test]
async fn items_with_one_sort_key_are_found_once_each_in_pages_of_any_size() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        filled(&program).await;
        let author = || Reading::of(Of::Author("ada".to_owned()));
        let since = || Reading::of(Of::AuthorSince("ada".to_owned(), 2));

        let expected: Vec<u32> = (0..60).map(|number| number / 12).collect();
        let backward: Vec<u32> = expected.iter().rev().copied().collect();
        for limit in [1, 5, 12, 13, 60] {
            assert_eq!(days(&program.pages(author().limit(limit)).await), expected, "{limit}");
            assert_eq!(days(&program.pages(author().limit(limit).backward()).await), backward, "{limit}");
            assert_eq!(days(&program.pages(since().limit(limit)).await), expected[24..], "{limit}");
            assert_eq!(
                days(&program.pages(since().limit(limit).backward()).await),
                backward[..36],
                "{limit}"
            );
        }
        assert_eq!(days(&program.pages(author()).await), expected);
    })
    .await;
}

/// Between two pages somebody writes items with the sort key at which the first page ended.
#[tokio::test]
async fn items_that_come_to_the_place_where_a_page_ended_make_nothing_appear_twice_or_not_at_all() {
    let program = ten_alone::Handle::create(&in_process_alone()).await;
    filled(&program).await;
    for backward in [false, true] {
        let mut reading = Reading { backward, ..Reading::of(Of::Author("ada".to_owned())).limit(7) };
        let mut found = Vec::new();
        for round in 0.. {
            let page = program.page(&reading).await.unwrap();
            found.extend(page.items.into_iter().map(Result::unwrap));
            reading.after = page.next;
            if reading.after.is_none() {
                break;
            }
            for day in 0..5 {
                let id = format!("{day}x{round}x{backward}");
                program.put(&Row { day, ..row("other", &id) }).await.unwrap();
            }
        }
        let of_news: Vec<_> = found.iter().filter(|(topic, ..)| topic == "news").cloned().collect();
        assert_eq!(days(&of_news).len(), 60);
        let keys: BTreeSet<_> = found.iter().map(|(topic, id, _)| (topic, id)).collect();
        assert_eq!(keys.len(), found.len(), "something was found twice");
    }
}

#[tokio::test]
async fn a_local_index_is_read_over_the_shards_of_its_table() {
    on_every_arm(|arm| async move {
        let program = ten_alone::Handle::create(&arm).await;
        let mut rows: Vec<Row> = (0..40).map(|number| row("news", &format!("{number:02}"))).collect();
        for (number, row) in rows.iter_mut().enumerate() {
            row.text = format!("{}", (40 - number) / 10);
        }
        program.put_all(&rows).await.unwrap();
        for limit in [3, 40] {
            let found = program.pages(Reading::of(Of::Texts("news".to_owned())).limit(limit)).await;
            let texts: Vec<&str> = found.iter().map(|(.., text)| text.as_str()).collect();
            assert!(texts.is_sorted());
            let ids: BTreeSet<&str> = found.iter().map(|(_, id, _)| id.as_str()).collect();
            assert_eq!((found.len(), ids.len()), (40, 40));
        }
    })
    .await;
}

async fn entries(arm: &Arm, table: &str) -> Vec<String> {
    let scan = arm.client().scan().table_name(table).send().await.unwrap();
    scan.items().iter().map(|item| item["by_day_pk"].as_s().unwrap().clone()).collect()
}

/// Whoever writes an item writes its key in an index with the present number; until then the index is read under the earlier one.
#[tokio::test]
async fn an_index_is_read_under_earlier_numbers_and_written_under_the_present_one() {
    let arm = in_process_alone();
    let plain = plain::Handle::create(&arm).await;
    let ten = ten::Handle::open(&arm, plain.table(), "acme").await;
    filled(&plain).await;
    assert!(entries(&arm, plain.table()).await.iter().all(|key| key == "ORG#acme#AUTHOR#ada"));
    let author = || Reading::of(Of::Author("ada".to_owned())).limit(11);

    assert_eq!(days(&ten.pages(author()).await).len(), 60);
    for number in 0..30 {
        ten.put(&Row { day: number / 12, ..row("news", &format!("{number:02}")) }).await.unwrap();
    }
    assert_eq!(days(&ten.pages(author()).await), (0..60).map(|number| number / 12).collect::<Vec<_>>());
    let moved = entries(&arm, plain.table()).await.into_iter().filter(|key| key != "ORG#acme#AUTHOR#ada");
    assert_eq!(moved.count(), 30);
}
