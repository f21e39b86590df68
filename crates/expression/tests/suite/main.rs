//! What the expression language accepts and refuses, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test that fails to set up its input has failed")]
#![expect(clippy::panic, reason = "a test says what it found instead")]
#![expect(clippy::indexing_slicing, reason = "a test that looks past an end has failed")]

mod accepted;
mod conditions;
mod conditions_refused;
mod entry_points;
mod hostile;
mod legacy;
mod model;
mod placeholders;
mod projections;
mod refused;
mod reserved_words;
mod resolved;
mod updates;
mod updates_refused;

use keywright_expression::{
    Condition, ConditionExpression, DeclaredPlaceholders, ExpressionKind, KeyCondition,
    KeyConditionExpression, Placeholders, Projection, ProjectionExpression, Refusal, Update,
    UpdateExpression,
};
use keywright_item::json::{Reader, write_map};
use keywright_item::{AttributeValue, Item, Number, Set, StoredItem};

type Names<'a> = &'a [(&'a str, &'a str)];
type Values<'a> = &'a [(&'a str, AttributeValue)];

/// Parses and binds a key condition with these placeholders; the refusal as text.
fn key_condition(text: &str, names: Names<'_>, values: Values<'_>) -> Result<KeyCondition, String> {
    let placeholders = placeholders(names, values)?;
    let parsed = KeyConditionExpression::parse(text).map_err(|refusal| refusal.to_string())?;
    let bound = parsed.bind(&placeholders).map_err(|refusal| refusal.to_string())?;
    placeholders.check_all_used().map_err(|refusal| refusal.to_string())?;
    bound.into_key_condition().map_err(|fault| fault.to_string())
}

/// Parses and binds a `ConditionExpression` with these placeholders; the refusal as text.
fn condition(text: &str, names: Names<'_>, values: Values<'_>) -> Result<Condition, String> {
    bound(names, values, |placeholders| {
        ConditionExpression::parse(text, ExpressionKind::Condition)?.bind(placeholders)
    })
}

/// Parses and binds a `ProjectionExpression` with these placeholders; the refusal as text.
fn projection(text: &str, names: Names<'_>) -> Result<Projection, String> {
    bound(names, &[], |placeholders| ProjectionExpression::parse(text)?.bind(placeholders))
}

/// Parses and binds an `UpdateExpression` with these placeholders; the refusal as text.
fn update(text: &str, names: Names<'_>, values: Values<'_>) -> Result<Update, String> {
    bound(names, values, |placeholders| UpdateExpression::parse(text)?.bind(placeholders))
}

fn bound<Bound>(
    names: Names<'_>,
    values: Values<'_>,
    bind: impl FnOnce(&Placeholders) -> Result<Bound, Refusal>,
) -> Result<Bound, String> {
    let placeholders = placeholders(names, values)?;
    let bound = bind(&placeholders).map_err(|refusal| refusal.to_string())?;
    placeholders.check_all_used().map_err(|refusal| refusal.to_string())?;
    Ok(bound)
}

fn placeholders(names: Names<'_>, values: Values<'_>) -> Result<Placeholders, String> {
    let mut declared = DeclaredPlaceholders::default();
    for (placeholder, name) in names {
        declared.declare_name(placeholder, (*name).to_owned());
    }
    for (placeholder, value) in values {
        declared.declare_value(placeholder, Ok(value.clone()));
    }
    declared.check().map_err(|refusal| refusal.to_string())
}

/// Whether a condition is true of an item; it must be accepted.
fn holds(text: &str, values: Values<'_>, item: &Item) -> bool {
    let condition = condition(text, &[], values).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    condition.holds(Some(StoredItem::encode(item).as_ref()))
}

/// Only those of the values that the text uses.
fn used<'a>(text: &str, values: Values<'a>) -> Vec<(&'a str, AttributeValue)> {
    let is_part_of_a_name =
        |rest: &str| rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
    let is_used = |placeholder: &str| {
        text.match_indices(placeholder).any(|(place, _)| {
            text.get(place + placeholder.len()..).is_none_or(|rest| !is_part_of_a_name(rest))
        })
    };
    values.iter().filter(|(placeholder, _)| is_used(placeholder)).cloned().collect()
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

fn ss(members: &[&str]) -> AttributeValue {
    AttributeValue::Ss(Set::new(members.iter().map(|member| (*member).to_owned()).collect()).unwrap())
}

fn ns(members: &[&str]) -> AttributeValue {
    AttributeValue::Ns(
        Set::new(members.iter().map(|member| Number::parse(member).unwrap()).collect()).unwrap(),
    )
}

fn l(elements: &[AttributeValue]) -> AttributeValue {
    AttributeValue::L(elements.to_vec())
}

fn m(attributes: &[(&str, AttributeValue)]) -> AttributeValue {
    AttributeValue::M(item(attributes))
}

fn item(attributes: &[(&str, AttributeValue)]) -> Item {
    attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// An item as it is on the wire, to compare and to read.
fn shown(item: &Item) -> String {
    let mut wire = Vec::new();
    write_map(item, &mut wire);
    String::from_utf8(wire).unwrap()
}
