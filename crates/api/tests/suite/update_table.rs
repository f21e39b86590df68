//! UpdateTable: what is taken, and what is refused before a table is looked at.

use keywright_api::{
    CapacityUpdate, DeletionProtection, IndexName, Operation, ProvisionedThroughput, Request, TableName,
    UpdateTableInput,
};
use serde_json::{Value, json};

use crate::{assert_refusals, parse, refusal};

const NOTHING: &str = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
    GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, \
    MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";
const ON_DEMAND: &str = "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can \
    be specified when BillingMode is PAY_PER_REQUEST";
const EMPTY_LIST: &str =
    "One or more parameter values were invalid: List of GlobalSecondaryIndexUpdates is empty";
const NO_ACTION: &str = "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, \
    GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null";
const TWICE: &str = "One or more parameter values were invalid: Only one global secondary index update per index is \
    allowed simultaneously. Index: by_a";

fn units(read_units: i64, write_units: i64) -> Value {
    json!({"ReadCapacityUnits": read_units, "WriteCapacityUnits": write_units})
}

fn update(index: &str, throughput: Value) -> Value {
    json!({"Update": {"IndexName": index, "ProvisionedThroughput": throughput}})
}

fn body(members: Value) -> Value {
    let mut body = json!({"TableName": "App"});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    body
}

fn input(members: Value) -> UpdateTableInput {
    match parse(Operation::UpdateTable, &body(members)) {
        Ok(Request::UpdateTable(input)) => input,
        other => panic!("it should have been accepted, not be {other:?}"),
    }
}

#[test]
fn the_capacity_of_a_table_and_of_its_indexes_is_taken() {
    let throughput = |read_units, write_units| ProvisionedThroughput { read_units, write_units };
    let capacity = |members: Value| input(members).capacity;
    assert_eq!(
        capacity(json!({"ProvisionedThroughput": units(1, 1_000_000_000_000)})),
        Some(CapacityUpdate::Throughput(throughput(1, 1_000_000_000_000)))
    );
    assert_eq!(
        capacity(json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(2, 3)})),
        Some(CapacityUpdate::Provisioned(throughput(2, 3)))
    );
    assert_eq!(capacity(json!({"BillingMode": "PAY_PER_REQUEST"})), Some(CapacityUpdate::OnDemand));

    // The bounds of an index are looked at with the table, so that an absent table is told first.
    let large = 1_000_000_000_001;
    let updates = json!([update("by_b", units(5, 6)), update("by_a", units(large, 7))]);
    let index = |name: &str| IndexName::new(name).unwrap();
    assert_eq!(
        input(json!({"GlobalSecondaryIndexUpdates": updates, "Unknown": 1})),
        UpdateTableInput {
            table_name: TableName::new("App").unwrap(),
            capacity: None,
            indexes: vec![
                (index("by_b"), throughput(5, 6)),
                (index("by_a"), throughput(large.unsigned_abs(), 7))
            ],
            deletion_protection: None,
        }
    );
}

#[test]
fn deletion_protection_is_changed_alone() {
    let protection = |enabled: bool| json!({"DeletionProtectionEnabled": enabled});
    assert_eq!(input(protection(true)).deletion_protection, Some(DeletionProtection::On));
    assert_eq!(input(protection(false)).deletion_protection, Some(DeletionProtection::Off));
    for members in [
        json!({"BillingMode": "PAY_PER_REQUEST"}),
        json!({"GlobalSecondaryIndexUpdates": [update("by_a", units(1, 1))]}),
    ] {
        let mut both = body(protection(false));
        both.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        assert_eq!(
            refusal(Operation::UpdateTable, &both),
            "One or more parameter values were invalid: DeletionProtection modification must be the only operation in the \
             request"
        );
    }
}

