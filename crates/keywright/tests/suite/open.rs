//! Opening: a table that is not what the program was written for is refused, with everything that differs and what to do about it.

mod answers;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Builder, Credentials, Region, SharedCredentialsProvider, SharedHttpClient,
    StalledStreamProtectionConfig,
};
use aws_sdk_dynamodb::operation::create_table::CreateTableInput;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, LocalSecondaryIndex,
    Projection as Projected, ProjectionType, ScalarAttributeType,
};
use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep, TokioSleep};
use aws_types::SdkConfig;
use keywright::key::declare::{self, Entity as _};
use keywright::key::{AttributeShape, EntityShape, KeyFormat, KeyShape, TableShape, TemplateShape};
use keywright::{
    AccessPattern, Capabilities, Capability, CursorKey, CursorKeys, Difference, Entity, OpenError, Store,
    StoreBuilder, Table,
};
use keywright_embedded::engine::{Engine, Options};
use serde::{Deserialize, Serialize};

use crate::application::*;
use crate::arm::{Arm, on_every_arm};
use answers::Edited;

/// A table with an index of each reach, without a time to live and a stream.
#[derive(Table)]
#[table(
    tenant = "organization_id",
    entities(Book),
    patterns(BookById, BooksOf, BooksCalled),
    index(ByAuthor, project_all = "a list shows everything of a book"),
    index(ByTitle, local, sort_key = "title_key")
)]
struct Shelves;

#[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
#[entity(
    table = Shelves,
    partition_key = "ORG#{organization_id}",
    sort_key = "BOOK#{book_id}",
    index(ByAuthor, partition_key = "ORG#{organization_id}#AUTHOR#{author}", sort_key = "BOOK#{book_id}"),
    index(ByTitle, sort_key = "TITLE#{title}")
)]
struct Book {
    organization_id: OrganizationId,
    book_id: u64,
    author: String,
    title: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Shelves, get_item, returns(Book), sort_key_equals = "BOOK#{book_id}")]
struct BookById {
    book_id: u64,
}

#[derive(AccessPattern)]
#[access_pattern(table = Shelves, index = ByAuthor, returns(Book))]
struct BooksOf {
    author: String,
}

#[derive(Clone, Debug, PartialEq, keywright::Projection, Deserialize)]
#[projection(of = Book)]
struct Title {
    title: String,
}

#[derive(AccessPattern)]
#[access_pattern(table = Shelves, index = ByTitle, returns(Book as Title), sort_key_starts_with = "TITLE")]
struct BooksCalled {}

fn book() -> Book {
    Book {
        organization_id: OrganizationId("acme".to_owned()),
        book_id: 1,
        author: "ada".to_owned(),
        title: "Notes".to_owned(),
    }
}

fn keys() -> CursorKeys {
    CursorKeys::new(CursorKey::generate().unwrap())
}

/// The differences and the whole text of a store that did not open.
fn refused<TableType>(opened: Result<Store<TableType>, OpenError>) -> (Vec<Difference>, String) {
    let error = opened.map(|_| ()).unwrap_err();
    let text = error.to_string();
    match error {
        OpenError::Differs(differences) => (differences, text),
        other => panic!("{other:?}"),
    }
}

/// Only what every arm has.
fn plain<TableType: declare::Table>(arm: &Arm, builder: StoreBuilder<TableType>) -> StoreBuilder<TableType> {
    let (time_to_live, streams) = (Capability::Absent, Capability::Absent);
    builder.capabilities(Capabilities { time_to_live, streams, ..arm.capabilities() })
}

/// Creates what somebody else made of a table's request.
async fn create(client: &Client, request: CreateTableInput) {
    client
        .create_table()
        .table_name(request.table_name.unwrap())
        .set_billing_mode(request.billing_mode)
        .set_attribute_definitions(request.attribute_definitions)
        .set_key_schema(request.key_schema)
        .set_global_secondary_indexes(request.global_secondary_indexes)
        .set_local_secondary_indexes(request.local_secondary_indexes)
        .send()
        .await
        .unwrap();
}

