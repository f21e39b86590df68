//! The legacy parameters: what they mean, and which are refused.

use keywright_expression::Comparison;
use keywright_expression::legacy::{
    self, AttributeCondition, AttributeUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttribute,
    LegacyRefusal, UpdateAction,
};
use keywright_item::json::ValueRefusal;
use keywright_item::{AttributeValue, Item, StoredItem};

use crate::{b, item, l, m, n, ns, s, shown, ss};

fn operator(name: &str) -> ComparisonOperator {
    ComparisonOperator::ALL.into_iter().find(|(known, _)| *known == name).unwrap().1
}

fn entry(name: &str, values: &[AttributeValue]) -> AttributeCondition {
    AttributeCondition { operator: operator(name), values: values.iter().cloned().map(Ok).collect() }
}

fn filter(name: &str, values: &[AttributeValue], item: &Item) -> Result<bool, String> {
    let condition = legacy::filter(vec![("a".to_owned(), entry(name, values))], ConditionalOperator::And)
        .map_err(|refusal| refusal.to_string())?
        .unwrap();
    Ok(condition.holds(Some(StoredItem::encode(item).as_ref())))
}

#[test]
fn every_operator_means_what_its_expression_means() {
    let cases: &[(&str, &[AttributeValue], AttributeValue, bool)] = &[
        ("EQ", &[n("1.0")], n("1"), true),
        ("EQ", &[ss(&["b", "a"])], ss(&["a", "b"]), true),
        ("EQ", &[AttributeValue::Bool(true)], AttributeValue::Bool(true), true),
        ("EQ", &[m(&[("x", l(&[]))])], m(&[("x", l(&[]))]), true),
        ("NE", &[s("1")], n("1"), true),
        ("NE", &[n("1")], n("1"), false),
        ("LT", &[n("10")], n("9"), true),
        ("LE", &[s("a")], s("a"), true),
        ("GT", &[b(&[0x7F])], b(&[0x80]), true),
        ("GE", &[s("b")], s("a"), false),
        ("NOT_NULL", &[], AttributeValue::Null, true),
        ("NULL", &[], AttributeValue::Null, false),
        ("CONTAINS", &[s("bc")], s("abcd"), true),
        ("CONTAINS", &[s("bc")], ss(&["abcd"]), false),
        ("CONTAINS", &[n("1")], ns(&["1"]), true),
        ("CONTAINS", &[s("bde")], l(&[n("1"), s("bde")]), true),
        ("NOT_CONTAINS", &[s("bc")], b(b"abcd"), true),
        ("NOT_CONTAINS", &[s("bc")], s("abcd"), false),
        ("BEGINS_WITH", &[s("ab")], s("abc"), true),
        ("BEGINS_WITH", &[b(&[1])], b(&[1, 2]), true),
        ("IN", &[s("x"), s("y")], s("y"), true),
        ("IN", &[n("1")], s("1"), false),
        ("BETWEEN", &[n("1"), n("3")], n("3"), true),
    ];
    for (name, values, present, expected) in cases {
        let item = item(&[("a", present.clone())]);
        assert_eq!(filter(name, values, &item), Ok(*expected), "{name} {values:?} {present:?}");
    }
    for (name, values, expected) in [
        ("NULL", vec![], true),
        ("NOT_NULL", vec![], false),
        ("NE", vec![n("1")], true),
        ("LT", vec![n("1")], false),
    ] {
        assert_eq!(filter(name, &values, &Item::new()), Ok(expected), "{name} of a missing attribute");
    }
}

/// A mapper of another service joined conditions by OR, and an emulator took every list of them for AND.
#[test]
fn conditions_are_joined_as_the_conditional_operator_says() {
    let item = item(&[("status", s("active")), ("role", s("user"))]);
    let conditions = || {
        vec![
            ("status".to_owned(), entry("EQ", &[s("active")])),
            ("role".to_owned(), entry("EQ", &[s("admin")])),
        ]
    };
    let holds = |operator| {
        let condition = legacy::filter(conditions(), operator).unwrap().unwrap();
        condition.holds(Some(StoredItem::encode(&item).as_ref()))
    };
    assert!(!holds(ConditionalOperator::And) && holds(ConditionalOperator::Or));
    assert_eq!(legacy::filter(Vec::new(), ConditionalOperator::Or), Ok(None), "no condition is no condition");
    assert_eq!(legacy::expected(Vec::new(), ConditionalOperator::And), Ok(None));
}

