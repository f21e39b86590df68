//! UpdateTable: what becomes of capacity as time passes, and what is refused of a table as it is.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{Refusal, call, get, index, key, memory, merged, put, refused_by};
use keywright_api::Operation;
use keywright_engine::clock::{Clock, ManualClock, MovableClock, Timestamp};
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use serde_json::{Value, json};

/// 2023-11-14T22:13:20Z.
const START: Timestamp = Timestamp::from_milliseconds(1_700_000_000_000);
const DELAY: Duration = Duration::from_secs(5);

struct Fixture {
    files: Arc<MemoryFiles>,
    clock: ManualClock,
    engine: Engine,
}

impl Fixture {
    fn new() -> Fixture {
        let (files, clock) = (Arc::new(MemoryFiles::new()), ManualClock::new(START));
        let engine = open(&files, &clock, DELAY);
        Fixture { files, clock, engine }
    }

    /// With the table `orders`, provisioned with 5 and 5.
    fn with_provisioned_table() -> Fixture {
        let fixture = Fixture::new();
        fixture.create(json!({"ProvisionedThroughput": units(5, 5)}));
        fixture
    }

    /// Creates `orders`, with the global indexes `by_g` and `by_h` and the local index `by_l`, and waits for it.
    fn with_indexes(billing: Value) -> Fixture {
        let fixture = Fixture::new();
        let is_provisioned = billing.get("ProvisionedThroughput").is_some();
        let global = ["g", "h"].map(|name| {
            let mut index = index(&format!("by_{name}"), &[name], json!("ALL"));
            if is_provisioned {
                index["ProvisionedThroughput"] = units(3, 3);
            }
            index
        });
        let attributes = ["pk", "sk", "g", "h", "l"];
        let definitions = attributes.map(|name| json!({"AttributeName": name, "AttributeType": "S"}));
        let members = json!({
            "AttributeDefinitions": definitions,
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            "GlobalSecondaryIndexes": global,
            "LocalSecondaryIndexes": [index("by_l", &["pk", "l"], json!("ALL"))],
        });
        fixture.create(merged(members, &billing));
        fixture
    }

    fn create(&self, members: Value) {
        let body = json!({
            "TableName": "orders",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        });
        call(&self.engine, Operation::CreateTable, &merged(body, &members)).unwrap();
        self.settle();
    }

    fn settle(&self) {
        self.clock.advance(DELAY);
    }

    fn update(&self, members: Value) -> Result<Value, Refusal> {
        let body = merged(json!({"TableName": "orders"}), &members);
        call(&self.engine, Operation::UpdateTable, &body).map(|answer| answer["TableDescription"].clone())
    }

    /// Sets the table's units, and waits until they are in effect.
    fn set_units(&self, read_units: u64, write_units: u64) -> Result<(), Refusal> {
        self.update(json!({"ProvisionedThroughput": units(read_units, write_units)}))?;
        self.settle();
        Ok(())
    }

    fn describe(&self) -> Value {
        let body = json!({"TableName": "orders"});
        call(&self.engine, Operation::DescribeTable, &body).unwrap()["Table"].clone()
    }

    fn delete(&self) -> Result<Value, Refusal> {
        call(&self.engine, Operation::DeleteTable, &json!({"TableName": "orders"}))
    }

    fn reopen(&mut self) {
        // The files are in use until the engine is gone.
        self.engine = memory();
        self.engine = open(&self.files, &self.clock, DELAY);
    }

    fn now(&self) -> Value {
        seconds(self.clock.now())
    }
}

fn open(files: &Arc<MemoryFiles>, clock: &ManualClock, delay: Duration) -> Engine {
    let options = Options::files(files.clone()).clock(Arc::new(clock.clone())).table_delay(delay);
    Engine::open(options).unwrap()
}

fn units(read_units: u64, write_units: u64) -> Value {
    json!({"ReadCapacityUnits": read_units, "WriteCapacityUnits": write_units})
}

