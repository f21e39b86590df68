//! Paths that cannot stand in one projection or update: one within another, or one attribute as a list and a map.

use crate::path::{Path, Step};
use crate::refusal::PathFault;

/// Refuses paths of which one lies within another, else paths that take one value for a list and for a map.
///
/// Of several faults it names the first overlap in the order of the text, else the first conflict.
pub(crate) fn check_paths(paths: &[&Path]) -> Result<(), PathFault> {
    // In their order, paths that clash are beside each other, or have such ones between them.
    let mut sorted = paths.to_vec();
    sorted.sort_unstable();
    if sorted.is_sorted_by(|one, other| clash(one, other).is_none()) {
        return Ok(());
    }
    let mut conflict = None;
    for (place, two) in paths.iter().enumerate() {
        for one in paths.iter().take(place) {
            match clash(one, two) {
                None => {}
                Some(Clash::Overlap) => {
                    return Err(PathFault::Overlap { one: one.to_string(), two: two.to_string() });
                }
                Some(Clash::Conflict) => {
                    conflict.get_or_insert((*one, *two));
                }
            }
        }
    }
    match conflict {
        None => unreachable!("a clash was found among the sorted paths"),
        Some((one, two)) => Err(PathFault::Conflict { one: one.to_string(), two: two.to_string() }),
    }
}

enum Clash {
    Overlap,
    Conflict,
}

fn clash(one: &Path, two: &Path) -> Option<Clash> {
    if one.attribute != two.attribute {
        return None;
    }
    match one.steps.iter().zip(&two.steps).find(|(one, two)| one != two) {
        None => Some(Clash::Overlap),
        Some((Step::Name(_), Step::Index(_)) | (Step::Index(_), Step::Name(_))) => Some(Clash::Conflict),
        Some(_) => None,
    }
}
