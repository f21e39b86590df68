//! What people met in keys that were joined by hand, and what is right.

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it does not expect")]

use keywright_key::{
    ComponentValue, Delimiter, IntegerSize, KeyFormat, KeyRole, KeyShape, RenderProblem, Shards,
    SortKeyBounds, TemplateShape,
};

type Values<'a> = &'a [(&'a str, ComponentValue<'a>)];

fn template(text: &str) -> TemplateShape<'_> {
    TemplateShape::parse(text, KeyFormat::STANDARD).expect("a template")
}

fn text(text: &str) -> ComponentValue<'_> {
    ComponentValue::Text(text.into())
}

#[test]
fn two_pairs_of_values_never_meet_in_one_key() {
    // A tenant named `t#1` with an item `x` was given the key of tenant `t` with an item `1#x`, and one overwrote the other. Here both rows
    // live, and each key reads back as what it was written with. Old keys of plain ids keep their form.
    let item = template("{tenant}#{id}");
    let mut keys = Vec::new();
    for (tenant, id) in
        [("t#1", "x"), ("t", "1#x"), ("A#", "B"), ("A", "#B"), ("a%b", "c\\d"), ("a,b", "c"), ("t", "x")]
    {
        let values: Values<'_> = &[("tenant", text(tenant)), ("id", text(id))];
        let key = item.render(KeyRole::Partition, values).expect("text can be written");
        let decoded = item.decode(&key).expect("two segments");
        assert_eq!(decoded.get::<String>("tenant").as_deref(), Ok(tenant));
        assert_eq!(decoded.get::<String>("id").as_deref(), Ok(id));
        assert!(!keys.contains(&key), "{key}");
        keys.push(key);
    }
    assert_eq!(keys.last().map(String::as_str), Some("t#x"));
}

#[test]
fn a_prefix_of_some_parts_has_no_empty_parts_behind_it() {
    // Asked for the first of three parts, a library sent `a###`, which no key begins with.
    let values: Values<'_> = &[("a", text("a"))];
    assert_eq!(
        template("{a}#").prefix(values),
        Ok(SortKeyBounds::Between { low: "a#".to_owned(), high: "a$".to_owned() })
    );
}

#[test]
fn an_empty_tenant_is_refused() {
    // An empty tenant id fell back to a shared prefix, and its items were everyone's.
    let values: Values<'_> = &[("tenant", text(""))];
    let error = template("ORG#{tenant}").render(KeyRole::Partition, values).expect_err("empty");
    assert_eq!(error.problem(), RenderProblem::Empty);
    assert_eq!(
        error.to_string(),
        "no key from \"ORG#{tenant}\": `tenant` is empty, and a component has at least one character"
    );
}

#[test]
fn tenants_that_begin_alike_do_not_meet() {
    // The export of tenant `a` held the files of tenant `a/b`, and that of `default` those of `default2`.
    for (one, other) in [
        ("a", "a/b"),
        ("default", "default2"),
        ("1", "10"),
        ("a", "a#b"),
        ("a", "a$"),
        ("/a/", "/a"),
        ("a", "A"),
    ] {
        let org = template("ORG#{tenant}");
        let values: Values<'_> = &[("tenant", text(one))];
        let bounds = org.prefix(values).expect("a prefix");
        for below in ["ORG#{tenant}", "ORG#{tenant}#TEAM#{n}"] {
            let values: Values<'_> = &[("tenant", text(other)), ("n", text("1"))];
            let foreign = template(below).render(KeyRole::Sort, values).expect("text can be written");
            assert!(!bounds.contains(&foreign), "{foreign} in {bounds:?}");
        }
    }
}

#[test]
fn a_key_that_is_too_long_is_refused_before_any_request() {
    let note = template("NOTE#{id}#{title}");
    let long = "x".repeat(1100);
    let values: Values<'_> = &[("id", text("7")), ("title", text(&long))];
    let error = note.render(KeyRole::Sort, values).expect_err("too long");
    assert_eq!(error.component(), Some("title"));
    assert_eq!(
        error.to_string(),
        "no key from \"NOTE#{id}#{title}\": `title` has 1100 bytes of the key's 1107, and DynamoDB takes 1024"
    );
    assert!(note.render(KeyRole::Partition, values).is_ok());
    // Exactly the limit is fine, and escapes count as what they are written as.
    let exact = "x".repeat(1024 - "NOTE#7#".len());
    let values: Values<'_> = &[("id", text("7")), ("title", text(&exact))];
    assert_eq!(note.render(KeyRole::Sort, values).map(|key| key.len()), Ok(1024));
    let spaces = " ".repeat(342);
    let values: Values<'_> = &[("id", text("7")), ("title", text(&spaces))];
    assert!(note.render(KeyRole::Sort, values).is_err());
}

