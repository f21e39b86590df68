//! KW01: templates and keys.

use keywright_key::{
    AttributeShape, ComponentKind, Delimiter, EntityShape, IntegerSize, KeyFormat, KeyShape, KeyTemplate,
    Precision, Presence, TableShape, TemplateShape,
};

use crate::application::{key, text};
use crate::broken;

#[track_caller]
fn unreadable(template: &str, message: &str) {
    let refusal = KeyTemplate::parse(template, KeyFormat::STANDARD).expect_err("no template");
    assert_eq!(refusal.to_string(), message);
    // The same text stops a compilation: it is the message that constants fail with.
    assert_eq!(refusal.error().message(template).as_str(), message);
}

#[test]
fn a_javascript_placeholder_is_no_component() {
    // A published example schema has `admission#${timestamp}#{room}`: the first of these is text and the second is not, so two rooms at one
    // time shared a key.
    unreadable(
        "admission#${timestamp}#{room}",
        "KW0101: the key template \"admission#${timestamp}#{room}\" cannot be read at character 11: a template is no JavaScript \
         string. Leave the `$` out: write `{timestamp}`.",
    );
}

#[test]
fn what_is_wrong_in_a_template_is_shown_at_its_place() {
    unreadable(
        "",
        "KW0101: the key template \"\" cannot be read at character 1: it is empty, and DynamoDB has no empty keys. Write literal \
         text and components, such as `TEAM#{team_id}`.",
    );
    unreadable(
        "TEAM#{team_id",
        "KW0101: the key template \"TEAM#{team_id\" cannot be read at character 6: this `{` has no `}`. Close it after the \
         field's name: `{field}`.",
    );
    unreadable(
        "TÄM#team_id}",
        "KW0101: the key template \"TÄM#team_id}\" cannot be read at character 12: this `}` has no `{`. Open it before the field's \
         name: `{field}`; a brace cannot be literal text.",
    );
    unreadable(
        "{a{b}",
        "KW0101: the key template \"{a{b}\" cannot be read at character 3: this `{` stands inside another component. Close the \
         first one, and put the delimiter between them: `{one}#{other}`.",
    );
    unreadable(
        "A#{}",
        "KW0101: the key template \"A#{}\" cannot be read at character 3: `{}` names no field. Write the name of the attribute \
         between the braces: `{field}`.",
    );
    unreadable(
        "A#{team id}",
        "KW0101: the key template \"A#{team id}\" cannot be read at character 8: a field's name has letters, digits, `_` and \
         `-`. Write `{field}`, or `{field:modifier}`.",
    );
    unreadable(
        "A#{n:21}",
        "KW0101: the key template \"A#{n:21}\" cannot be read at character 6: there is no such modifier. Write `raw`, a width \
         from 1 to 20, `upper`, `lower`, or a timestamp's format: `seconds`, `milliseconds`, `microseconds`, `nanoseconds`, \
         `date`, `unix-seconds`, `unix-milliseconds`.",
    );
    unreadable(
        "{a}{b}",
        "KW0101: the key template \"{a}{b}\" cannot be read at character 4: nothing says where the component before ends, so two \
         pairs of values would write one key. Put the delimiter between them: `{one}#{other}`.",
    );
    unreadable(
        "{a}-{b}",
        "KW0101: the key template \"{a}-{b}\" cannot be read at character 4: a component ends at the delimiter or at the end of \
         the key, since its value may hold any other text. Put the delimiter after it; if the table's keys are joined by \
         another one, declare that delimiter for the table.",
    );
    unreadable(
        "MY TEAM#{a}",
        "KW0101: the key template \"MY TEAM#{a}\" cannot be read at character 3: literal text cannot hold this: with an ordering \
         delimiter (from `!` to `+`) nothing at or below the character after the delimiter, since a range that ends there would \
         not be exact; with the others no control character. Use letters, digits, `-`, `.`, `:` or `_`.",
    );
    unreadable(
        "{a}#{b}#{a}",
        "KW0101: the key template \"{a}#{b}#{a}\" cannot be read at character 10: `{a}` is in the template already, and a second \
         time it tells nothing apart. Leave it out.",
    );
    let long = "A".repeat(1025);
    let refusal = KeyTemplate::parse(&long, KeyFormat::STANDARD).expect_err("too long").to_string();
    assert!(
        refusal
            .ends_with("it has more than 1,024 bytes, which no sort key can hold. Shorten the literal text."),
        "{refusal}"
    );
    unreadable(
        "1#2#3#4#5#6#7#8#9#10#11#12#13#14#15#16#17",
        "KW0101: the key template \"1#2#3#4#5#6#7#8#9#10#11#12#13#14#15#16#17\" cannot be read at character 40: it has more than \
         16 segments. Leave out the ones that no access pattern selects by.",
    );
}