#[test]
fn a_name_is_a_name_and_not_a_path() {
    let conditions = vec![("a.b[0]".to_owned(), entry("NOT_NULL", &[]))];
    let condition = legacy::filter(conditions, ConditionalOperator::And).unwrap().unwrap();
    let item = item(&[("a.b[0]", n("1"))]);
    assert!(condition.holds(Some(StoredItem::encode(&item).as_ref())));
    assert_eq!(condition.attributes().collect::<Vec<_>>(), ["a.b[0]"]);
    assert_eq!(condition.nested_attributes().count(), 0);
}

#[test]
fn values_that_do_not_fit_the_operator_are_refused_in_the_service_s_order() {
    let invalid = "One or more parameter values were invalid: ";
    let count =
        |name: &str| format!("{invalid}Invalid number of argument(s) for the {name} ComparisonOperator");
    for name in
        ["EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN"]
    {
        assert_eq!(filter(name, &[], &Item::new()), Err(count(name)));
        let three = [s("a"), n("1"), s("c")];
        let expected = if name == "IN" {
            format!("{invalid}AttributeValues inside AttributeValueList must be of same type")
        } else {
            count(name)
        };
        assert_eq!(filter(name, &three, &Item::new()), Err(expected));
    }
    for name in ["NULL", "NOT_NULL"] {
        assert_eq!(filter(name, &[s("a")], &Item::new()), Err(count(name)));
    }
    let types = [
        s("a"),
        n("1"),
        b(&[1]),
        AttributeValue::Bool(true),
        AttributeValue::Null,
        ss(&["a"]),
        ns(&["1"]),
        m(&[]),
        l(&[]),
    ];
    for value in types {
        let found = value.type_name();
        for (name, taken) in [
            ("LT", "S N B"),
            ("LE", "S N B"),
            ("GT", "S N B"),
            ("GE", "S N B"),
            ("IN", "S N B"),
            ("BEGINS_WITH", "S B"),
            ("CONTAINS", "S N B BOOL NULL"),
            ("NOT_CONTAINS", "S N B BOOL NULL"),
        ] {
            let refused = filter(name, std::slice::from_ref(&value), &Item::new()).err();
            let expected = (!taken.split(' ').any(|one| one == found)).then(|| {
                format!("{invalid}ComparisonOperator {name} is not valid for {found} AttributeValue type")
            });
            assert_eq!(refused, expected);
        }
        assert!(filter("EQ", std::slice::from_ref(&value), &Item::new()).is_ok(), "EQ {found}");
        assert!(filter("NE", &[value], &Item::new()).is_ok(), "NE {found}");
    }
    assert_eq!(
        filter("BETWEEN", &[s("b"), s("a")], &Item::new()),
        Err("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound".to_owned())
    );
    let refused =
        AttributeCondition { operator: ComparisonOperator::Null, values: vec![Err(ValueRefusal::NoType)] };
    assert_eq!(
        legacy::filter(vec![("a".to_owned(), refused)], ConditionalOperator::And),
        Err(LegacyRefusal::Value(ValueRefusal::NoType)),
        "a value that is none comes before the number of values"
    );
}

