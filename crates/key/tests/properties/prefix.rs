//! The range of a prefix holds exactly the keys that extend it.

use keywright_key::{ComponentValue, KeyFormat, KeyRole, SortKeyBounds, TemplateShape};
use proptest::prelude::*;

use crate::generate::{Template, Values, given, ordering, separating, two_templates};

/// A template with values, and how many of its segments make the prefix.
fn prefix_of(template: Template) -> impl Strategy<Value = (Template, Values, usize)> {
    let segments = template.shape().len();
    let values = template.values();
    (Just(template), values, 1..=segments)
}

fn filled(template: Template) -> impl Strategy<Value = (Template, Values)> {
    let values = template.values();
    (Just(template), values)
}

/// Whether the first segments of `key` are those of `prefix`, and, below it, whether there are more.
fn extends(key: &str, prefix: &str, delimiter: char, below_only: bool) -> bool {
    let count = prefix.split(delimiter).count();
    let segments: Vec<&str> = key.split(delimiter).collect();
    let begins = segments.iter().take(count).copied().eq(prefix.split(delimiter));
    begins && segments.len() >= count + usize::from(below_only)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn under_an_ordering_delimiter_every_boundary_has_an_exact_range(
        ((whole, values, count), (other, other_values)) in ordering()
            .prop_flat_map(two_templates)
            .prop_flat_map(|(whole, other)| (prefix_of(whole), filled(other))),
        below_only in any::<bool>(),
    ) {
        // The keys of every other template are tried, and those of the prefix's own.
        let delimiter = whole.format.delimiter.character();
        let mut asked = whole.first_segments(count);
        if asked.text.is_empty() { return Ok(()) }
        let Some(prefix) = asked.render(&values) else { return Ok(()) };
        // A template that ends with its delimiter asks for what lies below, whatever its segments were meant as.
        let (prefix, below_only) = match prefix.strip_suffix(delimiter) {
            Some(above) if !below_only => (above.to_owned(), true),
            _ if below_only => {
                asked.text.push(delimiter);
                (prefix, true)
            }
            _ => (prefix, false),
        };
        let asked_shape = asked.shape();
        let bounds = asked_shape.prefix(given(&values).as_slice()).expect("an ordering delimiter has exact ranges");
        for key in [whole.render(&values), other.render(&other_values), other.render(&values_for(&other, &values))] {
            let Some(key) = key else { continue };
            prop_assert_eq!(
                bounds.contains(&key),
                extends(&key, &prefix, delimiter, below_only),
                "{} in {:?}", key, bounds
            );
        }
    }

    #[test]
    fn under_another_delimiter_what_lies_below_a_boundary_is_found_exactly(
        ((whole, values, count), (other, other_values)) in separating()
            .prop_flat_map(two_templates)
            .prop_flat_map(|(whole, other)| (prefix_of(whole), filled(other))),
    ) {
        let delimiter = whole.format.delimiter.character();
        let mut asked = whole.first_segments(count);
        if asked.text.is_empty() { return Ok(()) }
        let Some(prefix) = asked.render(&values) else { return Ok(()) };
        asked.text.push(delimiter);
        let bounds = asked.shape().prefix(given(&values).as_slice()).expect("it ends with the delimiter");
        for key in [whole.render(&values), other.render(&other_values), other.render(&values_for(&other, &values))] {
            let Some(key) = key else { continue };
            prop_assert_eq!(bounds.contains(&key), extends(&key, &prefix, delimiter, true), "{} in {:?}", key, bounds);
        }
    }
}

/// Values for `template`, taken from `values` where the kinds agree, so that keys come close.
fn values_for(template: &Template, values: &Values) -> Values {
    template
        .kinds
        .iter()
        .map(|(name, kind)| {
            let same = values.iter().find(|(_, value)| value.kind() == *kind);
            let value =
                same.map_or_else(|| crate::value::value(*kind), |(_, value)| Just(value.clone()).boxed());
            let mut runner = proptest::test_runner::TestRunner::deterministic();
            (name.clone(), value.new_tree(&mut runner).expect("a value").current())
        })
        .collect()
}

fn team(id: &str) -> SortKeyBounds {
    let components: &[(&str, ComponentValue<'_>)] = &[("team_id", ComponentValue::Text(id.into()))];
    TemplateShape::of("TEAM#{team_id}", KeyFormat::STANDARD).prefix(components).expect("a prefix")
}

#[test]
fn team_1_is_never_team_10() {
    // `begins_with(sk, "TEAM#1")` handed the members of team 10 to whoever asked for team 1. The range ends at the boundary.
    let bounds = team("1");
    assert_eq!(bounds, SortKeyBounds::Between { low: "TEAM#1".to_owned(), high: "TEAM#1$".to_owned() });
    for (key, is_in) in [
        ("TEAM#1", true),
        ("TEAM#1#MEMBER#7", true),
        ("TEAM#1#", true),
        ("TEAM#10", false),
        ("TEAM#1$20", false),
        ("TEAM#1$", true),
        ("TEAM#1-", false),
        ("TEAM#", false),
        ("TEAM#0", false),
        ("TEAM#2", false),
    ] {
        assert_eq!(bounds.contains(key), is_in, "{key}");
    }
    // "TEAM#1$" is in the range and is no key: `$` is always followed by two digits.
    assert!(
        TemplateShape::of("TEAM#{team_id}", KeyFormat::STANDARD)
            .decode("TEAM#1$")
            .expect("two segments")
            .get::<String>("team_id")
            .is_err()
    );
}

#[test]
fn the_longest_key_has_an_exact_range() {
    // 1,024 bytes: nothing lies below it, and an end with one byte more would be refused by DynamoDB.
    let longest = "a".repeat(KeyRole::Sort.longest_bytes() - "TEAM#".len());
    assert_eq!(team(&longest), SortKeyBounds::Equal(format!("TEAM#{longest}")));
    let one_less = "a".repeat(longest.len() - 1);
    assert_eq!(
        team(&one_less),
        SortKeyBounds::Between { low: format!("TEAM#{one_less}"), high: format!("TEAM#{one_less}$") }
    );
}
