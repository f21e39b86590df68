//! What the rules about collisions and ranges let through does not happen.

use keywright_key::{
    AttributeShape, EntityShape, KeyShape, PatternShape, ReturnShape, SortKeyCondition, TableShape,
    TemplateShape, rule,
};
use proptest::prelude::*;

use crate::generate::{Template, Values, given, ordering, separating, two_templates};

type Filled = (Template, Values);

fn two_filled() -> impl Strategy<Value = (Filled, Filled)> {
    prop_oneof![ordering(), separating()].prop_flat_map(two_templates).prop_flat_map(|(one, other)| {
        let values = (one.values(), other.values());
        ((Just(one), values.0), (Just(other), values.1))
    })
}

/// The other entity's key with the first one's values, where the names and kinds agree: close calls.
fn close(template: &Template, own: &Values, others: &Values) -> Values {
    own.iter()
        .map(|(name, value)| {
            let same = others
                .iter()
                .find(|(other, _)| other == name)
                .filter(|(_, other)| other.kind() == value.kind());
            (name.clone(), same.map_or(value, |(_, value)| value).clone())
        })
        .filter(|(name, _)| template.kinds.iter().any(|(known, _)| known == name))
        .collect()
}

fn entity<'a>(
    name: &'a str,
    sort_key: TemplateShape<'a>,
    attributes: &'a [AttributeShape<'a>],
) -> EntityShape<'a> {
    let partition_key = TemplateShape::of("P", sort_key.format());
    EntityShape::new(name, name, KeyShape::new(partition_key, sort_key), attributes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8000))]

    #[test]
    fn entities_that_the_rule_accepts_never_render_one_key(
        ((one, one_values), (other, other_values)) in two_filled()
    ) {
        let (one_attributes, other_attributes) = (one.attributes(), other.attributes());
        let first = entity("First", one.shape(), &one_attributes);
        let second = entity("Second", other.shape(), &other_attributes);
        let entities = [&first, &second];
        let table = TableShape::new("App").with_format(one.format).with_entities(&entities);
        if rule::same_key::check(&table, &first).is_some() {
            return Ok(());
        }
        let Some(key) = one.render(&one_values) else { return Ok(()) };
        for values in [&other_values, &close(&other, &other_values, &one_values)] {
            let other_key = other.render(values);
            prop_assert_ne!(Some(&key), other_key.as_ref());
        }
        // The reverse question, by reading: no key of the one is a key of the other.
        let shape = other.shape();
        if let Ok(decoded) = shape.decode(&key) {
            let all = other.kinds.iter().all(|(name, kind)| decoded.value(name, *kind).is_ok());
            prop_assert!(!all, "{} is also a key of {}", key, other.text);
        }
    }

    #[test]
    fn an_entity_that_a_pattern_need_not_name_never_lies_in_its_range(
        ((asked, asked_values), (other, other_values)) in two_filled(),
        form in 0..3_usize,
        count in 1..5_usize,
    ) {
        let (asked_attributes, other_attributes) = (asked.attributes(), other.attributes());
        let returned = entity("Returned", asked.shape(), &asked_attributes);
        let unnamed = entity("Unnamed", other.shape(), &other_attributes);
        let entities = [&returned, &unnamed];
        let table = TableShape::new("App").with_format(asked.format).with_entities(&entities);
        let returns = [ReturnShape::whole("Returned")];
        let mut prefix = asked.first_segments(count);
        if form == 1 {
            prefix.text.push(asked.format.delimiter.character());
        }
        let Ok(prefix_shape) = TemplateShape::parse(&prefix.text, prefix.format) else { return Ok(()) };
        let condition = if form == 2 {
            SortKeyCondition::Equals(prefix_shape)
        } else {
            SortKeyCondition::StartsWith(prefix_shape)
        };
        let pattern = PatternShape::query("Pattern", &returns, &[]).with_sort_key(condition);
        if rule::entity_not_named::check(&table, &pattern).is_some() {
            return Ok(());
        }
        let Ok(Some(bounds)) = condition.bounds(given(&asked_values).as_slice()) else { return Ok(()) };
        for values in [&other_values, &close(&other, &other_values, &asked_values)] {
            if let Some(key) = other.render(values) {
                prop_assert!(!bounds.contains(&key), "{} in {:?}", key, bounds);
            }
        }
    }

    #[test]
    fn an_entity_that_a_ranging_pattern_need_not_name_never_lies_in_its_range(
        ((asked, asked_values), (other, other_values), from, to) in two_filled()
            .prop_filter("a component to range over", |((asked, _), _)| asked.text.ends_with('}'))
            .prop_flat_map(|(asked, other)| {
                let kind = asked.0.kinds.last().expect("a component").1;
                (Just(asked), Just(other), prop::option::of(crate::value::value(kind)), prop::option::of(crate::value::value(kind)))
            }),
    ) {
        use keywright_key::{BoundShape, RangeShape};
        let (asked_attributes, other_attributes) = (asked.attributes(), other.attributes());
        let returned = entity("Returned", asked.shape(), &asked_attributes);
        let unnamed = entity("Unnamed", other.shape(), &other_attributes);
        let entities = [&returned, &unnamed];
        let table = TableShape::new("App").with_format(asked.format).with_entities(&entities);
        let returns = [ReturnShape::whole("Returned")];
        let mut values = asked_values.clone();
        let mut bound = |name: &'static str, value: &Option<keywright_key::ComponentValue<'static>>| match value {
            Some(value) => {
                values.push((name.to_owned(), value.clone()));
                BoundShape::Including(name)
            }
            None => BoundShape::Open,
        };
        let range = RangeShape { from: bound("from", &from), to: bound("to", &to) };
        let condition = SortKeyCondition::Range { template: asked.shape(), range };
        let pattern = PatternShape::query("Pattern", &returns, &[]).with_sort_key(condition);
        if rule::entity_not_named::check(&table, &pattern).is_some() {
            return Ok(());
        }
        let Ok(Some(bounds)) = condition.bounds(given(&values).as_slice()) else { return Ok(()) };
        for values in [&other_values, &close(&other, &other_values, &asked_values)] {
            if let Some(key) = other.render(values) {
                prop_assert!(!bounds.contains(&key), "{} in {:?}", key, bounds);
            }
        }
    }
}
