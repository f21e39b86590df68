//! What updates make of an item, and what they tell of it.

use keywright_item::{AttributeValue, Item};

use crate::{Values, b, item, l, m, n, ns, s, shown, ss, update, used, wire};

/// The item after the update, or the refusal.
fn updated(text: &str, values: Values<'_>, before: &Item) -> Result<Item, String> {
    let update = update(text, &[], &used(text, values)).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    update
        .apply(Some(before), &Item::new())
        .map(|updated| updated.item)
        .map_err(|refusal| refusal.to_string())
}

/// `UPDATED_OLD` and `UPDATED_NEW` as they are on the wire.
fn images(text: &str, values: Values<'_>, before: &Item) -> (String, String) {
    let update = update(text, &[], &used(text, values)).unwrap();
    let updated = update.apply(Some(before), &Item::new()).unwrap();
    (shown(&updated.old_image()), shown(&updated.new_image()))
}

const INVALID_PATH: &str = "The document path provided in the update expression is invalid for update";
const MISSING: &str = "The provided expression refers to an attribute that does not exist in the item";
const WRONG_TYPE: &str = "An operand in the update expression has an incorrect data type";

/// C07: an engine built the parents of a path that led nowhere, and mappers generate such paths for optional maps. The
/// service sets an attribute of a map that is there, and refuses where there is no map.
#[test]
fn nothing_is_created_on_the_way_to_a_target() {
    let values = [(":v", s("x"))];
    let nothing = item(&[("pk", s("p"))]);
    assert_eq!(updated("SET absent.child = :v", &values, &nothing), Err(INVALID_PATH.to_owned()));
    let empty = item(&[("a", m(&[]))]);
    assert_eq!(updated("SET a.b.c = :v", &values, &empty), Err(INVALID_PATH.to_owned()));
    assert_eq!(updated("SET a.b = :v", &values, &empty), Ok(item(&[("a", m(&[("b", s("x"))]))])));
}

/// C09: two engines let `b = a` read what the same update had just set, so that a swap lost a value; one dropped what
/// stood in parentheses, another refused it. Every right side reads the item before the update.
#[test]
fn right_sides_read_the_item_before_the_update() {
    let before = item(&[("a", s("old")), ("b", s("x")), ("c", n("10"))]);
    assert_eq!(
        updated("SET a = :new, b = a", &[(":new", s("new"))], &before),
        Ok(item(&[("a", s("new")), ("b", s("old")), ("c", n("10"))]))
    );
    assert_eq!(
        updated("SET a = b, b = a", &[], &before),
        Ok(item(&[("a", s("x")), ("b", s("old")), ("c", n("10"))]))
    );
    for text in
        ["SET c = (c - :three)", "SET c = c - :three", "SET c = (c) - (:three)", "SET c = ((c) - :three)"]
    {
        let after = updated(text, &[(":three", n("3"))], &before).unwrap();
        assert_eq!(after.get("c"), Some(&n("7")), "{text}");
    }
    assert_eq!(
        updated("REMOVE a SET b = a", &[], &before),
        Ok(item(&[("b", s("old")), ("c", n("10"))])),
        "what is removed can still be read"
    );
}

/// C10: an emulator took `list_append` of a list that was not there, and a toolbox emitted it. It is refused; with
/// `if_not_exists` it works, and a counter starts so.
#[test]
fn lists_and_counters_start_with_if_not_exists() {
    let values = [(":n", l(&[s("n")])), (":empty", l(&[])), (":z", n("5")), (":one", n("1"))];
    let nothing = Item::new();
    assert_eq!(updated("SET l = list_append(l, :n)", &values, &nothing), Err(MISSING.to_owned()));
    assert_eq!(
        updated("SET l = list_append(if_not_exists(l, :empty), :n)", &values, &nothing),
        Ok(item(&[("l", l(&[s("n")]))]))
    );
    let one = item(&[("l", l(&[n("1")]))]);
    assert_eq!(
        updated("SET l = list_append(:n, l)", &values, &one),
        Ok(item(&[("l", l(&[s("n"), n("1")]))]))
    );
    assert_eq!(
        updated("SET l = list_append(l, :n)", &values, &one),
        Ok(item(&[("l", l(&[n("1"), s("n")]))]))
    );
    let counter = "SET c = if_not_exists(c, :z) + :one";
    let first = updated(counter, &values, &nothing).unwrap();
    assert_eq!(first, item(&[("c", n("6"))]));
    assert_eq!(updated(counter, &values, &first), Ok(item(&[("c", n("7"))])));
}

