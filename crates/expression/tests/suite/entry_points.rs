//! Every way into the crate for a text from outside, followed to its end. The fuzz target runs the same.

use keywright_expression::{
    ConditionExpression, DeclaredPlaceholders, ExpressionKind, KeyConditionExpression, KeyElement,
    Placeholders, ProjectionExpression, Refusal, UpdateExpression,
};
use keywright_item::json::Reader;
use keywright_item::{Item, StoredItem};

/// Gives the text to every parser, and what is accepted to an item.
pub(crate) fn follow(text: &str) {
    let item = item();
    let stored = StoredItem::encode(&item);
    for kind in [ExpressionKind::Condition, ExpressionKind::Filter] {
        let bound = bind(|placeholders| ConditionExpression::parse(text, kind)?.bind(placeholders));
        if let Some(condition) = bound {
            let _ = (condition.holds(Some(stored.as_ref())), condition.holds(None));
            let _ = (condition.attributes().count(), condition.nested_attributes().count());
        }
    }
    if let Some(projection) = bind(|placeholders| ProjectionExpression::parse(text)?.bind(placeholders)) {
        let part = projection.apply(stored.as_ref());
        assert!(part.size_bytes() <= item.size_bytes(), "a part of an item is no larger than the item");
    }
    if let Some(update) = bind(|placeholders| UpdateExpression::parse(text)?.bind(placeholders)) {
        for before in [Some(&item), None] {
            if let Ok(updated) = update.apply(before, &item) {
                // What an update makes can be stored and read again.
                assert!(StoredItem::open(StoredItem::encode(&updated.item).into_bytes()).is_ok());
                let _ = (updated.old_image(), updated.new_image());
            }
        }
    }
    if let Ok(parsed) = KeyConditionExpression::parse(text)
        && let Ok(bound) = parsed.bind(&placeholders())
        && let Ok(condition) = bound.into_key_condition(8)
    {
        let _ = condition.resolve(
            &[KeyElement { name: "a", type_name: "S" }],
            &[KeyElement { name: "b", type_name: "N" }, KeyElement { name: "c", type_name: "B" }],
        );
    }
}

/// The refusal's text is made as well: it must not fail, nor grow beyond a message.
fn bind<Bound>(bind: impl FnOnce(&Placeholders) -> Result<Bound, Refusal>) -> Option<Bound> {
    match bind(&placeholders()) {
        Ok(bound) => Some(bound),
        Err(refusal) => {
            assert!(refusal.to_string().len() < 16 * 1024, "a message is no larger than four expressions");
            None
        }
    }
}

fn placeholders() -> Placeholders {
    let mut declared = DeclaredPlaceholders::default();
    for (placeholder, name) in [("#n", "a"), ("#m", "map"), ("#dot", "a.b[0]")] {
        declared.declare_name(placeholder, name.to_owned());
    }
    for (placeholder, value) in [
        (":s", r#"{"S":"x"}"#),
        (":n", r#"{"N":"1"}"#),
        (":big", r#"{"N":"9e125"}"#),
        (":b", r#"{"B":"AQ=="}"#),
        (":l", r#"{"L":[{"S":"x"}]}"#),
        (":m", r#"{"M":{"a":{"N":"1"}}}"#),
        (":ss", r#"{"SS":["x","y"]}"#),
        (":t", r#"{"BOOL":true}"#),
    ] {
        declared.declare_value(placeholder, Ok(value_of(value)));
    }
    declared.check().unwrap_or_default()
}

fn item() -> Item {
    let attributes = [
        ("a", r#"{"S":"x"}"#),
        ("b", r#"{"N":"1"}"#),
        ("l", r#"{"L":[{"S":"x"},{"L":[{"N":"1"}]},{"M":{"a":{"SS":["x"]}}}]}"#),
        ("map", r#"{"M":{"a":{"N":"1"},"b":{"L":[]}}}"#),
        ("ss", r#"{"SS":["x"]}"#),
    ];
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value_of(value))).collect()
}

#[expect(clippy::panic, reason = "the values are written above")]
fn value_of(wire: &str) -> keywright_item::AttributeValue {
    match Reader::new(wire.as_bytes()).attribute_value() {
        Ok(Ok(value)) => value,
        refused => panic!("{wire}: {refused:?}"),
    }
}
