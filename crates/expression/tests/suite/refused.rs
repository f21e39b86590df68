//! Key conditions that are refused, with the service's texts.

use keywright_item::AttributeValue;

use crate::{n, refusal, s, wire};

const INVALID: &str = "Invalid KeyConditionExpression: ";

#[test]
fn syntax_errors_name_the_token_and_what_stands_around_it() {
    let cases = [
        ("", "The expression can not be empty;"),
        ("things are not gonna be ok", r#"Syntax error; token: "are", near: "things are not""#),
        ("a > 4", r#"Syntax error; token: "4", near: "> 4""#),
        ("!!! INVALID !!!", r#"Syntax error; token: "!", near: "!!""#),
        ("foo", r#"Syntax error; token: "<EOF>", near: "foo""#),
        ("  ", r#"Syntax error; token: "<EOF>", near: """#),
        ("pk = ", r#"Syntax error; token: "<EOF>", near: "=""#),
        ("begins_with()", r#"Syntax error; token: ")", near: "()""#),
        ("pk = :pk and begins_with(sk, G_M#)", r##"Syntax error; token: "#", near: "G_M#)""##),
        ("hits : incr", r#"Syntax error; token: ":", near: "hits : incr""#),
        ("id = :hashId a", r#"Syntax error; token: "a", near: ":hashId a""#),
        ("s == :v", r#"Syntax error; token: "=", near: "== :v""#),
        ("(size(a))[0] > a", r#"Syntax error; token: "[", near: ")[0""#),
        ("user-name = :v", r#"Syntax error; token: "-", near: "user-name""#),
        ("pk = \"x\"", "Syntax error; token: \"\"\", near: \"= \"x\""),
        ("ключ = :v", r#"Syntax error; token: "к", near: "кл""#),
        ("pk = :v AND", r#"Syntax error; token: "<EOF>", near: "AND""#),
        ("(pk = :v", r#"Syntax error; token: "<EOF>", near: ":v""#),
        ("pk = :v)", r#"Syntax error; token: ")", near: ":v)""#),
        ("pk BETWEEN :a, :b", r#"Syntax error; token: ",", near: ":a, :b""#),
        ("a[b] = :v", r#"Syntax error; token: "b", near: "[b]""#),
        ("a. = :v", r#"Syntax error; token: "=", near: ". = :v""#),
        ("in = :v", r#"Syntax error; token: "in", near: "in =""#),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text, &[], &[(":v", s("x"))]), format!("{INVALID}{expected}"), "{text}");
    }
}

#[test]
fn functions_and_reserved_words_are_checked_before_placeholders() {
    let cases = [
        ("starts_with(a, :v)", "Invalid function name; function: starts_with"),
        ("BEGINS_WITH(a, :v)", "Invalid function name; function: BEGINS_WITH"),
        ("size(a)", "The function is not allowed to be used this way in an expression; function: size"),
        (
            "a = begins_with(b, :v)",
            "The function is not allowed to be used this way in an expression; function: begins_with",
        ),
        ("Name = :v", "Attribute name is a reserved keyword; reserved keyword: Name"),
        ("info.scope = :v", "Attribute name is a reserved keyword; reserved keyword: scope"),
        ("pk = :v AND status = #undefined", "Attribute name is a reserved keyword; reserved keyword: status"),
        (
            "pk = :v AND begins_with(sk, :undefined, status)",
            "Attribute name is a reserved keyword; reserved keyword: status",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text, &[], &[(":v", s("x"))]), format!("{INVALID}{expected}"), "{text}");
    }
}

#[test]
fn operands_are_checked_comparison_by_comparison() {
    let bounds = "requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper \
                  bound operand: AttributeValue: {S:a}";
    let cases: &[(&str, &str)] = &[
        (
            "#x = :v",
            "An expression attribute name used in the document path is not defined; attribute name: #x",
        ),
        ("pk = :x", "An expression attribute value used in expression is not defined; attribute value: :x"),
        (
            "pk = :x AND begins_with(sk)",
            "An expression attribute value used in expression is not defined; attribute value: :x",
        ),
        (
            "begins_with(sk) AND pk = :x",
            "Incorrect number of operands for operator or function; operator or function: begins_with, number of \
             operands: 1",
        ),
        (
            "begins_with(sk, :n)",
            "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
        ),
        (
            "attribute_type(a, b)",
            "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: \
             {NS,SS,L,BS,N,M,B,BOOL,NULL,S}",
        ),
        (
            "attribute_type(a, :n)",
            "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N",
        ),
        (
            "attribute_exists(:v)",
            "Operator or function requires a document path; operator or function: attribute_exists",
        ),
        (
            "a = a",
            "The first operand must be distinct from the remaining operands for this operator or function; operator: =, \
             first operand: [a]",
        ),
        (
            "contains(a[1].b, a[1].b)",
            "The first operand must be distinct from the remaining operands for this operator or function; operator: \
             contains, first operand: [a, [1], b]",
        ),
        (
            "a BETWEEN :v AND :low",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: \
             AttributeValue: {S:x}, upper bound operand: AttributeValue: {S:a}",
        ),
    ];
    let values = [(":v", s("x")), (":n", n("1")), (":low", s("a"))];
    for (text, expected) in cases {
        assert_eq!(refusal(text, &[], &values), format!("{INVALID}{expected}"), "{text}");
    }
    assert_eq!(
        refusal("a BETWEEN :n AND :low", &[], &values),
        format!("{INVALID}The BETWEEN operator {bounds}")
    );
}

#[test]
fn conditions_of_other_kinds_are_no_key_conditions() {
    let invalid_operator = [
        ("a > b and size(b) > c or a > c", "OR"),
        ("a in (b, size(c), d)", "IN"),
        ("attribute_exists(a)", "attribute_exists"),
        ("attribute_not_exists(a)", "attribute_not_exists"),
        ("attribute_type(a, :s)", "attribute_type"),
        ("contains(a.d, b)", "contains"),
        ("not a > b", "NOT"),
        ("a <> b", "<>"),
    ];
    for (text, operator) in invalid_operator {
        let values: &[(&str, AttributeValue)] = if text.contains(":s") { &[(":s", s("S"))] } else { &[] };
        assert_eq!(
            refusal(text, &[], values),
            format!("Invalid operator used in KeyConditionExpression: {operator}"),
            "{text}"
        );
    }
    let condition = "Invalid condition in KeyConditionExpression: ";
    let first_operand = "operator must have the key attribute as its first operand";
    let shapes = [
        (":a between size(b) and size(a) and b > :b", format!("{condition}BETWEEN {first_operand}")),
        ("begins_with(:a, b) and a > :b", format!("{condition}begins_with {first_operand}")),
        (
            "size(b) > a AND a.b > b AND b > c AND :a = :b",
            "KeyConditionExpressions cannot contain nested operations".to_owned(),
        ),
        (
            "a between size(b) and size(a) and :a = :b",
            "KeyConditionExpressions cannot contain nested operations".to_owned(),
        ),
        ("b > a.b and :a = :b", format!("{condition}Multiple attribute names used in one condition")),
        (
            "b between c[1] and d and :a = :b",
            format!("{condition}Multiple attribute names used in one condition"),
        ),
        (
            "a between b and size(a) and :a = :b",
            format!("{condition}Multiple attribute names used in one condition"),
        ),
        (
            "begins_with(a, b) and :a = :b",
            format!("{condition}Multiple attribute names used in one condition"),
        ),
        (
            "b.d > a AND c.d > e.f and :a = :b",
            "KeyConditionExpressions cannot have conditions on nested attributes".to_owned(),
        ),
        (
            "a.d > size(c) and :a = :b",
            "KeyConditionExpressions cannot have conditions on nested attributes".to_owned(),
        ),
        (
            "b[0] > a and :a = :b",
            "KeyConditionExpressions cannot have conditions on nested attributes".to_owned(),
        ),
        (":b > :a AND a < :b", format!("{condition}No key attribute specified")),
        (":a > b AND :a < :b", format!("{condition}No key attribute specified")),
        (
            "b > :a AND b < :b and c = :a and d = :a",
            "KeyConditionExpressions must only contain one condition per key".to_owned(),
        ),
        (
            "(a > :a and b > :b) and (b > :a and c > :a)",
            "KeyConditionExpressions must only contain one condition per key".to_owned(),
        ),
        (":a = a and b = :b and :a = c", "Conditions can be of length 1 or 2 only".to_owned()),
    ];
    for (text, expected) in shapes {
        assert_eq!(refusal(text, &[], &[(":a", s("1")), (":b", s("2"))]), expected, "{text}");
    }
}

#[test]
fn a_binary_is_shown_in_a_message_as_well() {
    let refused =
        refusal("a BETWEEN :a AND :b", &[], &[(":a", wire(r#"{"B":"YQ=="}"#)), (":b", wire(r#"{"S":"a"}"#))]);
    assert!(
        refused.ends_with("AttributeValue: {B:YQ==}, upper bound operand: AttributeValue: {S:a}"),
        "{refused}"
    );
}

#[test]
fn a_message_does_not_repeat_megabytes() {
    let long = s(&"x".repeat(1_000_000));
    let refused = refusal("a BETWEEN :a AND :b", &[], &[(":a", long), (":b", n("1"))]);
    assert!(refused.len() < 3000);
}
