//! What messages say about texts and values of the file.

use toml::de::DeValue;

/// The longest text of the user's that a message repeats, in characters.
const LONGEST: usize = 60;

/// The most keys of a table that a message repeats.
const MOST_KEYS: usize = 5;

/// A text of the user's, in backquotes; cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    if text.is_empty() { "an empty text".to_owned() } else { format!("`{}`", cut(text)) }
}

/// A value in few words: `5`, `"text"`, a list.
pub(super) fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("`\"{}\"`", cut(text)),
        DeValue::Integer(integer) => quoted(&integer.to_string()),
        DeValue::Float(float) => quoted(float.as_str()),
        DeValue::Boolean(boolean) => format!("`{boolean}`"),
        DeValue::Datetime(time) => format!("`{time}`"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(table) if table.is_empty() => "an empty table".to_owned(),
        DeValue::Table(table) => {
            let keys = super::form::entries(table).into_iter().map(|(key, _)| quoted(key.get_ref()));
            format!("a table with {}", either(keys.take(MOST_KEYS), "and"))
        }
    }
}

/// A value with its type: the number `5`, the text `"five"`.
pub(super) fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => format!("the text {}", shown(value)),
        DeValue::Integer(_) | DeValue::Float(_) => format!("the number {}", shown(value)),
        DeValue::Datetime(_) => format!("the time {}", shown(value)),
        DeValue::Boolean(_) | DeValue::Array(_) | DeValue::Table(_) => shown(value),
    }
}

/// "`a`, `b` or `c`"
pub(super) fn either(texts: impl IntoIterator<Item = String>, last: &str) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    match texts.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., end] => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// The beginning of a text, without control characters.
fn cut(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .flat_map(|character| {
            if character.is_control() {
                character.escape_debug().collect::<Vec<char>>()
            } else {
                vec![character]
            }
        })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
