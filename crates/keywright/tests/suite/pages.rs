//! Pages: cases that users of other layers reported, where a loop ended too early, never, or left items out.

use std::future::poll_fn;
use std::num::NonZeroU32;
use std::pin::Pin;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use keywright::{Cursor, CursorKey, CursorKeys, Direction, RawExpression, ReadError, Store, Tenant};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

fn count(items: u32) -> NonZeroU32 {
    NonZeroU32::new(items).unwrap()
}

/// Documents 0 to 99; every twenty-fifth is called `Rare`.
async fn put_hundred(acme: &Tenant<App>) {
    for document_id in 0..100 {
        let title = if document_id % 25 == 24 { "Rare" } else { "Plain" };
        let document = Document { title: title.to_owned(), ..document("acme", document_id) };
        acme.put(&document).send().await.unwrap();
    }
}

/// All pages by cursors, each page's ids.
async fn pages_by_cursor(acme: &Tenant<App>, limit: u32, direction: Direction) -> Vec<Vec<u64>> {
    let mut pages = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let mut query = acme.query(DocumentsTitled { title: "Rare".to_owned() }).limit(count(limit));
        if direction == Direction::Backward {
            query = query.backward();
        }
        if let Some(cursor) = cursor.take() {
            query = query.after(cursor);
        }
        let page = query.page().await.unwrap();
        cursor = page.next.clone();
        pages.push(page.into_items().unwrap().iter().map(|found| found.document_id).collect());
        if cursor.is_none() {
            return pages;
        }
    }
}

/// Whoever asked for ten with a filter that keeps one in twenty-five got an empty page, took it for the end, and showed nothing;
/// whoever trimmed a page and kept the service's key left out what was trimmed. (amazonka #340, dynamodb-paginator #6,
/// guregu/dynamo #186, scanamo #1023)
#[tokio::test]
async fn a_limit_counts_what_a_filter_leaves_and_the_next_page_begins_after_the_last_that_was_given() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_hundred(&acme).await;
        for (direction, expected) in
            [(Direction::Forward, [24, 49, 74, 99]), (Direction::Backward, [99, 74, 49, 24])]
        {
            for limit in [1, 2, 3, 4, 10] {
                let pages = pages_by_cursor(&acme, limit, direction).await;
                assert_eq!(pages.concat(), expected, "limit {limit}, {direction:?}");
                let full = pages.iter().take_while(|page| page.len() == limit as usize).count();
                assert_eq!(full, 4 / limit as usize, "a page with more after it is full: {pages:?}");
            }
        }
        let page =
            acme.query(DocumentsTitled { title: "Rare".to_owned() }).limit(count(2)).page().await.unwrap();
        assert!(page.has_more() && page.items_read >= 50 && page.read_units > 0.0, "{page:?}");
    })
    .await;
}

/// More than 1 MB, of which the last one is called `Rare`: the service ends a page of what it read, whatever the filter leaves.
async fn put_large(acme: &Tenant<App>) {
    let large = "x".repeat(100_000);
    for document_id in 0..24 {
        let tags = [("text".to_owned(), large.clone())].into();
        let title = if document_id == 23 { "Rare" } else { "Plain" };
        let document = Document { tags, title: title.to_owned(), ..document("acme", document_id) };
        acme.put(&document).send().await.unwrap();
    }
}

/// A page of no items that was not the last one ended loops.
#[tokio::test]
async fn a_page_without_items_is_not_the_end() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_large(&acme).await;
        let mut pages = acme.query(DocumentsTitled { title: "Rare".to_owned() }).pages();
        let (mut sizes, mut last_has_more) = (Vec::new(), true);
        while let Some(page) = pages.next().await.unwrap() {
            last_has_more = page.has_more();
            sizes.push(page.items.len());
        }
        assert_eq!(sizes.first(), Some(&0), "{sizes:?}");
        assert_eq!((sizes.iter().sum::<usize>(), last_has_more), (1, false), "{sizes:?}");
        let all = acme.query(DocumentsTitled { title: "Rare".to_owned() }).all(count(1)).await.unwrap();
        assert_eq!(all.len(), 1);
    })
    .await;
}

/// The same page by itself: that it is not the last one is said by the page, and its cursor goes on to what is behind.
#[tokio::test]
async fn an_empty_page_says_that_there_is_more_and_its_cursor_goes_on() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_large(&acme).await;
        let rare = || acme.query(DocumentsTitled { title: "Rare".to_owned() });

        let first = rare().page().await.unwrap();
        assert!(first.items.is_empty() && first.has_more(), "{first:?}");
        assert!(first.items_read > 0 && first.items_read < 24);

        let (mut cursor, mut read, mut found) = (first.next.clone(), first.items_read, Vec::new());
        while let Some(next) = cursor {
            let page = rare().after(next).page().await.unwrap();
            assert_eq!(page.has_more(), page.next.is_some());
            read += page.items_read;
            cursor = page.next.clone();
            found.extend(page.into_items().unwrap().iter().map(|found| found.document_id));
        }
        assert_eq!((read, found), (24, vec![23]));
        // Backward, the one that is looked for comes first, and empty pages last.
        let last = rare().backward().limit(count(1)).page().await.unwrap();
        let rest = rare().backward().after(last.next.unwrap()).page().await.unwrap();
        assert!(rest.items.is_empty() && rest.has_more(), "{rest:?}");
    })
    .await;
}

