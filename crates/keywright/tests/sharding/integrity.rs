//! A walk over a table whose numbers of shards were raised finds nothing that reads find, and still finds what they do not.

use std::num::NonZeroU64;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::FindingProblem;

use crate::application::*;
use crate::arm::{Arm, in_process_alone};

async fn findings(arm: &Arm, table: &str) -> Vec<FindingProblem> {
    let store = arm.builder_of::<ten::Feed>(table).open().await.unwrap();
    let most = NonZeroU64::new(1000).unwrap();
    let walk = store.maintenance("a test").integrity(most).checking::<ten::Event>();
    let mut pages = walk.pages().unwrap();
    let mut findings = Vec::new();
    while let Some(page) = pages.next().await.unwrap() {
        findings.extend(page.findings.into_iter().map(|finding| finding.problem().clone()));
    }
    findings
}

/// After the number of an index was raised every old row was reported, though reads find it by the earlier number.
#[tokio::test]
async fn rows_of_earlier_numbers_are_right_in_the_table_and_in_its_indexes() {
    let arm = in_process_alone();
    let plain = plain::Handle::create(&arm).await;
    let three = three::Handle::open(&arm, plain.table(), "acme").await;
    let ten = ten::Handle::open(&arm, plain.table(), "acme").await;
    for number in 0..30 {
        let row = row("news", &format!("{number:02}"));
        match number % 3 {
            0 => plain.put(&row).await.unwrap(),
            1 => three.put(&row).await.unwrap(),
            _ => ten.put(&row).await.unwrap(),
        }
    }
    assert_eq!(ten.ids(Reading::of(Of::Author("ada".to_owned()))).await.len(), 30, "all are found");

    assert_eq!(findings(&arm, plain.table()).await, []);
}

#[tokio::test]
async fn a_row_in_a_shard_where_nobody_looks_is_found() {
    let arm = in_process_alone();
    let ten = ten::Handle::create(&arm).await;
    ten.put(&row("news", "01")).await.unwrap();
    let scan = arm.client().scan().table_name(ten.table()).send().await.unwrap();
    let [item] = scan.items() else { panic!("{scan:?}") };
    let of_index = item.iter().find(|(name, value)| {
        *name != "pk" && value.as_s().is_ok_and(|text| text.starts_with("ORG#acme#AUTHOR#ada#"))
    });
    let (name, value) = of_index.unwrap();
    let (unsharded, _) = value.as_s().unwrap().rsplit_once('#').unwrap();
    let mut found = Vec::new();
    for shard in 0..10 {
        let mut moved = item.clone();
        moved.insert(name.clone(), AttributeValue::S(format!("{unsharded}#{shard}")));
        arm.client().put_item().table_name(ten.table()).set_item(Some(moved)).send().await.unwrap();
        found.push(findings(&arm, ten.table()).await);
    }

    // Reads look for it in its shard of ten and in its shard of three, which may be one.
    let right = found.iter().filter(|found| found.is_empty()).count();
    assert!((1..=2).contains(&right), "{found:?}");
    let wrong =
        found.iter().filter(|found| matches!(found[..], [FindingProblem::IndexKey { index: "ByDay", .. }]));
    assert_eq!(wrong.count(), 10 - right);
}
