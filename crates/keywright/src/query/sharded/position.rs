//! Where a page over several shards ends, and the next begins.
//!
//! A position is one sort key: what comes before it is given, in every shard. In the table no shard has two items with one sort key,
//! so nothing else is needed, and a cursor has the same size for two shards and for a thousand. It says nothing of the shards, so
//! it stays good when their number changes; it is written as the position of a plain query is, so that it does so from and to a key
//! without shards, too. In an index items can have one sort key; there a position also has, for each shard that gave some with
//! exactly this one, the last of them.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::SortKeyBounds;

use super::plan::Plan;
use crate::cursor::CursorError;
use crate::item::KeyAttributes;
use crate::query::Direction;

/// Where a page ends.
#[derive(Clone, Debug)]
pub(super) struct MergePosition {
    /// The sort key up to which everything is given.
    pub(super) sort_key: String,
    /// By what tells a shard: the rest of the key of the last item with this sort key that it gave.
    pub(super) last: BTreeMap<String, KeyAttributes>,
}

impl MergePosition {
    /// The position as a cursor holds it.
    pub(super) fn write(&self, plan: &Plan) -> KeyAttributes {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let mut attributes = KeyAttributes::from([
            (plan.partition_key.to_owned(), text(&plan.unsharded)),
            (plan.sort_key.to_owned(), text(&self.sort_key)),
        ]);
        for (suffix, last) in &self.last {
            attributes.extend(last.iter().map(|(name, value)| (place(suffix, name), value.clone())));
        }
        attributes
    }

    /// The position that a cursor holds.
    pub(super) fn read(attributes: &KeyAttributes, plan: &Plan) -> Result<MergePosition, CursorError> {
        let Some(AttributeValue::S(sort_key)) = attributes.get(plan.sort_key) else {
            return Err(CursorError::Invalid);
        };
        let last = plan.keys.iter().filter_map(|key| {
            let suffix = plan.suffix(key);
            let named = |name: &&'static str| {
                Some(((*name).to_owned(), attributes.get(&place(suffix, name))?.clone()))
            };
            let last = plan.others.iter().map(named).collect::<Option<KeyAttributes>>()?;
            (!last.is_empty()).then(|| (suffix.to_owned(), last))
        });
        Ok(MergePosition { sort_key: sort_key.clone(), last: last.collect() })
    }
}

/// What a cursor calls an attribute of a shard.
fn place(suffix: &str, name: &str) -> String {
    if suffix.is_empty() { name.to_owned() } else { format!("{suffix}/{name}") }
}

/// What of these bounds is at a sort key, which lies in them, and behind it in the direction of the read.
pub(super) fn from_on(bounds: &SortKeyBounds, sort_key: &str, direction: Direction) -> SortKeyBounds {
    /// The lowest text that is not empty.
    const LOWEST: &str = "\u{0}";
    let from = sort_key.to_owned();
    let between =
        |low: &str, high: &str| SortKeyBounds::Between { low: low.to_owned(), high: high.to_owned() };
    match (bounds, direction) {
        (SortKeyBounds::Equal(_) | SortKeyBounds::Nothing, _) => bounds.clone(),
        (SortKeyBounds::All | SortKeyBounds::AtLeast(_), Direction::Forward) => SortKeyBounds::AtLeast(from),
        (SortKeyBounds::All, Direction::Backward) => between(LOWEST, sort_key),
        (SortKeyBounds::Between { high, .. }, Direction::Forward) => between(sort_key, high),
        (SortKeyBounds::BeginsWith(prefix), Direction::Forward) => between(sort_key, &highest(prefix)),
        (
            SortKeyBounds::Between { low, .. } | SortKeyBounds::AtLeast(low) | SortKeyBounds::BeginsWith(low),
            Direction::Backward,
        ) => between(low, sort_key),
    }
}

/// The highest sort key that begins with this, of those that are not longer than DynamoDB takes.
fn highest(prefix: &str) -> String {
    let rest = keywright_key::KeyRole::Sort.longest_bytes().saturating_sub(prefix.len());
    let mut highest = prefix.to_owned();
    highest.extend(std::iter::repeat_n(char::MAX, rest / char::MAX.len_utf8()));
    // What is left is shorter than the highest character, and begins at most as the highest one that fits.
    highest.extend(match rest % char::MAX.len_utf8() {
        0 => None,
        1 => Some('\u{7f}'),
        2 => Some('\u{7ff}'),
        _ => Some('\u{ffff}'),
    });
    highest
}
