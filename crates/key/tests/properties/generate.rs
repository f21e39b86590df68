//! Templates with what fills them: every kind under every delimiter and modifier that is allowed.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use keywright_key::{
    AttributeShape, ComponentKind, ComponentValue, Delimiter, KeyFormat, KeyRole, LetterCase, RenderProblem,
    TemplateShape, TimestampFormat,
};
use proptest::prelude::*;

use crate::value::{KINDS, value};

pub(crate) const ORDERING: &[char] = &['!', '"', '#', '$', '%', '&', '\'', '(', ')', '*', '+'];
pub(crate) const SEPARATING: &[char] =
    &[',', '-', '.', '/', ':', ';', '<', '=', '>', '?', '@', '[', '\\', ']', '^', '_', '`', '|', '~'];

/// A template, and the kinds that fill its components.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    /// The segments joined; more may be added for a prefix.
    pub(crate) text: String,
    pub(crate) segments: Vec<String>,
    pub(crate) generated: Vec<Written>,
    pub(crate) format: KeyFormat,
    pub(crate) kinds: Vec<(String, ComponentKind<'static>)>,
}

pub(crate) type Values = Vec<(String, ComponentValue<'static>)>;

impl Template {
    pub(crate) fn shape(&self) -> TemplateShape<'_> {
        TemplateShape::parse(&self.text, self.format).expect("a template")
    }

    pub(crate) fn attributes(&self) -> Vec<AttributeShape<'_>> {
        self.kinds.iter().map(|(name, kind)| AttributeShape::component(name, *kind)).collect()
    }

    pub(crate) fn values(&self) -> BoxedStrategy<Values> {
        self.kinds.iter().map(|(name, kind)| (Just(name.clone()), value(*kind))).collect::<Vec<_>>().boxed()
    }

    /// The key, or nothing when a value is refused for what it holds.
    pub(crate) fn render(&self, values: &Values) -> Option<String> {
        render(&self.shape(), values)
    }

    /// The template of the first `count` segments.
    pub(crate) fn first_segments(&self, count: usize) -> Template {
        let segments: Vec<String> = self.segments.iter().take(count).cloned().collect();
        let text = segments.join(&self.format.delimiter.character().to_string());
        Template { text, segments, ..self.clone() }
    }
}

pub(crate) fn render(shape: &TemplateShape<'_>, values: &Values) -> Option<String> {
    match shape.render(KeyRole::Partition, given(values).as_slice()) {
        Ok(key) => Some(key),
        Err(error) => match error.problem() {
            RenderProblem::HoldsReserved { .. }
            | RenderProblem::TooWide { .. }
            | RenderProblem::OutOfRange
            | RenderProblem::OtherCase { .. }
            | RenderProblem::TooFine => None,
            other => panic!("{error}: {other:?}"),
        },
    }
}

pub(crate) fn given(values: &Values) -> Vec<(&str, ComponentValue<'static>)> {
    values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect()
}

/// Formats with an ordering delimiter.
pub(crate) fn ordering() -> BoxedStrategy<KeyFormat> {
    formats(ORDERING)
}

/// Formats with a delimiter that only separates.
pub(crate) fn separating() -> BoxedStrategy<KeyFormat> {
    formats(SEPARATING)
}

fn formats(delimiters: &'static [char]) -> BoxedStrategy<KeyFormat> {
    let timestamp = prop_oneof![
        4 => Just(None),
        1 => prop::sample::select(TimestampFormat::ALL).prop_map(Some),
    ];
    let letter_case = prop_oneof![
        6 => Just(None),
        1 => Just(Some(LetterCase::Lower)),
        1 => Just(Some(LetterCase::Upper)),
    ];
    (prop::sample::select(delimiters), timestamp, letter_case)
        .prop_map(|(delimiter, timestamp, letter_case)| KeyFormat {
            delimiter: Delimiter::of(delimiter),
            timestamp,
            letter_case,
        })
        .boxed()
}

/// Two templates; often the second is the first with some segments changed, left out or added.
pub(crate) fn two_templates(format: KeyFormat) -> BoxedStrategy<(Template, Template)> {
    let alike = template(format).prop_flat_map(move |one| {
        let segments: Vec<BoxedStrategy<Option<Written>>> = one
            .generated
            .clone()
            .into_iter()
            .map(|segment| {
                prop_oneof![
                    5 => Just(Some(segment)),
                    4 => self::segment(format).prop_map(Some),
                    1 => Just(None),
                ]
                .boxed()
            })
            .collect();
        let more = prop_oneof![3 => Just(None), 1 => segment(format).prop_map(Some)];
        (Just(one), segments, more).prop_map(move |(one, segments, more)| {
            (one, of_segments(segments.into_iter().flatten().chain(more).collect(), format))
        })
    });
    prop_oneof![1 => (template(format), template(format)), 5 => alike]
        .prop_filter("a key is not empty", |(_, other)| !other.text.is_empty())
        .boxed()
}

