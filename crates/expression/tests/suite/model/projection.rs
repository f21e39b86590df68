//! Projections: written, refused and taken by the model.

use keywright_item::{AttributeMap, AttributeValue, Item, StoredItem};
use proptest::prelude::*;

use super::{ModelPath, ModelStep, Writer, apart, item, path};

/// What the service says of paths that cannot stand together: the first overlap, else the first conflict.
pub(super) fn clash(paths: &[&ModelPath]) -> Option<String> {
    let mut found = None;
    for (place, two) in paths.iter().enumerate() {
        for one in &paths[..place] {
            if one.attribute != two.attribute {
                continue;
            }
            let verb = match one.steps.iter().zip(&two.steps).find(|(one, two)| one != two) {
                None => "overlap",
                Some(
                    (ModelStep::Name(_), ModelStep::Name(_)) | (ModelStep::Index(_), ModelStep::Index(_)),
                ) => continue,
                Some(_) => "conflict",
            };
            let text = format!(
                "Two document paths {verb} with each other; must remove or rewrite one of these paths; path one: {}, \
                 path two: {}",
                one.shown(),
                two.shown()
            );
            if verb == "overlap" {
                return Some(text);
            }
            found.get_or_insert(text);
        }
    }
    found
}

/// The parts of an item that the paths name.
pub(super) fn project(paths: &[&ModelPath], item: &Item) -> Item {
    item.iter()
        .filter_map(|(name, value)| {
            let rests: Vec<&[ModelStep]> = paths
                .iter()
                .filter(|path| path.attribute == name)
                .map(|path| path.steps.as_slice())
                .collect();
            Some((name.to_owned(), part(&rests, value)?))
        })
        .collect()
}

/// Everything, walked through; kept is what some path names.
fn part(paths: &[&[ModelStep]], value: &AttributeValue) -> Option<AttributeValue> {
    if paths.iter().any(|path| path.is_empty()) {
        return Some(value.clone());
    }
    let after = |step: ModelStep| -> Vec<&[ModelStep]> {
        paths.iter().filter(|path| path[0] == step).map(|path| &path[1..]).collect()
    };
    match value {
        AttributeValue::M(map) => {
            let kept: AttributeMap = map
                .iter()
                .filter_map(|(name, value)| {
                    let name = super::NAMES.into_iter().find(|known| *known == name)?;
                    Some((name.to_owned(), part(&after(ModelStep::Name(name)), value)?))
                })
                .collect();
            (!kept.is_empty()).then_some(AttributeValue::M(kept))
        }
        AttributeValue::L(list) => {
            let kept: Vec<_> = list
                .iter()
                .enumerate()
                .filter_map(|(index, value)| part(&after(ModelStep::Index(index)), value))
                .collect();
            (!kept.is_empty()).then_some(AttributeValue::L(kept))
        }
        _ => None,
    }
}

proptest! {
    #[test]
    fn a_projection_is_refused_or_taken_as_the_model_says(
        (item, paths) in item().prop_flat_map(|item| {
            let paths = prop::collection::vec(path(&item), 1..6);
            (Just(item), paths)
        }),
        keep_clashes in any::<bool>(),
        choices in any::<u64>(),
    ) {
        let paths = paths.into_iter().fold(Vec::new(), |mut kept: Vec<ModelPath>, path| {
            if keep_clashes || kept.iter().all(|other| apart(other, &path)) {
                kept.push(path);
            }
            kept
        });
        let mut writer = Writer::new(choices);
        for (place, path) in paths.iter().enumerate() {
            if place > 0 {
                writer.write(",");
            }
            writer.path(path);
        }
        let paths: Vec<&ModelPath> = paths.iter().collect();
        let projected = writer.bind(|text, names, _| crate::projection(text, names))
            .map(|projection| projection.apply(StoredItem::encode(&item).as_ref()));
        let expected = match clash(&paths) {
            Some(text) => Err(format!("Invalid ProjectionExpression: {text}")),
            None => Ok(project(&paths, &item)),
        };
        prop_assert_eq!(projected, expected, "{}", writer.text);
    }
}
