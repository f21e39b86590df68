//! What a read asks for of each item.

use keywright_key::{PatternShape, Projection, Returned, TableShape, Tenancy};

use super::position::key_names;
use crate::expression::Placeholders;
use crate::item::WRITE_ID_ATTRIBUTE;

/// The projection expression of a pattern; none if it returns some entity whole.
///
/// Beside what the types hold it asks for what tells which entity an item is, whose, and whether its time is over, and for the keys: of
/// an index, as far as it projects them. A projection changes neither what a read costs nor where its page ends.
pub(super) fn projection(
    table: &TableShape<'static>,
    pattern: &PatternShape<'static>,
    placeholders: &mut Placeholders,
) -> Option<String> {
    let mut attributes: Vec<&'static str> = Vec::new();
    for returned in pattern.returns {
        let Returned::Only(names) = returned.attributes else { return None };
        attributes.extend(names);
    }
    let keys = key_names(table, pattern.index);
    let held = pattern.index.and_then(|index| table.index(index)).map(|index| index.projection);
    let of_layer = of_layer(table, pattern).into_iter().filter(|name| match held {
        None | Some(Projection::All { .. }) => true,
        Some(Projection::KeysOnly) => false,
        Some(Projection::Include(names)) => names.contains(name),
    });
    attributes.extend(of_layer);
    attributes.extend(keys);
    let mut asked: Vec<&'static str> = Vec::with_capacity(attributes.len());
    for attribute in attributes {
        if !asked.contains(&attribute) {
            asked.push(attribute);
        }
    }
    let names: Vec<String> = asked
        .iter()
        .enumerate()
        .map(|(place, attribute)| placeholders.name(&format!("p{place}"), attribute))
        .collect();
    Some(names.join(", "))
}

/// What this layer looks at beside the types.
fn of_layer(table: &TableShape<'static>, pattern: &PatternShape<'static>) -> Vec<&'static str> {
    let mut names = vec![table.discriminator, WRITE_ID_ATTRIBUTE];
    if let Tenancy::Attribute(tenant) = table.tenancy {
        names.push(tenant);
    }
    let entities = pattern.returns.iter().filter_map(|returned| table.entity(returned.entity));
    names.extend(entities.filter_map(|entity| entity.time_to_live));
    names
}
