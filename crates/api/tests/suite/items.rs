//! PutItem, GetItem and DeleteItem: what they accept, and the order of their refusals as tables of cases.

use keywright_api::{
    Consistency, DeleteItemInput, GetItemInput, Operation, PutItemInput, Request, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnValues, ReturnValuesOnConditionCheckFailure,
};
use serde_json::{Value, json};

use crate::{app, assert_refusals, item, parse, refusal};

const WRITES: [(Operation, &str); 2] = [(Operation::PutItem, "Item"), (Operation::DeleteItem, "Key")];

/// A valid body of a write with these members as well.
fn write(member: &str, changes: &Value) -> Value {
    let mut body = json!({"TableName": "App", member: {"pk": {"S": "a"}}});
    for (name, value) in changes.as_object().unwrap() {
        body.as_object_mut().unwrap().insert(name.clone(), value.clone());
    }
    body
}

#[test]
fn every_setting_of_a_request_arrives() {
    let put = parse(
        Operation::PutItem,
        &json!({
            "TableName": "App", "Item": {"pk": {"S": "a"}, "n": {"N": "1.0"}}, "ReturnValues": "ALL_OLD",
            "ReturnConsumedCapacity": "TOTAL", "ReturnItemCollectionMetrics": "SIZE",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD", "Unknown": [1, {"x": null}],
        }),
    );
    let expected = PutItemInput {
        table_name: app(),
        item: item(&json!({"pk": {"S": "a"}, "n": {"N": "1"}})),
        condition: None,
        return_values: ReturnValues::AllOld,
        on_condition_failure: ReturnValuesOnConditionCheckFailure::AllOld,
        return_consumed_capacity: ReturnConsumedCapacity::Total,
        return_item_collection_metrics: ReturnItemCollectionMetrics::Size,
    };
    assert_eq!(put, Ok(Request::PutItem(expected)));

    let get = parse(
        Operation::GetItem,
        &json!({"TableName": "App", "Key": {"pk": {"S": "a"}}, "ConsistentRead": true, "ReturnConsumedCapacity": "INDEXES"}),
    );
    let expected = GetItemInput {
        table_name: app(),
        key: item(&json!({"pk": {"S": "a"}})),
        projection: None,
        consistency: Consistency::Strong,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
    };
    assert_eq!(get, Ok(Request::GetItem(expected)));

    let delete = parse(Operation::DeleteItem, &write("Key", &json!({"ReturnValues": "NONE"})));
    let expected = DeleteItemInput {
        table_name: app(),
        key: item(&json!({"pk": {"S": "a"}})),
        condition: None,
        return_values: ReturnValues::None,
        on_condition_failure: ReturnValuesOnConditionCheckFailure::None,
        return_consumed_capacity: ReturnConsumedCapacity::None,
        return_item_collection_metrics: ReturnItemCollectionMetrics::None,
    };
    assert_eq!(delete, Ok(Request::DeleteItem(expected)));
}

#[test]
fn a_null_member_is_as_good_as_absent() {
    for (operation, member) in WRITES {
        let body = write(
            member,
            &json!({
                "ReturnValues": null, "ReturnConsumedCapacity": null, "ConditionExpression": null, "Expected": null,
                "ExpressionAttributeNames": null, "ExpressionAttributeValues": null,
            }),
        );
        assert!(parse(operation, &body).is_ok());
    }
    let get = json!({"TableName": "App", "Key": {}, "ConsistentRead": null, "ProjectionExpression": null});
    assert!(parse(Operation::GetItem, &get).is_ok());
}

