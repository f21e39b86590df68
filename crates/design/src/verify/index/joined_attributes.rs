//! KW0713: what only joins attributes is an index of attributes.

use keywright_key::{ComponentPlace, IndexKey, KeyShape, Modifier, SortKeyCondition, TemplateShape};

use crate::facts::{Entry, Facts};
use crate::model::{Index, IndexKeys, KeyAttribute, Pattern, Table, ValueType};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// The most attributes in one part of a key.
const MOST_ATTRIBUTES: usize = 4;

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0713",
    name: "joined-attributes",
    title: "A rendered index key that only joins attributes",
    severity: Severity::Advice,
    finds: "A global index with rendered keys that holds one entity, whose templates only join attributes that its items have \
            anyway, up to four for the partition key and up to four for the sort key.",
    hurts: "The rendered attributes are stored with every item, every write must render them again when a part of them \
            changes, and items from before the index need a backfill. A global index can be keyed by the attributes \
            themselves, which needs none of it: \
            [multi-attribute keys](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html).",
    example: "[table.app.index.by_user]\npartition_key = \"gsi1pk\"\nsort_key = \"gsi1sk\"\n\n[entity.member]\n\
              index.by_user = { partition_key = \"ORG#{organization_id}#USER#{user_id}\", sort_key = \"{joined_at}\" }",
    instead: "Key a new index by the attributes: `partition_key = [\"organization_id\", \"user_id\"]`, \
              `sort_key = [\"joined_at\"]`. Keep a rendered key where several entities share the index, where it is sharded, \
              or where the index exists already.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in &table.indexes {
            let IndexKeys::Rendered { partition_key, sort_key } = &index.keys else { continue };
            let [entry] = facts.entries_of(table, index) else { continue };
            let IndexKey::Global(key) = entry.key else { continue };
            let Some((partition, sort)) = joined(entry, key) else { continue };
            if !facts.readers_of(table, index).iter().all(|pattern| can_ask_attributes(facts, pattern)) {
                continue;
            }
            let rendered: Vec<&KeyAttribute> = std::iter::once(partition_key).chain(sort_key).collect();
            findings.report(
                Place::index(&table.name, &index.name),
                message(table, index, entry, (&partition, &sort), &rendered),
            );
        }
    }
}

/// The attributes that the templates join; nothing if they do more than that, or if an index cannot be keyed by them.
fn joined<'d>(entry: &Entry<'d>, key: &KeyShape<'d>) -> Option<(Vec<&'d str>, Vec<&'d str>)> {
    if key.shards.is_sharded() {
        return None;
    }
    let partition = attributes(entry, &key.partition_key)?;
    let sort = match &key.sort_key {
        Some(sort_key) => attributes(entry, sort_key)?,
        None => Vec::new(),
    };
    let names = || partition.iter().chain(&sort);
    // An attribute stands in a key once.
    let is_distinct =
        names().enumerate().all(|(place, name)| !names().take(place).any(|earlier| earlier == name));
    is_distinct.then_some((partition, sort))
}

fn attributes<'d>(entry: &Entry<'d>, template: &TemplateShape<'d>) -> Option<Vec<&'d str>> {
    let components: Vec<ComponentPlace<'d>> =
        template.segments().filter_map(|segment| segment.component).collect();
    if components.is_empty() || components.len() > MOST_ATTRIBUTES {
        return None;
    }
    components.iter().map(|component| is_stored_as_key(entry, component).then_some(component.field)).collect()
}

/// Whether an index can be keyed by the attribute that fills the component, with the same meaning.
fn is_stored_as_key(entry: &Entry<'_>, component: &ComponentPlace<'_>) -> bool {
    let can_be_key = entry.entity.attribute(component.field).is_some_and(|attribute| {
        matches!(
            attribute.value_type,
            ValueType::Text
                | ValueType::Unsigned(_)
                | ValueType::Signed(_)
                | ValueType::Timestamp(_)
                | ValueType::TimeToLive
                | ValueType::Ulid
                | ValueType::Enum(_)
                | ValueType::Uuid
                | ValueType::Bytes
        )
    });
    // A case is a promise about the value that the attribute alone does not make.
    can_be_key && !matches!(component.modifier, Modifier::Case(_))
}

/// Whether what the pattern asks of the sort key can be asked of attributes, from left to right.
fn can_ask_attributes(facts: &Facts<'_>, pattern: &Pattern) -> bool {
    facts.pattern_shape(&pattern.name).is_some_and(|shape| match shape.sort_key {
        SortKeyCondition::Any | SortKeyCondition::Range { .. } | SortKeyCondition::Attributes(_) => true,
        SortKeyCondition::Equals(template) | SortKeyCondition::StartsWith(template) => {
            // Below literal text alone there is nothing that an attribute says.
            template.segments().last().is_some_and(|segment| segment.component.is_some())
        }
    })
}

fn message(
    table: &Table,
    index: &Index,
    entry: &Entry<'_>,
    (partition, sort): (&[&str], &[&str]),
    rendered: &[&KeyAttribute],
) -> String {
    let list = |names: &[&str]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let sort_key = if sort.is_empty() { String::new() } else { format!(", `sort_key = [{}]`", list(sort)) };
    format!(
        "the keys of `{entity}` in index `{index}` of `{table}` only join attributes that its items have anyway. A new index \
         can be keyed by them, without {rendered} in every item and without a backfill: `partition_key = [{partition}]`\
         {sort_key}.",
        entity = entry.entity.name,
        index = index.name,
        table = table.name,
        rendered = crate::verify::words::names(rendered.iter().map(|attribute| attribute.name.as_str())),
        partition = list(partition),
    )
}