/// Gives one answer to whatever is asked.
#[derive(Clone, Debug)]
struct Answers(&'static str);

impl HttpClient for Answers {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Answers {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::ready(Ok(HttpResponse::new(200.try_into().unwrap(), SdkBody::from(self.0))))
    }
}

/// Another implementation ended its last page with a key of no attributes. Whoever took it for a place to go on read the first page again, for ever.
#[tokio::test]
async fn a_key_without_attributes_is_the_end() {
    let answers = |body| {
        let config = aws_sdk_dynamodb::config::Builder::new()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .endpoint_url("http://localhost")
            .http_client(Answers(body));
        let keys = CursorKeys::new(CursorKey::generate().unwrap());
        let store = Store::<App>::builder(Client::from_conf(config.build()), keys).open_unchecked();
        tenant(&store, "acme")
    };
    let place = r#"{"pk":{"S":"ORG#acme"},"sk":{"S":"DOC#00000000000000000001"}}"#;
    let with_a_place =
        format!(r#"{{"Items":[],"Count":0,"ScannedCount":1,"LastEvaluatedKey":{place}}}"#).leak();
    let page = answers(with_a_place).query(Documents {}).page().await.unwrap();
    assert!(page.has_more(), "the answer is understood: {page:?}");

    let acme = answers(r#"{"Items":[],"Count":0,"ScannedCount":1,"LastEvaluatedKey":{}}"#);
    let page = acme.query(Documents {}).page().await.unwrap();
    assert!(!page.has_more() && page.next.is_none() && page.items_read == 1, "{page:?}");
    let page = acme.query(Documents {}).limit(count(10)).page().await.unwrap();
    assert_eq!((page.has_more(), page.items_read), (false, 1));
    let mut pages = acme.query(Documents {}).pages();
    assert!(pages.next().await.unwrap().is_some());
    assert!(pages.next().await.unwrap().is_none());
    assert!(acme.query(Documents {}).all(count(10)).await.unwrap().is_empty());
}

/// The same pages as a stream: it ends by itself, and stays ended.
#[tokio::test]
async fn a_stream_of_pages_gives_every_item_once_and_ends() {
    use futures_core::Stream as _;

    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_hundred(&acme).await;
        let mut stream = acme.query(Documents {}).limit(count(30)).pages().into_stream();
        let mut found = Vec::new();
        while let Some(page) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
            found.push(page.unwrap().into_items().unwrap());
        }
        assert!(poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await.is_none());
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [30, 30, 30, 10]);
        let ids: Vec<u64> = found.concat().iter().map(|found| found.document_id).collect();
        assert!(ids.into_iter().eq(0..100));
    })
    .await;
}

#[tokio::test]
async fn what_is_asked_for_as_a_whole_is_whole_or_an_error() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_hundred(&acme).await;

        assert_eq!(acme.query(Documents {}).all(count(100)).await.unwrap().len(), 100);
        let more = acme.query(Documents {}).all(count(99)).await;
        assert!(matches!(more, Err(ReadError::TooMany { at_most: 99, .. })), "{more:?}");
        assert!(tenant(&store, "other").query(Documents {}).all(count(1)).await.unwrap().is_empty());
    })
    .await;
}

/// The filter of the caller took the place of one that was given before.
#[tokio::test]
async fn of_two_raw_filters_both_must_hold_and_the_patterns_own_too() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_hundred(&acme).await;
        let document = |operator: &str, id: u64| {
            RawExpression::new(&format!("#id {operator} :id"))
                .unwrap()
                .name("id", "document_id")
                .value("id", &id)
                .unwrap()
        };
        let query = acme.query(DocumentsTitled { title: "Rare".to_owned() });
        let query = query.and_filter(document(">", 24)).and_filter(document("<", 99));

        let found = query.all(count(10)).await.unwrap();

        assert_eq!(found.iter().map(|found| found.document_id).collect::<Vec<_>>(), [49, 74]);
    })
    .await;
}

/// Items of an entity that this program does not know are skipped; they fill pages, and never end them.
#[tokio::test]
async fn items_that_are_skipped_do_not_count_for_a_limit() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    for document_id in 0..40_u64 {
        let put = arm.client().put_item().table_name(store.table_name());
        put.item("pk", AttributeValue::S("ORG#acme".to_owned()))
            .item("sk", AttributeValue::S(format!("DOC#{document_id:020}")))
            .item("entity", AttributeValue::S("later_invention".to_owned()))
            .item("organization_id", AttributeValue::S("acme".to_owned()))
            .send()
            .await
            .unwrap();
    }
    acme.put(&document("acme", 39)).send().await.unwrap();

    let page = acme.query(Documents {}).limit(count(1)).page().await.unwrap();

    assert_eq!((page.items.len(), page.has_more()), (1, false), "{page:?}");
}
