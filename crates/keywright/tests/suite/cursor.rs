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
    let at_least = |name, least: i64| raw("#v >= :v").name("v", name).value("v", &least).unwrap();
    let views = |views| at_least("views", views);
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
        ("a filter of another attribute", read("acme", &[]).and_filter(at_least("document_id", 0))),
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

/// A map that was given to a filter had another order each time: its cursor was refused by the very read that gave it. And one filter's cursor
/// opened for a filter of the same text whose names stood for other attributes.
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

/// A cursor that was given now is good until the second before so many are over.
async fn is_good_for(arm: &Arm, store: &Store<App>, seconds: u64) {
    let acme = tenant(store, "acme");
    put_documents(&acme, "acme").await;
    let cursor = first_cursor(&acme).await;

    arm.advance(Duration::from_secs(seconds - 1));
    assert_eq!(after(&acme, cursor.clone()).await.unwrap(), [1]);
    arm.advance(Duration::from_secs(1));
    let refused = after(&acme, cursor).await;
    assert!(matches!(refused, Err(ReadError::Cursor(CursorError::Expired))), "{refused:?}");
}

#[tokio::test]
async fn a_cursor_is_good_for_a_day_and_not_a_second_longer() {
    let arm = in_process_alone();
    is_good_for(&arm, &arm.store().await, 24 * 3600).await;
}

#[tokio::test]
async fn a_cursor_is_good_for_as_long_as_the_store_says() {
    let arm = in_process_alone();
    for seconds in [1, 60, 7 * 24 * 3600] {
        let builder = arm.builder::<App>().cursors_valid_for(Duration::from_secs(seconds));
        builder.create_table().await.unwrap();
        is_good_for(&arm, &builder.open().await.unwrap(), seconds).await;
    }
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

/// The tables of one program before and after a change of its keys: what is changed stands where the list says.
macro_rules! versions {
    ($($version:ident: $document:literal, $number:ty, $by_folder:literal;)+) => {$(
        mod $version {
            use keywright::{AccessPattern, Cursor, Entity, ReadError, Table};
            use serde::{Deserialize, Serialize};

            use super::one;
            use crate::arm::Arm;

            #[derive(Table)]
            #[table(
                tenant = "organization_id",
                entities(Document),
                patterns(Documents, DocumentsIn, DocumentsSorted),
                index(ByFolder, project(size, folder)),
                index(BySize, local, project(size, folder))
            )]
            pub(super) struct App;

            #[derive(Clone, Debug, Entity, Serialize, Deserialize)]
            #[entity(
                table = App,
                partition_key = "ORG#{organization_id}",
                sort_key = $document,
                index(ByFolder, partition_key = "ORG#{organization_id}#FOLDER#{folder}", sort_key = $by_folder),
                index(BySize, sort_key = $by_folder)
            )]
            pub(super) struct Document {
                organization_id: String,
                folder: String,
                document_id: $number,
                size: u64,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = App, returns(Document))]
            pub(super) struct Documents {}

            #[derive(AccessPattern)]
            #[access_pattern(table = App, index = ByFolder, returns(Document))]
            pub(super) struct DocumentsIn {
                pub(super) folder: String,
            }

            #[derive(AccessPattern)]
            #[access_pattern(table = App, index = BySize, returns(Document))]
            pub(super) struct DocumentsSorted {}

            /// What a read of each kind gives after a cursor: the table's, that of the global index, that of the local one.
            pub(super) async fn read(
                arm: &Arm,
                table: &str,
                after: [Option<&Cursor>; 3],
            ) -> [Result<Option<Cursor>, ReadError>; 3] {
                let store = arm.builder::<App>().table_name(table).open_unchecked();
                let acme = store.tenant(&"acme".to_owned()).unwrap();
                let [documents, in_folder, sorted] = after.map(Option::<&Cursor>::cloned);
                let mut query = acme.query(Documents {}).limit(one());
                if let Some(cursor) = documents {
                    query = query.after(cursor);
                }
                let documents = query.page().await.map(|page| page.next);
                let mut query = acme.query(DocumentsIn { folder: "a".to_owned() }).limit(one());
                if let Some(cursor) = in_folder {
                    query = query.after(cursor);
                }
                let in_folder = query.page().await.map(|page| page.next);
                let mut query = acme.query(DocumentsSorted {}).limit(one());
                if let Some(cursor) = sorted {
                    query = query.after(cursor);
                }
                [documents, in_folder, query.page().await.map(|page| page.next)]
            }

            pub(super) async fn fill(arm: &Arm, table: &str) {
                let builder = arm.builder::<App>().table_name(table);
                builder.create_table().await.unwrap();
                let store = builder.open().await.unwrap();
                let acme = store.tenant(&"acme".to_owned()).unwrap();
                for document_id in 0..3 {
                    let (organization_id, folder) = ("acme".to_owned(), "a".to_owned());
                    let document = Document { organization_id, folder, document_id, size: 7 };
                    acme.put(&document).send().await.unwrap();
                }
            }
        }
    )+};
}

versions! {
    before: "DOC#{document_id}", u64, "{document_id}";
    another_sort_key: "DOC#{size}#{document_id}", u64, "{document_id}";
    another_key_of_an_index: "DOC#{document_id}", u64, "{size}#{document_id}";
    narrower_numbers: "DOC#{document_id}", u32, "{document_id}";
}

/// The key of an index was changed, or the width of a number in a key. Cursors of before opened, and began where no item lies in the new order.
#[tokio::test]
async fn a_cursor_does_not_outlive_the_shape_of_the_keys_of_what_it_reads() {
    let arm = in_process_alone();
    let refused = |read: [Result<Option<Cursor>, ReadError>; 3]| {
        read.map(|read| match read {
            Ok(_) => false,
            Err(ReadError::Cursor(CursorError::Invalid)) => true,
            Err(error) => panic!("{error}"),
        })
    };
    let given = |read: [Result<Option<Cursor>, ReadError>; 3]| read.map(|next| next.unwrap().unwrap());
    before::fill(&arm, "before").await;
    let cursors_of_before = given(before::read(&arm, "before", [None; 3]).await);
    let of_before = cursors_of_before.each_ref().map(Some);

    // Each opens its own, and those of before: of the table, of the global index, of the local one.
    macro_rules! check {
        ($version:ident refuses $expected:expr) => {
            let table = stringify!($version);
            if table != "before" {
                $version::fill(&arm, table).await;
            }
            let own = given($version::read(&arm, table, [None; 3]).await);
            let own = $version::read(&arm, table, own.each_ref().map(Some)).await;
            assert_eq!(refused(own), [false; 3], "its own, {table}");
            assert_eq!(refused($version::read(&arm, "before", of_before).await), $expected, "{table}");
        };
    }
    check!(before refuses [false; 3]);
    check!(another_sort_key refuses [true; 3]);
    // The key of an index is nothing to a read of the table.
    check!(another_key_of_an_index refuses [false, true, true]);
    check!(narrower_numbers refuses [true; 3]);
}
