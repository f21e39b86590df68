//! KW0514: the order that a pattern promises is the order of its keys.

use keywright_key::{AttributeKind, TemplateShape};

use crate::facts::Facts;
use crate::model::{
    AttributeName, AttributeTest, Entity, EntryKey, Index, IndexKeys, Pattern, PatternOperation,
    SortKeyCondition, Template,
};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0514",
    name: "sorted-by",
    title: "An order that the keys do not have",
    severity: Severity::Error,
    finds: "A pattern that is sorted by an attribute which is not the first component of the sort key after what the condition \
            fixes, or which does not sort as its values do; and an order of a GetItem or a scan.",
    hurts: "DynamoDB sorts by the sort key and by nothing else \
            ([Query](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.html)). Sorted by date means a sort \
            key that goes on with an order-preserving date. Code that sorts afterwards sorts one page, and believes that it is \
            everything.",
    example: "[entity.task]\npartition_key = \"ORG#{organization_id}\"\nsort_key = \"TASK#{task_id}\"\nattributes = { due_at = \
              \"timestamp\" }\n\n[pattern.tasks_by_due_date]\nreturns = [\"task\"]\nsort_key = { starts_with = \"TASK\" }\nsorted_by = \
              \"due_at\"",
    instead: "Put the attribute directly after what the condition fixes, `TASK#{due_at}#{task_id}`, in the table or in an index, \
              and what makes the key unique behind it. `order = \"descending\"` gives the latest first, at no cost.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for pattern in &facts.design().patterns {
        if let Some(attribute) = &pattern.sorted_by
            && let Some(problem) = problem(facts, pattern, attribute)
        {
            findings.report(
                Place::pattern(&pattern.name).member("sorted_by"),
                format!("`{}` is to be sorted by `{attribute}`, but {problem}", pattern.name),
            );
        }
    }
}

fn problem(facts: &Facts<'_>, pattern: &Pattern, attribute: &AttributeName) -> Option<String> {
    match pattern.operation {
        PatternOperation::Get => {
            return Some("a GetItem returns one item. Leave the order out, or make it a Query.".to_owned());
        }
        PatternOperation::Scan { .. } => {
            return Some(
                "a scan returns items in the order of no attribute. Leave it out, or make it a Query."
                    .to_owned(),
            );
        }
        PatternOperation::Query => {}
    }
    let table = facts.table(&pattern.table)?;
    let index = match &pattern.index {
        // An index that is not there is reported by another rule.
        Some(name) => Some(table.index(name)?),
        None => None,
    };
    let mut first: Option<(&Entity, Vec<String>)> = None;
    for returned in &pattern.returns {
        let Some(entity) = facts.entity(&returned.entity) else { continue };
        if entity.attribute(attribute.as_str()).is_none() {
            continue;
        }
        let text_before = match text_before(facts, pattern, index, entity, attribute)? {
            Ok(text) => text,
            Err(problem) => return Some(problem),
        };
        match &first {
            None => first = Some((entity, text_before)),
            Some((other, text)) if *text != text_before => {
                return Some(format!(
                    "the sort keys of `{}` and `{}` differ before it, so all items of one come before those of the other. Make \
                     two patterns, or let both keys begin alike.",
                    other.name, entity.name
                ));
            }
            Some(_) => {}
        }
    }
    None
}

/// The literal text between what the condition fixes and the attribute, or why items are not in its order; nothing where another
/// rule reports why the entity has no such key.
fn text_before(
    facts: &Facts<'_>,
    pattern: &Pattern,
    index: Option<&Index>,
    entity: &Entity,
    attribute: &AttributeName,
) -> Option<Result<Vec<String>, String>> {
    let sort_key = match index {
        None => entity.sort_key.as_ref(),
        Some(index) => match (&entity.entry(&index.name)?.key, &index.keys) {
            (EntryKey::Global { sort_key, .. }, _) => sort_key.as_ref(),
            (EntryKey::Local { sort_key }, _) => Some(sort_key),
            (EntryKey::Attributes, IndexKeys::Attributes { sort_key, .. }) => {
                let names: Vec<&str> = sort_key.iter().map(|attribute| attribute.name.as_str()).collect();
                return Some(in_attributes(pattern, index, &names, attribute));
            }
            (EntryKey::Attributes, IndexKeys::Rendered { .. }) => return None,
        },
    };
    let Some(sort_key) = sort_key else {
        return Some(Err(format!(
            "`{}` has no sort key there, so its items have no order. Give it one that begins with `{attribute}`.",
            entity.name
        )));
    };
    in_template(facts, pattern, entity, sort_key, attribute)
}

