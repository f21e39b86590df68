//! Conditions and filters that are refused, with the service's texts.

use keywright_expression::{ConditionExpression, ExpressionKind};
use keywright_item::AttributeValue;

use crate::{b, condition, l, m, n, ns, s, ss, used};

const INVALID: &str = "Invalid ConditionExpression: ";

fn refusal(text: &str, values: &[(&str, AttributeValue)]) -> String {
    match condition(text, &[], &used(text, values)) {
        Err(refusal) => refusal,
        Ok(_) => panic!("{text} was accepted"),
    }
}

#[test]
fn a_refusal_names_the_member_that_holds_the_expression() {
    for (kind, member) in
        [(ExpressionKind::Condition, "ConditionExpression"), (ExpressionKind::Filter, "FilterExpression")]
    {
        let refusal = ConditionExpression::parse("", kind).unwrap_err();
        assert_eq!(refusal.to_string(), format!("Invalid {member}: The expression can not be empty;"));
    }
}

/// An engine let a filter `active < true` through, which then was false of every item; the service refuses the
/// request, whatever items there are, since booleans, sets and documents have no order.
#[test]
fn a_comparison_by_order_takes_strings_numbers_and_binaries_only() {
    let unordered = [
        ("BOOL", AttributeValue::Bool(true)),
        ("NULL", AttributeValue::Null),
        ("SS", ss(&["a"])),
        ("NS", ns(&["1"])),
        ("L", l(&[])),
        ("M", m(&[])),
    ];
    for (found, value) in unordered {
        for (operator, text) in [
            ("<", "a < :v"),
            ("<=", ":v <= a"),
            (">", "NOT a > :v"),
            (">=", "a = b OR a >= :v"),
            ("BETWEEN", "a BETWEEN :v AND :v"),
            ("BETWEEN", ":v BETWEEN a AND b"),
        ] {
            assert_eq!(
                refusal(text, &[(":v", value.clone())]),
                format!(
                    "{INVALID}Incorrect operand type for operator or function; operator or function: {operator}, \
                     operand type: {found}"
                ),
                "{text}"
            );
        }
        for text in ["a = :v", "a <> :v", "a IN (:v)", "contains(a, :v)"] {
            assert!(condition(text, &[], &[(":v", value.clone())]).is_ok(), "{text} {found}");
        }
    }
    for value in [s("a"), n("1"), b(&[1])] {
        assert!(condition("a < :v", &[], &[(":v", value)]).is_ok());
    }
}

/// C14: IN takes 100 values; a service that passed on whatever its callers asked for failed at 163.
#[test]
fn in_takes_100_values_and_not_101() {
    let text = |count: usize| format!("a IN ({})", vec![":v"; count].join(", "));
    assert!(condition(&text(100), &[], &[(":v", n("1"))]).is_ok());
    assert_eq!(
        refusal(&text(101), &[(":v", n("1"))]),
        format!("{INVALID}The IN operator is provided with too many operands; number of operands: 101")
    );
}

/// C14: 300 comparisons and calls pass, 301 do not.
#[test]
fn three_hundred_operators_pass_and_one_more_does_not() {
    let text = |count: usize| vec!["a=:v"; count].join(" AND ");
    assert!(condition(&text(300), &[], &[(":v", n("1"))]).is_ok());
    assert_eq!(
        refusal(&text(301), &[(":v", n("1"))]),
        format!("{INVALID}The expression contains too many operators; operator count: 301")
    );
}

#[test]
fn a_path_goes_32_levels_deep_and_an_index_is_below_2_to_the_32() {
    let path = |levels: usize| format!("a{}", ".b".repeat(levels - 1));
    assert!(condition(&format!("attribute_exists({})", path(32)), &[], &[]).is_ok());
    assert_eq!(
        refusal(&format!("attribute_exists({})", path(33)), &[]),
        format!("{INVALID}The document path has too many nesting levels; nesting levels: 33")
    );
    assert!(condition("attribute_exists(a[4294967294])", &[], &[]).is_ok());
    for index in ["4294967295", "99999999999999999999999999"] {
        assert_eq!(
            refusal(&format!("attribute_exists(a[{index}])"), &[]),
            format!("{INVALID}List index is not within the allowable range; index: [{index}]")
        );
    }
}

/// A test that matched strings let `if_not_exists` through in a condition, and every purchase failed on AWS.
#[test]
fn functions_of_updates_and_sums_have_no_place_in_a_condition() {
    assert_eq!(
        refusal("if_not_exists(a, :v) < :v", &[(":v", n("1"))]),
        format!("{INVALID}The function is not allowed in a condition expression; function: if_not_exists")
    );
    assert_eq!(refusal("a + b > c", &[]), format!(r#"{INVALID}Syntax error; token: "+", near: "a + b""#));
    assert_eq!(refusal("a - b > c", &[]), format!(r#"{INVALID}Syntax error; token: "-", near: "a - b""#));
}

#[test]
fn operands_of_functions_are_checked_whatever_the_item() {
    let values = [(":n", n("1")), (":s", s("x")), (":true", AttributeValue::Bool(true))];
    let type_refused = |operator, found| {
        format!(
            "Incorrect operand type for operator or function; operator or function: {operator}, operand type: {found}"
        )
    };
    let cases = [
        ("size(size(a)) > :n", type_refused("size", "N")),
        ("size(:true) > :n", type_refused("size", "BOOL")),
        ("attribute_not_exists(size(:n))", type_refused("size", "N")),
        ("begins_with(a, size(b))", type_refused("begins_with", "N")),
        ("attribute_type(a, :true)", type_refused("attribute_type", "BOOL")),
        (
            "attribute_type(a, :s)",
            "Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}".to_owned(),
        ),
        (
            "attribute_type(:s, :s)",
            "Operator or function requires a document path; operator or function: attribute_type".to_owned(),
        ),
        (
            "attribute_not_exists(size(:s))",
            "Operator or function requires a document path; operator or function: attribute_not_exists".to_owned(),
        ),
        (
            "begins_with(a.b[1], a.b[1])",
            "The first operand must be distinct from the remaining operands for this operator or function; operator: \
             begins_with, first operand: [a, b, [1]]"
                .to_owned(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text, &values), format!("{INVALID}{expected}"), "{text}");
    }
}

/// A faulty operand is refused even where the answer is known without it, or no item would ever be compared with it.
#[test]
fn a_fault_in_a_part_that_is_never_evaluated_is_refused_as_well() {
    let values = [(":one", n("1")), (":true", AttributeValue::Bool(true))];
    for text in [":one = :one OR a < :true", ":one <> :one AND a < :true", "NOT NOT a < :true"] {
        assert!(refusal(text, &values).ends_with("operand type: BOOL"), "{text}");
    }
}
