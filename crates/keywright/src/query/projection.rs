//! What a read asks for of each item.

use keywright_key::rule::not_projected::holds_itself;
use keywright_key::{PatternShape, Returned, TableShape, Tenancy};

use super::position::key_names;
use crate::expression::Placeholders;
use crate::item::WRITE_ID_ATTRIBUTE;

/// The projection expression of a pattern; none if it returns some entity whole.
///
/// Beside what the types hold it asks for what tells which entity an item is, whose, and whether its time is over, and for the keys: of
/// an index, as far as it projects them. A projection changes neither what a read costs nor where its page ends.
pub(crate) fn projection(
    table: &TableShape<'static>,
    pattern: &PatternShape<'static>,
    placeholders: &mut Placeholders,
) -> Option<String> {
    let index = pattern.index.and_then(|index| table.index(index));
    // What an index does not hold is read back from keys; to ask for it is an error.
    let is_held = |name: &&'static str| index.is_none_or(|index| holds_itself(table, index, name));
    let mut attributes: Vec<&'static str> = Vec::new();
    for returned in pattern.returns {
        let Returned::Only(names) = returned.attributes else { return None };
        attributes.extend(names.iter().copied().filter(is_held));
    }
    let keys = key_names(table, pattern.index);
    let of_layer = of_layer(table, pattern).into_iter().filter(is_held);
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
