//! Byte order is the order of the values, component by component.

use std::cmp::Ordering;

use proptest::prelude::*;

use crate::generate::{Template, Values, is_fixed_width, is_ordered, ordering, separating, template};
use crate::value::compare;

fn compare_all(one: &Values, other: &Values) -> Ordering {
    one.iter()
        .zip(other)
        .map(|((_, one), (_, other))| compare(one, other))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn with_two_values(template: Template) -> impl Strategy<Value = (Template, Values, Values)> {
    let values = template.values();
    (Just(template), values.clone(), values)
}

fn holds(template: &Template, one: &Values, other: &Values) -> Result<(), TestCaseError> {
    let (Some(key), Some(other_key)) = (template.render(one), template.render(other)) else { return Ok(()) };
    prop_assert_eq!(
        key.as_bytes().cmp(other_key.as_bytes()),
        compare_all(one, other),
        "{} and {}",
        key,
        other_key
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn under_an_ordering_delimiter_keys_sort_as_their_values(
        (template, one, other) in ordering()
            .prop_flat_map(template)
            .prop_filter("integers as they are have no order", |template| {
                template.kinds.iter().all(|(field, kind)| is_ordered(*kind, &template.text, field))
            })
            .prop_flat_map(with_two_values)
    ) {
        holds(&template, &one, &other)?;
    }

    #[test]
    fn under_another_delimiter_keys_sort_as_their_values_while_widths_are_fixed(
        (template, one, other) in separating()
            .prop_flat_map(template)
            .prop_filter("only what ends the key may vary in width", |template| {
                let end = template.text.rsplit_once('{').map_or("", |(_, end)| end);
                template.kinds.iter().all(|(field, kind)| {
                    let ends_key = end.starts_with(field.as_str()) && template.text.ends_with('}');
                    is_ordered(*kind, &template.text, field)
                        && (ends_key || is_fixed_width(*kind, &template.text, field))
                })
            })
            .prop_flat_map(with_two_values)
    ) {
        holds(&template, &one, &other)?;
    }
}
