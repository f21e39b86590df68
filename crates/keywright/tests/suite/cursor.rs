//! Cursors: one opens for the read that it continues, and for nothing else.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use keywright::{Cursor, CursorError, CursorKey, CursorKeys, Query, RawExpression, ReadError, Store, Tenant};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::application::*;
use crate::arm::{Arm, in_process_alone, on_every_arm};

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

async fn put_documents(tenant: &Tenant<App>, organization: &str) {
    for document_id in 0..4 {
        tenant.put(&document(organization, document_id)).send().await.unwrap();
    }
}

async fn first_cursor(tenant: &Tenant<App>) -> Cursor {
    tenant.query(Documents {}).limit(one()).page().await.unwrap().next.unwrap()
}

async fn after(tenant: &Tenant<App>, cursor: Cursor) -> Result<Vec<u64>, ReadError> {
    let page = tenant.query(Documents {}).limit(one()).after(cursor).page().await?;
    Ok(page.into_items().unwrap().iter().map(|found| found.document_id).collect())
}

/// A cursor was the base64 of a key. A client wrote another tenant's key into one, or sent its own to another list, and read what was
/// there. (dynamodb-paginator #7, ay-framework #106, floci #3322)
#[tokio::test]
async fn a_cursor_shows_no_key_and_takes_none() {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_documents(&acme, "acme").await;
        let cursor = first_cursor(&acme).await;
        let bytes = URL_SAFE_NO_PAD.decode(cursor.as_str()).unwrap();
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(
            !holds("ORG#")
                && !holds("acme")
                && !holds("DOC")
                && !format!("{cursor:?}").contains(cursor.as_str())
        );

        let made_up = [
            URL_SAFE_NO_PAD.encode(r#"{"pk":"ORG#other","sk":"DOC#1"}"#),
            URL_SAFE_NO_PAD.encode([1; 60]),
            "A".to_owned(),
            "x".repeat(30_000),
        ];
        for text in made_up {
            let refused = after(&acme, text.parse().unwrap()).await;
            assert!(matches!(refused, Err(ReadError::Cursor(CursorError::Invalid))), "{refused:?}");
        }
        for text in ["", "a b", "a%3D", "ä", &"x".repeat(40_000)] {
            assert!(text.parse::<Cursor>().is_err(), "{text:?}");
        }
        assert_eq!(store.usage().reads["Documents"].requests, 1, "a refused cursor reads nothing");
    })
    .await;
}

/// A read, and what it is bound to.
type Read = Query<DocumentsTagged>;

/// Reads that differ in one thing each: tenant, value, direction, filter of the caller's own.
fn reads(store: &Store<App>) -> Vec<(&'static str, Read)> {
    let tags = |tags: &[(&str, &str)]| -> BTreeMap<String, String> {
        tags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let read = |organization, given: &[(&str, &str)]| {
        tenant(store, organization).query(DocumentsTagged { tags: tags(given) }).limit(one())
    };
    let raw = |text| RawExpression::new(text).unwrap();
    let views = |views: i64| raw("#v >= :v").name("v", "views").value("v", &views).unwrap();
    vec![
        ("no tags", read("acme", &[])),
        ("a longer tenant", read("acme1", &[])),
        ("one tag", read("acme", &[("a", "b")])),
        ("another value", read("acme", &[("a", "c")])),
        ("the name is the value", read("acme", &[("b", "a")])),
        ("two tags", read("acme", &[("a", "b"), ("c", "d")])),
        ("backward", read("acme", &[]).backward()),
        ("a filter", read("acme", &[]).and_filter(views(0))),
        ("a filter with another value", read("acme", &[]).and_filter(views(-1))),
        ("another filter", read("acme", &[]).and_filter(raw("attribute_exists(document_id)"))),
        (
            "two filters",
            read("acme", &[]).and_filter(views(0)).and_filter(raw("attribute_exists(document_id)")),
        ),
    ]
}

async fn put_tagged(store: &Store<App>) {
    let tags: [&[(&str, &str)]; 5] =
        [&[], &[("a", "b")], &[("a", "c")], &[("b", "a")], &[("a", "b"), ("c", "d")]];
    for organization in ["acme", "acme1"] {
        for (place, tags) in (0_u64..).zip(tags) {
            for document_id in [place * 10, place * 10 + 1, place * 10 + 2] {
                let tags =
                    tags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
                let document = Document { tags, ..document(organization, document_id) };
                tenant(store, organization).put(&document).send().await.unwrap();
            }
        }
    }
}

/// A map that was given to a filter had another order each time: its cursor was refused by the very read that gave it.
#[tokio::test]
async fn a_cursor_opens_for_the_read_that_gave_it_and_for_no_other() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    put_tagged(&store).await;
    let names: Vec<&str> = reads(&store).iter().map(|(name, _)| *name).collect();
    let mut cursors = Vec::new();
    for (name, read) in reads(&store) {
        let page = read.page().await.unwrap();
        cursors.push(page.next.unwrap_or_else(|| panic!("{name} has two pages")));
    }
    for (of, cursor) in cursors.iter().enumerate() {
        for (by, (_, read)) in reads(&store).into_iter().enumerate() {
            let opened = read.after(cursor.clone()).page().await;
            assert_eq!(opened.is_ok(), of == by, "the cursor of `{}` by `{}`", names[of], names[by]);
        }
        let other_pattern = after(&tenant(&store, "acme"), cursor.clone()).await;
        assert!(matches!(other_pattern, Err(ReadError::Cursor(CursorError::Invalid))), "{}", names[of]);
    }
}

