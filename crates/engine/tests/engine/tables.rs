//! Tables: what CreateTable, DescribeTable, ListTables and DeleteTable say and do as time passes.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{call, create, get, memory, put};
use keywright_api::Operation;
use keywright_engine::clock::{ManualClock, Timestamp};
use keywright_engine::files::MemoryFiles;
use keywright_engine::random::SeededRandom;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

const START: Timestamp = Timestamp::from_milliseconds(1_700_000_000_000);

fn on_manual_clock(table_delay: Duration) -> (Engine, ManualClock) {
    let clock = ManualClock::new(START);
    let options = Options::memory()
        .clock(Arc::new(clock.clone()))
        .random(Arc::new(SeededRandom::new(7)))
        .table_delay(table_delay);
    (Engine::open(options).unwrap(), clock)
}

fn describe(engine: &Engine, name: &str) -> Result<Value, crate::support::Refusal> {
    call(engine, Operation::DescribeTable, &json!({"TableName": name})).map(|answer| answer["Table"].clone())
}

fn delete(engine: &Engine, name: &str) -> Result<Value, crate::support::Refusal> {
    call(engine, Operation::DeleteTable, &json!({"TableName": name}))
}

#[test]
fn a_new_table_is_answered_as_creating_and_described_as_active() {
    let (engine, _clock) = on_manual_clock(Duration::ZERO);
    let created = create(&engine, "orders", "pk:S", Some("sk:N"));
    let created = &created["TableDescription"];
    assert_eq!(created["TableStatus"], "CREATING");
    assert_eq!(created["TableArn"], "arn:aws:dynamodb:us-east-1:000000000000:table/orders");
    assert_eq!(created["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(created["ItemCount"], 0);

    let described = describe(&engine, "orders").unwrap();
    assert_eq!(described["TableStatus"], "ACTIVE");
    assert_eq!(described["TableId"], created["TableId"]);
    let key_schema = json!([
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]);
    assert_eq!(described["KeySchema"], key_schema);
}

#[test]
fn table_ids_are_uuids_of_version_4() {
    let engine = memory();
    let created = create(&engine, "orders", "pk:S", None);
    let id = created["TableDescription"]["TableId"].as_str().unwrap().to_owned();
    let lengths: Vec<usize> = id.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
    assert_eq!(id.as_bytes()[14], b'4', "{id}");
    assert!(matches!(id.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{id}");
}

#[test]
fn a_provisioned_table_is_described_with_its_throughput() {
    let engine = memory();
    let body = json!({
        "TableName": "orders",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "B"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 3},
    });
    call(&engine, Operation::CreateTable, &body).unwrap();
    let throughput = &describe(&engine, "orders").unwrap()["ProvisionedThroughput"];
    assert_eq!(throughput["ReadCapacityUnits"], 7);
    assert_eq!(throughput["WriteCapacityUnits"], 3);
}

/// C59. Programs wrote right after CreateTable and got nothing back, or an empty answer: the emulators had no time at
/// which a table was not ready. The service has: while a table is CREATING its items are not found, and it cannot be
/// deleted or created again.
#[test]
fn a_table_that_is_being_created_takes_no_items_and_cannot_be_deleted() {
    let (engine, clock) = on_manual_clock(Duration::from_secs(5));
    create(&engine, "orders", "pk:S", None);
    assert_eq!(describe(&engine, "orders").unwrap()["TableStatus"], "CREATING");

    let refused = put(&engine, "orders", json!({"pk": {"S": "a"}})).unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    let refused = delete(&engine, "orders").unwrap_err();
    assert_eq!(refused.name, "ResourceInUseException");

    clock.advance(Duration::from_secs(5));
    assert_eq!(describe(&engine, "orders").unwrap()["TableStatus"], "ACTIVE");
    put(&engine, "orders", json!({"pk": {"S": "a"}})).unwrap();
}

/// C59. The second CreateTable of one name is refused, whatever the table's status.
#[test]
fn a_name_is_taken_once() {
    let engine = memory();
    create(&engine, "orders", "pk:S", None);
    let body = json!({
        "TableName": "orders",
        "AttributeDefinitions": [{"AttributeName": "other", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "other", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let refused = call(&engine, Operation::CreateTable, &body).unwrap_err();
    assert_eq!(refused.name, "ResourceInUseException");
    assert_eq!(refused.message, "Table already exists: orders");
}

/// C59. Dashboards used ItemCount as a count, which is right on emulators that count live and wrong on the service: it
/// refreshes the figure about every six hours.
#[test]
fn the_item_count_moves_every_six_hours_and_is_no_count() {
    let (engine, clock) = on_manual_clock(Duration::ZERO);
    create(&engine, "orders", "pk:S", None);
    for number in 0..10 {
        put(&engine, "orders", json!({"pk": {"S": number.to_string()}})).unwrap();
    }
    assert_eq!(describe(&engine, "orders").unwrap()["ItemCount"], 0);

    clock.advance(Duration::from_secs(6 * 60 * 60 - 1));
    assert_eq!(describe(&engine, "orders").unwrap()["ItemCount"], 0);
    clock.advance(Duration::from_secs(1));
    let described = describe(&engine, "orders").unwrap();
    assert_eq!(described["ItemCount"], 10);
    // "pk" and one digit.
    assert_eq!(described["TableSizeBytes"], 30);
}

#[test]
fn a_deleted_table_is_deleting_for_its_time_and_then_gone() {
    let (engine, clock) = on_manual_clock(Duration::from_secs(5));
    create(&engine, "orders", "pk:S", None);
    clock.advance(Duration::from_secs(5));
    put(&engine, "orders", json!({"pk": {"S": "a"}})).unwrap();

    let deleted = delete(&engine, "orders").unwrap();
    assert_eq!(deleted["TableDescription"]["TableStatus"], "DELETING");
    assert_eq!(describe(&engine, "orders").unwrap()["TableStatus"], "DELETING");
    assert_eq!(
        put(&engine, "orders", json!({"pk": {"S": "b"}})).unwrap_err().name,
        "ResourceNotFoundException"
    );
    assert_eq!(delete(&engine, "orders").unwrap_err().name, "ResourceInUseException");

    clock.advance(Duration::from_secs(5));
    let refused = describe(&engine, "orders").unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    assert_eq!(refused.message, "Requested resource not found: Table: orders not found");
    assert_eq!(call(&engine, Operation::ListTables, &json!({})).unwrap()["TableNames"], json!([]));
}

#[test]
fn a_table_created_again_is_another_table_and_empty() {
    let engine = memory();
    let first = create(&engine, "orders", "pk:S", None);
    // More items than one batch of the removal in the background.
    for number in 0..2500 {
        put(&engine, "orders", json!({"pk": {"S": number.to_string()}})).unwrap();
    }
    delete(&engine, "orders").unwrap();
    let second = create(&engine, "orders", "pk:S", None);
    assert_ne!(first["TableDescription"]["TableId"], second["TableDescription"]["TableId"]);
    for number in 0..2500 {
        assert_eq!(get(&engine, "orders", json!({"pk": {"S": number.to_string()}})).unwrap(), Value::Null);
    }
}

#[test]
fn names_are_listed_in_order_and_in_pages() {
    let engine = memory();
    for name in ["cherry", "apple", "Banana", "date"] {
        create(&engine, name, "pk:S", None);
    }
    let first = call(&engine, Operation::ListTables, &json!({"Limit": 3})).unwrap();
    assert_eq!(first["TableNames"], json!(["Banana", "apple", "cherry"]));
    assert_eq!(first["LastEvaluatedTableName"], "cherry");

    let rest = json!({"Limit": 3, "ExclusiveStartTableName": "cherry"});
    let second = call(&engine, Operation::ListTables, &rest).unwrap();
    assert_eq!(second, json!({"TableNames": ["date"]}));

    let exact = call(&engine, Operation::ListTables, &json!({"Limit": 4})).unwrap();
    assert_eq!(exact["TableNames"].as_array().unwrap().len(), 4);
    assert_eq!(exact.get("LastEvaluatedTableName"), None);
}

#[test]
fn tables_items_and_figures_survive_a_restart() {
    let files = Arc::new(MemoryFiles::new());
    let clock = ManualClock::new(START);
    let open = || Engine::open(Options::files(files.clone()).clock(Arc::new(clock.clone()))).unwrap();

    let engine = open();
    create(&engine, "kept", "pk:S", Some("sk:N"));
    create(&engine, "dropped", "pk:S", None);
    let item = json!({"pk": {"S": "a"}, "sk": {"N": "-1.5"}, "note": {"S": "kept"}});
    put(&engine, "kept", item.clone()).unwrap();
    put(&engine, "dropped", json!({"pk": {"S": "a"}})).unwrap();
    delete(&engine, "dropped").unwrap();
    let described = describe(&engine, "kept").unwrap();
    engine.close().unwrap();
    drop(engine);

    let engine = open();
    assert_eq!(describe(&engine, "kept").unwrap(), described);
    assert_eq!(get(&engine, "kept", json!({"pk": {"S": "a"}, "sk": {"N": "-1.5"}})).unwrap(), item);
    assert_eq!(describe(&engine, "dropped").unwrap_err().name, "ResourceNotFoundException");
    clock.advance(Duration::from_secs(6 * 60 * 60));
    assert_eq!(describe(&engine, "kept").unwrap()["ItemCount"], 1);
    // A new table's items are apart from those of every earlier one.
    create(&engine, "dropped", "pk:S", None);
    assert_eq!(get(&engine, "dropped", json!({"pk": {"S": "a"}})).unwrap(), Value::Null);
}

/// C59. Emulators named every table of every region `ddblocal:000000000000`, or gave the table one region and its stream
/// another: a program that took the region from an ARN called the wrong one. A table's ARN is the engine's region and
/// account, and stays what it was when the directory is opened as another.
#[test]
fn an_arn_names_the_region_and_the_account_of_the_engine() {
    let files = Arc::new(MemoryFiles::new());
    let open = |region: &str, account: &str| {
        Engine::open(Options::files(files.clone()).region(region).account(account)).unwrap()
    };
    let engine = open("eu-west-2", "123456789012");
    create(&engine, "orders", "pk:S", None);
    let arn = "arn:aws:dynamodb:eu-west-2:123456789012:table/orders";
    assert_eq!(describe(&engine, "orders").unwrap()["TableArn"], arn);
    assert_eq!(describe(&engine, arn).unwrap()["TableName"], "orders");
    drop(engine);

    let engine = open("us-west-1", "210987654321");
    assert_eq!(describe(&engine, "orders").unwrap()["TableArn"], arn);
    create(&engine, "later", "pk:S", None);
    let later = "arn:aws:dynamodb:us-west-1:210987654321:table/later";
    assert_eq!(describe(&engine, "later").unwrap()["TableArn"], later);
}

/// A machine's clock was set back by an hour (a resumed virtual machine does it), or a directory was copied to a machine whose
/// clock stood earlier: every table that had been created since was CREATING again, and its items were "not found" until
/// the hour was over.
#[test]
fn a_clock_that_is_set_back_hides_no_table() {
    let files = Arc::new(MemoryFiles::new());
    let open = |now: Timestamp| {
        Engine::open(Options::files(files.clone()).clock(Arc::new(ManualClock::new(now)))).unwrap()
    };
    let engine = open(START);
    create(&engine, "orders", "pk:S", None);
    put(&engine, "orders", json!({"pk": {"S": "a"}})).unwrap();
    drop(engine);

    let engine = open(Timestamp::from_milliseconds(START.milliseconds() - 3_600_000));
    assert_eq!(describe(&engine, "orders").unwrap()["TableStatus"], "ACTIVE");
    assert_eq!(get(&engine, "orders", json!({"pk": {"S": "a"}})).unwrap(), json!({"pk": {"S": "a"}}));
    put(&engine, "orders", json!({"pk": {"S": "b"}})).unwrap();
    delete(&engine, "orders").unwrap();
}

#[test]
fn a_closed_engine_refuses_writes_and_says_so() {
    let engine = memory();
    create(&engine, "orders", "pk:S", None);
    engine.close().unwrap();
    let refused = put(&engine, "orders", json!({"pk": {"S": "a"}})).unwrap_err();
    assert_eq!(refused.name, "InternalServerError");
    assert!(refused.message.contains("the engine is closed"), "{}", refused.message);
}

/// A put that is queued behind the deletion of its table must not revive anything: it is not found, whichever way the two
/// are grouped.
#[test]
fn a_put_that_races_a_deletion_is_stored_before_it_or_not_found() {
    let (engine, clock) = on_manual_clock(Duration::from_secs(5));
    create(&engine, "orders", "pk:S", None);
    clock.advance(Duration::from_secs(5));
    let outcomes = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let engine = &engine;
                scope.spawn(move || {
                    let item = |number: i32| json!({"pk": {"S": format!("{writer}-{number}")}});
                    (0..100).map(|number| put(engine, "orders", item(number)).is_ok()).collect::<Vec<_>>()
                })
            })
            .collect();
        delete(&engine, "orders").unwrap();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect::<Vec<_>>()
    });
    for stored in outcomes {
        let first_refused = stored.iter().position(|stored| !stored).unwrap_or(stored.len());
        assert!(
            stored[first_refused..].iter().all(|stored| !stored),
            "no put succeeds after one was refused"
        );
    }
    assert_eq!(
        put(&engine, "orders", json!({"pk": {"S": "late"}})).unwrap_err().name,
        "ResourceNotFoundException"
    );
}
