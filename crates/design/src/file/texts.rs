//! The forms of texts in the file: names, templates, regions, codes.

use keywright_key::Delimiter;

use super::form::TextForm;
use crate::model::{AttributeName, EntityName, IndexName, NameProblem, TableName};

/// What a table calls the attribute that says which entity an item is, if the file does not say.
pub(crate) const DEFAULT_DISCRIMINATOR: &str = "entity";

/// Words for people: not empty.
pub(crate) static TEXT: TextForm = TextForm {
    called: "a text",
    is_free: true,
    check: |text| if text.trim().is_empty() { Err("write it") } else { Ok(()) },
    pattern: Some(r"\S"),
};

pub(crate) static TAG_NAME: TextForm = TextForm {
    called: "the name of a tag",
    is_free: false,
    check: |text| {
        if (1..=128).contains(&text.chars().count()) { Ok(()) } else { Err("write 1 to 128 characters") }
    },
    pattern: Some("^[\\s\\S]{1,128}$"),
};

/// Any text, empty too.
pub(crate) static ANY_TEXT: TextForm =
    TextForm { called: "a text", is_free: true, check: |_| Ok(()), pattern: None };

/// The reader parses templates, since it knows the table's format.
pub(crate) static TEMPLATE: TextForm =
    TextForm { called: "a key template", is_free: true, check: |_| Ok(()), pattern: Some(r"\S") };

pub(crate) static TABLE_NAME: TextForm = TextForm {
    called: "the name of a table",
    is_free: false,
    check: |text| TableName::new(text).map(drop).map_err(as_advice),
    pattern: Some("^[a-zA-Z0-9_.-]{3,255}$"),
};

pub(crate) static INDEX_NAME: TextForm = TextForm {
    called: "the name of an index",
    is_free: false,
    check: |text| IndexName::new(text).map(drop).map_err(as_advice),
    pattern: Some("^[a-zA-Z0-9_.-]{3,255}$"),
};

pub(crate) static ATTRIBUTE_NAME: TextForm = attribute("the name of an attribute");
pub(crate) static GIVEN_NAME: TextForm = attribute("the name of a given value");
pub(crate) static ENTITY_NAME: TextForm = part("the name of an entity");
pub(crate) static PATTERN_NAME: TextForm = part("the name of a pattern");
pub(crate) static WRITE_NAME: TextForm = part("the name of a write");
pub(crate) static CONSUMER_NAME: TextForm = part("the name of a consumer");

pub(crate) static DELIMITER: TextForm = TextForm {
    called: "the delimiter of keys",
    is_free: false,
    check: delimiter,
    pattern: Some("^[!-/:-@\\[-`|~]$"),
};

pub(crate) static REGION: TextForm = TextForm {
    called: "a region",
    is_free: false,
    check: region,
    pattern: Some("^[a-z]+(-[a-z]+)+-[0-9]+$"),
};

pub(crate) static RULE_CODE: TextForm = TextForm {
    called: "the code of a rule",
    is_free: false,
    check: rule_code,
    pattern: Some("^KW[0-9]{4}$"),
};

const fn attribute(called: &'static str) -> TextForm {
    TextForm {
        called,
        is_free: false,
        check: |text| AttributeName::new(text).map(drop).map_err(as_advice),
        pattern: Some("^[\\s\\S]{1,255}$"),
    }
}

/// Entities, patterns, writes and consumers have names of one form.
const fn part(called: &'static str) -> TextForm {
    TextForm {
        called,
        is_free: false,
        check: |text| EntityName::new(text).map(drop).map_err(as_advice),
        pattern: Some("^[a-zA-Z][a-zA-Z0-9_-]{0,63}$"),
    }
}

const fn as_advice(problem: NameProblem) -> &'static str {
    match problem {
        NameProblem::TableOrIndex => "write 3 to 255 letters from a to z, digits, `_`, `-` or `.`",
        NameProblem::Attribute => "write a name of 1 to 255 bytes",
        NameProblem::Part => {
            "begin with a letter from a to z, and go on with letters, digits, `_` or `-`: 64 at most"
        }
    }
}

fn delimiter(text: &str) -> Result<(), &'static str> {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => Delimiter::new(character).map(drop).map_err(|error| error.text()),
        _ => Err("write the one character that joins the segments of keys, such as `#`"),
    }
}

fn region(text: &str) -> Result<(), &'static str> {
    let parts: Vec<&str> = text.split('-').collect();
    let is_word = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts.as_slice() {
        [words @ .., number] if words.len() >= 2 && words.iter().all(is_word) && is_number(number) => Ok(()),
        _ => Err("write its code, such as `us-east-1` or `eu-west-1`"),
    }
}

fn rule_code(text: &str) -> Result<(), &'static str> {
    match text.strip_prefix("KW") {
        Some(digits) if digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(()),
        _ => Err("write the code that the finding shows, such as `KW0601`"),
    }
}
