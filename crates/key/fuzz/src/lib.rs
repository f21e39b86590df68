//! The fuzz target of keys: bytes become a template, two sets of values and a foreign key; everything that is claimed must hold.
//!
//! It panics on what must not happen, which is how a fuzzer learns of it.

use keywright_key::{
    ComponentKind, ComponentValue, Delimiter, IntegerSize, KeyFormat, KeyRole, Precision, TemplateShape,
    TimestampValue,
};

const WORDS: &[&str] = &["closed", "open"];
const KINDS: [ComponentKind<'static>; 10] = [
    ComponentKind::Text,
    ComponentKind::Unsigned(IntegerSize::Bits8),
    ComponentKind::Unsigned(IntegerSize::Bits64),
    ComponentKind::Signed(IntegerSize::Bits16),
    ComponentKind::Timestamp(Precision::Milliseconds),
    ComponentKind::Ulid,
    ComponentKind::Uuid,
    ComponentKind::Enum(WORDS),
    ComponentKind::Boolean,
    ComponentKind::Bytes,
];

type Values<'a> = Vec<(&'a str, ComponentValue<'a>)>;

/// Takes one input of the fuzzer.
pub fn keys(input: &[u8]) {
    let mut input = Input { rest: input };
    let Ok(delimiter) = Delimiter::new(char::from(input.byte())) else { return };
    let format = KeyFormat::STANDARD.with_delimiter(delimiter);
    let text = input.text();
    let template = match TemplateShape::parse(&text, format) {
        Ok(template) => template,
        Err(error) => {
            assert!(error.message(&text).as_str().starts_with("KW0101: "));
            return;
        }
    };
    let kinds: Vec<(&str, ComponentKind<'static>)> =
        template.fields().map(|field| (field, KINDS[usize::from(input.byte()) % KINDS.len()])).collect();
    let foreign = input.text();
    check_foreign(&template, &kinds, &foreign);
    let texts: Vec<String> = kinds.iter().flat_map(|_| [input.text(), input.text()]).collect();
    let mut sets: [Values<'_>; 2] = [Vec::new(), Vec::new()];
    for ((field, kind), pair) in kinds.iter().zip(texts.chunks(2)) {
        for (set, text) in sets.iter_mut().zip(pair) {
            set.push((field, value(*kind, text)));
        }
    }
    let [one, other] = &sets;
    let key = render(&template, &kinds, one);
    let other_key = render(&template, &kinds, other);
    if let (Some(key), Some(other_key)) = (&key, &other_key) {
        assert_eq!(key == other_key, one == other, "{key:?} {other_key:?}");
        if let Ok(bounds) = template.prefix(one.as_slice()) {
            let below_only = key.ends_with(delimiter.character());
            assert!(bounds.contains(key), "{key:?} {bounds:?}");
            assert!(below_only || bounds.contains(other_key) == (one == other), "{other_key:?} {bounds:?}");
            let below = format!("{key}{}x", delimiter.character());
            let fits = below.len() <= KeyRole::Sort.longest_bytes();
            assert!(!fits || bounds.contains(&below), "{below:?} {bounds:?}");
        }
    }
}

/// The key of these values, which must read back; nothing if one of them is refused.
fn render(
    template: &TemplateShape<'_>,
    kinds: &[(&str, ComponentKind<'static>)],
    values: &Values<'_>,
) -> Option<String> {
    let key = match template.render(KeyRole::Sort, values.as_slice()) {
        Ok(key) => key,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let decoded = template.decode(&key).expect("a rendered key is one of its template");
    for ((field, kind), (_, value)) in kinds.iter().zip(values) {
        assert_eq!(decoded.value(field, *kind).as_ref(), Ok(value), "{key:?}");
    }
    Some(key)
}

/// A key from anywhere either is refused, or is exactly what its values render to.
fn check_foreign(template: &TemplateShape<'_>, kinds: &[(&str, ComponentKind<'static>)], foreign: &str) {
    let Ok(decoded) = template.decode(foreign) else { return };
    let values: Result<Values<'_>, _> =
        kinds.iter().map(|(field, kind)| decoded.value(field, *kind).map(|value| (*field, value))).collect();
    if let Ok(values) = values
        && let Ok(key) = template.render(KeyRole::Sort, values.as_slice())
    {
        assert_eq!(key, foreign);
    }
}

/// A value of `kind` that depends on all of `text`, or on its first bytes.
fn value<'t>(kind: ComponentKind<'static>, text: &'t str) -> ComponentValue<'t> {
    let bits = text.bytes().fold(0_u128, |bits, byte| (bits << 8) | u128::from(byte));
    match kind {
        ComponentKind::Text => ComponentValue::Text(text.into()),
        ComponentKind::Unsigned(IntegerSize::Bits8) => {
            ComponentValue::Unsigned(u64::from(bits as u8), IntegerSize::Bits8)
        }
        ComponentKind::Unsigned(size) => ComponentValue::Unsigned(bits as u64, size),
        ComponentKind::Signed(size) => ComponentValue::Signed(i64::from(bits as i16), size),
        ComponentKind::Timestamp(precision) => {
            let nanoseconds = (bits % 1000) as u32 * 1_000_000;
            let seconds = (bits >> 10) as i64 % 300_000_000_000;
            ComponentValue::Timestamp(
                TimestampValue::new(seconds, nanoseconds, precision).expect("less than a second"),
            )
        }
        ComponentKind::Ulid => ComponentValue::Ulid(bits),
        ComponentKind::Uuid => ComponentValue::Uuid(bits),
        ComponentKind::Enum(words) => ComponentValue::Enum { words, index: (bits % 2) as usize },
        ComponentKind::Boolean => ComponentValue::Boolean(bits % 2 == 1),
        ComponentKind::Bytes => ComponentValue::Bytes(text.as_bytes().into()),
    }
}

/// The fuzzer's bytes, taken from the front; texts end at a zero byte.
struct Input<'i> {
    rest: &'i [u8],
}

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        match self.rest {
            [byte, rest @ ..] => {
                self.rest = rest;
                *byte
            }
            [] => 0,
        }
    }

    fn text(&mut self) -> String {
        let end = self.rest.iter().position(|byte| *byte == 0).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }
}
