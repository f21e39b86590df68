//! Which keys a condition on the sort key can reach: never too few.

use super::key_view::{PartView, language};
use crate::component::{Ending, Rendering};
use crate::delimiter::Delimiter;
use crate::shape::{AttributeShape, BoundShape, RangeShape, SortKeyCondition};
use crate::template::TemplateShape;

/// Whether some sort key of `key` can lie in what `condition` reads; `attributes` are those of an entity that the
/// pattern returns, and say what can be written in the condition's components.
pub(crate) const fn can_reach(
    condition: &SortKeyCondition<'_>,
    attributes: &[AttributeShape<'_>],
    key: &PartView<'_>,
) -> bool {
    let template = match condition {
        SortKeyCondition::Any | SortKeyCondition::Attributes(_) => return true,
        SortKeyCondition::Equals(template)
        | SortKeyCondition::StartsWith(template)
        | SortKeyCondition::Range { template, .. } => template,
    };
    match key.template() {
        Some(other) if other.format().delimiter.byte() == template.format().delimiter.byte() => {}
        // Attributes, or another delimiter: nothing is known.
        _ => return true,
    }
    match condition {
        SortKeyCondition::Equals(_) => {
            key.len() == template.len() && first_segments_can_equal(template, template.len(), attributes, key)
        }
        SortKeyCondition::StartsWith(_) if template.ends_with_delimiter() => {
            key.len() >= template.len()
                && first_segments_can_equal(template, template.len() - 1, attributes, key)
        }
        SortKeyCondition::StartsWith(_) => {
            key.len() >= template.len() && first_segments_can_equal(template, template.len(), attributes, key)
        }
        SortKeyCondition::Range { range, .. } => {
            let last = template.len() - 1;
            key.len() > last
                && first_segments_can_equal(template, last, attributes, key)
                && range_can_reach(template, range, attributes, key)
        }
        SortKeyCondition::Any | SortKeyCondition::Attributes(_) => true,
    }
}

/// Whether literal text alone keeps a sort key out of what `condition` reads; said in few steps, since a pattern is compared
/// with every entity of its table.
pub(crate) const fn is_apart(condition: &SortKeyCondition<'_>, sort_key: &TemplateShape<'_>) -> bool {
    match condition {
        SortKeyCondition::Any | SortKeyCondition::Attributes(_) => false,
        SortKeyCondition::Equals(template)
        | SortKeyCondition::StartsWith(template)
        | SortKeyCondition::Range { template, .. } => {
            template.format().delimiter.byte() == sort_key.format().delimiter.byte()
                && template.has_other_text(sort_key, compared_segments(condition, template))
        }
    }
}

/// How many segments a condition compares whole: not the last of a range, nor what follows a delimiter at the end.
const fn compared_segments(condition: &SortKeyCondition<'_>, template: &TemplateShape<'_>) -> usize {
    match condition {
        SortKeyCondition::Range { .. } => template.len() - 1,
        SortKeyCondition::StartsWith(_) if template.ends_with_delimiter() => template.len() - 1,
        _ => template.len(),
    }
}

const fn first_segments_can_equal(
    template: &TemplateShape<'_>,
    count: usize,
    attributes: &[AttributeShape<'_>],
    key: &PartView<'_>,
) -> bool {
    let mut place = 0;
    while place < count {
        if !language(*template, place, attributes).intersects(&key.language(place)) {
            return false;
        }
        place += 1;
    }
    true
}

/// Whether the segment of `key` in the place of the template's last can lie in the range.
const fn range_can_reach(
    template: &TemplateShape<'_>,
    range: &RangeShape<'_>,
    attributes: &[AttributeShape<'_>],
    key: &PartView<'_>,
) -> bool {
    let last = template.len() - 1;
    let ranged = language(*template, last, attributes);
    let rendering = match ranged.ending {
        Ending::Component(rendering) => rendering,
        // The range is refused by its own rule.
        Ending::Nothing | Ending::Unknown => return true,
    };
    let (first, highest) = first_bytes(rendering, ranged.delimiter);
    let is_first_of_key = last == 0 && ranged.literal.is_empty();
    if is_first_of_key && !rendering.is_bounded() && matches!(range.to, BoundShape::Open) {
        // `sort key >= :from` has no end: it reads on to whatever sorts above.
        return true;
    }
    let delimiter = ranged.delimiter.byte();
    if key.len() > template.len() && first <= delimiter && delimiter <= highest {
        // Only a delimiter that separates lies between what values begin with: a segment may end where they begin.
        return true;
    }
    key.language(last).goes_on_after(ranged.literal, first, highest)
}

/// The lowest and the highest byte that what lies in a range can begin with, after the literal.
const fn first_bytes(rendering: Rendering<'_>, delimiter: Delimiter) -> (u8, u8) {
    match rendering {
        Rendering::Digits(_) | Rendering::Timestamp(_) | Rendering::Decimal => (b'0', b'9'),
        Rendering::SignedDigits(_) => (b'n', b'p'),
        Rendering::SignedDecimal => (b'-', b'9'),
        Rendering::Ulid(_) => (b'0', b'7'),
        Rendering::Uuid(_) => (b'0', b'f'),
        Rendering::Hexadecimal(_) | Rendering::Escaped(_) | Rendering::Raw(_) => {
            (delimiter.successor(), u8::MAX)
        }
        Rendering::Words(_) => (0, u8::MAX),
    }
}