fn in_attributes(
    pattern: &Pattern,
    index: &Index,
    names: &[&str],
    attribute: &AttributeName,
) -> Result<Vec<String>, String> {
    let fixed = match &pattern.sort_key {
        SortKeyCondition::Attributes(conditions) => {
            conditions.iter().take_while(|condition| condition.test == AttributeTest::Equal).count()
        }
        _ => 0,
    };
    let (given, rest) = names.split_at(fixed.min(names.len()));
    if given.contains(&attribute.as_str()) || rest.first().is_some_and(|next| attribute == *next) {
        return Ok(Vec::new());
    }
    Err(match rest.first() {
        Some(next) => format!(
            "the sort key of index `{}` goes on with `{next}`. Give that by equality, or add an index that goes on with \
             `{attribute}`.",
            index.name
        ),
        None => format!(
            "the sort key of index `{}` does not hold it. Add it as the last attribute of the sort key, in a new index.",
            index.name
        ),
    })
}

fn in_template(
    facts: &Facts<'_>,
    pattern: &Pattern,
    entity: &Entity,
    sort_key: &Template,
    attribute: &AttributeName,
) -> Option<Result<Vec<String>, String>> {
    let key = sort_key.shape();
    let fixed = fixed_segments(&pattern.sort_key);
    if key.place_of(attribute.as_str()).is_some_and(|place| place < fixed) {
        return Some(Ok(Vec::new()));
    }
    let mut text = Vec::new();
    for segment in key.segments().skip(fixed) {
        text.push(segment.literal.to_owned());
        let Some(component) = segment.component else { continue };
        if attribute != component.field {
            return Some(Err(format!(
                "the sort key of `{}` is \"{}\", which goes on with `{}`.{}",
                entity.name,
                sort_key.text(),
                component.field,
                suggestion(&key, fixed + text.len() - 1, attribute)
            )));
        }
        let shape = facts.entity_shape(&entity.name)?;
        let AttributeKind::Component(kind) = shape.attribute(attribute.as_str())?.kind else { return None };
        return match kind.is_ordered(component.modifier, key.format())? {
            true => Some(Ok(text)),
            false => Some(Err(format!(
                "`{}` in \"{}\" is not written in the order of its values, as 10 without leading zeros sorts before 5. Leave its \
                 modifier out, or give it a width; let the words of an enum sort as its values do.",
                component.field,
                sort_key.text()
            ))),
        };
    }
    Some(Err(format!(
        "the sort key of `{}` is \"{}\", which does not hold it.{}",
        entity.name,
        sort_key.text(),
        suggestion(&key, key.len(), attribute)
    )))
}

/// How many segments of the sort key the condition fixes.
fn fixed_segments(condition: &SortKeyCondition) -> usize {
    match condition {
        SortKeyCondition::Any | SortKeyCondition::Attributes(_) => 0,
        SortKeyCondition::Equals(template) => template.shape().len(),
        SortKeyCondition::StartsWith(template) => {
            let shape = template.shape();
            let ends_with_delimiter = shape.text().ends_with(shape.format().delimiter.character());
            shape.len() - usize::from(ends_with_delimiter)
        }
        SortKeyCondition::Range { template, .. } => template.shape().len() - 1,
    }
}

/// The sort key with the attribute at `place`, as advice.
fn suggestion(key: &TemplateShape<'_>, place: usize, attribute: &AttributeName) -> String {
    let delimiter = key.format().delimiter.character();
    let mut depth = 0_u32;
    let is_delimiter = |character: char| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && character == delimiter
    };
    let mut segments: Vec<&str> = key.text().split(is_delimiter).collect();
    let component = format!("{{{attribute}}}");
    segments.retain(|segment| *segment != component);
    segments.insert(place.min(segments.len()), &component);
    format!(
        " Let it go on with `{attribute}`, \"{}\", here or in an index.",
        segments.join(&delimiter.to_string())
    )
}