/// A template of one to four segments. Literals are short and alike, so that templates meet.
pub(crate) fn template(format: KeyFormat) -> BoxedStrategy<Template> {
    prop::collection::vec(segment(format), 1..5)
        .prop_map(move |segments| of_segments(segments, format))
        .prop_filter("a key is not empty", |template| !template.text.is_empty())
        .boxed()
}

fn of_segments(generated: Vec<Written>, format: KeyFormat) -> Template {
    let mut written = Vec::new();
    let mut kinds = Vec::new();
    for (place, (literal, component)) in generated.iter().enumerate() {
        let mut segment = (*literal).to_owned();
        if let Some((kind, modifier)) = component {
            let name = format!("f{place}");
            segment.push_str(&format!("{{{name}{modifier}}}"));
            kinds.push((name, *kind));
        }
        written.push(segment);
    }
    let text = written.join(&format.delimiter.character().to_string());
    Template { text, segments: written, generated, format, kinds }
}

/// A segment as it is generated: literal text, then perhaps a kind with a modifier.
type Written = (&'static str, Component);
type Component = Option<(ComponentKind<'static>, &'static str)>;

fn segment(format: KeyFormat) -> BoxedStrategy<(&'static str, Component)> {
    let mut literals = vec!["", "", "A", "AB", "B", "a", "1", "n0"];
    if format.delimiter == Delimiter::NUMBER_SIGN {
        literals.extend(["A$B", "$A", "T-"]);
    }
    let component = prop_oneof![
        1 => Just(None),
        2 => prop::sample::select(components(format)).prop_map(Some),
    ];
    (prop::sample::select(literals), component).boxed()
}

/// Every kind with every modifier that it may have in a format.
pub(crate) fn components(format: KeyFormat) -> Vec<(ComponentKind<'static>, &'static str)> {
    type Allowed = Mutex<HashMap<String, Vec<(ComponentKind<'static>, &'static str)>>>;
    static ALLOWED: LazyLock<Allowed> = LazyLock::new(Mutex::default);
    let mut allowed = ALLOWED.lock().expect("no test panics while it asks");
    allowed.entry(format!("{format:?}")).or_insert_with(|| every_component(format)).clone()
}

fn every_component(format: KeyFormat) -> Vec<(ComponentKind<'static>, &'static str)> {
    let modifiers =
        ["", ":raw", ":3", ":2", ":upper", ":lower", ":date", ":seconds", ":nanoseconds", ":unix-seconds"];
    let all = KINDS.iter().flat_map(|kind| modifiers.iter().map(move |modifier| (*kind, *modifier)));
    all.filter(|(kind, modifier)| is_allowed(*kind, modifier, format)).collect()
}

/// Whether a value can be written so: asked of the library, by writing one.
fn is_allowed(kind: ComponentKind<'static>, modifier: &str, format: KeyFormat) -> bool {
    let text = format!("{{f{modifier}}}");
    let shape = TemplateShape::parse(&text, format).expect("a template");
    let value = match kind {
        ComponentKind::Text => ComponentValue::Text("1".into()),
        ComponentKind::Unsigned(size) => ComponentValue::Unsigned(1, size),
        ComponentKind::Signed(size) => ComponentValue::Signed(1, size),
        ComponentKind::Timestamp(precision) => ComponentValue::Timestamp(
            keywright_key::TimestampValue::new(0, 0, precision).expect("the beginning of 1970"),
        ),
        ComponentKind::Ulid => ComponentValue::Ulid(1),
        ComponentKind::Uuid => ComponentValue::Uuid(1),
        ComponentKind::Enum(words) => ComponentValue::Enum { words, index: 0 },
        ComponentKind::Boolean => ComponentValue::Boolean(true),
        ComponentKind::Bytes => ComponentValue::Bytes(vec![1].into()),
    };
    let components: &[(&str, ComponentValue<'_>)] = &[("f", value)];
    !matches!(
        shape.render(KeyRole::Sort, components).map_err(|error| error.problem()),
        Err(RenderProblem::Form(_))
    )
}

/// Whether the values of a kind sort as they are written: all but integers as they are.
pub(crate) fn is_ordered(kind: ComponentKind<'static>, text: &str, field: &str) -> bool {
    let raw = text.contains(&format!("{{{field}:raw}}"));
    !(raw && matches!(kind, ComponentKind::Unsigned(_) | ComponentKind::Signed(_)))
}

/// Whether all values of a kind are written with one width.
pub(crate) fn is_fixed_width(kind: ComponentKind<'static>, text: &str, field: &str) -> bool {
    match kind {
        ComponentKind::Text | ComponentKind::Enum(_) | ComponentKind::Boolean | ComponentKind::Bytes => false,
        ComponentKind::Unsigned(_) | ComponentKind::Signed(_) => is_ordered(kind, text, field),
        ComponentKind::Timestamp(_) | ComponentKind::Ulid | ComponentKind::Uuid => true,
    }
}