fn index_update(name: &str, read_units: u64, write_units: u64) -> Value {
    json!({"Update": {"IndexName": name, "ProvisionedThroughput": units(read_units, write_units)}})
}

/// A moment as descriptions write it.
fn seconds(moment: Timestamp) -> Value {
    let text = format!("{}.{:03}", moment.seconds(), moment.milliseconds() % 1000);
    serde_json::from_str(&text).unwrap()
}

fn in_use(outcome: Result<Value, Refusal>) -> String {
    let refused = outcome.unwrap_err();
    assert_eq!(refused.name, "ResourceInUseException", "{}", refused.message);
    refused.message
}

fn global_index(described: &Value, place: usize) -> &Value {
    &described["GlobalSecondaryIndexes"][place]
}

#[test]
fn new_throughput_is_in_effect_when_the_table_is_active_again() {
    let fixture = Fixture::with_provisioned_table();
    let asked_at = fixture.now();
    let answer = fixture.update(json!({"ProvisionedThroughput": units(20, 15)})).unwrap();
    let under_way =
        merged(units(5, 5), &json!({"LastIncreaseDateTime": asked_at, "NumberOfDecreasesToday": 0}));
    for described in [&answer, &fixture.describe()] {
        assert_eq!(described["TableStatus"], "UPDATING");
        assert_eq!(described["ProvisionedThroughput"], under_way);
        assert_eq!(described.get("BillingModeSummary"), None);
    }
    fixture.clock.advance(DELAY - Duration::from_millis(1));
    assert_eq!(fixture.describe()["TableStatus"], "UPDATING");

    fixture.clock.advance(Duration::from_millis(1));
    let described = fixture.describe();
    assert_eq!(described["TableStatus"], "ACTIVE");
    let settled =
        merged(units(20, 15), &json!({"LastIncreaseDateTime": fixture.now(), "NumberOfDecreasesToday": 0}));
    assert_eq!(described["ProvisionedThroughput"], settled);
}

#[test]
fn a_change_that_takes_no_time_is_answered_as_under_way_all_the_same() {
    let fixture = Fixture::with_indexes(json!({"ProvisionedThroughput": units(5, 5)}));
    let at_once = open(&Arc::default(), &fixture.clock, Duration::ZERO);
    let fixture = Fixture { engine: at_once, ..fixture };
    fixture.create(json!({"ProvisionedThroughput": units(5, 5)}));
    for (before, after) in [(5, 6), (6, 5), (5, 6)] {
        let answer = fixture.update(json!({"ProvisionedThroughput": units(after, 5)})).unwrap();
        assert_eq!(answer["TableStatus"], "UPDATING");
        assert_eq!(answer["ProvisionedThroughput"]["ReadCapacityUnits"], before);
        let described = fixture.describe();
        assert_eq!(described["TableStatus"], "ACTIVE");
        assert_eq!(described["ProvisionedThroughput"]["ReadCapacityUnits"], after);
    }
}

#[test]
fn a_table_that_is_updating_is_read_and_written_but_not_changed_or_deleted() {
    let fixture = Fixture::with_provisioned_table();
    fixture.update(json!({"ProvisionedThroughput": units(6, 6)})).unwrap();
    put(&fixture.engine, "orders", json!({"pk": {"S": "a"}})).unwrap();
    assert_eq!(get(&fixture.engine, "orders", key("a")).unwrap(), json!({"pk": {"S": "a"}}));

    for members in [json!({"ProvisionedThroughput": units(7, 7)}), json!({"BillingMode": "PAY_PER_REQUEST"})]
    {
        assert_eq!(
            in_use(fixture.update(members)),
            "Attempt to change a resource which is still in use: Table IOPS are currently being updated. Table: orders"
        );
    }
    assert_eq!(
        in_use(fixture.delete()),
        "Attempt to change a resource which is still in use: Table: orders is in the process of being updated."
    );
    fixture.settle();
    fixture.set_units(7, 7).unwrap();
    fixture.delete().unwrap();
}