#[test]
fn a_cursor_in_which_any_bit_was_changed_is_refused() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let arm = in_process_alone();
    let (acme, cursor) = runtime.block_on(async {
        let acme = tenant(&arm.store::<App>().await, "acme");
        put_documents(&acme, "acme").await;
        let cursor = first_cursor(&acme).await;
        (acme, cursor)
    });
    let refused = |text: &str| match text.parse() {
        Ok(cursor) => runtime.block_on(after(&acme, cursor)).is_err(),
        Err(_) => true,
    };
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let place_of = |letter: u8| ALPHABET.iter().position(|other| *other == letter).unwrap();
    // Every bit of every character.
    for (place, letter) in cursor.as_str().bytes().enumerate() {
        for bit in 0..6 {
            let mut text = cursor.as_str().as_bytes().to_vec();
            text[place] = ALPHABET[place_of(letter) ^ (1 << bit)];
            assert!(refused(std::str::from_utf8(&text).unwrap()), "bit {bit} of character {place}");
        }
    }
    // Cut, lengthened, and put together from others.
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    let text = cursor.as_str().to_owned();
    let changes = (0..text.len(), 0..text.len(), "[A-Za-z0-9_-]{0,20}");
    TestRunner::new(config)
        .run(&changes, |(from, to, between)| {
            let changed = format!("{}{between}{}", &text[..from], &text[to..]);
            prop_assume!(changed != text);
            prop_assert!(refused(&changed));
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn a_cursor_is_good_for_a_day_and_not_a_second_longer() {
    let arm = in_process_alone();
    let acme = tenant(&arm.store::<App>().await, "acme");
    put_documents(&acme, "acme").await;
    let cursor = first_cursor(&acme).await;

    arm.advance(Duration::from_secs(24 * 3600 - 1));
    assert_eq!(after(&acme, cursor.clone()).await.unwrap(), [1]);
    arm.advance(Duration::from_secs(1));
    let refused = after(&acme, cursor).await;
    assert!(matches!(refused, Err(ReadError::Cursor(CursorError::Expired))), "{refused:?}");
}

/// A key is replaced in two deploys: first the new one seals and both are accepted, then the old one goes.
#[tokio::test]
async fn a_cursor_outlives_the_change_of_keys_as_long_as_its_key_is_accepted() {
    let old = CursorKey::generate().unwrap();
    let arm = in_process_alone().with_keys(CursorKeys::new(old.clone()));
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    put_documents(&acme, "acme").await;
    let cursor = first_cursor(&acme).await;
    let reopened = |arm: &Arm| {
        let store = arm.builder::<App>().table_name(store.table_name()).open_unchecked();
        tenant(&store, "acme")
    };
    let new = || CursorKey::from_base64("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=").unwrap();
    let both = arm.with_keys(CursorKeys::new(new()).accepting(old));
    let new_only = arm.with_keys(CursorKeys::new(CursorKey::new([7; CursorKey::BYTES])));

    assert_eq!(after(&reopened(&both), cursor.clone()).await.unwrap(), [1]);
    assert!(after(&reopened(&new_only), cursor.clone()).await.is_err());
    let newer = first_cursor(&reopened(&both)).await;
    assert_eq!(after(&reopened(&new_only), newer.clone()).await.unwrap(), [1]);
    assert!(after(&acme, newer).await.is_err(), "the process before the deploy has the old key only");
    let foreign = arm.with_keys(CursorKeys::new(CursorKey::new([8; CursorKey::BYTES])));
    assert!(after(&reopened(&foreign), cursor).await.is_err());
}

/// The same table a year later: documents have another sort key.
mod later {
    use keywright::{AccessPattern, Entity, Table};
    use serde::{Deserialize, Serialize};

    use crate::application::OrganizationId;

    #[derive(Table)]
    #[table(tenant = "organization_id", entities(Document), patterns(Documents))]
    pub(super) struct App;

    #[derive(Entity, Serialize, Deserialize)]
    #[entity(table = App, partition_key = "ORG#{organization_id}", sort_key = "DOC#{folder}#{document_id}")]
    pub(super) struct Document {
        pub(super) organization_id: OrganizationId,
        pub(super) folder: String,
        pub(super) document_id: u64,
    }

    #[derive(AccessPattern)]
    #[access_pattern(table = App, returns(Document), sort_key_starts_with = "DOC")]
    pub(super) struct Documents {}
}

#[tokio::test]
async fn a_cursor_does_not_outlive_the_shape_of_the_keys() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    put_documents(&acme, "acme").await;
    let cursor = first_cursor(&acme).await;
    let later = arm.builder::<later::App>().table_name(store.table_name()).open_unchecked();
    let later = later.tenant(&OrganizationId("acme".to_owned())).unwrap();

    let refused = later.query(later::Documents {}).after(cursor).page().await;

    assert!(matches!(refused, Err(ReadError::Cursor(CursorError::Invalid))), "{:?}", refused.map(|_| ()));
}
