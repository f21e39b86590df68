//! The JSON schema of the file, for editors: made of the tables of keys.
//!
//! It holds to what draft 4 and draft 7 have in common, which is what editors' TOML plugins know. It may let pass what the
//! check refuses, such as a share of 0; it never refuses what the check lets pass.

use serde_json::{Map, Value, json};

use super::form::{Form, Key, Need, Section, TextForm, Twice};
use crate::model::PerSecond;
use crate::words::Vocabulary;

/// The schema of a file with the keys of `file`.
pub(super) fn schema(file: &Section) -> String {
    let mut schema = section(file);
    schema.insert("$schema".to_owned(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".to_owned(), json!("keywright.toml"));
    schema.insert("description".to_owned(), json!("The design of a DynamoDB application."));
    format!("{:#}\n", Value::Object(schema))
}

fn section(section: &Section) -> Map<String, Value> {
    let properties: Map<String, Value> =
        section.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> =
        section.keys.iter().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    let mut schema = object([
        ("type", json!("object")),
        ("properties", Value::Object(properties)),
        ("additionalProperties", json!(false)),
    ]);
    // Draft 4 knows no empty list of what is required.
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

fn property(key: &Key) -> Value {
    let mut schema = form(&key.form);
    let absence = match key.need {
        Need::Required => "It must be there.".to_owned(),
        Need::Optional(absent) => format!("Without it: {absent}."),
    };
    let examples = key.examples.join("\n");
    let description = format!("{} {absence}\n\n```toml\n{examples}\n```", key.meaning);
    schema.insert("description".to_owned(), json!(description));
    Value::Object(schema)
}

fn form(of: &Form) -> Map<String, Value> {
    match of {
        Form::Text(text) => self::text(text),
        Form::Word(words) => self::words(*words, &[""]),
        Form::OptionalWord(words) => self::words(*words, &["", "?"]),
        Form::WordOrText(words) => any_of([
            self::words(*words, &[""]),
            object([("type", json!("string")), ("pattern", json!("[^a-zA-Z_-]"))]),
        ]),
        Form::Whole { least, most: u64::MAX } => {
            object([("type", json!("integer")), ("minimum", json!(least))])
        }
        Form::Whole { least, most } => {
            object([("type", json!("integer")), ("minimum", json!(least)), ("maximum", json!(most))])
        }
        Form::Rate => {
            object([("type", json!("number")), ("minimum", json!(0)), ("maximum", json!(PerSecond::MOST))])
        }
        Form::Share(_) => object([("type", json!("number")), ("minimum", json!(0)), ("maximum", json!(1))]),
        Form::True => object([("type", json!("boolean")), ("enum", json!([true]))]),
        Form::False => object([("type", json!("boolean")), ("enum", json!([false]))]),
        Form::Boolean => object([("type", json!("boolean"))]),
        Form::List { of, twice } => object([
            ("type", json!("array")),
            ("items", Value::Object(form(of))),
            ("minItems", json!(1)),
            ("uniqueItems", json!(*twice == Twice::Refused)),
        ]),
        Form::Table(section) => self::section(section),
        Form::Map { names, of } => map(names, of),
        Form::OneOf(forms) => any_of(forms.iter().map(form)),
    }
}

fn text(form: &TextForm) -> Map<String, Value> {
    let mut schema = object([("type", json!("string"))]);
    if let Some(pattern) = form.pattern {
        schema.insert("pattern".to_owned(), json!(pattern));
    }
    schema
}

/// The words, each with each of the endings; their meanings in the extension that TOML plugins show.
fn words(words: &dyn Vocabulary, endings: &[&str]) -> Map<String, Value> {
    let known = words.words();
    let each = || endings.iter().flat_map(|ending| known.iter().map(move |word| (word, ending)));
    let texts: Vec<String> = each().map(|((word, ..), ending)| format!("{word}{ending}")).collect();
    let meanings: Vec<&str> = each().map(|((_, meaning, _), _)| *meaning).collect();
    object([
        ("type", json!("string")),
        ("enum", json!(texts)),
        ("x-taplo", json!({ "docs": { "enumValues": meanings } })),
    ])
}

fn map(names: &TextForm, of: &Form) -> Map<String, Value> {
    let mut patterns = Map::new();
    patterns.insert(names.pattern.unwrap_or(".*").to_owned(), Value::Object(form(of)));
    object([
        ("type", json!("object")),
        ("patternProperties", Value::Object(patterns)),
        ("additionalProperties", json!(false)),
    ])
}

fn any_of(schemas: impl IntoIterator<Item = Map<String, Value>>) -> Map<String, Value> {
    let schemas: Vec<Value> = schemas.into_iter().map(Value::Object).collect();
    object([("anyOf", json!(schemas))])
}

fn object<const COUNT: usize>(members: [(&str, Value); COUNT]) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
