//! Batches of items that lie in shards, under the present number and under earlier ones.

use keywright_api::Operation::BatchGetItem;
use keywright_embedded::engine::faults::{Fault, Faults, Rule, When};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm, with_faults};

const NEWS: &str = "news";

#[tokio::test]
async fn a_batch_writes_reads_and_deletes_items_wherever_they_lie() {
    on_every_arm(|arm| async move {
        let plain = plain::Handle::create(&arm).await;
        let three = three::Handle::open(&arm, plain.table(), "acme").await;
        let ten = ten::Handle::open(&arm, plain.table(), "acme").await;
        let ids: Vec<String> = (0..70).map(|number| format!("{number:02}")).collect();
        let rows = |text: &str| -> Vec<Row> {
            ids.iter().map(|id| Row { text: text.to_owned(), ..row(NEWS, id) }).collect()
        };
        plain.put_all(&rows("old")[..20]).await.unwrap();
        three.put_all(&rows("old")[20..40]).await.unwrap();

        ten.put_all(&rows("new")).await.unwrap();

        let scan = arm.client().scan().table_name(ten.table()).send().await.unwrap();
        assert_eq!(scan.count(), 70, "no copies");
        assert_eq!(plain.ids(Reading::topic(NEWS)).await.len(), 20, "each stays where it was");
        let found = ten.pages(Reading::topic(NEWS).limit(50)).await;
        assert_eq!(found.len(), 70);
        assert!(found.iter().all(|(.., text)| text == "new"));
        let asked: Vec<&str> = ids.iter().map(String::as_str).chain(["none"]).collect();
        let got = ten.get_all(NEWS, &asked).await;
        assert!(got[..70].iter().all(|text| text.as_deref() == Some("new")));
        assert_eq!(got[70], None);

        ten.delete_all(NEWS, &asked).await.unwrap();
        assert!(arm.client().scan().table_name(ten.table()).send().await.unwrap().items().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_entity_of_one_number_takes_no_more_calls_than_others() {
    let program = ten_alone::Handle::create(&in_process_alone()).await;
    let rows: Vec<Row> = (0..100).map(|number| row(NEWS, &format!("{number:02}"))).collect();
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();

    assert_eq!(program.put_all(&rows).await.unwrap(), 4);
    assert_eq!(program.delete_all(NEWS, &ids).await.unwrap(), 4);
}

/// Before a batch puts items that may lie under earlier numbers it looks where they lie. What that look had no room for was a failed try of
/// those items, though nothing was throttled.
#[tokio::test]
async fn a_look_that_is_full_is_no_try_of_what_it_had_no_room_for() {
    // The engine has room for whatever the look projects; the service for 1 MB of a partition. So some is given back here.
    let no_room = Rule::new(Fault::Unprocessed { share: 0.2 }).operation(BatchGetItem).when(When::First(1));
    let arm = with_faults(Faults::new(7).rule(no_room).unwrap());
    let plain = plain::Handle::create(&arm).await;
    let alone = ten_alone::Handle::open(&arm, plain.table(), "acme").await;
    let two = two::Handle::open(&arm, plain.table(), "acme").await;
    let large = |number: u32| Row { body: "b".repeat(390_000), ..row(NEWS, &format!("{number:02}")) };
    let rows: Vec<Row> = (0..25).map(large).collect();
    // Both are earlier numbers to the program of two shards: fifty items, 19 MB, of which a fifth is given back.
    plain.put_all(&rows).await.unwrap();
    alone.put_all(&rows).await.unwrap();

    let small: Vec<_> =
        rows.iter().map(|row| two.event(&Row { body: String::new(), ..row.clone() })).collect();
    let once = keywright::BatchBudget { tries: 1.try_into().unwrap(), ..keywright::BatchBudget::default() };
    let begun = arm.now_seconds();
    two.tenant.batch_put(&small).budget(once).send().await.unwrap();
    assert_eq!(arm.now_seconds(), begun, "nothing waited");

    let scan = arm.client().scan().table_name(two.table()).send().await.unwrap();
    assert_eq!(scan.count(), 25, "the copies are gone");
}

/// Two copies, of which the present one is the item: a batch that puts it takes the other away.
#[tokio::test]
async fn a_put_in_a_batch_takes_a_copy_away() {
    let arm = in_process_alone();
    let plain = plain::Handle::create(&arm).await;
    let alone = ten_alone::Handle::open(&arm, plain.table(), "acme").await;
    let ten = ten::Handle::open(&arm, plain.table(), "acme").await;
    plain.put(&row(NEWS, "1")).await.unwrap();
    alone.put(&row(NEWS, "1")).await.unwrap();

    ten.put_all(&[Row { text: "newer".to_owned(), ..row(NEWS, "1") }]).await.unwrap();

    let scan = arm.client().scan().table_name(ten.table()).send().await.unwrap();
    assert_eq!(scan.count(), 1);
    assert_eq!(ten.get(NEWS, "1").await.unwrap().as_deref(), Some("newer"));
}
