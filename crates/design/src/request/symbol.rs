//! Keys rendered with the names of values instead of values.
//!
//! The key crate renders them, so that delimiters and the ends of ranges are its own. A name stands as one character of
//! Unicode's private use area while a key is rendered, which no delimiter, case or escape touches, and as `{name}` after.

use std::ops::Bound;

use keywright_key::{
    BoundShape, ComponentKind, ComponentValue, Components, Filling, KeyRole, Modifier, Precision, RangeShape,
    SortKeyBounds, TemplateShape, TimestampValue,
};

/// The character that stands for the field at `place` of a template. A template has 16 segments at most.
fn symbol(place: usize) -> char {
    u32::try_from(place).ok().and_then(|place| char::from_u32(0xe000 + place)).unwrap_or('\u{e0ff}')
}

/// Gives each field of a template its symbol.
struct Symbols<'a> {
    fields: Vec<&'a str>,
}

impl<'a> Symbols<'a> {
    fn of(template: &TemplateShape<'a>) -> Symbols<'a> {
        Symbols { fields: template.fields().collect() }
    }

    /// The text with names in place of symbols.
    fn named(&self, text: &str) -> String {
        let mut named = text.to_owned();
        for (place, field) in self.fields.iter().enumerate() {
            named = named.replace(symbol(place), &format!("{{{field}}}"));
        }
        named
    }
}

impl Components for Symbols<'_> {
    fn filling(&self, field: &str) -> Filling<'_> {
        match self.fields.iter().position(|known| *known == field) {
            Some(place) => Filling::Value(ComponentValue::Text(symbol(place).to_string().into())),
            None => Filling::Unknown,
        }
    }
}

/// The template's text with every component taken as it is, so that a symbol can fill it; the last one as it was if asked.
fn plain(template: &TemplateShape<'_>, last: Last) -> String {
    let mut text = String::new();
    for place in 0..template.len() {
        let Some(segment) = template.segment(place) else { continue };
        if place > 0 {
            text.push(template.format().delimiter.character());
        }
        text.push_str(segment.literal);
        if let Some(component) = segment.component {
            let is_last = place + 1 == template.len();
            let modifier = match last {
                Last::Typed if is_last => modifier_text(component.modifier),
                Last::Typed | Last::Symbol => ":raw".to_owned(),
            };
            text.push_str(&format!("{{{}{modifier}}}", component.field));
        }
    }
    text
}

/// What fills the last component.
#[derive(Clone, Copy)]
enum Last {
    /// A symbol, like the others.
    Symbol,
    /// A value of its type.
    Typed,
}

fn modifier_text(modifier: Modifier) -> String {
    match modifier {
        Modifier::None => String::new(),
        Modifier::Raw => ":raw".to_owned(),
        Modifier::Width(digits) => format!(":{digits}"),
        Modifier::Case(case) => format!(":{case:?}").to_ascii_lowercase(),
        Modifier::Timestamp(format) => format!(":{}", format.name()),
    }
}

/// A key with names in it; none where the key crate refuses the template.
pub(super) fn rendered(template: &TemplateShape<'_>) -> Option<String> {
    let symbols = Symbols::of(template);
    let text = plain(template, Last::Symbol);
    let key =
        TemplateShape::parse(&text, template.format()).ok()?.render(KeyRole::Partition, &symbols).ok()?;
    Some(symbols.named(&key))
}

/// What is asked of a sort key below a template, with names in it.
pub(super) fn prefix(template: &TemplateShape<'_>) -> Option<SortKeyBounds> {
    let symbols = Symbols::of(template);
    let text = plain(template, Last::Symbol);
    let bounds = TemplateShape::parse(&text, template.format()).ok()?.prefix(&symbols).ok()?;
    Some(map(bounds, |key| symbols.named(key), |key| symbols.named(key)))
}