#[test]
fn a_table_that_comes_or_goes_or_is_not_there_is_not_changed() {
    let fixture = Fixture::new();
    let change = json!({"ProvisionedThroughput": units(6, 6)});
    let refused = fixture.update(change.clone()).unwrap_err();
    assert_eq!(refused.name, "ResourceNotFoundException");
    assert_eq!(refused.message, "Requested resource not found: Table: orders not found");

    let body = json!({
        "TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    });
    call(&fixture.engine, Operation::CreateTable, &body).unwrap();
    assert!(in_use(fixture.update(change.clone())).contains("Table is being created: orders"));
    fixture.settle();
    fixture.delete().unwrap();
    assert!(in_use(fixture.update(change)).contains("Table is being deleted: orders"));
}

/// A change of throughput to what it is already is refused, of a table and of an index; a change to on demand is not.
#[test]
fn a_change_to_what_is_already_there_is_refused_unless_it_is_on_demand() {
    let fixture = Fixture::with_indexes(json!({"ProvisionedThroughput": units(5, 4)}));
    for members in [json!({}), json!({"BillingMode": "PROVISIONED"})] {
        assert_eq!(
            refused_by(fixture.update(merged(members, &json!({"ProvisionedThroughput": units(5, 4)})))),
            "The provisioned throughput for the table will not change. The requested value equals the current value. \
             Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current \
             WriteCapacityUnits provisioned for the table: 4. Requested WriteCapacityUnits: 4. Refer to the Amazon DynamoDB \
             Developer Guide for current limits and how to request higher limits."
        );
    }
    let same = json!({
        "ProvisionedThroughput": units(9, 9), "GlobalSecondaryIndexUpdates": [index_update("by_h", 3, 3)],
    });
    assert_eq!(
        refused_by(fixture.update(same)),
        "The provisioned throughput for the index by_h will not change. The requested value equals the current value. \
         Current ReadCapacityUnits provisioned for index by_h: 3. Requested ReadCapacityUnits: 3. Current WriteCapacityUnits \
         provisioned for index by_h: 3. Requested WriteCapacityUnits: 3. Refer to the Amazon DynamoDB Developer Guide for \
         current limits and how to request higher limits."
    );
    assert_eq!(fixture.describe()["ProvisionedThroughput"]["ReadCapacityUnits"], 5);

    let fixture = Fixture::with_indexes(json!({"BillingMode": "PAY_PER_REQUEST"}));
    let before = fixture.describe();
    let answer = fixture.update(json!({"BillingMode": "PAY_PER_REQUEST"})).unwrap();
    assert_eq!(answer["TableStatus"], "UPDATING");
    assert_eq!(fixture.describe(), before);
}

#[test]
fn a_table_goes_on_demand_with_its_indexes() {
    let fixture = Fixture::with_indexes(json!({"ProvisionedThroughput": units(5, 5)}));
    let asked_at = fixture.now();
    let answer = fixture.update(json!({"BillingMode": "PAY_PER_REQUEST"})).unwrap();
    assert_eq!(answer["TableStatus"], "UPDATING");
    assert_eq!(answer["BillingModeSummary"], json!({"BillingMode": "PAY_PER_REQUEST"}));
    let nothing = merged(units(0, 0), &json!({"NumberOfDecreasesToday": 0}));
    assert_eq!(
        answer["ProvisionedThroughput"],
        merged(nothing.clone(), &json!({"LastDecreaseDateTime": asked_at}))
    );
    assert_eq!(global_index(&answer, 0)["IndexStatus"], "UPDATING");

    fixture.settle();
    let described = fixture.describe();
    assert_eq!(described["TableStatus"], "ACTIVE");
    assert_eq!(
        described["BillingModeSummary"],
        json!({"BillingMode": "PAY_PER_REQUEST", "LastUpdateToPayPerRequestDateTime": fixture.now()})
    );
    assert_eq!(described["ProvisionedThroughput"], nothing);
    let lowered = json!({"NumberOfDecreasesToday": 1, "LastDecreaseDateTime": fixture.now()});
    for place in [0, 1] {
        assert_eq!(global_index(&described, place)["IndexStatus"], "ACTIVE");
        let throughput = &global_index(&described, place)["ProvisionedThroughput"];
        assert_eq!(*throughput, merged(units(0, 0), &lowered));
    }
    assert_eq!(
        refused_by(fixture.update(json!({"ProvisionedThroughput": units(5, 5)}))),
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when \
         BillingMode is PAY_PER_REQUEST"
    );
    assert_eq!(
        refused_by(fixture.update(json!({"GlobalSecondaryIndexUpdates": [index_update("by_g", 1, 1)]}))),
        "One or more parameter values were invalid: The only Updates for index: by_g when TableThroughputMode is \
         PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"
    );
}

#[test]
fn a_table_gets_reserved_capacity_with_that_of_each_index() {
    let fixture = Fixture::with_indexes(json!({"BillingMode": "PAY_PER_REQUEST"}));
    let on_demand_since =
        fixture.describe()["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"].clone();
    let table = json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5, 6)});
    let missing =
        "One or more parameter values were invalid: ProvisionedThroughput must be specified for index: ";
    assert_eq!(refused_by(fixture.update(table.clone())), format!("{missing}by_g,by_h"));
    let one = json!({"GlobalSecondaryIndexUpdates": [index_update("by_h", 1, 2)]});
    assert_eq!(refused_by(fixture.update(merged(table.clone(), &one))), format!("{missing}by_g"));

    let both =
        json!({"GlobalSecondaryIndexUpdates": [index_update("by_h", 1, 2), index_update("by_g", 3, 4)]});
    let answer = fixture.update(merged(table, &both)).unwrap();
    let summary = json!({"BillingMode": "PROVISIONED", "LastUpdateToPayPerRequestDateTime": on_demand_since});
    // The new mode is there at once, with its numbers.
    for described in [answer, fixture.describe()] {
        assert_eq!(described["TableStatus"], "UPDATING");
        assert_eq!(described["BillingModeSummary"], summary);
        assert_eq!(described["ProvisionedThroughput"]["WriteCapacityUnits"], 6);
        assert_eq!(global_index(&described, 0)["IndexStatus"], "UPDATING");
        assert_eq!(global_index(&described, 0)["ProvisionedThroughput"]["WriteCapacityUnits"], 4);
    }
    fixture.settle();
    let described = fixture.describe();
    assert_eq!(described["TableStatus"], "ACTIVE");
    assert_eq!(described["BillingModeSummary"], summary);
    assert_eq!(global_index(&described, 1)["ProvisionedThroughput"]["ReadCapacityUnits"], 1);
}

