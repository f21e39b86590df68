//! What a read asks for of each item.

use keywright_key::{PatternShape, Returned, TableShape, Tenancy};

use super::position::key_names;
use crate::expression::Placeholders;
use crate::item::WRITE_ID_ATTRIBUTE;

/// The projection expression of a pattern; none if it returns some entity whole.
///
/// Beside what the types hold it asks for what tells whose the item is, which entity, whether its time is over, and for its keys:
/// a projection changes neither what a read costs nor where its page ends.
pub(super) fn projection(
    table: &TableShape<'static>,
    pattern: &PatternShape<'static>,
    placeholders: &mut Placeholders,
) -> Option<String> {
    let mut attributes: Vec<&'static str> = Vec::new();
    let mut add = |name: &'static str| {
        if !attributes.contains(&name) {
            attributes.push(name);
        }
    };
    for returned in pattern.returns {
        let Returned::Only(names) = returned.attributes else { return None };
        names.iter().copied().for_each(&mut add);
        if let Some(time_to_live) = table.entity(returned.entity).and_then(|entity| entity.time_to_live) {
            add(time_to_live);
        }
    }
    add(table.discriminator);
    if pattern.index.is_none() {
        add(WRITE_ID_ATTRIBUTE);
    }
    if let Tenancy::Attribute(tenant) = table.tenancy {
        add(tenant);
    }
    key_names(table, pattern.index).into_iter().for_each(&mut add);
    let names: Vec<String> = attributes
        .iter()
        .enumerate()
        .map(|(place, attribute)| placeholders.name(&format!("p{place}"), attribute))
        .collect();
    Some(names.join(", "))
}
