//! Key conditions against the key of a table.

use keywright_expression::{Comparison, KeyElement};
use keywright_item::AttributeValue;

use crate::{key_condition, n, s};

const PK: KeyElement<'_> = KeyElement { name: "pk", type_name: "S" };
const SK: KeyElement<'_> = KeyElement { name: "sk", type_name: "N" };

fn resolve(
    text: &str,
    sort_key: Option<KeyElement<'_>>,
) -> Result<(AttributeValue, Option<Comparison>), String> {
    let all = [(":s", s("x")), (":n", n("1"))];
    let used: Vec<_> = all.into_iter().filter(|(placeholder, _)| text.contains(placeholder)).collect();
    key_condition(text, &[], &used)?.resolve(PK, sort_key).map_err(|refusal| refusal.to_string())
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