#[test]
fn an_index_changes_alone_while_its_table_stays_active() {
    let fixture = Fixture::with_indexes(json!({"ProvisionedThroughput": units(5, 5)}));
    let change = |name: &str, read_units: u64| {
        let updates = [index_update(name, read_units, 3)];
        fixture.update(json!({"GlobalSecondaryIndexUpdates": updates}))
    };
    let answer = change("by_g", 8).unwrap();
    for described in [&answer, &fixture.describe()] {
        assert_eq!(described["TableStatus"], "ACTIVE");
        assert_eq!(global_index(described, 0)["IndexStatus"], "UPDATING");
        assert_eq!(global_index(described, 0)["ProvisionedThroughput"]["ReadCapacityUnits"], 3);
        assert_eq!(global_index(described, 1)["IndexStatus"], "ACTIVE");
    }
    let updating = "Attempt to change a resource which is still in use: Index is being updated. Table: orders Index: by_g";
    assert_eq!(in_use(change("by_g", 9)), updating);
    assert_eq!(in_use(fixture.update(json!({"BillingMode": "PAY_PER_REQUEST"}))), updating);
    assert!(in_use(fixture.delete()).contains("is in the process of being updated."));
    change("by_h", 4).unwrap();

    fixture.settle();
    let described = fixture.describe();
    assert_eq!(global_index(&described, 0)["IndexStatus"], "ACTIVE");
    assert_eq!(global_index(&described, 0)["ProvisionedThroughput"]["ReadCapacityUnits"], 8);
    assert_eq!(global_index(&described, 1)["ProvisionedThroughput"]["ReadCapacityUnits"], 4);
}

