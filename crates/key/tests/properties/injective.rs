//! Two different values never write one key.

use std::collections::HashMap;

use keywright_key::{ComponentValue, KeyFormat, KeyRole, TemplateShape};
use proptest::prelude::*;

use crate::generate::{ordering, separating, template};

/// Every text of one to `longest` of the signs.
fn every_text(signs: &[char], longest: usize) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut last = vec![String::new()];
    for _ in 0..longest {
        last = last.iter().flat_map(|text| signs.iter().map(move |sign| format!("{text}{sign}"))).collect();
        texts.extend(last.iter().cloned());
    }
    texts
}

#[test]
fn all_pairs_of_short_hostile_texts_write_different_keys() {
    // Joined keys as they were reported: (tenant `t#1`, id `x`) met (`t`, `1#x`), and (`A#`, `B`) met (`A`, `#B`): one overwrote the
    // other. Each pair of values has a key of its own.
    let texts = every_text(&['#', '$', '2', '3', '4', 'a'], 3);
    let template = TemplateShape::of("{one}#{other}", KeyFormat::STANDARD);
    let mut keys = HashMap::new();
    for one in &texts {
        for other in &texts {
            let components: &[(&str, ComponentValue<'_>)] =
                &[("one", ComponentValue::Text(one.into())), ("other", ComponentValue::Text(other.into()))];
            let key = template.render(KeyRole::Partition, components).expect("text can be written");
            let before = keys.insert(key, (one, other));
            assert_eq!(before, None, "`{one}`, `{other}`");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn different_values_write_different_keys(
        (template, one, other) in prop_oneof![ordering(), separating()]
            .prop_flat_map(template)
            .prop_flat_map(|template| {
                let values = template.values();
                (Just(template), values.clone(), values)
            })
    ) {
        let (Some(key), Some(other_key)) = (template.render(&one), template.render(&other)) else { return Ok(()) };
        prop_assert_eq!(key == other_key, one == other, "{} and {}", key, other_key);
    }
}