#[test]
fn the_delimiter_sign_in_a_literal_is_allowed_where_a_range_cannot_end() {
    // Keys of another library begin with `$`: `$taskapp#team_dev`. Only as the last byte of a segment `$` could be taken for a range's end.
    for text in ["$taskapp#team_{team}", "A$B#{c}"] {
        assert!(KeyTemplate::parse(text, KeyFormat::STANDARD).is_ok(), "{text}");
    }
    for text in ["A$", "A$#{c}", "A$$B", "A$ B"] {
        assert!(KeyTemplate::parse(text, KeyFormat::STANDARD).is_err(), "{text}");
    }
    // Where `$` is itself the delimiter, `${` is a component.
    let dollar = KeyFormat::STANDARD.with_delimiter(Delimiter::of('$'));
    assert_eq!(KeyTemplate::parse("A${b}", dollar).expect("a template").shape().len(), 2);
}

#[track_caller]
fn broken_entity(entity: &EntityShape<'_>, message: &str) {
    broken(
        &TableShape::new("App").with_format(entity.key.partition_key.format()).with_entities(&[entity]),
        message,
    );
}

#[test]
fn a_template_names_attributes_of_its_entity() {
    // A published example schema keys activities by `activity#${date}`, and activities have no date.
    broken_entity(
        &EntityShape::new(
            "Activity",
            "activity",
            key("ACTIVITY#{date}", "{id}"),
            const { &[text("id"), text("when")] },
        ),
        "KW0102: the partition key \"ACTIVITY#{date}\" of `Activity` names `date`, but the entity has no such attribute. It has \
         `id`, `when`. Name one of them, or add the attribute.",
    );
    broken_entity(
        &EntityShape::new(
            "Team",
            "team",
            key("TEAM#{team_id}", "TEAM"),
            const { &[text("teamId").with_field("team_id")] },
        ),
        "KW0102: the partition key \"TEAM#{team_id}\" of `Team` names `team_id`, which items store as `teamId`: templates use the \
         stored name, so write `{teamId}`.",
    );
}

fn with_kind(
    format: KeyFormat,
    template: &'static str,
    kind: ComponentKind<'static>,
) -> (KeyShape<'static>, [AttributeShape<'static>; 1]) {
    let key = KeyShape::new(TemplateShape::of(template, format), TemplateShape::of("X", format));
    (key, [AttributeShape::component("a", kind)])
}

#[track_caller]
fn unwritable(format: KeyFormat, template: &'static str, kind: ComponentKind<'static>, message: &str) {
    let (key, attributes) = with_kind(format, template, kind);
    let start = format!("KW0103: the partition key \"{template}\" of `E`: `a`");
    broken_entity(&EntityShape::new("E", "e", key, &attributes), &format!("{start}{message}"));
}

