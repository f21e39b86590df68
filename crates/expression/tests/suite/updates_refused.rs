//! Updates that are refused before an item is seen, with the service's texts.

use keywright_item::AttributeValue;

use crate::{b, l, m, n, ns, s, ss, update, used, wire};

const INVALID: &str = "Invalid UpdateExpression: ";

fn refusal(text: &str, names: &[(&str, &str)], values: &[(&str, AttributeValue)]) -> String {
    match update(text, names, &used(text, values)) {
        Err(refusal) => refusal,
        Ok(_) => panic!("{text} was accepted"),
    }
}

fn assert_refused(cases: &[(&str, &str)], values: &[(&str, AttributeValue)]) {
    for (text, expected) in cases {
        assert_eq!(refusal(text, &[], values), format!("{INVALID}{expected}"), "{text}");
    }
}

#[test]
fn syntax_errors_name_the_token_and_what_stands_around_it() {
    assert_refused(
        &[
            ("", "The expression can not be empty;"),
            (" ", r#"Syntax error; token: "<EOF>", near: """#),
            ("INVALID SYNTAX HERE", r#"Syntax error; token: "INVALID", near: "INVALID SYNTAX""#),
            ("set a", r#"Syntax error; token: "<EOF>", near: "a""#),
            ("set a=set", r#"Syntax error; token: "set", near: "=set""#),
            ("SET  REMOVE #a", r##"Syntax error; token: "REMOVE", near: "SET  REMOVE #a""##),
            ("remove a = b", r#"Syntax error; token: "=", near: "a = b""#),
            ("remove a b", r#"Syntax error; token: "b", near: "a b""#),
            ("add a = b", r#"Syntax error; token: "=", near: "a = b""#),
            ("delete a b", r#"Syntax error; token: "b", near: "a b""#),
            ("add a if_not_exists(b)", r#"Syntax error; token: "if_not_exists", near: "a if_not_exists(""#),
            ("set :a = b", r#"Syntax error; token: ":a", near: "set :a =""#),
            ("remove :a", r#"Syntax error; token: ":a", near: "remove :a""#),
            ("set a = b / c", r#"Syntax error; token: "/", near: "b / c""#),
            ("set a = b * c", r#"Syntax error; token: "*", near: "b * c""#),
            ("set a = 1", r#"Syntax error; token: "1", near: "= 1""#),
            ("set a[1] = \"eight\"", "Syntax error; token: \"\"\", near: \"= \"eight\""),
            ("set a = if_not_exists(b, 100)", r#"Syntax error; token: "100", near: ", 100)""#),
            ("set if_not_exists(a, b) = a", r#"Syntax error; token: "(", near: "if_not_exists(a""#),
            ("set (a = (b + c))", r#"Syntax error; token: "(", near: "set (a""#),
            ("set a = (b.c).d + e", r#"Syntax error; token: ".", near: ").d""#),
            ("set a = b + c + d", r#"Syntax error; token: "+", near: "c + d""#),
            ("set a = (b + c) + d", r#"Syntax error; token: "+", near: ") + d""#),
            ("set a = b + (c + d)", r#"Syntax error; token: "+", near: "c + d""#),
            ("set a = list_append(b + c, d)", r#"Syntax error; token: "+", near: "b + c""#),
            ("set a = b,", r#"Syntax error; token: "<EOF>", near: ",""#),
            ("set a = b, remove c", r#"Syntax error; token: "remove", near: ", remove c""#),
        ],
        &[],
    );
}

#[test]
fn parentheses_are_fine_unless_they_are_doubled() {
    for text in ["set a = (b)", "set a = (b + c)", "set a = ((b) + (c))", "set a = list_append((b), (c))"] {
        assert!(update(text, &[], &[]).is_ok(), "{text}");
    }
    for text in ["set a = ((b))", "set a = ((b + c))", "set a = b + ((c))", "set a = list_append(((b)), c)"] {
        assert_eq!(
            refusal(text, &[], &[]),
            format!("{INVALID}The expression has redundant parentheses;"),
            "{text}"
        );
    }
}

/// The order in which faults win, from what a suite measured on the service.
#[test]
fn each_kind_of_fault_is_looked_for_in_the_whole_update_before_the_next() {
    let values = [(":s", s("a")), (":n", n("1"))];
    let paths = "must remove or rewrite one of these paths; path one:";
    let cases = [
        ("set #c = :c set abOrt = true", "Attribute name is a reserved keyword; reserved keyword: abOrt".to_owned()),
        ("remove Absolute", "Attribute name is a reserved keyword; reserved keyword: Absolute".to_owned()),
        ("set #c = if_not_exist(:c) set c = d", "Invalid function name; function: if_not_exist".to_owned()),
        ("set a = size(b)", "The function is not allowed in an update expression; function: size".to_owned()),
        ("set a = #c set c = :d", "The \"SET\" section can only be used once in an update expression;".to_owned()),
        (
            "remove #d set a = b remove e",
            "The \"REMOVE\" section can only be used once in an update expression;".to_owned(),
        ),
        (
            "add #d :e set a = b add e :f",
            "The \"ADD\" section can only be used once in an update expression;".to_owned(),
        ),
        (
            "delete #d :e set a = b delete #e :f",
            "The \"DELETE\" section can only be used once in an update expression;".to_owned(),
        ),
        (
            "set a = if_not_exists(:c), b = #c",
            "An expression attribute name used in the document path is not defined; attribute name: #c".to_owned(),
        ),
        (
            "set a = if_not_exists(:c), a = b",
            "An expression attribute value used in expression is not defined; attribute value: :c".to_owned(),
        ),
        (
            "set d[1] = a, d.b = a, c[1].a = a, c = if_not_exists(a)",
            format!("Two document paths overlap with each other; {paths} [c, [1], a], path two: [c]"),
        ),
        (
            "remove a.c set a[1] = if_not_exists(d)",
            format!("Two document paths conflict with each other; {paths} [a, c], path two: [a, [1]]"),
        ),
        (
            "set b = list_append(:s, a), c = if_not_exists(a) add a.b :s",
            "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: \
             ALLOWED_FOR_ADD_OPERAND"
                .to_owned(),
        ),
        (
            "set a = if_not_exists(c), b = :s + :n",
            "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of \
             operands: 1"
                .to_owned(),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text, &[], &values), format!("{INVALID}{expected}"), "{text}");
    }
}

/// C11: a mock missed overlaps, then refused siblings. One path cannot be set twice, nor together with what lies in it,
/// in whatever sections; siblings and the elements of a list are apart.
#[test]
fn paths_that_overlap_are_refused_by_name_and_siblings_are_not() {
    let values = [(":e", m(&[])), (":v", n("1")), (":w", n("2"))];
    let cases = [
        ("SET x = :v, x = :w", "[x]", "[x]"),
        ("SET m = if_not_exists(m, :e), m.k = :v", "[m]", "[m, k]"),
        ("SET m = :v REMOVE m.n.o", "[m]", "[m, n, o]"),
        ("SET m.n[0].a = :v ADD m.n :w", "[m, n, [0], a]", "[m, n]"),
    ];
    for (text, one, two) in cases {
        assert_eq!(
            refusal(text, &[], &values),
            format!(
                "{INVALID}Two document paths overlap with each other; must remove or rewrite one of these paths; path \
                 one: {one}, path two: {two}"
            ),
            "{text}"
        );
    }
    let names = [("#a", "a"), ("#b", "b"), ("#c", "c")];
    assert!(update("SET #a.#b = :v, #a.#c = :w", &names, &[(":v", n("1")), (":w", n("2"))]).is_ok());
    assert!(update("SET l[0] = :v, l[1] = :w", &[], &[(":v", n("1")), (":w", n("2"))]).is_ok());
    assert_eq!(
        refusal("SET #a.b = :v, #b.c = :w, a.#b = :v", &[("#a", "a"), ("#b", "b")], &values),
        format!(
            "{INVALID}Two document paths overlap with each other; must remove or rewrite one of these paths; path one: \
             [a, b], path two: [a, b]"
        ),
        "a placeholder hides nothing"
    );
}

#[test]
fn values_of_a_type_that_an_operation_does_not_take_are_refused() {
    let values = |value: AttributeValue| [(":v", value)];
    let types = [
        ("STRING", "S", s("a")),
        ("NUMBER", "N", n("1")),
        ("BINARY", "B", b(&[1])),
        ("BOOLEAN", "BOOL", AttributeValue::Bool(true)),
        ("NULL", "NULL", AttributeValue::Null),
        ("MAP", "M", m(&[])),
        ("LIST", "L", l(&[])),
        ("", "SS", ss(&["a"])),
        ("", "NS", ns(&["1"])),
        ("", "BS", wire(r#"{"BS":["AQ=="]}"#)),
    ];
    for (long, short, value) in types {
        let refused = |text: &str| update(text, &[], &values(value.clone())).err();
        let change = |operator: &str, taken: bool| {
            (!taken).then(|| {
                format!(
                    "{INVALID}Incorrect operand type for operator or function; operator: {operator}, operand type: \
                     {long}, typeSet: ALLOWED_FOR_{operator}_OPERAND"
                )
            })
        };
        assert_eq!(refused("add a.b :v"), change("ADD", long.is_empty() || short == "N"));
        assert_eq!(refused("delete a.b :v"), change("DELETE", long.is_empty()));
        let operand = |operator: &str, taken: bool| {
            (!taken).then(|| {
                format!(
                    "{INVALID}Incorrect operand type for operator or function; operator or function: {operator}, \
                     operand type: {short}"
                )
            })
        };
        for (text, operator, taken) in [
            ("set a = a + :v", "+", "N"),
            ("set a = :v - a", "-", "N"),
            ("set a = list_append(a, :v)", "list_append", "L"),
            ("set a = list_append(:v, a)", "list_append", "L"),
        ] {
            assert_eq!(refused(text), operand(operator, short == taken), "{text} {short}");
        }
        assert_eq!(refused("set a = if_not_exists(a, :v)"), None);
    }
    for text in ["set a = if_not_exists(:v, c)", "set a = if_not_exists(if_not_exists(a, b), :v)"] {
        assert_eq!(
            refusal(text, &[], &values(s("x"))),
            format!(
                "{INVALID}Operator or function requires a document path; operator or function: if_not_exists"
            )
        );
    }
}

/// C13: an emulator wrote the item although a placeholder of the update was not used.
#[test]
fn placeholders_that_an_update_does_not_use_are_refused_by_name() {
    assert_eq!(
        update("remove a", &[("#b", "b"), ("#a", "a")], &[]).unwrap_err(),
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}"
    );
    assert_eq!(
        update("set a = :v", &[], &[(":v", n("1")), (":u", n("1"))]).unwrap_err(),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}"
    );
}

/// C14: sums and calls count as operators, and the text may have 4,096 bytes.
#[test]
fn an_update_is_as_long_and_has_as_many_operators_as_any_expression() {
    let sums = |count: usize| {
        let sets: Vec<_> = (0..count).map(|place| format!("a{place}=b+c")).collect();
        format!("SET {}", sets.join(","))
    };
    assert!(update(&sums(300), &[], &[]).is_ok());
    assert_eq!(
        refusal(&sums(301), &[], &[]),
        format!("{INVALID}The expression contains too many operators; operator count: 301")
    );
    let padded = |length: usize| format!("{:length$}", "REMOVE a");
    assert!(update(&padded(4096), &[], &[]).is_ok());
    assert_eq!(
        refusal(&padded(4097), &[], &[]),
        format!("{INVALID}Expression size has exceeded the maximum allowed size; expression size: 4097")
    );
}
