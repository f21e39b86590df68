//! Access patterns.

use keywright_key::Consistency;

use super::{Reader, load, sort_key};
use crate::file::members::{Entry, Members, Part};
use crate::model::{
    AttributeName, EntityName, Filter, IndexName, Pattern, PatternName, PatternOperation, Returned,
    ReturnedAttributes, TableName,
};
use crate::words;

/// An access pattern: `[pattern.NAME]`.
pub(super) fn read(entry: &Entry<'_>, reader: &mut Reader<'_>) -> Option<Pattern> {
    let members = entry.part.members()?;
    let returns: Vec<Returned> = members.elements("returns").into_iter().filter_map(returned).collect();
    let table = table(&members, &returns, reader);
    let format = table.as_ref().map(|table| reader.format_of(table)).unwrap_or_default();
    let sort_key = sort_key::read(members.part("sort_key"), format, reader);
    Some(Pattern {
        name: PatternName::new(entry.name).ok()?,
        table: table?,
        index: members.name("index", IndexName::new),
        operation: operation(&members),
        asks: members.word("asks", &words::QUESTIONS).unwrap_or_default(),
        returns,
        skips: members.names("skips", EntityName::new),
        given: texts(&members, "given"),
        sort_key: sort_key?,
        order: members.word("order", &words::ORDERS).unwrap_or_default(),
        sorted_by: members.name("sorted_by", AttributeName::new),
        limit: members.whole("limit"),
        filter: members.members("filter").map(|filter| Filter {
            attributes: filter.names("attributes", AttributeName::new),
            given: texts(&filter, "given"),
            keeps: filter.number("keeps"),
        }),
        consistency: members.word("consistency", &words::CONSISTENCIES).unwrap_or(Consistency::Eventual),
        expected: load::reads(&members),
    })
}

/// The table that the pattern names, that of the first entity it returns, or the first one where that is not known:
/// verification then says what is wrong with the entity.
fn table(members: &Members<'_>, returns: &[Returned], reader: &mut Reader<'_>) -> Option<TableName> {
    if members.part("table").is_some() {
        return members.name("table", TableName::new);
    }
    let of_first = returns
        .first()
        .and_then(|first| reader.entities.iter().find(|entity| entity.name == first.entity))
        .map(|entity| entity.table.clone());
    of_first.or_else(|| reader.tables.first().map(|table| table.name.clone()))
}

fn operation(members: &Members<'_>) -> PatternOperation {
    let Some(part) = members.part("operation") else { return PatternOperation::Query };
    match part.members() {
        Some(scan) => PatternOperation::Scan {
            reason: scan.owned_text("scan").unwrap_or_default(),
            most_items: scan.whole("most_items"),
        },
        None => part.word(&words::OPERATIONS).unwrap_or(PatternOperation::Query),
    }
}

fn returned(part: Part<'_>) -> Option<Returned> {
    let Some(members) = part.members() else {
        let entity = EntityName::new(part.text()?).ok()?;
        return Some(Returned { entity, attributes: ReturnedAttributes::Whole });
    };
    Some(Returned {
        entity: members.name("entity", EntityName::new)?,
        attributes: ReturnedAttributes::Only(members.names("attributes", AttributeName::new)),
    })
}

fn texts(members: &Members<'_>, key: &str) -> Vec<String> {
    members.elements(key).into_iter().filter_map(|part| part.text().map(str::to_owned)).collect()
}
