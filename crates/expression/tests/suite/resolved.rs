//! Key conditions against the key of a table or index.

use keywright_expression::{Comparison, KeyElement, ResolvedKeyCondition};
use keywright_item::AttributeValue;

use crate::{key_condition, key_condition_of, n, s};

const PK: KeyElement<'_> = KeyElement { name: "pk", type_name: "S" };
const SK: KeyElement<'_> = KeyElement { name: "sk", type_name: "N" };

fn resolve(
    text: &str,
    sort_key: Option<KeyElement<'_>>,
) -> Result<(AttributeValue, Option<Comparison>), String> {
    let all = [(":s", s("x")), (":n", n("1"))];
    let used: Vec<_> = all.into_iter().filter(|(placeholder, _)| text.contains(placeholder)).collect();
    let resolved = key_condition(text, &[], &used)?
        .resolve(&[PK], sort_key.as_slice())
        .map_err(|refusal| refusal.to_string())?;
    let [partition] = resolved.partition.as_slice() else { panic!("one value for one attribute") };
    Ok((partition.clone(), resolved.sort.first().cloned()))
}

#[test]
fn a_condition_on_the_key_is_split_into_its_parts() {
    assert_eq!(resolve("pk = :s", None), Ok((s("x"), None)));
    assert_eq!(resolve("pk = :s", Some(SK)), Ok((s("x"), None)));
    assert_eq!(resolve("sk > :n AND pk = :s", Some(SK)), Ok((s("x"), Some(Comparison::Greater(n("1"))))));
}

#[test]
fn a_condition_that_does_not_fit_the_key_is_refused_in_the_service_s_order() {
    let not_supported = "Query key condition not supported";
    let wrong_type =
        "One or more parameter values were invalid: Condition parameter type does not match schema type";
    let simple = [
        ("pk > :s", not_supported),
        (":s <= pk", not_supported),
        ("begins_with(pk, :s)", not_supported),
        ("pk between :s and :s", not_supported),
        ("pk = :s AND b = :s", not_supported),
        ("y = :s AND z = :s", not_supported),
        ("a = :s", "Query condition missed key schema element: pk"),
        (":n > pk", wrong_type),
        ("pk = :n", wrong_type),
    ];
    for (text, expected) in simple {
        assert_eq!(resolve(text, None).unwrap_err(), expected, "{text}");
    }
    let composite = [
        ("sk = :n", "Query condition missed key schema element: pk"),
        ("attr1 = :s", "Query condition missed key schema element: pk"),
        ("a = :n AND sk = :n", "Query condition missed key schema element: pk"),
        ("pk = :n AND b = :n", wrong_type),
        ("pk > :s AND b = :n", not_supported),
        ("pk = :s AND b = :n", "Query condition missed key schema element: sk"),
        ("pk = :s AND sk = :s", wrong_type),
        ("pk = :s AND sk between :s and :s", wrong_type),
    ];
    for (text, expected) in composite {
        assert_eq!(resolve(text, Some(SK)).unwrap_err(), expected, "{text}");
    }
}

/// The key of an index: partition attributes h1 and h2, sort attributes a, b and c.
fn resolve_wide(text: &str) -> Result<ResolvedKeyCondition, String> {
    let all = [(":s", s("x")), (":n", n("1"))];
    let used: Vec<_> = all.into_iter().filter(|(placeholder, _)| text.contains(placeholder)).collect();
    let element = |name| KeyElement { name, type_name: "S" };
    key_condition_of(8, text, &[], &used)?
        .resolve(&[element("h1"), element("h2")], &[element("a"), element("b"), element("c")])
        .map_err(|refusal| refusal.to_string())
}

#[test]
fn conditions_on_a_key_of_several_attributes_stand_in_any_order_and_come_out_in_the_key_s() {
    let resolved = resolve_wide("begins_with(b, :s) AND h2 = :s AND a = :s AND h1 = :s").unwrap();
    assert_eq!(resolved.partition, [s("x"), s("x")]);
    assert_eq!(resolved.sort, [Comparison::Equal(s("x")), Comparison::BeginsWith(s("x"))]);
    assert_eq!(resolve_wide("h1 = :s AND h2 = :s").unwrap().sort, []);
    assert_eq!(resolve_wide("h1 = :s AND h2 = :s AND a < :s").unwrap().sort, [Comparison::Less(s("x"))]);
}

#[test]
fn sort_attributes_are_conditioned_from_left_to_right_and_partition_attributes_all() {
    let gap = |names: &str, present: &str| {
        format!(
            "RANGE key attributes {names} must have equality conditions specified in the query because a condition is \
             present on key attribute {present}"
        )
    };
    let cases = [
        ("h1 = :s AND h2 = :s AND b = :s", gap("a", "b")),
        ("h1 = :s AND h2 = :s AND c = :s", gap("a, b", "c")),
        ("h1 = :s AND h2 = :s AND a = :s AND c = :s", gap("b", "c")),
        ("h1 = :s AND h2 = :s AND a = :s AND b > :s AND c = :s", gap("b", "c")),
        ("h1 = :s AND h2 = :s AND z = :s", "Query condition missed key schema element: a".to_owned()),
        (
            "h1 = :s AND a = :s",
            "HASH key attributes h2 must have equality conditions specified in the query".to_owned(),
        ),
        (
            "h1 > :s AND a = :s",
            "HASH key attributes h1, h2 must have equality conditions specified in the query".to_owned(),
        ),
        (
            "h1 = :s AND h2 = :n",
            "One or more parameter values were invalid: Condition parameter type does not match schema type"
                .to_owned(),
        ),
        (
            "h1 = :s AND h2 = :s AND a = :s AND b = :s AND c = :s AND d = :s",
            "Query key condition not supported".to_owned(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(resolve_wide(text).unwrap_err(), expected, "{text}");
    }
}

#[test]
fn three_conditions_are_too_many_for_a_key_of_two_attributes() {
    let used = [(":s", s("x")), (":n", n("1"))];
    let condition = key_condition_of(8, "pk = :s AND sk = :n AND z = :n", &[], &used).unwrap();
    let refusal = condition.resolve(&[PK], &[SK]).unwrap_err();
    assert_eq!(refusal.to_string(), "Conditions can be of length 1 or 2 only");
}
