//! Decoding undoes rendering, and takes nothing else.

use keywright_key::TemplateShape;
use proptest::prelude::*;

use crate::generate::{Template, Values, ordering, separating, template};
use crate::value::own;

fn filled(template: Template) -> impl Strategy<Value = (Template, Values)> {
    let values = template.values();
    (Just(template), values)
}

/// The values of `key`, or nothing if it is none of the template's.
fn decode(template: &Template, shape: &TemplateShape<'_>, key: &str) -> Option<Values> {
    let decoded = shape.decode(key).ok()?;
    template
        .kinds
        .iter()
        .map(|(name, kind)| {
            Some((name.clone(), decoded.value(name, *kind).ok()?)).map(|(name, value)| (name, own(&value)))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_was_rendered_is_read_back(
        (template, values) in prop_oneof![ordering(), separating()].prop_flat_map(template).prop_flat_map(filled)
    ) {
        let Some(key) = template.render(&values) else { return Ok(()) };
        let shape = template.shape();
        prop_assert_eq!(decode(&template, &shape, &key), Some(values), "{}", key);
    }

    #[test]
    fn what_was_not_rendered_is_refused(
        (template, values) in prop_oneof![ordering(), separating()].prop_flat_map(template).prop_flat_map(filled),
        place in any::<prop::sample::Index>(),
        change in prop_oneof![Just(""), Just("#"), Just("$"), Just("0"), Just("-1"), Just("$41"), Just("$2G"), Just("a"), Just("é")],
        removed in 0..3_usize,
    ) {
        // A changed key either is what the values that it decodes to render to, or does not decode.
        let Some(key) = template.render(&values) else { return Ok(()) };
        let characters: Vec<char> = key.chars().collect();
        let place = place.index(characters.len());
        let mut changed: String = characters[..place].iter().collect();
        changed.push_str(change);
        changed.extend(&characters[(place + removed).min(characters.len())..]);
        let shape = template.shape();
        if let Some(values) = decode(&template, &shape, &changed) {
            prop_assert_eq!(template.render(&values), Some(changed));
        }
    }
}
