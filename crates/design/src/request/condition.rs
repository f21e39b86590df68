//! What a request asks of the sort key.

use std::collections::BTreeMap;

use keywright_key::{
    AttributeCondition, AttributeKind, AttributeTest, BoundShape, EntityShape, RangeShape, SortKeyBounds,
    SortKeyCondition, TemplateShape,
};

use super::symbol;

/// A condition on the sort key, with names for values.
pub(super) enum SortKey {
    /// None.
    Any,
    /// One value.
    Equal(String),
    /// A range.
    Bounds(SortKeyBounds),
    /// Conditions on the attributes of a multi-attribute key, in order.
    Attributes(Vec<Test>),
}

/// A condition on one attribute.
pub(super) enum Test {
    Compare(&'static str, String),
    Between(String, String),
    BeginsWith(String),
}

impl SortKey {
    /// The condition of a pattern that returns `entity`; none where it cannot be written.
    pub(super) fn of(entity: &EntityShape<'_>, condition: &SortKeyCondition<'_>) -> Option<SortKey> {
        Some(match condition {
            SortKeyCondition::Any => SortKey::Any,
            SortKeyCondition::Equals(template) => SortKey::Equal(symbol::rendered(template)?),
            SortKeyCondition::StartsWith(template) => SortKey::Bounds(symbol::prefix(template)?),
            SortKeyCondition::Range { template, range } => {
                let kind = last_kind(template, entity)?;
                SortKey::Bounds(symbol::range(template, kind, *range)?)
            }
            SortKeyCondition::Attributes(conditions) => {
                SortKey::Attributes(conditions.iter().map(Test::of).collect())
            }
        })
    }

    /// The terms of the key condition, whose placeholders are added to `names` and `values`.
    pub(super) fn write(
        &self,
        attributes: &[&str],
        names: &mut BTreeMap<String, String>,
        values: &mut BTreeMap<String, String>,
    ) -> Vec<String> {
        let mut value = |placeholder: &str, text: &str| {
            values.insert(format!(":{placeholder}"), text.to_owned());
        };
        let term = match self {
            SortKey::Any | SortKey::Bounds(SortKeyBounds::All) => return Vec::new(),
            SortKey::Equal(key) | SortKey::Bounds(SortKeyBounds::Equal(key)) => {
                value("sk", key);
                "#sk = :sk".to_owned()
            }
            SortKey::Bounds(SortKeyBounds::Between { low, high }) => {
                value("low", low);
                value("high", high);
                "#sk BETWEEN :low AND :high".to_owned()
            }
            SortKey::Bounds(SortKeyBounds::BeginsWith(prefix)) => {
                value("prefix", prefix);
                "begins_with(#sk, :prefix)".to_owned()
            }
            SortKey::Bounds(SortKeyBounds::AtLeast(low)) => {
                value("low", low);
                "#sk >= :low".to_owned()
            }
            // The samples of a range lie apart, so its ends do.
            SortKey::Bounds(SortKeyBounds::Nothing) => return Vec::new(),
            SortKey::Attributes(tests) => {
                return tests
                    .iter()
                    .zip(attributes)
                    .enumerate()
                    .map(|(position, (test, attribute))| {
                        let place = position + 1;
                        names.insert(format!("#sk{place}"), (*attribute).to_owned());
                        test.write(place, &mut value)
                    })
                    .collect();
            }
        };
        if let Some(attribute) = attributes.first() {
            names.insert("#sk".to_owned(), (*attribute).to_owned());
        }
        vec![term]
    }
}

impl Test {
    fn of(condition: &AttributeCondition<'_>) -> Test {
        match condition.test {
            AttributeTest::Equal => Test::Compare("=", named(condition.attribute)),
            AttributeTest::BeginsWith(given) => Test::BeginsWith(named(given)),
            AttributeTest::Range(range) => Test::of_range(range),
        }
    }

    fn of_range(range: RangeShape<'_>) -> Test {
        match (range.from, range.to) {
            (BoundShape::Including(from), BoundShape::Open) => Test::Compare(">=", named(from)),
            (BoundShape::Excluding(from), BoundShape::Open) => Test::Compare(">", named(from)),
            (_, BoundShape::Including(to)) if range.from == BoundShape::Open => {
                Test::Compare("<=", named(to))
            }
            (_, BoundShape::Excluding(to)) if range.from == BoundShape::Open => Test::Compare("<", named(to)),
            (from, to) => {
                let low = match from {
                    BoundShape::Excluding(name) => named(&format!("the next after {name}")),
                    BoundShape::Including(name) => named(name),
                    BoundShape::Open => {
                        unreachable!("KW0304 refuses a range without bounds, before a request is made")
                    }
                };
                let high = match to {
                    BoundShape::Excluding(name) => named(&format!("the last before {name}")),
                    BoundShape::Including(name) => named(name),
                    BoundShape::Open => {
                        unreachable!("KW0304 refuses a range without bounds, before a request is made")
                    }
                };
                Test::Between(low, high)
            }
        }
    }

    fn write(&self, place: usize, value: &mut impl FnMut(&str, &str)) -> String {
        match self {
            Test::Compare(operator, given) => {
                value(&format!("sk{place}"), given);
                format!("#sk{place} {operator} :sk{place}")
            }
            Test::Between(low, high) => {
                value(&format!("low{place}"), low);
                value(&format!("high{place}"), high);
                format!("#sk{place} BETWEEN :low{place} AND :high{place}")
            }
            Test::BeginsWith(given) => {
                value(&format!("sk{place}"), given);
                format!("begins_with(#sk{place}, :sk{place})")
            }
        }
    }
}

fn named(name: &str) -> String {
    format!("{{{name}}}")
}

/// The kind of the attribute that fills a template's last component.
fn last_kind<'a>(
    template: &TemplateShape<'_>,
    entity: &EntityShape<'a>,
) -> Option<keywright_key::ComponentKind<'a>> {
    let component = template.segment(template.len() - 1)?.component?;
    match entity.attribute(component.field)?.kind {
        AttributeKind::Component(kind) => Some(kind),
        AttributeKind::Number | AttributeKind::Set | AttributeKind::Opaque => None,
    }
}
