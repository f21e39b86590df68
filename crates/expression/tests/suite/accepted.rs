//! Key conditions that are accepted, and what they come to.

use keywright_expression::Comparison;

use crate::{b, key_condition, n, s};

#[test]
fn every_comparison_of_a_sort_key_is_understood_in_either_order() {
    let one = || s("1");
    let cases: &[(&str, Comparison)] = &[
        ("sk = :one", Comparison::Equal(one())),
        ("sk < :one", Comparison::Less(one())),
        ("sk <= :one", Comparison::LessOrEqual(one())),
        ("sk > :one", Comparison::Greater(one())),
        ("sk >= :one", Comparison::GreaterOrEqual(one())),
        (":one = sk", Comparison::Equal(one())),
        (":one < sk", Comparison::Greater(one())),
        (":one <= sk", Comparison::GreaterOrEqual(one())),
        (":one > sk", Comparison::Less(one())),
        (":one >= sk", Comparison::LessOrEqual(one())),
        ("sk BETWEEN :one AND :one", Comparison::Between(one(), one())),
        ("begins_with(sk, :one)", Comparison::BeginsWith(one())),
    ];
    for (text, expected) in cases {
        for whole in [
            format!("pk = :pk AND {text}"),
            format!("{text} AND pk = :pk"),
            format!("(pk = :pk) and ({text})"),
            format!("(pk = :pk AND ({text}))"),
            format!("\tpk=:pk\nAnD\r{text} "),
        ] {
            let condition = key_condition(&whole, &[], &[(":pk", s("p")), (":one", one())]).unwrap();
            let sort = condition.conditions.iter().find(|(name, _)| name == "sk");
            assert_eq!(sort, Some(&("sk".to_owned(), expected.clone())), "{whole}");
            assert!(condition.conditions.contains(&("pk".to_owned(), Comparison::Equal(s("p")))), "{whole}");
        }
    }
}

#[test]
fn no_spaces_are_needed_where_signs_part_the_words() {
    let condition = key_condition("pk=:p AND begins_with(sk,:s)", &[], &[(":p", s("p")), (":s", s("x"))]);
    assert_eq!(condition.unwrap().conditions.len(), 2);
}

/// An emulator refused parentheses around a condition ("Expected attribute name, got ("), although the service takes
/// them; what it refuses is a pair that encloses nothing but another pair.
#[test]
fn parentheses_are_fine_unless_they_are_doubled() {
    let values = [(":p", s("p")), (":s", s("x"))];
    for text in [
        "(pk = :p) AND (sk = :s)",
        "(pk = :p AND sk = :s)",
        "(pk = :p AND (sk = :s))",
        "(pk) = (:p) AND sk = :s",
    ] {
        assert!(key_condition(text, &[], &values).is_ok(), "{text}");
    }
    for text in ["((pk = :p)) AND sk = :s", "((pk = :p AND sk = :s))", "((pk)) = :p AND sk = :s"] {
        assert_eq!(
            key_condition(text, &[], &values).unwrap_err(),
            "Invalid KeyConditionExpression: The expression has redundant parentheses;",
            "{text}"
        );
    }
}

/// C18: `Name`, `scope` and their like are refused bare, in any case; through a placeholder any name will do.
#[test]
fn a_reserved_word_is_fine_behind_a_placeholder() {
    let condition = key_condition("#n = :v", &[("#n", "Name")], &[(":v", s("x"))]).unwrap();
    assert_eq!(condition.conditions, [("Name".to_owned(), Comparison::Equal(s("x")))]);
    let condition = key_condition("#n = :v", &[("#n", "a.b#c d")], &[(":v", s("x"))]).unwrap();
    assert_eq!(condition.conditions, [("a.b#c d".to_owned(), Comparison::Equal(s("x")))]);
}

#[test]
fn a_placeholder_may_be_used_twice() {
    assert!(key_condition("pk = :v AND sk = :v", &[], &[(":v", s("x"))]).is_ok());
    assert!(key_condition("pk = :v AND sk BETWEEN :v AND :v", &[], &[(":v", n("1"))]).is_ok());
}

/// C16: emulators compared binary by signed bytes or as base64 text, and strings by UTF-16 units, so that bounds in
/// the right order were taken for wrong ones. The order is that of unsigned bytes, of UTF-8 for strings.
#[test]
fn bounds_are_compared_as_unsigned_bytes_and_numbers_by_value() {
    let ordered = [
        (b(&[0x01, 0x00]), b(&[0x01, 0xFF])),
        (b(&[0x01, 0xFF]), b(&[0x02])),
        (b(&[0x7F]), b(&[0x80])),
        (s("\u{FF61}"), s("\u{10002}")),
        (s("10"), s("9")),
        (n("9"), n("10")),
        (n("-0.7"), n("-0.6")),
        (n("1"), n("1.0")),
    ];
    for (low, high) in ordered {
        let between = "pk = :p AND sk BETWEEN :l AND :h";
        assert!(
            key_condition(between, &[], &[(":p", s("p")), (":l", low.clone()), (":h", high.clone())]).is_ok()
        );
        if low != high {
            let values = [(":p", s("p")), (":l", high), (":h", low)];
            let refusal = key_condition(between, &[], &values).unwrap_err();
            assert!(
                refusal.contains("requires upper bound to be greater than or equal to lower bound"),
                "{refusal}"
            );
        }
    }
}

/// C14: emulators took texts of any length. The limit is 4,096 bytes of the text as it was sent.
#[test]
fn a_text_of_4096_bytes_is_accepted_and_one_byte_more_is_not() {
    let text = |length: usize| {
        let bare = "#a = :v";
        format!("{bare}{}", " ".repeat(length - bare.len()))
    };
    assert!(key_condition(&text(4096), &[("#a", "pk")], &[(":v", s("x"))]).is_ok());
    assert_eq!(
        key_condition(&text(4097), &[("#a", "pk")], &[(":v", s("x"))]).unwrap_err(),
        "Invalid KeyConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097"
    );
}

/// C14: what a placeholder stands for does not count towards the length.
#[test]
fn long_names_behind_placeholders_do_not_count() {
    let name = "n".repeat(255);
    assert!(key_condition("#a = :v", &[("#a", &name)], &[(":v", s(&"x".repeat(5000)))]).is_ok());
}
