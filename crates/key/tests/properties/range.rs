//! A range holds exactly the keys whose component lies in it, with what lies below them.

use std::cmp::Ordering;
use std::ops::Bound;

use keywright_key::{ComponentKind, ComponentValue, KeyFormat, RenderProblem, SortKeyBounds, TemplateShape};
use proptest::prelude::*;

use crate::generate::{Template, Values, components, given, is_ordered, ordering, separating, template};
use crate::value::{compare, own, value};

type Ends = (Bound<ComponentValue<'static>>, Bound<ComponentValue<'static>>);

/// What a range is tried with: the template up to the ranged component, values for what precedes it, the ends, a value in question,
/// and what may lie below it.
#[derive(Clone, Debug)]
struct Question {
    above: Option<Template>,
    literal: &'static str,
    component: (ComponentKind<'static>, &'static str),
    format: KeyFormat,
    values: Values,
    ends: Ends,
    asked: ComponentValue<'static>,
    below: &'static str,
}

impl Question {
    fn text(&self, below: &str) -> String {
        let modifier = self.component.1;
        let above = self
            .above
            .as_ref()
            .map_or_else(String::new, |above| format!("{}{}", above.text, self.format.delimiter.character()));
        let below = below.replace('#', &self.format.delimiter.character().to_string());
        format!("{above}{}{{ranged{modifier}}}{below}", self.literal)
    }
}

fn end(kind: ComponentKind<'static>) -> BoxedStrategy<Bound<ComponentValue<'static>>> {
    prop_oneof![
        2 => value(kind).prop_map(Bound::Included),
        2 => value(kind).prop_map(Bound::Excluded),
        1 => Just(Bound::Unbounded),
    ]
    .boxed()
}

fn question(format: KeyFormat) -> impl Strategy<Value = Question> {
    let above = prop_oneof![1 => Just(None), 3 => template(format).prop_map(Some)];
    let component = prop::sample::select(components(format));
    (above, prop::sample::select(vec!["", "", "D-", "n"]), component).prop_flat_map(
        move |(above, literal, component)| {
            let literal = if literal.contains(format.delimiter.character()) { "" } else { literal };
            let values = above.as_ref().map_or_else(|| Just(Vec::new()).boxed(), Template::values);
            let below = prop::sample::select(vec!["", "#", "#X", "#X#Y"]);
            let ends = (end(component.0), end(component.0));
            (values, ends, value(component.0), below).prop_map(move |(values, ends, asked, below)| Question {
                above: above.clone(),
                literal,
                component,
                format,
                values,
                ends,
                asked,
                below,
            })
        },
    )
}

fn lies_in(asked: &ComponentValue<'_>, (from, to): &Ends) -> bool {
    let after = match from {
        Bound::Included(from) => compare(asked, from) != Ordering::Less,
        Bound::Excluded(from) => compare(asked, from) == Ordering::Greater,
        Bound::Unbounded => true,
    };
    let before = match to {
        Bound::Included(to) => compare(asked, to) != Ordering::Greater,
        Bound::Excluded(to) => compare(asked, to) == Ordering::Less,
        Bound::Unbounded => true,
    };
    after && before
}

fn check(question: &Question) -> Result<(), TestCaseError> {
    let text = question.text("");
    let asked = TemplateShape::parse(&text, question.format).expect("a template");
    let (from, to) = question.ends.clone();
    let bounds = match asked.range(given(&question.values).as_slice(), from, to) {
        Ok(bounds) => bounds,
        // Refused, with a reason: nothing wrong is ever asked.
        Err(error) => {
            prop_assert!(
                !matches!(error.problem(), RenderProblem::Missing | RenderProblem::Absent),
                "{}",
                error
            );
            return Ok(());
        }
    };
    prop_assert!(is_ordered(question.component.0, &text, "ranged"), "{} has no order", text);
    let whole = question.text(question.below);
    let whole = TemplateShape::parse(&whole, question.format).expect("a template");
    let mut values = question.values.clone();
    values.push(("ranged".to_owned(), question.asked.clone()));
    let Some(key) = crate::generate::render(&whole, &values) else { return Ok(()) };
    prop_assert_eq!(
        bounds.contains(&key),
        lies_in(&question.asked, &question.ends),
        "{} in {:?}",
        key,
        bounds
    );
    // What stands above the range, and nothing of the component, is never in it.
    if let Some(above) = &question.above
        && let Some(above) = above.render(&question.values)
    {
        let delimiter = question.format.delimiter.character();
        for key in [above.clone(), format!("{above}{delimiter}")] {
            prop_assert!(!bounds.contains(&key), "{} in {:?}", key, bounds);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8000))]

    #[test]
    fn a_range_under_an_ordering_delimiter_is_exact(question in ordering().prop_flat_map(question)) {
        check(&question)?;
    }

    #[test]
    fn a_range_under_another_delimiter_is_exact_or_refused(question in separating().prop_flat_map(question)) {
        check(&question)?;
    }
}

#[test]
fn a_day_ends_before_the_next_one() {
    // `BETWEEN "2026-05-01" AND "2026-05-02"` took the first event of the next day along. The end is left out exactly.
    let template = TemplateShape::of("LOG#{at}", KeyFormat::STANDARD);
    let at = |text: &str| {
        use keywright_key::KeyComponent;
        own(&text.parse::<keywright_key::Timestamp>().expect("a timestamp").to_value())
    };
    let bounds = template
        .range(
            &(),
            Bound::Included(at("2026-05-01T00:00:00.000Z")),
            Bound::Excluded(at("2026-05-02T00:00:00.000Z")),
        )
        .expect("a range");
    assert!(bounds.contains("LOG#2026-05-01T00:00:00.000Z"));
    assert!(bounds.contains("LOG#2026-05-01T23:59:59.999Z#LINE#9"));
    assert!(!bounds.contains("LOG#2026-05-02T00:00:00.000Z"));
    assert!(!bounds.contains("LOG#2026-04-30T23:59:59.999Z"));
}

#[test]
fn an_empty_range_asks_nothing() {
    // DynamoDB refuses a BETWEEN whose upper end is below its lower end.
    let template = TemplateShape::of("SCORE#{points}", KeyFormat::STANDARD);
    let points = |points| ComponentValue::Unsigned(points, keywright_key::IntegerSize::Bits8);
    for (from, to) in [
        (Bound::Included(points(9)), Bound::Included(points(8))),
        (Bound::Included(points(9)), Bound::Excluded(points(9))),
        (Bound::Unbounded, Bound::Excluded(points(0))),
        (Bound::Excluded(points(255)), Bound::Unbounded),
    ] {
        assert_eq!(
            template.range(&(), from.clone(), to.clone()),
            Ok(SortKeyBounds::Nothing),
            "{from:?} {to:?}"
        );
    }
}
