//! No key of one tenant is, or lies in a range of, another tenant's.

use keywright_key::{
    AttributeShape, ComponentValue, EntityShape, KeyFormat, KeyRole, KeyShape, TableShape, TemplateShape,
    rule,
};
use proptest::prelude::*;

use crate::generate::{Template, Values, given, template};
use crate::value::hostile_text;

/// Two tenants; one is often the beginning of the other.
fn two_tenants() -> BoxedStrategy<(String, String)> {
    prop_oneof![
        (hostile_text(), hostile_text()),
        (hostile_text(), hostile_text()).prop_map(|(one, more)| (one.clone(), format!("{one}{more}"))),
        (hostile_text(), prop::sample::select(vec!["#", "$", "$23", "#TEAM", "1", "0", "\0", "\u{10ffff}"]))
            .prop_map(|(one, more)| (one.clone(), format!("{one}{more}"))),
    ]
    .prop_filter("two tenants", |(one, other)| one != other)
    .boxed()
}

fn with_tenant(values: &Values, tenant: &str) -> Vec<(String, ComponentValue<'static>)> {
    let mut values = values.clone();
    values.push(("tenant".to_owned(), ComponentValue::Text(tenant.to_owned().into())));
    values
}

/// A template whose first segments hold the tenant, with what follows.
fn with_rest(rest: &Template) -> Template {
    let mut segments = vec!["ORG".to_owned(), "{tenant}".to_owned()];
    segments.extend(rest.segments.iter().cloned());
    Template { text: segments.join("#"), segments, ..rest.clone() }
}

fn filled() -> impl Strategy<Value = (Template, Values)> {
    template(KeyFormat::STANDARD).prop_flat_map(|template| {
        let values = template.values();
        (Just(template), values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn no_range_of_one_tenant_holds_a_key_of_another(
        (one, other) in two_tenants(),
        (asked, asked_values) in filled(),
        (stored, stored_values) in filled(),
        count in 2..5_usize,
    ) {
        let asked = with_rest(&asked);
        let stored = with_rest(&stored);
        let key = |values: &Values, tenant: &str| stored.render(&with_tenant(values, tenant));
        for values in [&stored_values, &asked_values] {
            if !stored.kinds.iter().all(|(name, kind)| {
                values.iter().any(|(given, value)| given == name && value.kind() == *kind)
            }) {
                continue;
            }
            let Some(foreign) = key(values, &other) else { continue };
            for prefix in [asked.first_segments(count), asked.first_segments(2)] {
                let shape = prefix.shape();
                let Ok(bounds) = shape.prefix(given(&with_tenant(&asked_values, &one)).as_slice()) else { continue };
                prop_assert!(!bounds.contains(&foreign), "{} in {:?}", foreign, bounds);
            }
            if let Some(own) = key(values, &one) {
                prop_assert_ne!(own, foreign);
            }
        }
    }

    /// What KW0401 and KW0403 let through keeps tenants apart: equal partition keys have equal tenants.
    #[test]
    fn entities_that_the_rules_accept_share_no_partition_between_tenants(
        (one, other) in two_tenants(),
        texts in (partition_key(), partition_key()),
        (first_value, second_value) in (hostile_text(), hostile_text()),
    ) {
        let text = |value: &str| ComponentValue::Text(value.to_owned().into());
        let attributes = [
            AttributeShape::component("tenant", keywright_key::ComponentKind::Text),
            AttributeShape::component("a", keywright_key::ComponentKind::Text),
        ];
        let format = KeyFormat::STANDARD;
        let key = |template| KeyShape::new(TemplateShape::of(template, format), TemplateShape::of("X", format));
        let first = EntityShape::new("First", "first", key(texts.0), &attributes);
        let second = EntityShape::new("Second", "second", key(texts.1), &attributes);
        let entities = [&first, &second];
        let table = TableShape::new("App").with_tenant("tenant").with_entities(&entities);
        if rule::tenant_missing::check(&table, &first).is_some()
            || rule::tenant_missing::check(&table, &second).is_some()
            || rule::tenant_place::check(&table, &first).is_some()
        {
            return Ok(());
        }
        let render = |entity: &EntityShape<'_>, tenant: &str, value: &str| {
            let components: &[(&str, ComponentValue<'_>)] = &[("tenant", text(tenant)), ("a", text(value))];
            entity.key.partition_key.render(KeyRole::Partition, components).expect("text can be written")
        };
        for values in [(&first_value, &second_value), (&one, &other), (&other, &one)] {
            prop_assert_ne!(render(&first, &one, values.0), render(&second, &other, values.1));
            prop_assert_ne!(render(&first, &one, values.0), render(&first, &other, values.1));
        }
    }
}

fn partition_key() -> BoxedStrategy<&'static str> {
    prop::sample::select(vec![
        "{tenant}",
        "ORG#{tenant}",
        "{tenant}#{a}",
        "{a}#{tenant}",
        "ORG#{tenant}#{a}",
        "ORG#{a}#{tenant}",
        "O{tenant}",
        "ORG-{tenant}",
        "{a}",
        "ORG#{a}",
    ])
    .boxed()
}
