//! One tenant cannot reach another's items in any shard, whatever the ids are.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::application::*;
use crate::arm::in_process_alone;

/// Pieces of ids that would be a shard's number, or the end of one, if they were not escaped.
const PIECES: &[&str] = &[
    "a",
    "1",
    "10",
    "#",
    "#1",
    "#TOPIC#",
    "TOPIC",
    "#TOPIC#news#7",
    "$",
    "$23",
    "7",
    "0",
    "é",
    "\u{0}",
    " ",
    "ORG#",
    "EVENT#",
];

fn hostile() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..4).prop_map(|pieces| pieces.concat())
}

const SECRET: &str = "the other tenant's secret";

async fn nothing_crosses([mine, theirs, topic, id]: [String; 4]) {
    let arm = in_process_alone();
    let creator = plain::Handle::create(&arm).await;
    let table = creator.table();
    let (plain, three) =
        (plain::Handle::open(&arm, table, &theirs).await, three::Handle::open(&arm, table, &theirs).await);
    let ten_of_theirs = ten::Handle::open(&arm, table, &theirs).await;
    let mine = ten::Handle::open(&arm, table, &mine).await;
    let secret = |id: &str| Row { text: SECRET.to_owned(), author: topic.clone(), ..row(&topic, id) };
    plain.put(&secret(&id)).await.unwrap();
    three.put(&secret(&format!("{id}1"))).await.unwrap();
    ten_of_theirs.put(&secret(&format!("{id}2"))).await.unwrap();
    let before = arm.client().scan().table_name(table).send().await.unwrap();
    let cursor = ten_of_theirs.page(&Reading::topic(&topic).limit(1)).await.unwrap().next;

    // Names that would make a key of mine one of theirs.
    for topic in
        [topic.clone(), format!("{topic}#1"), format!("#TOPIC#{topic}"), format!("{theirs}#TOPIC#{topic}")]
    {
        let readings = [
            Of::Topic(topic.clone()),
            Of::Saying(topic.clone(), SECRET.to_owned()),
            Of::Id(topic.clone(), id.clone()),
            Of::Author(topic.clone()),
            Of::Texts(topic.clone()),
        ];
        for of in readings {
            for reading in [Reading::of(of.clone()), Reading::of(of.clone()).limit(1).backward()] {
                let page = mine.page(&reading).await.unwrap();
                assert!(page.items.is_empty() && page.items_read == 0 && page.next.is_none());
                let refused = mine.page(&reading.after(cursor.clone())).await;
                assert!(refused.is_err() && !format!("{refused:?}").contains(SECRET));
            }
        }
        for id in [id.clone(), format!("{id}1"), format!("{id}2")] {
            assert_eq!(mine.get(&topic, &id).await.unwrap(), None);
            assert!(!mine.edit(&topic, &id, "mine").await.unwrap());
            assert!(!mine.replace(&row(&topic, &id)).await.unwrap());
            assert!(!mine.delete_if_present(&topic, &id).await.unwrap());
            mine.delete(&topic, &id).await.unwrap();
            mine.delete_all(&topic, &[&id]).await.unwrap();
            assert_eq!(mine.get_all(&topic, &[&id]).await, [None]);
            mine.put(&row(&topic, &id)).await.unwrap();
            assert!(!mine.insert(&row(&topic, &id)).await.unwrap().is_done());
            mine.delete(&topic, &id).await.unwrap();
            mine.put_all(&[row(&topic, &id)]).await.unwrap();
            mine.delete(&topic, &id).await.unwrap();
        }
    }
    let after = arm.client().scan().table_name(table).send().await.unwrap();
    let sorted = |items: &[std::collections::HashMap<String, aws_sdk_dynamodb::types::AttributeValue>]| {
        let mut items: Vec<String> = items
            .iter()
            .map(|item| format!("{:?}", item.iter().collect::<std::collections::BTreeMap<_, _>>()))
            .collect();
        items.sort();
        items
    };
    assert_eq!(sorted(before.items()), sorted(after.items()), "what is theirs has changed");
}