#[test]
fn violated_constraints_are_listed_together_before_anything_else() {
    let null =
        |path: &str| format!("Value null at '{path}' failed to satisfy constraint: Member must not be null");
    for (operation, member) in [(Operation::PutItem, "item"), (Operation::DeleteItem, "key")] {
        let both = format!("2 validation errors detected: {}; {}", null("tableName"), null(member));
        assert_refusals(operation, &[(json!({}), &both)]);
    }
    let both = format!("2 validation errors detected: {}; {}", null("key"), null("tableName"));
    assert_refusals(Operation::GetItem, &[(json!({}), &both)]);

    let too_long = "a".repeat(256);
    assert_refusals(
        Operation::PutItem,
        &[
            (
                json!({"Item": {"pk": {"S": "a"}}}),
                &format!("1 validation error detected: {}", null("tableName")),
            ),
            (
                json!({"TableName": "", "Item": {}}),
                "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have \
                 length greater than or equal to 1",
            ),
            (
                json!({"TableName": too_long, "Item": {}}),
                &format!(
                    "1 validation error detected: Value '{too_long}' at 'tableName' failed to satisfy constraint: Member \
                     must have length less than or equal to 255"
                ),
            ),
            (
                json!({"TableName": "bad table!@#", "Item": {}}),
                "1 validation error detected: Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member \
                 must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
            ),
            (
                json!({"TableName": "", "ReturnValues": "INVALID", "Item": {}}),
                "2 validation errors detected: Value 'INVALID' at 'returnValues' failed to satisfy constraint: Member \
                 must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value '' at 'tableName' \
                 failed to satisfy constraint: Member must have length greater than or equal to 1",
            ),
            (
                write(
                    "Item",
                    &json!({
                        "ReturnConsumedCapacity": "INVALID", "ReturnItemCollectionMetrics": "INVALID", "ReturnValues": "INVALID",
                    }),
                ),
                "3 validation errors detected: Value 'INVALID' at 'returnValues' failed to satisfy constraint: Member \
                 must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; Value 'INVALID' at \
                 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, \
                 TOTAL, NONE]; Value 'INVALID' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must \
                 satisfy enum value set: [SIZE, NONE]",
            ),
        ],
    );
}

/// A name of one or two characters names no table, but it is not for the item operations to say so.
#[test]
fn a_short_table_name_is_a_name_to_item_operations() {
    assert!(parse(Operation::PutItem, &json!({"TableName": "a", "Item": {}})).is_ok());
    assert!(parse(Operation::GetItem, &json!({"TableName": "ab", "Key": {}})).is_ok());
}

#[test]
fn members_that_exclude_each_other_come_before_values() {
    let mixed = "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {Expected} Expression parameters: {ConditionExpression}";
    for (operation, member) in WRITES {
        assert_refusals(
            operation,
            &[
                (
                    write(
                        member,
                        &json!({
                            member: {"a": {}}, "Expected": {"a": {}}, "ConditionExpression": "", "ExpressionAttributeNames": {},
                        }),
                    ),
                    mixed,
                ),
                (
                    write(
                        member,
                        &json!({
                            member: {"a": {}}, "ExpressionAttributeNames": {}, "ExpressionAttributeValues": {},
                        }),
                    ),
                    "ExpressionAttributeNames can only be specified when using expressions",
                ),
                (
                    write(member, &json!({member: {"a": {}}, "ExpressionAttributeValues": {}})),
                    "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
                ),
            ],
        );
    }
    // C19, as measured on the service: the operator is a legacy member as well.
    let operator = "Can not use both expression and non-expression parameters in the same request: Non-expression \
                    parameters: {Expected, ConditionalOperator} Expression parameters: {ConditionExpression}";
    let body = json!({"Expected": {"a": {}}, "ConditionalOperator": "AND", "ConditionExpression": "a = b"});
    for (operation, member) in WRITES {
        assert_refusals(operation, &[(write(member, &body), operator)]);
    }
    assert_refusals(
        Operation::GetItem,
        &[
            (
                json!({"TableName": "App", "Key": {"a": {}}, "AttributesToGet": ["a"], "ProjectionExpression": ""}),
                "Can not use both expression and non-expression parameters in the same request: Non-expression \
                 parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
            ),
            (
                json!({"TableName": "App", "Key": {"a": {}}, "ExpressionAttributeNames": {"#a": "a"}}),
                "ExpressionAttributeNames can only be specified when using expressions",
            ),
        ],
    );
}