#[test]
fn an_index_that_has_no_throughput_of_its_own_is_not_changed() {
    let fixture = Fixture::with_indexes(json!({"ProvisionedThroughput": units(5, 5)}));
    let change = |name: &str, read_units: u64| {
        fixture.update(json!({"GlobalSecondaryIndexUpdates": [index_update(name, read_units, 1)]}))
    };
    assert_eq!(change("by_x", 1).unwrap_err().name, "ResourceNotFoundException");
    assert_eq!(
        refused_by(change("by_l", 1)),
        "Cannot update an index that is not a GlobalSecondaryIndex: by_l"
    );
    // Too many units are told before a missing index, and after a missing table.
    let blocked = "This operation cannot be performed with given input values. Please contact DynamoDB service team for \
                   more info: Action Blocked: IndexUpdate";
    assert_eq!(refused_by(change("by_x", 1_000_000_000_001)), blocked);
    fixture.delete().unwrap();
    fixture.settle();
    assert_eq!(change("by_x", 1_000_000_000_001).unwrap_err().name, "ResourceNotFoundException");
}

/// Four decreases a day are free; after them there is one for each hour without a decrease. A day is one in UTC.
#[test]
fn decreases_are_counted_by_the_day_and_limited() {
    let fixture = Fixture::with_provisioned_table();
    fixture.set_units(100, 100).unwrap();
    let decreases = || fixture.describe()["ProvisionedThroughput"]["NumberOfDecreasesToday"].clone();
    for read_units in [90, 80, 70, 60] {
        fixture.set_units(read_units, 100).unwrap();
    }
    assert_eq!(decreases(), 4);

    let refused = fixture.set_units(50, 100).unwrap_err();
    assert_eq!(refused.name, "LimitExceededException");
    assert_eq!(
        refused.message,
        "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first 4 \
         decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. Number of \
         decreases today: 4. Last decrease at Tuesday, November 14, 2023 at 10:13:50 PM Coordinated Universal Time. Next \
         decrease can be made at Tuesday, November 14, 2023 at 11:13:50 PM Coordinated Universal Time"
    );
    // What does not change is told first, and an increase is free.
    assert!(
        refused_by(fixture.update(json!({"ProvisionedThroughput": units(60, 100)})))
            .contains("will not change")
    );
    fixture.set_units(61, 100).unwrap();

    fixture.clock.set(Timestamp::from_milliseconds(START.milliseconds() + 3_629_999)).unwrap();
    assert_eq!(fixture.set_units(50, 100).unwrap_err().name, "LimitExceededException");
    fixture.clock.advance(Duration::from_millis(1));
    fixture.set_units(50, 100).unwrap();
    assert_eq!(decreases(), 5);
    let refused = fixture.set_units(40, 100).unwrap_err();
    assert!(
        refused.message.ends_with("Wednesday, November 15, 2023 at 12:00:00 AM Coordinated Universal Time")
    );

    // 2023-11-15T00:00:00Z.
    fixture.clock.set(Timestamp::from_milliseconds(1_700_006_400_000)).unwrap();
    assert_eq!(decreases(), 0);
    fixture.set_units(40, 100).unwrap();
    assert_eq!(decreases(), 1);
}