/// An emulator ignored `Value` when `Exists` was there as well, so that a stale version was overwritten; what is right
/// was measured on the service.
#[test]
fn expected_takes_a_value_or_its_absence_or_an_operator() {
    let invalid = "One or more parameter values were invalid: ";
    let value = |text: &str| Some(Ok(s(text)));
    let values = |texts: &[&str]| Some(texts.iter().map(|text| Ok(s(text))).collect::<Vec<_>>());
    let present = item(&[("a", s("x"))]);
    let check = |attribute: ExpectedAttribute| {
        legacy::expected(vec![("a".to_owned(), attribute)], ConditionalOperator::And)
            .map(|condition| condition.unwrap().holds(Some(StoredItem::encode(&present).as_ref())))
            .map_err(|refusal| refusal.to_string())
    };
    let none = ExpectedAttribute::default;
    let eq = Some(ComparisonOperator::Eq);
    let cases = [
        (ExpectedAttribute { value: value("x"), ..none() }, Ok(true)),
        (ExpectedAttribute { value: value("stale"), exists: Some(true), ..none() }, Ok(false)),
        (ExpectedAttribute { exists: Some(false), ..none() }, Ok(false)),
        (ExpectedAttribute { operator: eq, values: values(&["x"]), ..none() }, Ok(true)),
        (ExpectedAttribute { operator: eq, value: value("x"), ..none() }, Ok(true)),
        (ExpectedAttribute { operator: Some(ComparisonOperator::NotNull), ..none() }, Ok(true)),
        (none(), Err("Value must be provided when Exists is null for Attribute: a")),
        (
            ExpectedAttribute { exists: Some(true), ..none() },
            Err("Value must be provided when Exists is true for Attribute: a"),
        ),
        (
            ExpectedAttribute { exists: Some(false), value: value("x"), ..none() },
            Err("Value cannot be used when Exists is false for Attribute: a"),
        ),
        (
            ExpectedAttribute { operator: eq, ..none() },
            Err("Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"),
        ),
        (
            ExpectedAttribute { operator: eq, exists: Some(true), ..none() },
            Err("Exists and ComparisonOperator cannot be used together for Attribute: a"),
        ),
        (
            ExpectedAttribute { operator: eq, value: value("x"), values: values(&["x"]), exists: Some(true) },
            Err("Value and AttributeValueList cannot be used together for Attribute: a"),
        ),
        (
            ExpectedAttribute { values: values(&["x"]), exists: Some(true), ..none() },
            Err("AttributeValueList can only be used with a ComparisonOperator for Attribute: a"),
        ),
        (
            ExpectedAttribute { operator: Some(ComparisonOperator::Null), value: value("x"), ..none() },
            Err("Invalid number of argument(s) for the NULL ComparisonOperator"),
        ),
        (
            ExpectedAttribute { operator: Some(ComparisonOperator::In), values: values(&[]), ..none() },
            Err("Invalid number of argument(s) for the IN ComparisonOperator"),
        ),
    ];
    for (attribute, expected) in cases {
        let shown = format!("{attribute:?}");
        assert_eq!(check(attribute), expected.map_err(|text| format!("{invalid}{text}")), "{shown}");
    }
}

#[test]
fn key_conditions_become_one_or_two_comparisons() {
    let key = |entries: &[(&str, AttributeCondition)]| {
        legacy::key_conditions(
            entries.iter().map(|(name, entry)| ((*name).to_owned(), entry.clone())).collect(),
        )
        .map(|condition| condition.conditions)
        .map_err(|refusal| refusal.to_string())
    };
    let pk = ("pk", entry("EQ", &[s("p")]));
    assert_eq!(
        key(&[pk.clone(), ("sk", entry("BETWEEN", &[n("1"), n("2")]))]),
        Ok(vec![
            ("pk".to_owned(), Comparison::Equal(s("p"))),
            ("sk".to_owned(), Comparison::Between(n("1"), n("2"))),
        ])
    );
    for (name, expected) in [
        ("LT", Comparison::Less(s("x"))),
        ("LE", Comparison::LessOrEqual(s("x"))),
        ("GT", Comparison::Greater(s("x"))),
        ("GE", Comparison::GreaterOrEqual(s("x"))),
        ("BEGINS_WITH", Comparison::BeginsWith(s("x"))),
    ] {
        assert_eq!(key(&[("sk", entry(name, &[s("x")]))]), Ok(vec![("sk".to_owned(), expected)]));
    }
    let null = || entry("NULL", &[]);
    assert_eq!(key(&[]), Err("Conditions can be of length 1 or 2 only".to_owned()));
    assert_eq!(
        key(&[("a", null()), ("b", null()), ("c", null())]),
        Err("Conditions can be of length 1 or 2 only".to_owned())
    );
    for refused in [
        null(),
        entry("NOT_NULL", &[]),
        entry("NE", &[s("x")]),
        entry("CONTAINS", &[s("x")]),
        entry("IN", &[s("x")]),
    ] {
        assert_eq!(
            key(&[pk.clone(), ("sk", refused)]),
            Err("Attempted conditional constraint is not an indexable operation".to_owned())
        );
    }
}