#[test]
fn a_component_is_written_as_its_kind_can_be() {
    let standard = KeyFormat::STANDARD;
    broken_entity(
        &EntityShape::new("E", "e", key("P#{a}", "X"), const { &[AttributeShape::opaque("a")] }),
        "KW0103: the partition key \"P#{a}\" of `E`: `a` cannot fill a component. Keys are made of text, integers, timestamps, \
         ULIDs, UUIDs, enums, booleans and bytes; take one of those, or a type of yours that implements `KeyComponent`.",
    );
    let colon = standard.with_delimiter(Delimiter::of(':'));
    unwritable(
        colon,
        "P:{a}",
        ComponentKind::Text,
        " is text, and under this delimiter text cannot be escaped without changing letters and digits. Write `{field:raw}`: it \
         is then written as it is, and values that hold the delimiter are refused.",
    );
    let holds_delimiter = "which is written with the table's delimiter, so nothing says where it ends. Take another way of \
                           writing it (`unix-seconds` or `unix-milliseconds` for a timestamp, a width for an integer, other words \
                           for an enum), or another delimiter.";
    let timestamp = ComponentKind::Timestamp(Precision::Milliseconds);
    unwritable(colon, "P:{a}", timestamp, &format!(" is timestamp in milliseconds, {holds_delimiter}"));
    let hyphen = standard.with_delimiter(Delimiter::of('-'));
    unwritable(hyphen, "P-{a}", ComponentKind::Uuid, &format!(" is UUID, {holds_delimiter}"));
    unwritable(
        hyphen,
        "P-{a:raw}",
        ComponentKind::Signed(IntegerSize::Bits8),
        &format!(" is i8, {holds_delimiter}"),
    );
    unwritable(
        standard,
        "P#{a}",
        ComponentKind::Enum(&["in progress"]),
        &format!(" is enum, {holds_delimiter}"),
    );
    unwritable(
        standard,
        "P#{a:5}",
        ComponentKind::Text,
        " has a width and is no integer. Leave the width out: only integers have one.",
    );
    unwritable(
        standard,
        "P#{a:4}",
        ComponentKind::Unsigned(IntegerSize::Bits8),
        " has a width above the longest u8. Leave the width out: the type's own is enough for every value.",
    );
    unwritable(
        standard,
        "P#{a:upper}",
        ComponentKind::Boolean,
        " has a case and is boolean, which has none to choose. Leave `upper` or `lower` out; the words of an enum are written as \
         the type says.",
    );
    unwritable(
        standard,
        "P#{a:date}",
        ComponentKind::Ulid,
        " has a timestamp's format and is ULID. Leave the format out.",
    );
    unwritable(
        standard,
        "P#{a:raw}",
        timestamp,
        " is a timestamp, and `raw` does not say how it is written. Name the format that the table has, such as `milliseconds` or \
         `unix-seconds`.",
    );
    unwritable(
        standard,
        "P#{a:raw}",
        ComponentKind::Bytes,
        " is bytes, and a key is text: they are written in hexadecimal. Leave `raw` out, or make the attribute text.",
    );
}

#[test]
fn an_enum_has_a_word_of_its_own_for_each_value() {
    for words in [&[] as &[&str], &["open", ""], &["open", "open"]] {
        unwritable(
            KeyFormat::STANDARD,
            "P#{a}",
            ComponentKind::Enum(words),
            " is an enum with no words, an empty word, or one word twice, so two of its values would write one key. Give each \
             value a word of its own.",
        );
    }
}

#[test]
fn a_tables_key_is_made_of_what_is_always_there() {
    broken_entity(
        &EntityShape::new(
            "Task",
            "task",
            key("TASKS", "{assignee}"),
            const { &[text("assignee").with_presence(Presence::Sometimes)] },
        ),
        "KW0104: the sort key \"{assignee}\" of `Task` has `assignee`, which not every item has, and an item without a key cannot \
         be stored. Key the table by attributes that are always there, and put this one into a sparse index.",
    );
}

#[test]
fn the_shortest_key_fits_into_the_limit() {
    let literal = format!("{}#{{a}}", "N".repeat(1000));
    let sort_key = TemplateShape::parse(&literal, KeyFormat::STANDARD).expect("a template");
    let attributes = [AttributeShape::component("a", ComponentKind::Ulid)];
    let partition_key = TemplateShape::of("P", KeyFormat::STANDARD);
    let shown = format!("{}…", "N".repeat(160));
    broken_entity(
        &EntityShape::new("Note", "note", KeyShape::new(partition_key, sort_key), &attributes),
        &format!(
            "KW0105: the sort key \"{shown}\" of `Note` has at least 1027 bytes, and DynamoDB takes 1024. Shorten the literal \
             text."
        ),
    );
}