#[test]
fn violated_constraints_are_told_together() {
    let required = "The parameter 'TableName' is required but was not present in the request";
    assert_refusals(Operation::UpdateTable, &[(json!({"BillingMode": "FREE"}), required)]);
    let updates = json!([
        {"Update": {}}, update("a", json!({})), update("abc;", units(5, 0)), {"Create": {}},
    ]);
    let many = body(json!({
        "BillingMode": "FREE", "ProvisionedThroughput": units(-1, 0), "GlobalSecondaryIndexUpdates": updates,
    }));
    let told = refusal(Operation::UpdateTable, &many);
    let member =
        |place: usize, path: &str| format!("'globalSecondaryIndexUpdates.{place}.member.update.{path}'");
    for part in [
        "10 validation errors detected: ".to_owned(),
        "Value 'FREE' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: [PROVISIONED, \
         PAY_PER_REQUEST]"
            .to_owned(),
        "Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have value \
         greater than or equal to 1; Value '-1' at 'provisionedThroughput.readCapacityUnits' failed"
            .to_owned(),
        format!("Value null at {} failed to satisfy constraint: Member must not be null", member(1, "indexName")),
        format!("Value null at {}", member(1, "provisionedThroughput")),
        format!("Value 'a' at {}", member(2, "indexName")),
        format!("Value null at {}", member(2, "provisionedThroughput.writeCapacityUnits")),
        format!("Value null at {}", member(2, "provisionedThroughput.readCapacityUnits")),
        format!("Value 'abc;' at {}", member(3, "indexName")),
        format!("Value '0' at {}", member(3, "provisionedThroughput.writeCapacityUnits")),
    ] {
        assert!(told.contains(&part), "{part}\n is not in {told}");
    }
}

#[test]
fn a_request_that_changes_nothing_is_refused() {
    let definitions = json!([{"AttributeName": "a", "AttributeType": "S"}]);
    assert_refusals(
        Operation::UpdateTable,
        &[
            (body(json!({})), NOTHING),
            (body(json!({"GlobalSecondaryIndexUpdates": []})), NOTHING),
            (body(json!({"AttributeDefinitions": definitions, "StreamSpecification": null})), NOTHING),
            (body(json!({"GlobalSecondaryIndexUpdates": [], "BillingMode": "PAY_PER_REQUEST"})), EMPTY_LIST),
        ],
    );
}

#[test]
fn throughput_fits_the_billing_mode_and_its_bounds() {
    let large = 1_000_000_000_001;
    assert_refusals(
        Operation::UpdateTable,
        &[
            (
                body(json!({"BillingMode": "PROVISIONED"})),
                "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is \
                 PROVISIONED",
            ),
            (
                body(json!({"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": units(large, 5)})),
                ON_DEMAND,
            ),
            (
                body(json!({"ProvisionedThroughput": units(large, large)})),
                "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
            ),
            (
                body(json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units(5, large)})),
                "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
            ),
        ],
    );
}

#[test]
fn each_index_is_changed_once_and_in_one_way() {
    let several = json!({
        "Update": {"IndexName": "by_a", "ProvisionedThroughput": units(1, 1)}, "Delete": {"IndexName": "by_a"},
    });
    let updates = |updates: Value| body(json!({"GlobalSecondaryIndexUpdates": updates}));
    assert_refusals(
        Operation::UpdateTable,
        &[
            (updates(json!([{}, {}, null])), NO_ACTION),
            (updates(json!([{"Update": null}])), NO_ACTION),
            (
                updates(json!([several])),
                "One or more parameter values were invalid: Only one global secondary index action is allowed per \
                 GlobalSecondaryIndexUpdate object",
            ),
            (updates(json!([update("by_a", units(1, 1)), update("by_a", units(2, 2))])), TWICE),
        ],
    );
}

/// Two refusals at once, in the order of the list: the earlier one is told.
#[test]
fn the_earlier_check_is_told() {
    let stream = json!({"StreamEnabled": true});
    let no_action = json!([{}, update("by_a", units(1, 1)), update("by_a", units(1, 1))]);
    let create = json!([update("by_a", units(1, 1)), {"Create": {}}, update("by_a", units(1, 1))]);
    let cases = [
        (json!({"GlobalSecondaryIndexUpdates": [{"Update": {}}, {}]}), "2 validation errors detected"),
        (
            json!({"BillingMode": "PROVISIONED", "GlobalSecondaryIndexUpdates": [{}]}),
            "ProvisionedThroughput must be specified when",
        ),
        (json!({"BillingMode": "PROVISIONED", "StreamSpecification": stream}), "must be specified when"),
        (json!({"StreamSpecification": stream, "GlobalSecondaryIndexUpdates": []}), EMPTY_LIST),
        (json!({"GlobalSecondaryIndexUpdates": no_action}), NO_ACTION),
        (json!({"GlobalSecondaryIndexUpdates": create}), TWICE),
        (
            json!({"DeletionProtectionEnabled": true, "BillingMode": "PAY_PER_REQUEST", "StreamSpecification": stream}),
            "must be the only operation",
        ),
        (json!({"DeletionProtectionEnabled": true, "GlobalSecondaryIndexUpdates": []}), EMPTY_LIST),
    ];
    for (members, expected) in cases {
        let told = refusal(Operation::UpdateTable, &body(members.clone()));
        assert!(told.contains(expected), "{members}\n expected: {expected}\n found: {told}");
    }
}