#[test]
fn attribute_updates_put_add_and_delete_whole_attributes() {
    let before =
        item(&[("pk", s("p")), ("a", s("old")), ("c", n("1")), ("t", ss(&["a", "b"])), ("l", l(&[n("1")]))]);
    let entry = |action, value: Option<AttributeValue>| AttributeUpdate { action, value: value.map(Ok) };
    let update = |entries: Vec<(&str, AttributeUpdate)>| {
        legacy::attribute_updates(entries.into_iter().map(|(name, entry)| (name.to_owned(), entry)).collect())
            .map_err(|refusal| refusal.to_string())
    };
    let all = update(vec![
        ("a", entry(None, Some(s("new")))),
        ("c", entry(Some(UpdateAction::Add), Some(n("2")))),
        ("t", entry(Some(UpdateAction::Delete), Some(ss(&["a", "z"])))),
        ("l", entry(Some(UpdateAction::Add), Some(l(&[s("x")])))),
        ("n", entry(Some(UpdateAction::Add), Some(l(&[])))),
        ("d", entry(Some(UpdateAction::Delete), None)),
        ("a.b", entry(Some(UpdateAction::Put), Some(n("1")))),
    ])
    .unwrap();
    let updated = all.apply(Some(&before), &Item::new()).unwrap();
    assert_eq!(
        shown(&updated.item),
        r#"{"a":{"S":"new"},"a.b":{"N":"1"},"c":{"N":"3"},"l":{"L":[{"N":"1"},{"S":"x"}]},"n":{"L":[]},"pk":{"S":"p"},"t":{"SS":["b"]}}"#
    );
    assert_eq!(all.attributes().collect::<Vec<_>>(), ["a", "c", "t", "l", "n", "d", "a.b"]);

    for (name, action, value) in [
        ("t", UpdateAction::Delete, ns(&["1"])),
        ("c", UpdateAction::Delete, ns(&["1"])),
        ("t", UpdateAction::Add, ns(&["1"])),
        ("t", UpdateAction::Add, n("1")),
        ("a", UpdateAction::Add, l(&[])),
    ] {
        let update = update(vec![(name, entry(Some(action), Some(value)))]).unwrap();
        assert_eq!(
            update.apply(Some(&before), &Item::new()).unwrap_err().to_string(),
            "Type mismatch for attribute to update"
        );
    }

    let invalid = "One or more parameter values were invalid: ";
    for (action, value, expected) in [
        (None, None, "Only DELETE action is allowed when no attribute value is specified".to_owned()),
        (
            Some(UpdateAction::Add),
            None,
            "Only DELETE action is allowed when no attribute value is specified".to_owned(),
        ),
        (Some(UpdateAction::Add), Some(s("1")), "ADD action is not supported for the type S".to_owned()),
        (Some(UpdateAction::Add), Some(m(&[])), "ADD action is not supported for the type M".to_owned()),
        (
            Some(UpdateAction::Delete),
            Some(l(&[])),
            "DELETE action with value is not supported for the type L".to_owned(),
        ),
        (
            Some(UpdateAction::Delete),
            Some(n("1")),
            "DELETE action with value is not supported for the type N".to_owned(),
        ),
    ] {
        assert_eq!(update(vec![("x", entry(action, value))]), Err(format!("{invalid}{expected}")));
    }
}

#[test]
fn attributes_to_get_names_attributes_once() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let item = item(&[("a.b", n("1")), ("b", n("2")), ("c", n("3"))]);
    let projection = legacy::attributes_to_get(names(&["c", "a.b", "missing"])).unwrap();
    assert_eq!(
        shown(&projection.apply(StoredItem::encode(&item).as_ref())),
        r#"{"a.b":{"N":"1"},"c":{"N":"3"}}"#
    );
    assert_eq!(
        legacy::attributes_to_get(names(&["a", "b", "b", "a"])).unwrap_err().to_string(),
        "One or more parameter values were invalid: Duplicate value in attribute name: b"
    );
}
