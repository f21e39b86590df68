//! What the expression language accepts and refuses, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that fails to set up its input has failed")]
#![expect(clippy::panic, reason = "a test says what it found instead")]

mod accepted;
mod hostile;
mod placeholders;
mod refused;
mod reserved_words;
mod resolved;

use keywright_expression::{DeclaredPlaceholders, KeyCondition, KeyConditionExpression};
use keywright_item::json::Reader;
use keywright_item::{AttributeValue, Number};

/// Parses and binds a key condition with these placeholders; the refusal as text.
fn key_condition(
    text: &str,
    names: &[(&str, &str)],
    values: &[(&str, AttributeValue)],
) -> Result<KeyCondition, String> {
    let mut declared = DeclaredPlaceholders::default();
    for (placeholder, name) in names {
        declared.declare_name(placeholder, (*name).to_owned());
    }
    for (placeholder, value) in values {
        declared.declare_value(placeholder, Ok(value.clone()));
    }
    let placeholders = declared.check().map_err(|refusal| refusal.to_string())?;
    let parsed = KeyConditionExpression::parse(text).map_err(|refusal| refusal.to_string())?;
    let bound = parsed.bind(&placeholders).map_err(|refusal| refusal.to_string())?;
    placeholders.check_all_used().map_err(|refusal| refusal.to_string())?;
    bound.into_key_condition().map_err(|fault| fault.to_string())
}

fn refusal(text: &str, names: &[(&str, &str)], values: &[(&str, AttributeValue)]) -> String {
    match key_condition(text, names, values) {
        Err(refusal) => refusal,
        Ok(condition) => panic!("{text} was accepted as {condition:?}"),
    }
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(text: &str) -> AttributeValue {
    AttributeValue::N(Number::parse(text).unwrap())
}

fn b(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(bytes.to_vec())
}

/// A value from its form on the wire.
fn wire(json: &str) -> AttributeValue {
    Reader::new(json.as_bytes()).attribute_value().unwrap().unwrap()
}