#[test]
fn a_key_of_something_else_is_refused_with_its_place() {
    let member = template("TEAM#{team_id}#MEMBER#{number}");
    let error = |key: &str| match member.decode(key) {
        Err(error) => error.to_string(),
        Ok(decoded) => decoded
            .value("number", keywright_key::ComponentKind::Unsigned(IntegerSize::Bits16))
            .map_err(|error| error.to_string())
            .expect_err("another key"),
    };
    let begin = "the key is not a \"TEAM#{team_id}#MEMBER#{number}\": ";
    assert_eq!(error("TEAM#1"), format!("{begin}at byte 0, it has 2 segments, and the template has 4"));
    assert_eq!(error("TEAM#1#TASK#7"), format!("{begin}at byte 7, there is no \"MEMBER\""));
    assert_eq!(
        error("TEAM#1#MEMBER#7"),
        format!(
            "{begin}at byte 14, in `number`, there is not what it is written as: digits in the full width, within the type's range"
        )
    );
    assert_eq!(
        error("TEAM#1#MEMBER#"),
        format!("{begin}at byte 14, in `number`, there is not what it is written as: at least one character")
    );
    assert_eq!(
        template("{a}")
            .decode("a$2Gb")
            .expect("one segment")
            .get::<String>("a")
            .expect_err("a bad escape")
            .place(),
        1
    );
}

#[test]
fn shards_are_raised_and_old_rows_are_found() {
    // A topic's key was split over three shards, then over ten: rows of before, and those of before any shard, were lost to readers.
    let topic =
        KeyShape::new(template("TOPIC#{name}"), template("{id}")).with_shards(Shards::of(10, &[3, 1]));
    let values: Values<'_> = &[("name", text("news")), ("id", text("7"))];
    let key = topic.render_partition_key(values).expect("a key");
    let sort_key = topic.render_sort_key(values).expect("a key").expect("a sort key");
    let delimiter = Delimiter::NUMBER_SIGN;
    let read = topic.shards.keys_to_read(&key, delimiter);
    assert_eq!(read.len(), 11);
    assert_eq!(read.first().map(String::as_str), Some("TOPIC#news"));
    for count in [10, 3, 1] {
        let written = Shards::of(count, &[]).key_to_write(&key, delimiter, &sort_key);
        assert!(read.contains(&written), "{written}");
        assert!(topic.shards.keys_of_item(&key, delimiter, &sort_key).contains(&written), "{written}");
        if count > 1 {
            assert_eq!(topic.shards.without_shard(&written, delimiter), Some("TOPIC#news"));
        }
    }
    for other in ["TOPIC#news#10", "TOPIC#news#01", "TOPIC#news#x", "TOPIC#news#"] {
        assert_eq!(topic.shards.without_shard(other, delimiter), None, "{other}");
    }
}

#[test]
fn shards_are_even_enough() {
    let shards = Shards::of(10, &[]);
    let mut counts = [0_u32; 10];
    for number in 0..10_000 {
        let key = shards.key_to_write("K", Delimiter::NUMBER_SIGN, &format!("2026-05-01T12:00:{number:05}"));
        let shard: usize = key.trim_start_matches("K#").parse().expect("a number");
        if let Some(count) = counts.get_mut(shard) {
            *count += 1;
        }
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
}

#[test]
fn the_shard_fits_into_the_longest_partition_key() {
    let longest = "x".repeat(2048 - "T#".len());
    let values: Values<'_> = &[("name", text(&longest))];
    let plain = KeyShape::new(template("T#{name}"), template("X"));
    assert!(plain.render_partition_key(values).is_ok());
    let sharded = plain.with_shards(Shards::of(1000, &[]));
    let error = sharded.render_partition_key(values).expect_err("no room for a shard");
    assert_eq!(error.problem(), RenderProblem::TooLong { length: 2048, limit: 2044, component_length: 2046 });
}

#[test]
fn numbers_of_shards_are_within_reason() {
    assert!(Shards::new(0).is_err() && Shards::new(1001).is_err() && Shards::with_earlier(8, &[0]).is_err());
    assert_eq!(Shards::new(1), Ok(Shards::NONE));
    assert_eq!(Shards::NONE.keys_to_read("K", Delimiter::NUMBER_SIGN), ["K"]);
}

#[test]
fn a_letter_a_space_or_a_brace_is_no_delimiter() {
    for character in ['a', '0', ' ', '\n', '{', '}', 'é', '\u{7f}'] {
        assert!(Delimiter::new(character).is_err(), "{character:?}");
    }
    for character in "!\"#$%&'()*+".chars() {
        assert!(Delimiter::new(character).expect("punctuation").is_ordering(), "{character}");
    }
    for character in ",-./:;<=>?@[\\]^_`|~".chars() {
        assert!(!Delimiter::new(character).expect("punctuation").is_ordering(), "{character}");
    }
}
