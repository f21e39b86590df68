//! Texts that nobody would write: they are answered, whatever they nest, and never panic.

use keywright_expression::{DeclaredPlaceholders, KeyConditionExpression};
use proptest::prelude::*;

use crate::{key_condition, refusal, s};

/// A 15 KB text of nested conditions was reported to crash one implementation, and a 2 KB one another: their parsers
/// recursed once a parenthesis, until the stack was gone.
#[test]
fn deep_nesting_is_refused_and_does_not_overflow_the_stack() {
    let open = "(".repeat(4096);
    let nots = "NOT ".repeat(1024);
    let groups = "NOT (".repeat(800);
    let calls = "size(".repeat(800);
    let mixed = "a<b and (".repeat(400);
    for text in [open, nots, groups, calls, mixed] {
        let text = text.get(..text.len().min(4096)).unwrap();
        assert!(refusal(text, &[], &[]).starts_with("Invalid KeyConditionExpression: "), "{text}");
    }
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

proptest! {
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
