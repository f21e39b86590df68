//! `ExpressionAttributeNames` and `ExpressionAttributeValues`.

use keywright_expression::{DeclaredPlaceholders, PlaceholderRefusal};
use keywright_item::json::ValueRefusal;

use crate::{refusal, s};

/// C13: emulators accepted placeholders that no expression used, and one even wrote the item. The service names them.
#[test]
fn unused_placeholders_are_refused_by_name() {
    let names = [("#b", "b"), ("#unused", "someattr"), ("#a", "a")];
    assert_eq!(
        refusal("pk = :v", &names, &[(":v", s("x"))]),
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b, #unused}"
    );
    assert_eq!(
        refusal("pk = :v", &[], &[(":v", s("x")), (":u", s("y"))]),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}"
    );
    assert_eq!(
        refusal("a = :v AND b <> :v", &[("#n", "n")], &[(":v", s("x")), (":u", s("y"))]),
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}",
        "names come before values, and both before the form of the condition"
    );
}

#[test]
fn the_form_of_placeholders_is_checked_before_any_expression() {
    let cases = [
        ("a", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""),
        ("#", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""),
        (":a", "ExpressionAttributeNames contains invalid key: Syntax error; key: \":a\""),
        ("#a-b", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""),
        ("#a.b", "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a.b\""),
    ];
    for (placeholder, expected) in cases {
        assert_eq!(refusal("", &[(placeholder, "a")], &[("b", s("x"))]), expected);
    }
    assert_eq!(
        refusal("", &[], &[("v", s("x"))]),
        "ExpressionAttributeValues contains invalid key: Syntax error; key: \"v\""
    );
    assert_eq!(
        refusal("", &[("#a_1", "a")], &[(":b_1", s("x"))]),
        "Invalid KeyConditionExpression: The expression can not be empty;"
    );
}

#[test]
fn empty_maps_are_refused_names_first() {
    let mut declared = DeclaredPlaceholders::default();
    declared.declare_names();
    declared.declare_values();
    assert_eq!(declared.check().unwrap_err().to_string(), "ExpressionAttributeNames must not be empty");
    let mut declared = DeclaredPlaceholders::default();
    declared.declare_values();
    assert_eq!(declared.check().unwrap_err().to_string(), "ExpressionAttributeValues must not be empty");
}

#[test]
fn a_refused_value_is_reported_with_its_placeholder() {
    let mut declared = DeclaredPlaceholders::default();
    declared.declare_value(":fine", Ok(s("x")));
    declared.declare_value(":set", Err(ValueRefusal::EmptyStringSet));
    assert_eq!(
        declared.check().unwrap_err().to_string(),
        "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  \
         may not be empty for key :set"
    );
}

#[test]
fn a_placeholder_that_is_sent_twice_stands_for_the_last() {
    let mut declared = DeclaredPlaceholders::default();
    declared.declare_value(":v", Err(ValueRefusal::NoType));
    declared.declare_value(":v", Ok(s("x")));
    assert!(declared.check().is_ok());
}

/// A body of 16 MB can hold a million placeholders; a text of 4 KB can use a thousand. What is beyond use is not kept,
/// and is unused.
#[test]
fn a_million_placeholders_cost_no_memory_and_are_unused() {
    let mut declared = DeclaredPlaceholders::default();
    for index in 0..1_000_000 {
        declared.declare_name(&format!("#n{index}"), "a".to_owned());
        declared.declare_value(&format!(":v{index}"), Ok(s("")));
    }
    let refusal = declared.check().unwrap().check_all_used().unwrap_err();
    assert!(matches!(refusal, PlaceholderRefusal::UnusedNames { placeholders } if placeholders.len() < 5000));
}

#[test]
fn values_of_more_than_2_mb_are_refused() {
    let mut declared = DeclaredPlaceholders::default();
    for index in 0..3 {
        declared.declare_value(&format!(":v{index}"), Ok(s(&"x".repeat(800_000))));
    }
    assert_eq!(declared.check().unwrap_err(), PlaceholderRefusal::ValuesTooLarge);
}