/// What is asked of a sort key in a range over the last component, which is of this kind.
pub(super) fn range(
    template: &TemplateShape<'_>,
    kind: ComponentKind<'_>,
    range: RangeShape<'_>,
) -> Option<SortKeyBounds> {
    let symbols = Symbols::of(template);
    let text = plain(template, Last::Typed);
    let typed = TemplateShape::parse(&text, template.format()).ok()?;
    let (low, high) = samples(kind)?;
    let bounds = typed.range(&symbols, bound(range.from, low), bound(range.to, high)).ok()?;
    let stem = stem(template, &symbols)?;
    let successor = char::from(template.format().delimiter.successor());
    let end = |key: &str, bound: BoundShape<'_>, side: Side| {
        let written = match (key.strip_prefix(stem.as_str()), bound) {
            (Some(rest), BoundShape::Including(name)) => {
                format!("{stem}{{{name}}}{}", closing(rest, successor))
            }
            (Some(rest), BoundShape::Excluding(name)) => {
                // A kind without neighbours leaves its value out by what follows the value.
                let beside = match (side, is_discrete(kind)) {
                    (Side::Low, true) => "the next after ",
                    (Side::High, true) => "the last before ",
                    (_, false) => "",
                };
                format!("{stem}{{{beside}{name}}}{}", closing(rest, successor))
            }
            (_, BoundShape::Open) | (None, _) => key.to_owned(),
        };
        symbols.named(&written)
    };
    Some(map(bounds, |key| end(key, range.from, Side::Low), |key| end(key, range.to, Side::High)))
}

/// A side of a range.
#[derive(Clone, Copy)]
enum Side {
    Low,
    High,
}

/// The key up to the last component.
fn stem(template: &TemplateShape<'_>, symbols: &Symbols<'_>) -> Option<String> {
    let text = plain(template, Last::Symbol);
    let key =
        TemplateShape::parse(&text, template.format()).ok()?.render(KeyRole::Partition, symbols).ok()?;
    let last = symbol(symbols.fields.len().checked_sub(1)?);
    key.strip_suffix(last).map(str::to_owned)
}

fn closing(rest: &str, successor: char) -> String {
    if rest.ends_with(successor) { successor.to_string() } else { String::new() }
}

fn bound<'v>(bound: BoundShape<'_>, sample: ComponentValue<'v>) -> Bound<ComponentValue<'v>> {
    match bound {
        BoundShape::Open => Bound::Unbounded,
        BoundShape::Including(_) => Bound::Included(sample),
        BoundShape::Excluding(_) => Bound::Excluded(sample),
    }
}

const fn is_discrete(kind: ComponentKind<'_>) -> bool {
    !matches!(kind, ComponentKind::Text | ComponentKind::Bytes)
}

/// Two values of a kind, the lower first, with values beside them where a kind has so many.
fn samples(kind: ComponentKind<'_>) -> Option<(ComponentValue<'_>, ComponentValue<'_>)> {
    Some(match kind {
        ComponentKind::Text => {
            (ComponentValue::Text("\u{e0fd}".into()), ComponentValue::Text("\u{e0fe}".into()))
        }
        ComponentKind::Bytes => {
            (ComponentValue::Bytes(vec![1].into()), ComponentValue::Bytes(vec![9].into()))
        }
        ComponentKind::Unsigned(size) => {
            (ComponentValue::Unsigned(3, size), ComponentValue::Unsigned(7, size))
        }
        ComponentKind::Signed(size) => (ComponentValue::Signed(3, size), ComponentValue::Signed(7, size)),
        ComponentKind::Timestamp(precision) => (day(1000, precision)?, day(2000, precision)?),
        ComponentKind::Ulid => (ComponentValue::Ulid(3), ComponentValue::Ulid(7)),
        ComponentKind::Uuid => (ComponentValue::Uuid(3), ComponentValue::Uuid(7)),
        ComponentKind::Enum(words) => (
            ComponentValue::Enum { words, index: 0 },
            ComponentValue::Enum { words, index: words.len().checked_sub(1)? },
        ),
        ComponentKind::Boolean => (ComponentValue::Boolean(false), ComponentValue::Boolean(true)),
    })
}

fn day(days: i64, precision: Precision) -> Option<ComponentValue<'static>> {
    TimestampValue::new(days * 86_400, 0, precision).map(ComponentValue::Timestamp)
}

fn map(bounds: SortKeyBounds, low: impl Fn(&str) -> String, high: impl Fn(&str) -> String) -> SortKeyBounds {
    match bounds {
        SortKeyBounds::All => SortKeyBounds::All,
        SortKeyBounds::Nothing => SortKeyBounds::Nothing,
        SortKeyBounds::Equal(key) => SortKeyBounds::Equal(low(&key)),
        SortKeyBounds::Between { low: from, high: to } => {
            SortKeyBounds::Between { low: low(&from), high: high(&to) }
        }
        SortKeyBounds::BeginsWith(prefix) => SortKeyBounds::BeginsWith(low(&prefix)),
        SortKeyBounds::AtLeast(from) => SortKeyBounds::AtLeast(low(&from)),
    }
}