/// Opens a table that somebody else created: `edit` makes it of the request by which it should have been.
async fn open_edited<TableType: declare::Table>(
    arm: &Arm,
    edit: impl FnOnce(&mut CreateTableInput),
) -> Result<Store<TableType>, OpenError> {
    let builder = plain(arm, arm.builder::<TableType>());
    let mut request = builder.create_request();
    let table = request.table_name.clone().unwrap();
    edit(&mut request);
    create(arm.client(), request).await;
    // It exists by now: this waits until it is active.
    builder.create_table().await.unwrap();
    plain(arm, arm.builder_of::<TableType>(&table)).open().await
}

fn definition(name: &str, scalar: ScalarAttributeType) -> AttributeDefinition {
    AttributeDefinition::builder().attribute_name(name).attribute_type(scalar).build().unwrap()
}

fn element(name: &str, key_type: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(key_type).build().unwrap()
}

#[tokio::test]
async fn a_table_of_another_program_is_refused_with_everything_that_it_lacks() {
    on_every_arm(|arm| async move {
        let opened = open_edited::<App>(&arm, |request| {
            request.attribute_definitions =
                Some(vec![definition("id", ScalarAttributeType::S), definition("at", ScalarAttributeType::N)]);
            request.key_schema = Some(vec![element("id", KeyType::Hash), element("at", KeyType::Range)]);
            request.global_secondary_indexes = None;
        });
        let (differences, text) = refused(opened.await);
        assert_eq!(
            differences,
            [
                Difference::TableKey {
                    expected: "partition key pk (String), sort key sk (String)".to_owned(),
                    found: "partition key id (String), sort key at (Number)".to_owned(),
                },
                Difference::NoIndex { index: "ByUser" },
                Difference::NoIndex { index: "ByAddress" },
            ]
        );
        assert_eq!(
            text,
            "the live table is not the one that this program was written for\n\
             - the table has partition key id (String), sort key at (Number), and the program was written for partition key pk \
             (String), sort key sk (String): the key of a table never changes, so either the name is another table's, or the items \
             must be moved to a new table\n\
             - the table has no index `ByUser`: add it, and wait until it is backfilled\n\
             - the table has no index `ByAddress`: add it, and wait until it is backfilled"
        );
    })
    .await;
}

#[tokio::test]
async fn an_index_with_another_key_or_less_in_it_is_refused() {
    on_every_arm(|arm| async move {
        let opened = open_edited::<App>(&arm, |request| {
            for definition in request.attribute_definitions.as_mut().unwrap() {
                if definition.attribute_name == "by_user_sk" {
                    definition.attribute_type = ScalarAttributeType::N;
                }
            }
            for index in request.global_secondary_indexes.as_mut().unwrap() {
                if index.index_name == "ByAddress" {
                    let projection = Projected::builder().projection_type(ProjectionType::Include);
                    index.projection = Some(projection.non_key_attributes("note").build());
                }
            }
        });
        let (differences, text) = refused(opened.await);
        assert_eq!(
            differences,
            [
                Difference::IndexKey {
                    index: "ByUser",
                    expected: "partition key by_user_pk (String), sort key by_user_sk (String)".to_owned(),
                    found: "partition key by_user_pk (String), sort key by_user_sk (Number)".to_owned(),
                },
                Difference::IndexProjection {
                    index: "ByAddress",
                    missing: vec!["expires_at", "organization_id"]
                },
            ]
        );
        assert_eq!(
            text,
            "the live table is not the one that this program was written for\n\
             - index `ByUser` has partition key by_user_pk (String), sort key by_user_sk (Number), and the program was written for \
             partition key by_user_pk (String), sort key by_user_sk (String): build a second index with another name, then switch, \
             then drop this one\n\
             - index `ByAddress` does not project `expires_at`, `organization_id`: a projection never changes, so build a second index \
             with another name, then switch, then drop this one"
        );
    })
    .await;
}

