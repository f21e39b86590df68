//! The reserved words.

use keywright_expression::{RESERVED_WORDS, is_reserved_word};

use crate::{refusal, s};

#[test]
fn all_573_words_of_the_page_are_reserved_in_any_case() {
    assert_eq!(RESERVED_WORDS.len(), 573);
    assert!(RESERVED_WORDS.is_sorted_by(|one, other| one < other), "the search needs a sorted list");
    for word in RESERVED_WORDS {
        assert!(is_reserved_word(word), "{word}");
        assert!(is_reserved_word(&word.to_ascii_lowercase()), "{word}");
        assert!(!is_reserved_word(&format!("{word}_")), "{word}");
    }
    for word in ["", "_", "pk", "sk", "GSI1PK", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ABORTS", "ключ"] {
        assert!(!is_reserved_word(word), "{word}");
    }
}

/// C18: emulators let bare reserved words through, so that code that worked in tests failed on AWS.
#[test]
fn every_reserved_word_is_refused_as_a_bare_name() {
    for word in RESERVED_WORDS {
        let refused = refusal(&format!("{word} = :v"), &[], &[(":v", s("x"))]);
        let is_keyword = ["AND", "OR", "NOT", "BETWEEN", "IN"].contains(&word);
        if is_keyword {
            assert!(refused.contains("Syntax error"), "{refused}");
        } else {
            assert!(refused.ends_with(&format!("reserved keyword: {word}")), "{refused}");
        }
    }
}
