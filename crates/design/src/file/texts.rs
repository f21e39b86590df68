//! The forms of texts in the file: names, templates, regions, codes.

use keywright_key::Delimiter;

use super::form::{Misfit, TextForm};
use super::problem::ProblemKind;
use crate::model::{AttributeName, EntityName, IndexName, NameProblem, TableName};

/// What a table calls the attribute that says which entity an item is, if the file does not say.
pub(crate) const DEFAULT_DISCRIMINATOR: &str = "entity";

pub(crate) static TEXT: TextForm =
    TextForm { called: "a text", check: |text| not_blank(text), pattern: Some(r"\S") };

pub(crate) static ANY_TEXT: TextForm = TextForm { called: "a text", check: |_| Ok(()), pattern: None };

pub(crate) static TABLE_NAME: TextForm = TextForm {
    called: "the name of a table",
    check: |text| name(TableName::new(text).map(drop)),
    pattern: Some("^[a-zA-Z0-9_.-]{3,255}$"),
};

pub(crate) static INDEX_NAME: TextForm = TextForm {
    called: "the name of an index",
    check: |text| name(IndexName::new(text).map(drop)),
    pattern: Some("^[a-zA-Z0-9_.-]{3,255}$"),
};

pub(crate) static ATTRIBUTE_NAME: TextForm = TextForm {
    called: "the name of an attribute",
    check: |text| name(AttributeName::new(text).map(drop)),
    pattern: Some("^[\\s\\S]{1,255}$"),
};

pub(crate) static GIVEN_NAME: TextForm = TextForm {
    called: "the name of a given value",
    check: |text| name(AttributeName::new(text).map(drop)),
    pattern: Some("^[\\s\\S]{1,255}$"),
};

/// Entities, patterns, writes and consumers have names of one form.
pub(crate) static PART_NAME: TextForm = TextForm {
    called: "a name",
    check: |text| name(EntityName::new(text).map(drop)),
    pattern: Some("^[a-zA-Z][a-zA-Z0-9_-]{0,63}$"),
};

/// The reader parses templates, since it knows the table's format.
pub(crate) static TEMPLATE: TextForm =
    TextForm { called: "a key template", check: |_| Ok(()), pattern: None };

pub(crate) static DELIMITER: TextForm =
    TextForm { called: "a delimiter", check: delimiter, pattern: Some("^[!-/:-@\\[-`|~]$") };

pub(crate) static REGION: TextForm =
    TextForm { called: "a region", check: region, pattern: Some("^[a-z]+(-[a-z]+)+-[0-9]+$") };

pub(crate) static RULE_CODE: TextForm =
    TextForm { called: "the code of a rule", check: rule_code, pattern: Some("^KW[0-9]{4}$") };

fn not_blank(text: &str) -> Result<(), Misfit> {
    if text.trim().is_empty() { Err(malformed("is empty", "write it, or leave the key out")) } else { Ok(()) }
}

fn name(result: Result<(), NameProblem>) -> Result<(), Misfit> {
    result.map_err(|problem| {
        malformed(
            "is no such name",
            match problem {
                NameProblem::TableOrIndex => {
                    "write 3 to 255 characters, each a letter from a to z (small or capital), a digit, `_`, `-` or `.`"
                }
                NameProblem::Attribute => "write 1 to 255 bytes",
                NameProblem::Part => {
                    "begin with a letter from a to z and go on with letters, digits, `_` or `-`, 64 characters at most"
                }
            },
        )
    })
}

fn delimiter(text: &str) -> Result<(), Misfit> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Delimiter::new(character)
            .map(drop)
            .map_err(|error| malformed("cannot join the segments of a key", error.text())),
        _ => Err(malformed(
            "is not one character",
            "write the one character that joins the segments of a key, such as `#`",
        )),
    }
}

fn region(text: &str) -> Result<(), Misfit> {
    let parts: Vec<&str> = text.split('-').collect();
    let has_form = match parts.as_slice() {
        [words @ .., number] if words.len() >= 2 => {
            words.iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    };
    has_form
        .then_some(())
        .ok_or_else(|| malformed("is no region", "write its code, such as `us-east-1` or `eu-west-1`"))
}

fn rule_code(text: &str) -> Result<(), Misfit> {
    let has_form = text
        .strip_prefix("KW")
        .is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()));
    has_form.then_some(()).ok_or_else(|| {
        malformed("is no code of a rule", "write the code that the finding shows, such as `KW0601`")
    })
}

const fn malformed(wrong: &'static str, instead: &'static str) -> Misfit {
    Misfit { kind: ProblemKind::Malformed, wrong, instead }
}