#[tokio::test]
async fn an_index_that_should_hold_everything_and_does_not_is_refused() {
    on_every_arm(|arm| async move {
        let opened = open_edited::<Shelves>(&arm, |request| {
            for index in request.global_secondary_indexes.as_mut().unwrap() {
                let projection = Projected::builder().projection_type(ProjectionType::Include);
                index.projection = Some(projection.non_key_attributes("title").build());
            }
        });
        let (differences, text) = refused(opened.await);
        let expected = Difference::IndexProjection { index: "ByAuthor", missing: Vec::new() };
        assert_eq!(differences, [expected]);
        assert!(text.contains("index `ByAuthor` does not project everything"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_table_with_more_in_it_than_the_program_needs_opens() {
    on_every_arm(|arm| async move {
        let opened = open_edited::<Shelves>(&arm, |request| {
            for index in request.local_secondary_indexes.as_mut().unwrap() {
                index.projection = Some(Projected::builder().projection_type(ProjectionType::All).build());
            }
            let other = GlobalSecondaryIndex::builder()
                .index_name("OfAnother")
                .key_schema(element("title_key", KeyType::Hash))
                .projection(Projected::builder().projection_type(ProjectionType::KeysOnly).build());
            request.global_secondary_indexes.as_mut().unwrap().push(other.build().unwrap());
        });
        let acme = opened.await.unwrap().tenant(&book().organization_id).unwrap();
        acme.put(&book()).send().await.unwrap();
        assert_eq!(*acme.get(BookById { book_id: 1 }).await.unwrap().unwrap(), book());
    })
    .await;
}

/// A global index of the right name and key was taken for the local one that the program has. Local and global ones were looked up in
/// one list.
#[tokio::test]
async fn a_global_index_is_not_taken_for_a_local_one_nor_the_other_way_round() {
    on_every_arm(|arm| async move {
        let opened = open_edited::<Shelves>(&arm, |request| {
            let local = request.local_secondary_indexes.take().unwrap().remove(0);
            let global = request.global_secondary_indexes.take().unwrap().remove(0);
            let as_global = GlobalSecondaryIndex::builder()
                .index_name(local.index_name)
                .set_key_schema(Some(local.key_schema))
                .set_projection(local.projection)
                .build();
            let as_local = LocalSecondaryIndex::builder()
                .index_name(global.index_name)
                .key_schema(element("pk", KeyType::Hash))
                .key_schema(element("by_author_sk", KeyType::Range))
                .set_projection(global.projection)
                .build();
            request.global_secondary_indexes = Some(vec![as_global.unwrap()]);
            request.local_secondary_indexes = Some(vec![as_local.unwrap()]);
            let used = |name: &str| name != "by_author_pk";
            request.attribute_definitions.as_mut().unwrap().retain(|defined| used(&defined.attribute_name));
        });
        let (differences, text) = refused(opened.await);
        let reach = |index, expected| Difference::IndexReach { index, expected };
        use keywright::key::IndexReach::{Global, Local};
        assert_eq!(differences, [reach("ByAuthor", Global), reach("ByTitle", Local)]);
        assert_eq!(
            text,
            "the live table is not the one that this program was written for\n\
             - index `ByAuthor` is local, and the program was written for a global one: build a global one with another name, then \
             switch; a local one goes with its table only\n\
             - index `ByTitle` is global, and the program was written for a local one: local ones are made with their table and never \
             later, so the items must be moved to a new table, or the design must make do with a global one"
        );
    })
    .await;
}

/// The engine with the table of this type, called as the type is, and its HTTP client.
async fn engine_with<TableType: declare::Table>() -> (Engine, SharedHttpClient) {
    let engine = Engine::open(Options::memory()).unwrap();
    let builder = Store::<TableType>::builder(keywright_embedded::client(&engine), keys());
    builder.capabilities(Capabilities::EMBEDDED).create_table().await.unwrap();
    let http = keywright_embedded::config(&engine).build().http_client().unwrap();
    (engine, http)
}

/// What a store of an engine with such a table is opened with, where the service says of it what `edit` makes of the engine's answers.
async fn builder_where<TableType: declare::Table>(
    edit: impl Fn(&str, String) -> String + Send + Sync + 'static,
) -> StoreBuilder<TableType> {
    let (engine, http) = engine_with::<TableType>().await;
    let config = keywright_embedded::config(&engine).http_client(Edited::new(http, edit));
    Store::builder(Client::from_conf(config.build()), keys()).capabilities(Capabilities::EMBEDDED)
}

/// The answer of DescribeTable with `from` replaced.
fn described(from: &'static str, to: String) -> impl Fn(&str, String) -> String + Send + Sync + 'static {
    move |operation, said| {
        if operation != "DescribeTable" {
            return said;
        }
        assert!(said.contains(from), "{said}");
        said.replacen(from, &to, 1)
    }
}

/// An index was added, the program that needs it started at once, and `open` found nothing wrong. Each query failed until the index
/// was backfilled, half an hour later.
#[tokio::test]
async fn an_index_that_cannot_be_read_is_refused() {
    let with_status = async |status: &str| {
        let to = format!(r#""IndexStatus":"{status}","Backfilling":true"#);
        builder_where::<App>(described(r#""IndexStatus":"ACTIVE""#, to)).await.open().await
    };
    for status in ["CREATING", "DELETING", "SOMETHING_NEW"] {
        let (differences, text) = refused(with_status(status).await);
        let [Difference::IndexStatus { index: "ByUser" | "ByAddress", status: found }] = &differences[..]
        else {
            panic!("{differences:?}")
        };
        assert_eq!(found, status);
        assert!(text.contains(&format!("is {status} and cannot be read: wait until it is ACTIVE")), "{text}");
    }
    for status in ["ACTIVE", "UPDATING"] {
        with_status(status).await.unwrap();
    }
}

#[tokio::test]
async fn a_table_that_cannot_be_used_is_refused() {
    let with_status = async |status: &str| {
        let to = format!(r#""TableStatus":"{status}""#);
        builder_where::<App>(described(r#""TableStatus":"ACTIVE""#, to)).await.open().await
    };
    for status in ["CREATING", "DELETING", "INACCESSIBLE_ENCRYPTION_CREDENTIALS", "ARCHIVING", "ARCHIVED"] {
        let (differences, text) = refused(with_status(status).await);
        assert_eq!(differences, [Difference::TableStatus { status: status.to_owned() }]);
        assert!(text.contains(&format!("the table is {status} and cannot be used")), "{text}");
    }
    for status in ["ACTIVE", "UPDATING"] {
        with_status(status).await.unwrap();
    }
}

/// The answer of DescribeTimeToLive; the engine has none.
fn time_to_live(
    status: &'static str,
    attribute: &'static str,
) -> impl Fn(&str, String) -> String + Send + Sync {
    move |operation, said| match operation {
        "DescribeTimeToLive" => format!(
            r#"{{"TimeToLiveDescription":{{"TimeToLiveStatus":"{status}","AttributeName":"{attribute}"}}}}"#
        ),
        _ => said,
    }
}

/// A store whose service has a time to live.
async fn opened_where_time_to_live_is<TableType: declare::Table>(
    status: &'static str,
    attribute: &'static str,
) -> Result<Store<TableType>, OpenError> {
    let capabilities = Capabilities { time_to_live: Capability::Present, ..Capabilities::EMBEDDED };
    builder_where(time_to_live(status, attribute)).await.capabilities(capabilities).open().await
}

#[tokio::test]
async fn a_table_that_deletes_by_something_else_is_refused() {
    let expires_at = Some("expires_at");
    let differences = [
        (
            "DISABLED",
            "",
            expires_at,
            None,
            "looks at nothing, and the program was written for `expires_at`: items would stay",
        ),
        ("DISABLING", "expires_at", expires_at, None, "looks at nothing"),
        (
            "ENABLED",
            "ends",
            expires_at,
            Some("ends"),
            "looks at `ends`, and the program was written for `expires_at`",
        ),
    ];
    for (status, attribute, expected, found, told) in differences {
        let (differences, text) = refused(opened_where_time_to_live_is::<App>(status, attribute).await);
        let found = found.map(str::to_owned);
        assert_eq!(differences, [Difference::TimeToLive { expected, found }]);
        assert!(text.contains(told), "{text}");
    }
    let (differences, text) = refused(opened_where_time_to_live_is::<Shelves>("ENABLED", "ends").await);
    let found = Some("ends".to_owned());
    assert_eq!(differences, [Difference::TimeToLive { expected: None, found }]);
    assert!(text.contains("items would go that nothing in the program expects to go"), "{text}");

    for status in ["ENABLED", "ENABLING"] {
        opened_where_time_to_live_is::<App>(status, "expires_at").await.unwrap();
    }
    opened_where_time_to_live_is::<Shelves>("DISABLED", "").await.unwrap();
}

/// A design that no derive looked at: two entities with one discriminator.
#[derive(Debug)]
struct Confused;

struct One;
struct Two;

impl declare::Table for Confused {
    const FORMAT: KeyFormat = KeyFormat::STANDARD;
    const SHAPE: TableShape<'static> = TableShape::new("Confused").with_entities(&[&One::SHAPE, &Two::SHAPE]);
}

impl declare::Entity<Confused> for One {
    const SHAPE: EntityShape<'static> = entity("One", "ONE#{id}");
}

impl declare::Entity<Confused> for Two {
    const SHAPE: EntityShape<'static> = entity("Two", "TWO#{id}");
}

const fn entity(name: &'static str, partition_key: &'static str) -> EntityShape<'static> {
    let format = KeyFormat::STANDARD;
    let key = KeyShape::new(TemplateShape::of(partition_key, format), TemplateShape::of("ROW", format));
    EntityShape::new(name, "row", key, const { &[AttributeShape::of::<u64>("id")] })
}

#[tokio::test]
async fn a_design_that_breaks_a_rule_does_not_open_and_nothing_is_asked_of_the_service() {
    let engine = Engine::open(Options::memory()).unwrap();
    let asked = Arc::new(AtomicU32::new(0));
    let counts = Arc::clone(&asked);
    let http = keywright_embedded::config(&engine).build().http_client().unwrap();
    let edited = Edited::new(http, move |_, said| {
        counts.fetch_add(1, Ordering::Relaxed);
        said
    });
    let client = Client::from_conf(keywright_embedded::config(&engine).http_client(edited).build());

    let error = Store::<Confused>::with_client(client, keys()).await.map(|_| ()).unwrap_err();

    let OpenError::Design(messages) = &error else { panic!("{error:?}") };
    assert_eq!((messages.len(), messages[0].rule().code), (1, "KW0204"));
    assert!(error.to_string().starts_with("the design does not hold\n- "), "{error}");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

/// Sleeps without waiting, and adds up for how long.
#[derive(Clone, Debug, Default)]
struct Adds(Arc<Mutex<Duration>>);

impl AsyncSleep for Adds {
    fn sleep(&self, duration: Duration) -> Sleep {
        *self.0.lock().unwrap() += duration;
        Sleep::new(std::future::ready(()))
    }
}

/// An engine that says of its table, for so many looks, that it is being created; and how often it was looked at.
fn being_created(looks: u32) -> (Builder, Arc<AtomicU32>) {
    let engine = Engine::open(Options::memory()).unwrap();
    let looked = Arc::new(AtomicU32::new(0));
    let counts = Arc::clone(&looked);
    let http = keywright_embedded::config(&engine).build().http_client().unwrap();
    let edited = Edited::new(http, move |operation, said| {
        if operation != "DescribeTable" || counts.fetch_add(1, Ordering::Relaxed) >= looks {
            return said;
        }
        assert!(said.contains(r#""TableStatus":"ACTIVE""#), "{said}");
        said.replace(r#""TableStatus":"ACTIVE""#, r#""TableStatus":"CREATING""#)
    });
    (keywright_embedded::config(&engine).http_client(edited), looked)
}

fn shelves(client: Client) -> StoreBuilder<Shelves> {
    Store::builder(client, keys()).capabilities(Capabilities::EMBEDDED)
}

fn is_being_created(created: Result<(), OpenError>) {
    let Err(OpenError::Differs(differences)) = created else { panic!("{created:?}") };
    assert_eq!(differences, [Difference::TableStatus { status: "CREATING".to_owned() }]);
}

/// Waiting ended after five minutes and said that all was well, though the table was still being created.
#[tokio::test]
async fn a_table_that_does_not_become_active_is_said_not_to_be() {
    let slept = Adds::default();
    let (config, looked) = being_created(u32::MAX);
    let builder = shelves(Client::from_conf(config.sleep_impl(slept.clone()).build()));
    is_being_created(builder.create_table().await);
    let slept = *slept.0.lock().unwrap();
    assert!(slept > Duration::from_secs(299) && slept <= Duration::from_secs(300), "{slept:?}");
    assert_eq!(looked.load(Ordering::Relaxed), 1500);
}

#[tokio::test]
async fn a_table_that_becomes_active_late_is_waited_for() {
    let slept = Adds::default();
    let (config, looked) = being_created(10);
    let builder = shelves(Client::from_conf(config.sleep_impl(slept.clone()).build()));
    builder.create_table().await.unwrap();
    assert_eq!((looked.load(Ordering::Relaxed), *slept.0.lock().unwrap()), (11, Duration::from_secs(2)));
}

/// A client that nobody gave a sleep implementation is read and written through as any other.
#[tokio::test]
async fn a_client_without_a_sleep_implementation_of_its_own_is_read_and_written_through() {
    let (engine, _) = engine_with::<Shelves>().await;
    let mut config = keywright_embedded::config(&engine).retry_config(RetryConfig::disabled());
    config.set_sleep_impl(None);
    let client = Client::from_conf(config.build());
    assert!(client.config().sleep_impl().is_none());

    let store = shelves(client.clone()).open_unchecked();

    let acme = store.tenant(&book().organization_id).unwrap();
    acme.put(&book()).send().await.unwrap();
    assert_eq!(*acme.get(BookById { book_id: 1 }).await.unwrap().unwrap(), book());
    shelves(client).create_table().await.unwrap();
}

#[tokio::test]
async fn a_table_in_a_directory_is_there_when_it_is_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::<Shelves>::embedded(directory.path(), keys()).await.unwrap();
    let acme = store.tenant(&book().organization_id).unwrap();
    acme.put(&book()).send().await.unwrap();
    let second = Store::<Shelves>::embedded(directory.path(), keys()).await;
    assert!(matches!(second, Err(OpenError::Engine(_))), "{:?}", second.map(|_| ()));
    drop((store, acme));

    let store = Store::<Shelves>::embedded(directory.path(), keys()).await.unwrap();

    let acme = store.tenant(&book().organization_id).unwrap();
    assert_eq!(*acme.get(BookById { book_id: 1 }).await.unwrap().unwrap(), book());
    let of_ada = acme.query(BooksOf { author: "ada".to_owned() }).page().await.unwrap();
    assert_eq!(of_ada.into_items().unwrap().len(), 1);
    let called = acme.query(BooksCalled {}).page().await.unwrap().into_items().unwrap();
    assert_eq!(called, [Title { title: "Notes".to_owned() }]);
}

#[tokio::test]
async fn a_table_behind_a_client_is_opened_by_the_name_of_its_type() {
    let (engine, http) = engine_with::<Shelves>().await;
    let client =
        |http: Edited| Client::from_conf(keywright_embedded::config(&engine).http_client(http).build());
    let http = Edited::new(http, time_to_live("DISABLED", ""));

    let store = Store::<Shelves>::with_client(client(http.clone()), keys()).await.unwrap();
    assert_eq!(store.table_name(), "Shelves");
    store.tenant(&book().organization_id).unwrap().put(&book()).send().await.unwrap();

    let (differences, _) = refused(Store::<App>::with_client(client(http), keys()).await);
    assert_eq!(differences, [Difference::NoTable { table: "App".to_owned() }]);
}

/// By the settings that `aws-config` loads: the credentials, the region and the HTTP client are theirs.
#[tokio::test]
async fn a_table_on_aws_is_opened_by_the_settings_of_the_environment() {
    let (_engine, http) = engine_with::<Shelves>().await;
    let credentials = Credentials::new("test", "test", None, None, "test");
    let config = SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .sleep_impl(TokioSleep::new())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(Edited::new(http, time_to_live("DISABLED", "")))
        .build();

    let store = Store::<Shelves>::aws(&config, keys()).await.unwrap();

    assert_eq!(store.client().config().region().map(Region::as_ref), Some("eu-central-1"));
    let acme = store.tenant(&book().organization_id).unwrap();
    acme.put(&book()).send().await.unwrap();
    assert_eq!(*acme.get(BookById { book_id: 1 }).await.unwrap().unwrap(), book());
}