/// C03: an engine rounded sums that do not fit, and lost the counter's last digits. A sum that leaves the range, or needs
/// more than 38 digits, is refused.
#[test]
fn a_sum_that_no_number_can_hold_is_refused() {
    let overflow = "Number overflow. Attempting to store a number with magnitude larger than supported range";
    let values = [(":large", n("9e125")), (":wide", n("1e50")), (":one", n("1")), (":small", n("-9e125"))];
    let before = item(&[("big", n("9e125")), ("wide", n("1e50"))]);
    for text in [
        "SET x = :large + :large",
        "SET x = :small - :large",
        "SET x = :wide + :one",
        "ADD big :large",
        "ADD wide :one",
    ] {
        assert_eq!(updated(text, &values, &before), Err(overflow.to_owned()), "{text}");
    }
    let underflow = updated("SET x = :a - :b", &[(":a", n("1.1e-130")), (":b", n("1e-130"))], &before);
    assert!(underflow.unwrap_err().starts_with("Number underflow."));
    let exact = updated(
        "SET x = :a + :b",
        &[(":a", n("99999999999999999999999999999999999999")), (":b", n("1"))],
        &before,
    );
    assert_eq!(exact.unwrap().get("x"), Some(&n("1e38")), "1E38 has one digit");
}

#[test]
fn an_update_creates_an_item_of_the_key() {
    let key = item(&[("pk", s("p"))]);
    let update =
        update("SET twin = pk ADD c :one DELETE t :t REMOVE x", &[], &[(":one", n("1")), (":t", ss(&["a"]))]);
    let update = update.unwrap();
    let updated = update.apply(None, &key).unwrap();
    assert_eq!(updated.item, item(&[("pk", s("p")), ("twin", s("p")), ("c", n("1"))]));
    assert_eq!(shown(&updated.old_image()), "{}");
    assert_eq!(shown(&updated.new_image()), r#"{"c":{"N":"1"},"twin":{"S":"p"}}"#);
}

#[test]
fn sets_and_numbers_are_added_to_and_sets_taken_from() {
    let before = item(&[
        ("s", ss(&["a", "b"])),
        ("n", ns(&["1", "2"])),
        ("b", wire(r#"{"BS":["AQ=="]}"#)),
        ("c", n("1.5")),
    ]);
    let values = [
        (":sa", ss(&["b", "c"])),
        (":na", ns(&["2.0", "3"])),
        (":ba", wire(r#"{"BS":["Ag==","AQ=="]}"#)),
        (":ca", n("-2")),
        (":all", ss(&["a", "b", "z"])),
        (":one", ns(&["1", "7"])),
    ];
    assert_eq!(
        updated("ADD s :sa, n :na, b :ba, c :ca", &values, &before),
        Ok(item(&[
            ("s", ss(&["a", "b", "c"])),
            ("n", ns(&["1", "2", "3"])),
            ("b", wire(r#"{"BS":["AQ==","Ag=="]}"#)),
            ("c", n("-0.5")),
        ]))
    );
    let after = updated("DELETE s :all, n :one", &values, &before).unwrap();
    assert_eq!(after.get("s"), None, "a set without members is no value: the attribute goes");
    assert_eq!(after.get("n"), Some(&ns(&["2"])));
}

#[test]
fn elements_are_counted_as_they_were_whatever_else_is_done_to_the_list() {
    let before = item(&[("l", l(&[s("a"), s("b"), s("c"), m(&[("x", n("1"))])]))]);
    let values = [(":v", s("v")), (":w", s("w"))];
    let cases = [
        ("SET l[1] = :v", l(&[s("a"), s("v"), s("c"), m(&[("x", n("1"))])])),
        ("SET l[9] = :v", l(&[s("a"), s("b"), s("c"), m(&[("x", n("1"))]), s("v")])),
        (
            "SET l[4294967294] = :v, l[7] = :w",
            l(&[s("a"), s("b"), s("c"), m(&[("x", n("1"))]), s("w"), s("v")]),
        ),
        ("REMOVE l[0], l[1]", l(&[s("c"), m(&[("x", n("1"))])])),
        ("REMOVE l[1], l[0], l[9]", l(&[s("c"), m(&[("x", n("1"))])])),
        ("REMOVE l[0] SET l[2] = :v", l(&[s("b"), s("v"), m(&[("x", n("1"))])])),
        (
            "REMOVE l[0] SET l[3].x = :v, l[3].y = :w",
            l(&[s("b"), s("c"), m(&[("x", s("v")), ("y", s("w"))])]),
        ),
        ("SET l[5] = :v REMOVE l[4], l[0]", l(&[s("b"), s("c"), m(&[("x", n("1"))]), s("v")])),
        ("REMOVE l[3].x", l(&[s("a"), s("b"), s("c"), m(&[])])),
        ("REMOVE l[3].absent, l[8]", l(&[s("a"), s("b"), s("c"), m(&[("x", n("1"))])])),
    ];
    for (text, expected) in cases {
        assert_eq!(updated(text, &values, &before), Ok(item(&[("l", expected)])), "{text}");
    }
    assert_eq!(
        updated("SET l[0] = :v", &values, &item(&[("l", l(&[]))])),
        Ok(item(&[("l", l(&[s("v")]))])),
        "the first element of an empty list is appended"
    );
}

/// What a suite measured on the service: all kinds of changes to one map and one list, in one update.
#[test]
fn many_changes_to_one_document_are_independent_of_each_other() {
    let before = item(&[
        ("a", s("key")),
        ("b", m(&[("a", n("1")), ("b", n("2")), ("c", n("3"))])),
        ("c", l(&[n("1"), n("3")])),
    ]);
    let text = "set b.c=((c[1])+(b.a)),b.a = a,c[1] = a, c[4] = b.a - b.b, c[2] = b.c add c[8] :b, c[6] :a";
    let values = [(":a", n("2")), (":b", ss(&["a"]))];
    assert_eq!(
        updated(text, &values, &before),
        Ok(item(&[
            ("a", s("key")),
            ("b", m(&[("a", s("key")), ("b", n("2")), ("c", n("4"))])),
            ("c", l(&[n("1"), s("key"), n("3"), n("-1"), n("2"), ss(&["a"])])),
        ]))
    );
    let (_, new) = images(text, &values, &before);
    assert_eq!(
        new, r#"{"b":{"M":{"a":{"S":"key"},"c":{"N":"4"}}},"c":{"L":[{"S":"key"},{"N":"3"},{"N":"2"}]}}"#,
        "of c[6] and c[8] there is nothing: the list is not so long"
    );
}

/// An engine answered UPDATED_NEW with whole maps and lists of which one value had changed, and a removal with `{}`
/// where nothing is to be told.
#[test]
fn images_hold_what_was_touched_and_nothing_else() {
    let before = item(&[
        ("m", m(&[("a", m(&[("b", s("old")), ("c", n("1"))])), ("keep", s("k"))])),
        ("l", l(&[m(&[("a", s("0")), ("b", s("b"))]), m(&[("a", s("1"))])])),
        ("x", n("1")),
        ("t", ss(&["a", "b"])),
    ]);
    let values = [(":v", s("new")), (":one", n("1")), (":a", ss(&["a"])), (":all", ss(&["a", "b"]))];
    let cases = [
        (
            "SET m.a.b = :v",
            r#"{"m":{"M":{"a":{"M":{"b":{"S":"old"}}}}}}"#,
            r#"{"m":{"M":{"a":{"M":{"b":{"S":"new"}}}}}}"#,
        ),
        (
            "SET l[1].a = :v",
            r#"{"l":{"L":[{"M":{"a":{"S":"1"}}}]}}"#,
            r#"{"l":{"L":[{"M":{"a":{"S":"new"}}}]}}"#,
        ),
        ("SET l[9] = :v", "{}", "{}"),
        ("SET y = :v", "{}", r#"{"y":{"S":"new"}}"#),
        ("ADD x :one", r#"{"x":{"N":"1"}}"#, r#"{"x":{"N":"2"}}"#),
        ("DELETE t :a", r#"{"t":{"SS":["a","b"]}}"#, r#"{"t":{"SS":["b"]}}"#),
        ("DELETE t :all", r#"{"t":{"SS":["a","b"]}}"#, "{}"),
        ("REMOVE m.a", r#"{"m":{"M":{"a":{"M":{"b":{"S":"old"},"c":{"N":"1"}}}}}}"#, "{}"),
        ("REMOVE x, absent", r#"{"x":{"N":"1"}}"#, "{}"),
    ];
    for (text, old, new) in cases {
        assert_eq!(images(text, &values, &before), (old.to_owned(), new.to_owned()), "{text}");
    }
}

#[test]
fn what_an_update_needs_of_the_item_is_refused_where_it_is_not_there() {
    let before = item(&[
        ("str", s("x")),
        ("num", n("1")),
        ("doc", m(&[("a", ss(&["1"]))])),
        ("lst", l(&[s("a")])),
        ("st", ns(&["1"])),
    ]);
    let values = [
        (":n", n("1")),
        (":ss", ss(&["1"])),
        (":ns", ns(&["1"])),
        (":bs", wire(r#"{"BS":["AQ=="]}"#)),
        (":l", l(&[])),
        (":b", b(&[])),
    ];
    let cases = [
        ("SET x = absent", MISSING),
        ("SET x = doc.absent", MISSING),
        ("SET x = absent + :n", MISSING),
        ("SET x = list_append(absent, away)", MISSING),
        ("SET x = if_not_exists(absent, away)", MISSING),
        ("SET x = lst[1]", MISSING),
        ("SET x = str + :n", WRONG_TYPE),
        ("SET x = :n - doc", WRONG_TYPE),
        ("SET x = list_append(st, :l)", WRONG_TYPE),
        ("SET x = list_append(if_not_exists(absent, :n), :l)", WRONG_TYPE),
        ("DELETE st :ss", WRONG_TYPE),
        ("DELETE doc :ns", WRONG_TYPE),
        ("DELETE doc.a :ns", WRONG_TYPE),
        ("DELETE doc.a :bs", WRONG_TYPE),
        ("DELETE num :ns", WRONG_TYPE),
        ("ADD doc :ns", WRONG_TYPE),
        ("ADD st :n", WRONG_TYPE),
        ("ADD num :ns", WRONG_TYPE),
        ("ADD lst :n", WRONG_TYPE),
        ("SET str.a = :b", INVALID_PATH),
        ("SET str[1] = :b", INVALID_PATH),
        ("SET absent.a = :b", INVALID_PATH),
        ("SET absent[1] = :b", INVALID_PATH),
        ("SET doc[1] = :b", INVALID_PATH),
        ("SET lst.a = :b", INVALID_PATH),
        ("SET lst[1].a = :b", INVALID_PATH),
        ("REMOVE str.a", INVALID_PATH),
        ("REMOVE str[1]", INVALID_PATH),
        ("REMOVE absent.a", INVALID_PATH),
        ("REMOVE absent[1]", INVALID_PATH),
        ("REMOVE doc[1]", INVALID_PATH),
        ("REMOVE lst.a", INVALID_PATH),
        ("DELETE str.a :ss", INVALID_PATH),
        ("DELETE absent[1] :ss", INVALID_PATH),
        ("ADD doc[1] :ss", INVALID_PATH),
        ("ADD lst.a :ss", INVALID_PATH),
    ];
    for (text, expected) in cases {
        assert_eq!(updated(text, &values, &before), Err(expected.to_owned()), "{text}");
    }
    for harmless in ["REMOVE absent, doc.absent, lst[7]", "DELETE absent :ss, doc.absent :ss, lst[7] :ss"] {
        assert_eq!(updated(harmless, &values, &before), Ok(before.clone()), "{harmless}");
    }
}

/// C14: a value may lie 32 levels deep; an update cannot put one deeper.
#[test]
fn an_update_cannot_nest_values_deeper_than_32_levels() {
    let nested = |levels: usize| (1..levels).fold(s("x"), |value, _| m(&[("a", value)]));
    let way = format!("a{}", ".a".repeat(29));
    let before = item(&[("a", nested(32)), ("deep", nested(3))]);
    for (text, accepted) in [
        (format!("SET {way} = :two"), true),
        (format!("SET {way} = :three"), true),
        (format!("SET {way}.a = :two, b = :three"), true),
        (format!("SET {way}.a = :three"), false),
        (format!("SET {way}.a = deep"), false),
        (format!("SET {way}.a = list_append(:list, :list)"), true),
        (format!("SET {way}.a.a = list_append(:list, :list)"), false),
    ] {
        let values = [(":two", nested(2)), (":three", nested(3)), (":list", l(&[s("x")]))];
        match updated(&text, &values, &before) {
            Ok(after) => {
                assert!(accepted, "{text}");
                assert!(after.iter().all(|(_, value)| value.levels() <= 32));
            }
            Err(refusal) => {
                assert!(!accepted, "{text}: {refusal}");
                assert!(refusal.starts_with("Nesting Levels have exceeded supported limits"), "{refusal}");
            }
        }
    }
}

#[test]
fn an_update_tells_what_it_touches_and_looks_into() {
    let update =
        update("SET a = if_not_exists(b.x, c[0]), d.y = e REMOVE f ADD g :v", &[], &[(":v", n("1"))])
            .unwrap();
    assert_eq!(update.attributes().collect::<String>(), "adfg");
    assert_eq!(update.nested_attributes().collect::<String>(), "bcd");
}

#[test]
fn an_update_tells_the_types_that_it_gives_to_whole_attributes() {
    let text = "SET a = :s, b = c, d = if_not_exists(e, :n), f = c + :n, g = list_append(c, h), i.j = :s, k = m - :n \
                ADD l :n DELETE o :set REMOVE p";
    let update = update(text, &[], &[(":s", s("x")), (":n", n("1")), (":set", ss(&["x"]))]).unwrap();
    let types: Vec<(&str, &str)> = update.known_types().collect();
    let expected = [("a", "S"), ("d", "N"), ("f", "N"), ("g", "L"), ("k", "N"), ("l", "N"), ("o", "SS")];
    assert_eq!(types, expected);
    let set: Vec<(&str, &AttributeValue)> = update.set_values().collect();
    assert_eq!(set, [("a", &s("x"))]);
}
