//! Conditions on the sort key.

use keywright_key::KeyFormat;

use super::Reader;
use crate::file::keys::{EQUALS, RANGE, STARTS_WITH};
use crate::file::members::{Members, Part};
use crate::model::{AttributeCondition, AttributeName, AttributeTest, Bound, Range, SortKeyCondition};

/// Which of the items with the partition key are read; all without the key.
pub(super) fn read(
    part: Option<Part<'_>>,
    format: KeyFormat,
    reader: &mut Reader<'_>,
) -> Option<SortKeyCondition> {
    let Some(part) = part else { return Some(SortKeyCondition::Any) };
    if part.is_list() {
        // Each is read, so that each has its problems reported.
        let conditions: Vec<Option<AttributeCondition>> =
            part.elements().into_iter().map(|element| attribute_condition(element, reader)).collect();
        return conditions.into_iter().collect::<Option<Vec<_>>>().map(SortKeyCondition::Attributes);
    }
    let Some(members) = part.members() else {
        return reader.template(part, format).map(SortKeyCondition::Equals);
    };
    if members.are_of(&EQUALS) {
        return reader.template(members.part("equals")?, format).map(SortKeyCondition::Equals);
    }
    if members.are_of(&STARTS_WITH) {
        return reader.template(members.part("starts_with")?, format).map(SortKeyCondition::StartsWith);
    }
    if !members.are_of(&RANGE) {
        unreachable!("the keys of `sort_key` in a pattern are those of three sections");
    }
    let template = members.part("range").map(|part| reader.template(part, format));
    let range = range(&members, reader);
    if range == (Range { from: Bound::Open, to: Bound::Open }) {
        let wrong = "a range must begin or end somewhere";
        let instead = "name a given value as `from` or `after`, as `through` or `before`, or as both";
        reader.conflict(members.range(), wrong, instead);
    }
    Some(SortKeyCondition::Range { template: template??, range })
}

/// A condition on an attribute of a sort key with several: a name is equality with the given value of that name.
fn attribute_condition(part: Part<'_>, reader: &mut Reader<'_>) -> Option<AttributeCondition> {
    let Some(members) = part.members() else {
        return Some(AttributeCondition {
            attribute: AttributeName::new(part.text()?).ok()?,
            test: AttributeTest::Equal,
        });
    };
    let range = range(&members, reader);
    let is_open = range == (Range { from: Bound::Open, to: Bound::Open });
    let test = match (members.owned_text("starts_with"), is_open) {
        (Some(beginning), true) => AttributeTest::BeginsWith(beginning),
        (None, false) => AttributeTest::Range(range),
        (Some(_), false) => {
            let wrong = "a condition has either `starts_with` or a range";
            let range = members.part("starts_with").map_or(members.range(), |part| part.range());
            reader.conflict(range, wrong, "leave one of them out");
            return None;
        }
        (None, true) => {
            let name = members.text("attribute").unwrap_or("city");
            let wrong = "the condition compares the attribute with nothing";
            let instead = format!(
                "write `starts_with`, or `from`, `after`, `through` or `before`; for equality write the name alone, `\"{name}\"`"
            );
            reader.conflict(members.range(), wrong, instead);
            return None;
        }
    };
    Some(AttributeCondition { attribute: members.name("attribute", AttributeName::new)?, test })
}

fn range(members: &Members<'_>, reader: &mut Reader<'_>) -> Range {
    Range { from: bound(members, "from", "after", reader), to: bound(members, "through", "before", reader) }
}

fn bound(members: &Members<'_>, including: &str, excluding: &str, reader: &mut Reader<'_>) -> Bound {
    match (members.owned_text(including), members.owned_text(excluding)) {
        (None, None) => Bound::Open,
        (Some(name), None) => Bound::Including(name),
        (None, Some(name)) => Bound::Excluding(name),
        (Some(name), Some(_)) => {
            let wrong = format!("a range has either `{including}` or `{excluding}`");
            let instead = format!(
                "leave one of them out: `{including}` has the value itself in the range, `{excluding}` has not"
            );
            let range = members.part(excluding).map_or(members.range(), |part| part.range());
            reader.conflict(range, wrong, instead);
            Bound::Including(name)
        }
    }
}
