//! Texts that nobody would write: they are answered, whatever they nest, and never panic.

use keywright_expression::{DeclaredPlaceholders, KeyConditionExpression, is_reserved_word};
use keywright_item::Item;
use proptest::prelude::*;

use crate::entry_points::follow;
use crate::{b, holds, item, key_condition, l, projection, refusal, s, update};

/// A 15 KB text of nested conditions was reported to crash one implementation, and a 2 KB one another: their parsers
/// recursed once a parenthesis, until the stack was gone. Here every kind of nesting, to every parser, on half the
/// stack of an ordinary thread.
#[test]
fn deep_nesting_is_answered_and_does_not_overflow_the_stack() {
    let repeat = |one: &str| one.repeat(4096 / one.len());
    let closed = |open: &str, middle: &str, close: &str| {
        let count = (4096 - middle.len()) / (open.len() + close.len());
        [150, count / 2, count].map(|count| format!("{}{middle}{}", open.repeat(count), close.repeat(count)))
    };
    let mut texts = vec![
        repeat("("),
        repeat("NOT "),
        repeat("NOT("),
        repeat("size("),
        repeat("a<b and ("),
        format!("a{}", ".a".repeat(2047)),
        format!("a{}", "[0]".repeat(1365)),
        format!("attribute_exists(a{})", ".a".repeat(2030)),
        format!("SET a{} = :n", ".a".repeat(2000)),
        format!("REMOVE a{}", "[0]".repeat(1360)),
        format!("SET a = {}", "(".repeat(4000)),
        format!("SET a = {}", "if_not_exists(a,".repeat(255)),
        format!("SET a = {}", "list_append(".repeat(340)),
        format!("{}a = :s", "NOT ".repeat(300)),
        format!("{}a = :s", "NOT ".repeat(1000)),
    ];
    texts.extend(closed("(", "a = :s", ")"));
    texts.extend(closed("NOT (", "a = :s", ")"));
    texts.extend(closed("a=:s AND (", "a = :s", ")"));
    texts.extend(closed("size(", "a", ")"));
    texts.extend(closed("(", "a", ")"));
    for (open, close) in [("(", ")"), ("if_not_exists(c,", ")"), ("list_append(:l,", ")")] {
        texts.extend(closed(open, ":l", close).map(|sum| format!("SET c = {sum}")));
    }
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(move || {
        for text in texts {
            follow(text.get(..text.len().min(4096)).unwrap());
        }
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn depth_without_need_is_redundant_and_depth_by_operators_is_too_many_operators() {
    let parentheses = format!("{}a = :v{}", "(".repeat(2000), ")".repeat(2000));
    assert_eq!(
        refusal(&parentheses, &[], &[(":v", s("x"))]),
        "Invalid KeyConditionExpression: The expression has redundant parentheses;"
    );
    let chain = format!("{}a<b{}", "a<b and (".repeat(340), ")".repeat(340));
    let refused = refusal(&chain, &[], &[]);
    assert!(refused.contains("The expression contains too many operators; operator count: "), "{refused}");
}

/// C14: the service counts comparisons and calls: 300 pass, 301 do not.
#[test]
fn three_hundred_operators_pass_and_one_more_does_not() {
    let text = |count: usize| vec!["a=:v"; count].join(" OR ");
    assert_eq!(
        refusal(&text(300), &[], &[(":v", s("x"))]),
        "Invalid operator used in KeyConditionExpression: OR"
    );
    assert_eq!(
        refusal(&text(301), &[], &[(":v", s("x"))]),
        "Invalid KeyConditionExpression: The expression contains too many operators; operator count: 301"
    );
}

/// A text of tokens that belong to the language, in no order.
fn tokens() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "a",
        "b.c",
        "d[0]",
        "#n",
        ":v",
        ":w",
        "(",
        ")",
        "((",
        "))",
        "=",
        "<>",
        "<=",
        ">",
        "AND",
        "OR",
        "NOT",
        "BETWEEN",
        "IN",
        "begins_with(",
        "size(",
        "contains(",
        "attribute_type(",
        "attribute_exists(",
        "SET",
        "REMOVE",
        "ADD",
        "delete",
        "+",
        "-",
        "if_not_exists(",
        "list_append(",
        ":s",
        ":n",
        ":l",
        ":ss",
        "map.a",
        "l[1][0]",
        "l[9]",
        "ss",
        ",",
        ".",
        "[",
        "]",
        "!",
        "é",
        "name",
        "0",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.join(" "))
}

/// A text that is an expression, but for a token that is lost, doubled or exchanged.
fn damaged() -> impl Strategy<Value = String> {
    let expressions = prop::sample::select(vec![
        "a = :s AND ( size ( l ) > :n OR NOT contains ( ss , :s ) ) AND b BETWEEN :n AND :n",
        "attribute_not_exists ( map . b [ 0 ] ) OR begins_with ( a , :s ) OR b IN ( :n , :big )",
        "SET a = if_not_exists ( a , :s ) , b = b + :n , map . a = :m REMOVE l [ 0 ] , l [ 1 ] ADD ss :ss",
        "SET l [ 9 ] = list_append ( :l , l ) , l [ 1 ] [ 0 ] = ( :n - b ) DELETE ss :ss ADD map . c :big",
        "a , map . a , l [ 0 ] , l [ 1 ] [ 0 ] , #m . #n , #dot",
    ]);
    (
        expressions,
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3), 0..4),
    )
        .prop_map(|(expression, damages)| {
            let mut tokens: Vec<&str> = expression.split(' ').collect();
            for (place, other, damage) in damages {
                let (place, other) = (place.index(tokens.len()), other.index(tokens.len()));
                match damage {
                    0 if tokens.len() > 1 => drop(tokens.remove(place)),
                    1 => tokens.insert(place, tokens[other]),
                    _ => tokens.swap(place, other),
                }
            }
            tokens.join(" ")
        })
}

