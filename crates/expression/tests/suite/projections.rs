//! What projections take of an item, and which are refused.

use keywright_item::{Item, StoredItem};

use crate::{item, l, m, n, projection, s, shown};

fn projected(text: &str, item: &Item) -> String {
    let projection = projection(text, &[]).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    shown(&projection.apply(StoredItem::encode(item).as_ref()))
}

#[test]
fn a_projection_takes_the_named_parts_in_maps_and_lists_of_their_own() {
    let item = item(&[
        ("pk", s("p")),
        ("doc", m(&[("a", n("1")), ("b", m(&[("c", n("2")), ("d", n("3"))])), ("e", l(&[]))])),
        ("lst", l(&[n("0"), m(&[("x", n("1")), ("y", n("2"))]), n("2"), n("3")])),
    ]);
    let cases = [
        ("pk", r#"{"pk":{"S":"p"}}"#),
        ("absent", "{}"),
        ("absent, pk", r#"{"pk":{"S":"p"}}"#),
        ("doc.a", r#"{"doc":{"M":{"a":{"N":"1"}}}}"#),
        ("doc.b.d, doc.a", r#"{"doc":{"M":{"a":{"N":"1"},"b":{"M":{"d":{"N":"3"}}}}}}"#),
        ("doc.e", r#"{"doc":{"M":{"e":{"L":[]}}}}"#),
        ("doc.x", "{}"),
        ("doc.x, doc.a.y, doc[0]", "conflict"),
        ("lst[3], lst[0]", r#"{"lst":{"L":[{"N":"0"},{"N":"3"}]}}"#),
        ("lst[2], lst[9], lst[1].y", r#"{"lst":{"L":[{"M":{"y":{"N":"2"}}},{"N":"2"}]}}"#),
        ("lst[9]", "{}"),
        ("lst[0].x", "{}"),
        ("lst.x", "{}"),
        ("pk.x", "{}"),
    ];
    for (text, expected) in cases {
        if expected == "conflict" {
            assert!(projection(text, &[]).unwrap_err().contains("conflict with each other"));
        } else {
            assert_eq!(projected(text, &item), expected, "{text}");
        }
    }
}

#[test]
fn a_projection_tells_its_attributes() {
    let projection = projection("lst[0], doc.a, doc.b, pk", &[]).unwrap();
    assert_eq!(projection.attributes().collect::<Vec<_>>(), ["doc", "lst", "pk"]);
    assert_eq!(projection.nested_attributes().collect::<Vec<_>>(), ["doc", "lst"]);
}

#[test]
fn projections_are_refused_with_the_service_s_texts() {
    let paths = "must remove or rewrite one of these paths; path one:";
    let cases: &[(&str, String)] = &[
        ("", "The expression can not be empty;".to_owned()),
        ("a,", r#"Syntax error; token: "<EOF>", near: ",""#.to_owned()),
        ("a,,b", r#"Syntax error; token: ",", near: ",,b""#.to_owned()),
        ("(a)", r#"Syntax error; token: "(", near: "(a""#.to_owned()),
        ("(a.b).c", r#"Syntax error; token: "(", near: "(a""#.to_owned()),
        ("a-b", r#"Syntax error; token: "-", near: "a-b""#.to_owned()),
        ("a[b]", r#"Syntax error; token: "b", near: "[b]""#.to_owned()),
        ("whatever(stuff)", r#"Syntax error; token: "(", near: "whatever(stuff""#.to_owned()),
        (":a", r#"Syntax error; token: ":a", near: ":a""#.to_owned()),
        ("!!! INVALID !!!", r#"Syntax error; token: "!", near: "!!""#.to_owned()),
        ("a.abORt, #undefined", "Attribute name is a reserved keyword; reserved keyword: abORt".to_owned()),
        ("and", "Attribute name is a reserved keyword; reserved keyword: and".to_owned()),
        ("a[4294967295]", "List index is not within the allowable range; index: [4294967295]".to_owned()),
        (
            "a,b,a,#x",
            "An expression attribute name used in the document path is not defined; attribute name: #x"
                .to_owned(),
        ),
        (
            "b[1], b.a, #a.b, a",
            format!("Two document paths overlap with each other; {paths} [a, b], path two: [a]"),
        ),
        ("a, #a[1]", format!("Two document paths overlap with each other; {paths} [a], path two: [a, [1]]")),
        (
            "a.b, #a[1], #b",
            format!("Two document paths conflict with each other; {paths} [a, b], path two: [a, [1]]"),
        ),
        (
            "a[3].b, #a.#b.b",
            format!(
                "Two document paths conflict with each other; {paths} [a, [3], b], path two: [a, [3], b]"
            ),
        ),
    ];
    for (text, expected) in cases {
        let names: Vec<_> =
            [("#a", "a"), ("#b", "[3]")].into_iter().filter(|(name, _)| text.contains(name)).collect();
        assert_eq!(
            projection(text, &names).unwrap_err(),
            format!("Invalid ProjectionExpression: {expected}"),
            "{text}"
        );
    }
}

/// C18: tools read the attribute `scope` bare; one emulator did not look at the words of projections.
#[test]
fn a_reserved_word_is_refused_in_any_part_of_a_path() {
    for (text, word) in [("scope", "scope"), ("info.Name", "Name"), ("a, b[0].STATUS", "STATUS")] {
        assert_eq!(
            projection(text, &[]).unwrap_err(),
            format!(
                "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: {word}"
            )
        );
    }
    assert!(projection("#s, info.#n", &[("#s", "scope"), ("#n", "Name")]).is_ok());
}