#[test]
fn nothing_of_one_tenants_shards_is_reached_by_another_whatever_the_ids_are() {
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 2_000 } else { 40 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let names = [hostile(), hostile(), hostile(), hostile()]
        .prop_filter("two tenants are two", |[mine, theirs, ..]| mine != theirs);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&names, |names| {
            runtime.block_on(nothing_crosses(names));
            Ok(())
        })
        .unwrap();
}

/// Keys that are spread over shards and hold no tenant.
mod open {
    use keywright::{AccessPattern, Entity, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(tenant(organization_id: String), entities(Notice), patterns(NoticesOn, NoticesSaying))]
    pub(super) struct Board;

    #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
    #[entity(
        table = Board,
        partition_key = "BOARD#{board}",
        sort_key = "NOTICE#{number}",
        shards = 4,
        deviation = "a board is one of several organizations"
    )]
    pub(super) struct Notice {
        pub(super) organization_id: String,
        pub(super) board: String,
        pub(super) number: u64,
        pub(super) text: String,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = Board, across_tenants, returns(Notice), sort_key_starts_with = "NOTICE")]
    pub(super) struct NoticesOn {
        pub(super) board: String,
    }

    #[derive(AccessPattern)]
    #[access_pattern(
        table = Board,
        across_tenants,
        returns(Notice),
        sort_key_starts_with = "NOTICE",
        filter(text = text)
    )]
    pub(super) struct NoticesSaying {
        pub(super) board: String,
        pub(super) text: String,
    }
}

#[tokio::test]
async fn an_item_of_another_tenant_in_a_shard_is_an_error_in_its_place() {
    let arm = in_process_alone();
    let store = arm.store::<open::Board>().await;
    let (acme, theirs) =
        (store.tenant(&"acme".to_owned()).unwrap(), store.tenant(&"secret-tenant".to_owned()).unwrap());
    let notice = |organization: &str, number: u64, text: &str| open::Notice {
        organization_id: organization.to_owned(),
        board: "hall".to_owned(),
        number,
        text: text.to_owned(),
    };
    for number in 0..20 {
        let put = if number % 2 == 0 {
            acme.put(&notice("acme", number, "ours")).send().await
        } else {
            theirs.put(&notice("secret-tenant", number, SECRET)).send().await
        };
        put.unwrap();
    }
    let lookup = || acme.lookup_sharded(open::NoticesOn { board: "hall".to_owned() });

    let page = lookup().page().await.unwrap();
    for (number, found) in (0..).zip(&page.items) {
        match found {
            Ok(notice) => assert!(number % 2 == 0 && notice.number == number),
            Err(error) => assert!(number % 2 == 1 && error.key().is_none(), "{error}"),
        }
    }
    assert_eq!(page.items.len(), 20);
    let mut pages = lookup().limit(7.try_into().unwrap()).pages();
    let mut told = format!("{page:?}");
    while let Some(page) = pages.next().await.unwrap() {
        told.push_str(&format!("{page:?}"));
    }
    told.push_str(&format!("{:?}", lookup().all(20.try_into().unwrap()).await.unwrap_err()));
    // A filter asks of the tenant's own only, be it the pattern's or the caller's.
    let saying = |text: &str| open::NoticesSaying { board: "hall".to_owned(), text: text.to_owned() };
    assert!(acme.lookup_sharded(saying(SECRET)).page().await.unwrap().items.is_empty());
    assert_eq!(acme.lookup_sharded(saying("ours")).page().await.unwrap().into_items().unwrap().len(), 10);
    let secret =
        keywright::RawExpression::new("#t = :t").unwrap().name("t", "text").value("t", &SECRET).unwrap();
    assert!(lookup().and_filter(secret).page().await.unwrap().items.is_empty());
    let their_cursor = theirs.lookup_sharded(open::NoticesOn { board: "hall".to_owned() });
    let their_cursor = their_cursor.limit(3.try_into().unwrap()).page().await.unwrap().next.unwrap();
    assert!(lookup().after(their_cursor).page().await.is_err(), "a cursor of theirs was accepted");
    assert!(!told.contains(SECRET) && !told.contains("secret-tenant"), "{told}");
}
