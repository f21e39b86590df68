//! The number of shards is raised, and lowered: nothing that was written before is lost, doubled or kept from being deleted.

use keywright::Conditional;

use crate::application::*;
use crate::arm::{Arm, in_process_alone, on_every_arm};

const NEWS: &str = "news";

/// The same table as the programs of all times see it.
struct Times {
    plain: plain::Handle,
    three: three::Handle,
    ten: ten::Handle,
    two: two::Handle,
}

impl Times {
    async fn new(arm: &Arm) -> Times {
        let plain = plain::Handle::create(arm).await;
        let table = plain.table().to_owned();
        Times {
            three: three::Handle::open(arm, &table, "acme").await,
            ten: ten::Handle::open(arm, &table, "acme").await,
            two: two::Handle::open(arm, &table, "acme").await,
            plain,
        }
    }

    /// Thirty events, a third of each of the first three times.
    async fn fill(&self) {
        for number in 0..30 {
            let row = row(NEWS, &format!("{number:02}"));
            match number % 3 {
                0 => self.plain.put(&row).await.unwrap(),
                1 => self.three.put(&row).await.unwrap(),
                _ => self.ten.put(&row).await.unwrap(),
            }
        }
    }
}

fn all_ids() -> Vec<String> {
    (0..30).map(|number| format!("{number:02}")).collect()
}

/// How many items the table has, and under which partition keys.
async fn stored(arm: &Arm, table: &str) -> Vec<(String, String)> {
    let scan = arm.client().scan().table_name(table).send().await.unwrap();
    let text = |value: &aws_sdk_dynamodb::types::AttributeValue| value.as_s().unwrap().clone();
    let mut stored: Vec<_> = scan.items().iter().map(|item| (text(&item["sk"]), text(&item["pk"]))).collect();
    stored.sort();
    stored
}

