//! What conditions and filters say of an item.

use keywright_item::{AttributeValue, Item};

use crate::{b, condition, holds, item, l, m, n, ns, s, ss, used, wire};

fn everything() -> Item {
    item(&[
        ("pk", s("ORG#1")),
        ("str", s("hello")),
        ("num", n("10")),
        ("bin", b(&[1, 2, 3])),
        ("yes", AttributeValue::Bool(true)),
        ("nul", AttributeValue::Null),
        ("tags", ss(&["a", "b"])),
        ("nums", ns(&["1", "2.5"])),
        ("bins", wire(r#"{"BS":["AQ==","Ag=="]}"#)),
        ("lst", l(&[s("x"), n("1"), m(&[("k", s("deep"))]), l(&[s("y")])])),
        ("doc", m(&[("a", n("1")), ("b", m(&[("c", s("d"))]))])),
    ])
}

/// Each of these holds, and its negation does not.
#[test]
fn conditions_are_true_of_what_they_describe() {
    let values = [
        (":hello", s("hello")),
        (":help", s("help")),
        (":he", s("he")),
        (":ten", n("10.0")),
        (":nine", n("9")),
        (":bytes", b(&[1, 2])),
        (":inner", b(&[2, 3])),
        (":true", AttributeValue::Bool(true)),
        (":null", AttributeValue::Null),
        (":same", ss(&["b", "a"])),
        (":member", s("a")),
        (":number", n("2.50")),
        (":byte", b(&[2])),
        (":list", l(&[s("y")])),
        (":map", m(&[("k", s("deep"))])),
        (":s", s("S")),
        (":m", s("M")),
        (":two", n("2")),
        (":four", n("4")),
        (":five", n("5")),
        (":deep", s("deep")),
    ];
    let conditions = [
        "str = :hello",
        "str <> :help",
        "str < :help",
        "str <= :hello",
        "str > :he",
        "str >= :hello",
        "num = :ten",
        "num > :nine",
        ":nine < num",
        "num BETWEEN :nine AND :ten",
        "num IN (:nine, str, :ten)",
        "bin > :bytes",
        "yes = :true",
        "nul = :null",
        "tags = :same",
        "attribute_exists(doc.b.c)",
        "attribute_exists(lst[3][0])",
        "attribute_not_exists(doc.b.x)",
        "attribute_not_exists(lst[4])",
        "attribute_not_exists(doc[0])",
        "attribute_not_exists(lst.a)",
        "attribute_not_exists(str.a)",
        "attribute_type(str, :s)",
        "attribute_type(doc.b, :m)",
        "begins_with(str, :he)",
        "begins_with(bin, :bytes)",
        "contains(str, :he)",
        "contains(bin, :inner)",
        "contains(tags, :member)",
        "contains(nums, :number)",
        "contains(bins, :byte)",
        "contains(lst, :list)",
        "contains(lst, :map)",
        "size(str) = :five",
        "size(tags) = :two",
        "size(bins) = :two",
        "size(lst) = :four",
        "size(doc) = :two",
        "size(:hello) = :five",
        "lst[2].k = :deep",
        "(str) = (:hello)",
        "str = :hello AND num = :ten OR str = :help AND num = :nine",
        "str = :help OR (str = :hello AND NOT num = :nine)",
        "NOT (str = :help OR num = :nine)",
    ];
    let item = everything();
    for text in conditions {
        let values = used(text, &values);
        assert!(holds(text, &values, &item), "{text}");
        assert!(!holds(&format!("NOT ({text})"), &values, &item), "NOT ({text})");
    }
}

/// An emulator answered a filter with an error as soon as it met an item without the attribute, so that one odd item
/// made the whole Scan fail; another let `n <= "5"` match every number. What has no value, and what is of two types,
/// makes its comparison false, and `<>` true.
#[test]
fn what_is_missing_or_of_another_type_is_only_unequal() {
    let values = [(":five", n("5")), (":text", s("5")), (":bytes", b(b"5"))];
    let nothing_else = item(&[("num", n("5")), ("str", s("5"))]);
    for text in [
        "absent = :five",
        "absent < :five",
        "absent >= :five",
        "absent BETWEEN :five AND :five",
        "absent IN (:five, also_absent)",
        "absent = also_absent",
        "num = :text",
        "num <= :text",
        "num >= :text",
        "str BETWEEN :bytes AND :bytes",
        "begins_with(absent, :text)",
        "begins_with(num, :text)",
        "contains(absent, :text)",
        "contains(num, :text)",
        "contains(str, :five)",
        "size(absent) = :five",
        "size(num) >= :five",
        "attribute_exists(absent)",
        "num < str",
    ] {
        let values = used(text, &values);
        assert!(!holds(text, &values, &nothing_else), "{text}");
        assert!(holds(&format!("NOT {text}"), &values, &nothing_else), "NOT {text}");
    }
    for text in ["absent <> :five", "num <> :text", "num <> str", "absent <> also_absent"] {
        assert!(holds(text, &used(text, &values), &nothing_else), "{text}");
    }
}

/// A put-if-absent and a check of what must be there are both asked where there is no item.
#[test]
fn without_an_item_every_attribute_is_missing() {
    let absent = condition("attribute_not_exists(pk)", &[], &[]).unwrap();
    let present = condition("attribute_exists(pk)", &[], &[]).unwrap();
    let literal = condition(":one = :one", &[], &[(":one", n("1"))]).unwrap();
    assert!(absent.holds(None) && !present.holds(None) && literal.holds(None));
}

/// C16: an emulator compared binaries as signed bytes, others as base64 text, and strings by UTF-16 code units, so that
/// filters found the wrong items. The order is that of unsigned bytes, of UTF-8 for strings.
#[test]
fn binaries_are_in_the_order_of_unsigned_bytes_and_strings_in_that_of_utf_8() {
    let binaries = [b(&[]), b(&[1, 0]), b(&[1, 0xFF]), b(&[2]), b(&[0x7F]), b(&[0x80])];
    let strings = [s(""), s("A"), s("Z"), s("a"), s("\u{FF61}"), s("\u{10002}")];
    for values in [&binaries[..], &strings[..]] {
        for (place, low) in values.iter().enumerate() {
            for high in values.iter().skip(place + 1) {
                let item = item(&[("low", low.clone()), ("high", high.clone())]);
                let bounds = [(":low", low.clone()), (":high", high.clone())];
                assert!(holds("low < high AND NOT high <= low", &[], &item), "{low:?} {high:?}");
                assert!(holds("low < :high AND high > :low", &bounds, &item), "{low:?} {high:?}");
                assert!(holds("low BETWEEN :low AND :high AND high BETWEEN :low AND :high", &bounds, &item));
            }
        }
    }
}

/// C17: one emulator compared numbers as text or without their sign, another had the two signs swapped.
#[test]
fn numbers_are_in_the_order_of_their_values() {
    let numbers = ["-1e10", "-0.7", "-0.6", "0", "0.5", "2", "10", "1e10"];
    for (place, low) in numbers.iter().enumerate() {
        for high in numbers.iter().skip(place + 1) {
            let values = [(":low", n(low)), (":high", n(high))];
            assert!(holds(":low < :high AND NOT :low >= :high", &values, &Item::new()), "{low} {high}");
        }
    }
}

/// An engine took the size of a string for its bytes in UTF-8: a condition on the length of a name failed as soon as
/// somebody had an accent in it. The service counts UTF-16 code units: 1 for é, 2 for 𝄞.
#[test]
fn the_size_of_a_string_is_counted_in_utf_16_code_units() {
    let item = item(&[("plain", s("abc")), ("accent", s("abÿ")), ("clef", s("é𝄞"))]);
    let three = [(":three", n("3"))];
    for name in ["plain", "accent", "clef"] {
        assert!(holds(&format!("size({name}) = :three"), &three, &item), "{name}");
    }
}

/// C18: an attribute may have any name, and a condition names it through a placeholder, dots and all.
#[test]
fn a_placeholder_names_an_attribute_whose_name_looks_like_a_path() {
    let condition = condition(
        "#n = :v AND #p.#k = :v",
        &[("#n", "a.b[0]"), ("#p", "Name"), ("#k", "#")],
        &[(":v", n("1"))],
    )
    .unwrap();
    let item = item(&[("a.b[0]", n("1")), ("Name", m(&[("#", n("1"))]))]);
    assert!(condition.holds(Some(keywright_item::StoredItem::encode(&item).as_ref())));
    assert_eq!(condition.attributes().collect::<Vec<_>>(), ["a.b[0]", "Name"]);
    assert_eq!(condition.nested_attributes().collect::<Vec<_>>(), ["Name"]);
}

/// The engine refuses conditions on certain attributes: it must see all that a condition looks at.
#[test]
fn a_condition_tells_every_attribute_that_it_looks_at() {
    let text = "a = b AND NOT (c[0] BETWEEN d AND e.x OR contains(f, g)) AND h IN (i, size(j.k)) AND attribute_exists(a)";
    let condition = condition(text, &[], &[]).unwrap();
    assert_eq!(
        condition.attributes().collect::<String>(),
        "abcdefghija",
        "in the order of the text, and as often as they occur"
    );
    assert_eq!(condition.nested_attributes().collect::<String>(), "cej");
}

/// C06: a set may hold the empty string, and `contains` finds it.
#[test]
fn an_empty_member_is_found_in_a_set() {
    let item = item(&[("tags", ss(&[""])), ("txt", s("abc"))]);
    let empty = [(":empty", s(""))];
    assert!(holds("contains(tags, :empty) AND contains(txt, :empty)", &empty, &item));
}