#[test]
fn a_value_that_no_attribute_can_have_is_refused_with_its_own_text() {
    let cases = [
        (json!({}), "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        (
            json!({"M": {"a": {"L": [{}]}}}),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
        (
            json!({"S": "a", "N": "1"}),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        ),
        (
            json!({"NULL": false}),
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
        ),
        (json!({"SS": []}), "One or more parameter values were invalid: An string set  may not be empty"),
        (json!({"NS": []}), "One or more parameter values were invalid: An number set  may not be empty"),
        (json!({"BS": []}), "One or more parameter values were invalid: Binary sets should not be empty"),
        (
            json!({"SS": ["a", "a"]}),
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
        ),
        (json!({"NS": ["1", "1.0"]}), "Input collection contains duplicates"),
        (json!({"N": "b"}), "The parameter cannot be converted to a numeric value: b"),
        (
            json!({"N": "1E126"}),
            "Number overflow. Attempting to store a number with magnitude larger than supported range",
        ),
    ];
    for (value, expected) in cases {
        for (operation, member) in WRITES {
            assert_eq!(refusal(operation, &write(member, &json!({member: {"a": value}}))), expected);
        }
        assert_eq!(refusal(Operation::GetItem, &json!({"TableName": "App", "Key": {"a": value}})), expected);
    }
}

/// C06: emulators refused empty strings and empty members of sets, which the service takes away from keys.
#[test]
fn empty_strings_and_empty_members_of_sets_are_values() {
    for value in [
        json!({"S": ""}),
        json!({"B": ""}),
        json!({"SS": [""]}),
        json!({"BS": [""]}),
        json!({"M": {}}),
        json!({"L": []}),
    ] {
        assert!(parse(Operation::PutItem, &write("Item", &json!({"Item": {"a": value}}))).is_ok(), "{value}");
    }
}

#[test]
fn values_come_before_the_returned_image_and_that_before_the_size() {
    let large = "x".repeat(400 * 1024);
    for image in ["ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"] {
        let body = write("Item", &json!({"Item": {"a": {"SS": []}}, "ReturnValues": image}));
        assert!(refusal(Operation::PutItem, &body).contains("may not be empty"));
        let body = write("Item", &json!({"Item": {"a": {"S": large}}, "ReturnValues": image}));
        assert_eq!(refusal(Operation::PutItem, &body), "ReturnValues can only be ALL_OLD or NONE");
        let body = write("Key", &json!({"ReturnValues": image}));
        assert_eq!(refusal(Operation::DeleteItem, &body), "ReturnValues can only be ALL_OLD or NONE");
    }
    let body =
        write("Item", &json!({"Item": {"a": {"S": large}}, "ConditionExpression": "attribute_exists(a)"}));
    assert_eq!(refusal(Operation::PutItem, &body), "Item size has exceeded the maximum allowed size");
}

/// The limit counts names as well as values, at any depth, and is 400 KB of 1,024 bytes.
#[test]
fn an_item_of_400_kb_is_accepted_and_one_byte_more_is_not() {
    let with = |length: usize| json!({"TableName": "App", "Item": {"pk": {"S": "k"}, "data": {"S": "x".repeat(length)}}});
    let names_and_key = "pk".len() + "k".len() + "data".len();
    assert!(parse(Operation::PutItem, &with(409_600 - names_and_key)).is_ok());
    let refused = refusal(Operation::PutItem, &with(409_601 - names_and_key));
    assert_eq!(refused, "Item size has exceeded the maximum allowed size");
    let nested =
        json!({"TableName": "App", "Item": {"a": {"M": {"b": {"M": {"c": {"S": "x".repeat(410_000)}}}}}}});
    assert_eq!(refusal(Operation::PutItem, &nested), "Item size has exceeded the maximum allowed size");
}

/// C14: 32 levels of lists and maps are too many wherever they are.
#[test]
fn nesting_beyond_the_limit_is_refused() {
    let nested = |levels: usize| (0..levels).fold(json!({"S": "x"}), |inner, _| json!({"L": [inner]}));
    assert!(parse(Operation::PutItem, &write("Item", &json!({"Item": {"a": nested(31)}}))).is_ok());
    let refused = refusal(Operation::PutItem, &write("Item", &json!({"Item": {"a": nested(33)}})));
    assert!(refused.starts_with("Nesting Levels have exceeded supported limits"), "{refused}");
}