/// The number was raised from three to ten, and the rows of three, and those from before there were shards, were not read any more.
/// (transifex-delivery #125, teleport #43372)
#[tokio::test]
async fn what_was_written_with_an_earlier_number_is_queried_and_got() {
    on_every_arm(|arm| async move {
        let times = Times::new(&arm).await;
        times.fill().await;

        for limit in [4, 30] {
            assert_eq!(times.ten.ids(Reading::topic(NEWS).limit(limit)).await, all_ids());
            assert_eq!(times.two.ids(Reading::topic(NEWS).limit(limit).backward()).await.len(), 30);
        }
        for id in all_ids() {
            assert_eq!(times.ten.get(NEWS, &id).await.unwrap(), Some(format!("about {id}")));
            assert_eq!(times.two.get(NEWS, &id).await.unwrap(), Some(format!("about {id}")));
        }
        assert_eq!(times.ten.get(NEWS, "30").await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_write_of_any_kind_makes_no_second_copy_of_an_item_of_an_earlier_number() {
    on_every_arm(|arm| async move {
        let times = Times::new(&arm).await;
        times.fill().await;
        let before = stored(&arm, times.ten.table()).await;
        let ten = &times.ten;

        for (number, id) in all_ids().iter().enumerate() {
            let edited = Row { text: format!("edited {id}"), ..row(NEWS, id) };
            match number / 3 % 5 {
                0 => ten.put(&edited).await.unwrap(),
                1 => assert!(ten.replace(&edited).await.unwrap()),
                2 => assert!(ten.edit(NEWS, id, &edited.text).await.unwrap()),
                3 => assert!(ten.edit_or_insert(&edited).await.unwrap()),
                _ => {
                    assert!(!ten.insert(&row(NEWS, id)).await.unwrap().is_done());
                    assert!(ten.edit(NEWS, id, &edited.text).await.unwrap());
                }
            }
            assert_eq!(ten.get(NEWS, id).await.unwrap(), Some(edited.text));
        }

        assert_eq!(stored(&arm, ten.table()).await, before, "each is where it was");
        assert_eq!(ten.ids(Reading::topic(NEWS).limit(7)).await, all_ids());
    })
    .await;
}

#[tokio::test]
async fn a_delete_takes_the_item_away_wherever_it_lies() {
    on_every_arm(|arm| async move {
        let times = Times::new(&arm).await;
        times.fill().await;

        for (number, id) in all_ids().iter().enumerate() {
            if number % 2 == 0 {
                times.ten.delete(NEWS, id).await.unwrap();
            } else {
                assert!(times.ten.delete_if_present(NEWS, id).await.unwrap());
                assert!(!times.ten.delete_if_present(NEWS, id).await.unwrap());
            }
        }

        assert!(stored(&arm, times.ten.table()).await.is_empty());
    })
    .await;
}

/// What is not there is not there, whatever is asked of it; then it is put under the present number.
#[tokio::test]
async fn a_new_item_is_put_under_the_present_number() {
    on_every_arm(|arm| async move {
        let times = Times::new(&arm).await;
        let ten = &times.ten;
        assert!(!ten.edit(NEWS, "1", "x").await.unwrap());
        assert!(!ten.replace(&row(NEWS, "1")).await.unwrap());
        assert!(!ten.delete_if_present(NEWS, "1").await.unwrap());

        assert!(ten.insert(&row(NEWS, "1")).await.unwrap().is_done());
        assert!(matches!(ten.insert(&row(NEWS, "1")).await.unwrap(), Conditional::Failed { .. }));
        ten.put(&row(NEWS, "2")).await.unwrap();
        assert!(!ten.edit_or_insert(&row(NEWS, "3")).await.unwrap());

        let alone = ten_alone::Handle::open(&arm, ten.table(), "acme").await;
        assert_eq!(alone.ids(Reading::topic(NEWS)).await, ["1", "2", "3"]);
    })
    .await;
}

/// Two programs wrote with two numbers at one time: each put the item under its own. The copy under the earlier number is never seen,
/// and does not come back when the item is deleted.
#[tokio::test]
async fn of_two_copies_the_present_one_is_the_item_and_a_delete_removes_both() {
    on_every_arm(|arm| async move {
        let times = Times::new(&arm).await;
        let copies = async |id: &str| {
            times.plain.put(&Row { text: "old".to_owned(), ..row(NEWS, id) }).await.unwrap();
            let alone = ten_alone::Handle::open(&arm, times.plain.table(), "acme").await;
            alone.put(&Row { text: "new".to_owned(), ..row(NEWS, id) }).await.unwrap();
        };
        for id in ["1", "2", "3", "4", "5"] {
            copies(id).await;
        }
        assert_eq!(stored(&arm, times.ten.table()).await.len(), 10);

        let ten = &times.ten;
        for limit in [1, 2, 10] {
            for reading in [Reading::topic(NEWS), Reading::topic(NEWS).backward()] {
                let found = ten.pages(reading.limit(limit)).await;
                assert_eq!(found.len(), 5, "{limit}");
                assert!(found.iter().all(|(.., text)| text == "new"));
            }
        }
        assert_eq!(ten.get(NEWS, "1").await.unwrap().as_deref(), Some("new"));
        ten.delete(NEWS, "1").await.unwrap();
        assert!(ten.delete_if_present(NEWS, "2").await.unwrap());
        assert!(ten.edit(NEWS, "3", "newer").await.unwrap());
        ten.put(&Row { text: "newer".to_owned(), ..row(NEWS, "4") }).await.unwrap();
        ten.delete_all(NEWS, &["5"]).await.unwrap();

        assert_eq!(ten.get(NEWS, "1").await.unwrap(), None);
        assert_eq!(ten.get(NEWS, "2").await.unwrap(), None);
        assert_eq!(ten.get(NEWS, "3").await.unwrap().as_deref(), Some("newer"));
        assert_eq!(ten.get(NEWS, "4").await.unwrap().as_deref(), Some("newer"));
        let left: Vec<String> =
            stored(&arm, ten.table()).await.into_iter().map(|(sort_key, _)| sort_key).collect();
        assert_eq!(left, ["EVENT#3", "EVENT#3", "EVENT#4"], "a put takes the copy away, an update leaves it");
    })
    .await;
}

/// An item whose time is over is none, wherever it lies; a first one takes its place, and it is not there twice.
#[tokio::test]
async fn an_item_of_an_earlier_number_whose_time_is_over_makes_way_for_a_new_one() {
    let arm = in_process_alone();
    let times = Times::new(&arm).await;
    let over = |id: &str| Row { expires_at: Some(arm.now_seconds()), ..row(NEWS, id) };
    for id in ["1", "2", "3"] {
        times.three.put(&over(id)).await.unwrap();
    }

    assert_eq!(times.ten.get(NEWS, "1").await.unwrap(), None);
    assert!(times.ten.insert(&row(NEWS, "1")).await.unwrap().is_done());
    assert!(!times.ten.edit(NEWS, "2", "x").await.unwrap());
    assert!(!times.ten.edit_or_insert(&row(NEWS, "2")).await.unwrap());
    assert!(!times.ten.replace(&row(NEWS, "3")).await.unwrap());

    assert_eq!(times.ten.ids(Reading::topic(NEWS)).await, ["1", "2"]);
    assert_eq!(stored(&arm, times.ten.table()).await.len(), 3);
}

/// The number is raised while somebody reads: the cursor of the old program goes on in the new one.
#[tokio::test]
async fn a_cursor_outlives_a_change_of_the_number() {
    on_every_arm(|arm| async move {
        let times = Times::new(&arm).await;
        times.fill().await;
        for backward in [false, true] {
            let reading = || Reading { backward, ..Reading::topic(NEWS).limit(5) };
            let mut expected = all_ids();
            if backward {
                expected.reverse();
            }
            // The earlier programs see only what lies where they look.
            let of_three = times.three.page(&reading()).await.unwrap();
            let last = of_three.ids().last().unwrap().to_string();
            let behind = expected.iter().position(|id| *id == last).unwrap() + 1;
            let page = times.ten.page(&reading().after(of_three.next)).await.unwrap();
            assert_eq!(page.ids(), expected[behind..behind + 5]);

            let of_plain = times.plain.page(&reading()).await.unwrap();
            let last = of_plain.ids().last().unwrap().to_string();
            let behind = expected.iter().position(|id| *id == last).unwrap() + 1;
            let page = times.two.page(&reading().after(of_plain.next)).await.unwrap();
            assert_eq!(page.ids(), expected[behind..behind + 5]);
        }
    })
    .await;
}