#[test]
fn a_protected_table_is_deleted_once_it_is_no_longer_protected() {
    let mut fixture = Fixture::new();
    fixture.create(json!({"ProvisionedThroughput": units(5, 5), "DeletionProtectionEnabled": true}));
    fixture.reopen();
    assert_eq!(fixture.describe()["DeletionProtectionEnabled"], true);
    assert_eq!(
        refused_by(fixture.delete()),
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
    );
    // In effect at once, whatever else is under way.
    let answer = fixture.update(json!({"DeletionProtectionEnabled": false})).unwrap();
    assert_eq!(
        (&answer["TableStatus"], &answer["DeletionProtectionEnabled"]),
        (&json!("ACTIVE"), &json!(false))
    );
    fixture.update(json!({"ProvisionedThroughput": units(6, 6)})).unwrap();
    let answer = fixture.update(json!({"DeletionProtectionEnabled": true})).unwrap();
    assert_eq!(
        (&answer["TableStatus"], &answer["DeletionProtectionEnabled"]),
        (&json!("UPDATING"), &json!(true))
    );
    // That the table is updating is told first.
    assert!(in_use(fixture.delete()).contains("is in the process of being updated."));
    fixture.settle();
    assert_eq!(fixture.describe()["ProvisionedThroughput"]["ReadCapacityUnits"], 6);
    fixture.update(json!({"DeletionProtectionEnabled": false})).unwrap();
    fixture.delete().unwrap();
}

#[test]
fn a_change_survives_a_restart_at_any_time() {
    let mut fixture = Fixture::with_indexes(json!({"ProvisionedThroughput": units(5, 5)}));
    let members = json!({
        "ProvisionedThroughput": units(4, 9), "GlobalSecondaryIndexUpdates": [index_update("by_g", 8, 2)],
    });
    let answer = fixture.update(members).unwrap();
    fixture.reopen();
    assert_eq!(fixture.describe(), answer);

    fixture.settle();
    let described = fixture.describe();
    assert_eq!(described["TableStatus"], "ACTIVE");
    assert_eq!(described["ProvisionedThroughput"]["NumberOfDecreasesToday"], 1);
    assert_eq!(global_index(&described, 0)["ProvisionedThroughput"]["ReadCapacityUnits"], 8);
    fixture.reopen();
    assert_eq!(fixture.describe(), described);

    fixture.update(json!({"BillingMode": "PAY_PER_REQUEST"})).unwrap();
    fixture.settle();
    let described = fixture.describe();
    fixture.reopen();
    assert_eq!(fixture.describe(), described);
    assert_eq!(described["BillingModeSummary"]["LastUpdateToPayPerRequestDateTime"], fixture.now());
}

/// As for CREATING: a clock that was set back by an hour must not make the table UPDATING again, nor bring old numbers back.
#[test]
fn a_clock_that_is_set_back_ends_a_change() {
    let mut fixture = Fixture::with_provisioned_table();
    fixture.update(json!({"ProvisionedThroughput": units(6, 6)})).unwrap();
    fixture.clock = ManualClock::new(Timestamp::from_milliseconds(START.milliseconds() - 3_600_000));
    fixture.reopen();
    let described = fixture.describe();
    assert_eq!(described["TableStatus"], "ACTIVE");
    assert_eq!(described["ProvisionedThroughput"]["ReadCapacityUnits"], 6);
    fixture.update(json!({"ProvisionedThroughput": units(7, 7)})).unwrap();
}

#[test]
fn the_items_and_their_count_stay_what_they_are() {
    let fixture = Fixture::with_provisioned_table();
    for number in 0..10 {
        put(&fixture.engine, "orders", json!({"pk": {"S": number.to_string()}})).unwrap();
        fixture.set_units(6 + number, 6).unwrap();
    }
    fixture.clock.advance(Duration::from_secs(6 * 3600));
    assert_eq!(fixture.describe()["ItemCount"], 10);
    assert_eq!(get(&fixture.engine, "orders", key("3")).unwrap(), json!({"pk": {"S": "3"}}));
}
