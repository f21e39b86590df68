//! What it takes: as many requests as are needed, all of them counted.

use crate::application::*;
use crate::arm::in_process_alone;

const NEWS: &str = "news";

#[tokio::test]
async fn an_item_of_one_number_is_written_and_read_by_one_request() {
    let program = ten_alone::Handle::create(&in_process_alone()).await;
    program.put(&row(NEWS, "1")).await.unwrap();
    assert!(program.insert(&row(NEWS, "2")).await.unwrap().is_done());
    program.edit(NEWS, "1", "x").await.unwrap();
    program.delete(NEWS, "1").await.unwrap();
    program.get(NEWS, "2").await.unwrap();

    let usage = program.usage();
    assert_eq!((usage.writes["Event"].requests, usage.writes["Event"].lookups), (4, 0));
    assert_eq!(usage.reads["EventById"].requests, 1);
}

#[tokio::test]
async fn a_look_under_earlier_numbers_is_made_only_where_it_is_needed_and_is_counted() {
    let arm = in_process_alone();
    let program = ten::Handle::create(&arm).await;
    // An id whose key is another one under each of the three numbers.
    let id = "5";
    let writes = || {
        let event = program.usage().writes.get("Event").copied().unwrap_or_default();
        (event.requests, event.lookups)
    };

    program.put(&row(NEWS, id)).await.unwrap();
    assert_eq!(writes(), (1, 2), "a look under both earlier keys, then the put");
    program.edit(NEWS, id, "x").await.unwrap();
    program.replace(&row(NEWS, id)).await.unwrap();
    assert_eq!(writes(), (3, 2), "what lies under the present key is found there at once");
    program.delete(NEWS, id).await.unwrap();
    assert_eq!(writes(), (6, 2), "a delete goes to all three");
    assert!(program.usage().writes["Event"].lookup_units >= 2.0);

    program.get(NEWS, id).await.unwrap();
    assert_eq!(program.usage().reads["EventById"].requests, 3);
}

#[tokio::test]
async fn a_page_takes_one_request_a_shard_and_reads_little_more_than_it_gives() {
    let arm = in_process_alone();
    let program = ten_alone::Handle::create(&arm).await;
    let rows: Vec<Row> = (0..1000).map(|number| row(NEWS, &format!("{number:04}"))).collect();
    program.put_all(&rows).await.unwrap();

    let page = program.page(&Reading::topic(NEWS).limit(100)).await.unwrap();

    let usage = program.usage().reads["EventsOfTopic"];
    println!(
        "{} requests and {} items read for a page of 100 over ten shards",
        usage.requests, page.items_read
    );
    assert!((10..=13).contains(&usage.requests), "{usage:?}");
    assert!((100..=200).contains(&page.items_read), "{page:?}");
    assert_eq!((usage.items_read, usage.items_given), (page.items_read, 100));
    assert!((usage.units - page.read_units).abs() < 1e-9);
}

#[tokio::test]
async fn what_would_be_sent_can_be_looked_at() {
    let arm = in_process_alone();
    let program = ten::Handle::create(&arm).await;
    let news = ten::EventsOfTopic { topic: NEWS.to_owned() };
    let requests = program.tenant.query_sharded(news).limit(10.try_into().unwrap()).requests().unwrap();

    let keys: Vec<String> = requests
        .iter()
        .map(|request| request.expression_attribute_values().unwrap()[":k0"].as_s().unwrap().clone())
        .collect();
    assert_eq!(
        (keys.len(), keys[0].as_str(), keys[10].as_str()),
        (11, "ORG#acme#TOPIC#news", "ORG#acme#TOPIC#news#9")
    );
    assert!(requests.iter().all(|request| request.limit() == Some(4)));
    let nothing = ten::EventsBetween { topic: NEWS.to_owned(), from: "2".to_owned(), until: "1".to_owned() };
    assert!(program.tenant.query_sharded(nothing).requests().unwrap().is_empty());
    assert!(program.usage().reads.is_empty());
}
