//! How a message is built: one text, cut in a defined way when names are longer than it has room for.

use keywright_key::{AttributeShape, EntityShape, KeyFormat, KeyTemplate, TableShape, rule};

use crate::application::key;

#[test]
fn a_long_name_is_cut_between_characters() {
    let name = "é".repeat(500);
    let entity = EntityShape::new(&name, "e", key("P", "E"), &[]);
    let message = rule::entity_not_listed::check(&TableShape::new("App"), &entity).expect("not listed");
    let shown = format!("`{}…`", "é".repeat(80));
    assert_eq!(
        message.as_str(),
        format!("KW0201: {shown} is stored in `App`, but `App` does not list it: add it to `entities(..)`.")
    );
}

#[test]
fn a_message_without_room_ends_with_an_ellipsis() {
    // Sixty attributes with long names: the list is cut, and what is left is still text.
    let names: Vec<String> = (0..60).map(|number| format!("{number}{}", "ü".repeat(100))).collect();
    let attributes: Vec<AttributeShape<'_>> = names.iter().map(|name| AttributeShape::opaque(name)).collect();
    let entity = EntityShape::new("E", "e", key("P", "{other}"), &attributes);
    let message = rule::unknown_field::check(&TableShape::new("App"), &entity).expect("unknown");
    assert!(
        message.as_str().starts_with("KW0102: the sort key \"{other}\" of `E` names `other`"),
        "{message}"
    );
    assert!(message.as_str().ends_with('…'), "{message}");
    assert!(message.as_str().len() <= 1536);
}

#[test]
fn a_template_keeps_its_message_however_long_it_is() {
    for length in [150, 157, 158, 159, 160, 161, 400, 1000] {
        let text = format!("{}{{", "A".repeat(length));
        let refusal = KeyTemplate::parse(&text, KeyFormat::STANDARD).expect_err("an open brace").to_string();
        assert!(refusal.ends_with("Close it after the field's name: `{field}`."), "{refusal}");
    }
}