/// A search that starts again at every byte takes a minute for this one; a filter can ask it of every item.
#[test]
fn contains_takes_time_in_proportion_to_the_values() {
    let mut needle = vec![b'a'; 150_000];
    needle.push(b'b');
    let whole = item(&[("bin", b(&vec![b'a'; 390_000])), ("txt", s(&"a".repeat(390_000)))]);
    let text = String::from_utf8(needle.clone()).unwrap();
    let started = std::time::Instant::now();
    assert!(!holds("contains(bin, :part)", &[(":part", b(&needle))], &whole));
    assert!(!holds("contains(txt, :part)", &[(":part", s(&text))], &whole));
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

/// As many paths as fit, in the forms that take the longest to tell apart; and an update of an item as large as they
/// get, a thousand elements at a time.
#[test]
fn the_widest_expressions_are_answered_in_time() {
    let started = std::time::Instant::now();
    let names: Vec<String> =
        ('a'..='z').flat_map(|one| ('A'..='Z').map(move |two| format!("{one}{two}"))).collect();
    let apart = names.iter().filter(|name| !is_reserved_word(name)).cloned().collect::<Vec<_>>().join(",");
    assert!(projection(&apart, &[]).is_ok());
    let conflicts = format!("{apart},z.a,z[0]");
    assert!(projection(&conflicts, &[]).unwrap_err().contains("conflict"));
    let indexes: Vec<String> = (0..580).map(|index| format!("l[{index}]")).collect();
    assert!(projection(&indexes.join(","), &[("#l", "l")]).is_err(), "an unused name");
    let remove = update(&format!("REMOVE {}", indexes.join(",")), &[], &[]).unwrap();
    let elements: Vec<_> = (0..20_000).map(|_| s("element")).collect();
    let before = item(&[("l", l(&elements))]);
    let after = remove.apply(Some(&before), &Item::new()).unwrap().item;
    assert_eq!(after.get("l"), Some(&l(&elements[580..])));
    let choices = vec![":v"; 100].join(",");
    let wide = vec![format!("l IN ({choices})"); 10].join(" OR ");
    assert!(!holds(&wide, &[(":v", l(&elements))], &item(&[("l", l(&elements[1..]))])));
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

proptest! {
    #[test]
    fn any_text_is_followed_to_its_end(text in ".{0,300}") {
        follow(&text);
    }

    #[test]
    fn any_sequence_of_tokens_is_followed_to_its_end(text in tokens()) {
        follow(&text);
        follow(&format!("SET {text}"));
    }

    #[test]
    fn any_damaged_expression_is_followed_to_its_end(text in damaged()) {
        follow(&text);
    }

    #[test]
    fn any_text_is_answered(text in ".{0,300}") {
        let _ = key_condition(&text, &[("#n", "n")], &[(":v", s("x"))]);
    }

    #[test]
    fn any_sequence_of_tokens_is_answered(text in tokens()) {
        let _ = key_condition(&text, &[("#n", "n")], &[(":v", s("x")), (":w", s("y"))]);
    }

    /// The places in the text are right: what a message quotes is in the text.
    #[test]
    fn a_syntax_error_quotes_the_text(text in tokens()) {
        if let Err(refusal) = KeyConditionExpression::parse(&text) {
            let message = refusal.to_string();
            if let Some((_, near)) = message.split_once(", near: \"") {
                let near = near.strip_suffix('"').unwrap();
                prop_assert!(text.contains(near), "{near} is not in {text}");
            }
        }
    }

    /// A key condition means the same however it is laid out.
    #[test]
    fn white_space_and_case_of_keywords_change_nothing(
        spaces in prop::collection::vec("[ \t\r\n]{1,3}", 12),
        lower in any::<bool>(),
    ) {
        let words = ["pk", "=", ":v", "AND", "sk", "BETWEEN", ":v", "AND", ":w"];
        let mut text = String::new();
        for (word, space) in words.iter().zip(&spaces) {
            let word = if lower && word.chars().all(|letter| letter.is_ascii_uppercase()) {
                word.to_ascii_lowercase()
            } else {
                (*word).to_owned()
            };
            text.push_str(&word);
            text.push_str(space);
        }
        let values = [(":v", s("x")), (":w", s("y"))];
        prop_assert_eq!(
            key_condition(&text, &[], &values),
            key_condition("pk = :v AND sk BETWEEN :v AND :w", &[], &values)
        );
    }

    #[test]
    fn any_placeholders_are_answered(
        names in prop::collection::vec((".{0,8}", ".{0,8}"), 0..5),
        text in ".{0,20}",
    ) {
        let mut declared = DeclaredPlaceholders::default();
        for (placeholder, name) in names {
            declared.declare_name(&placeholder, name);
        }
        if let (Ok(placeholders), Ok(parsed)) = (declared.check(), KeyConditionExpression::parse(&text)) {
            let _ = parsed.bind(&placeholders);
            let _ = placeholders.check_all_used();
        }
    }
}
