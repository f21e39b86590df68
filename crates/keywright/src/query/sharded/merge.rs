//! The shards of one page, and what comes next of them.
//!
//! The next item is the first of all shards', and it is known to be as soon as no shard that has none at hand can have an earlier
//! one: one that is read up to a sort key has none before that.

use std::collections::{BTreeMap, VecDeque};

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;

use super::plan::Plan;
use super::position::MergePosition;
use crate::item::{Attributes, KeyAttributes};

/// One shard, while a page is read.
#[derive(Debug)]
pub(super) struct Shard {
    key: String,
    /// Read, and not given yet.
    at_hand: VecDeque<Attributes>,
    next: Next,
    /// How many items its next request reads at most.
    reads: Option<usize>,
    /// The last item that it gave, in this page or before: its sort key, and the rest of its key. Kept where sort keys do not tell items
    /// apart.
    last: Option<(String, KeyAttributes)>,
}

/// Where a shard is read next.
#[derive(Debug)]
enum Next {
    /// From its beginning.
    Beginning,
    /// From this sort key on, with it.
    From(String),
    /// After this key, which the page before gave.
    Given(KeyAttributes),
    /// After this key, up to which this page has read.
    Read(KeyAttributes),
    /// Nothing is left.
    End,
}

/// What the shards of a page can do next.
pub(super) enum Step {
    /// Give this item.
    Give(Attributes),
    /// Read these shards, by their place: nothing can be said before.
    Read(Vec<usize>),
    /// Nothing is left.
    End,
}

impl Shard {
    pub(super) fn new(plan: &Plan, key: &str, start: Option<&MergePosition>, reads: Option<usize>) -> Shard {
        let next = match start {
            None => Next::Beginning,
            Some(start) => {
                let text = |text: &str| AttributeValue::S(text.to_owned());
                let at = KeyAttributes::from([
                    (plan.partition_key.to_owned(), text(key)),
                    (plan.sort_key.to_owned(), text(&start.sort_key)),
                ]);
                match start.last.get(plan.suffix(key)) {
                    Some(last) => {
                        let rest = last.iter().map(|(name, value)| (name.clone(), value.clone()));
                        Next::Given(at.into_iter().chain(rest).collect())
                    }
                    None if plan.is_of_table() => Next::Given(at),
                    None => Next::From(start.sort_key.clone()),
                }
            }
        };
        // What the page before gave last stays the last, as long as this one gives nothing more of the shard.
        let last =
            start.and_then(|start| Some((start.sort_key.clone(), start.last.get(plan.suffix(key))?.clone())));
        Shard { key: key.to_owned(), at_hand: VecDeque::new(), next, reads, last }
    }

    /// Its partition key.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Its next request; none if nothing is left.
    pub(super) fn request(&self, plan: &Plan) -> Option<QueryFluentBuilder> {
        match &self.next {
            Next::Beginning => Some(plan.request(&self.key, None, None, self.reads)),
            Next::From(sort_key) => Some(plan.request(&self.key, Some(sort_key), None, self.reads)),
            Next::Given(key) | Next::Read(key) => {
                Some(plan.request(&self.key, None, Some(key.clone()), self.reads))
            }
            Next::End => None,
        }
    }

    /// Takes in an answer.
    pub(super) fn take_in(&mut self, output: QueryOutput) {
        // What a filter drops is not known beforehand: each further request reads twice as much.
        self.reads = self.reads.map(|reads| reads.saturating_mul(2));
        self.at_hand.extend(output.items.unwrap_or_default());
        self.next = output.last_evaluated_key.filter(|key| !key.is_empty()).map_or(Next::End, Next::Read);
    }

    /// Whether it has something, or may have.
    fn has_more(&self) -> bool {
        !self.at_hand.is_empty() || !matches!(self.next, Next::End)
    }

    /// The key up to which this page has read it, if nothing of it is at hand and something is left.
    fn read_up_to(&self) -> Option<&KeyAttributes> {
        match &self.next {
            Next::Read(key) if self.at_hand.is_empty() => Some(key),
            _ => None,
        }
    }
}

/// What comes next of these shards.
pub(super) fn step(plan: &Plan, shards: &mut [Shard]) -> Step {
    let mut first: Option<(usize, &str)> = None;
    for (place, shard) in shards.iter().enumerate() {
        let Some(item) = shard.at_hand.front() else { continue };
        let sort_key = plan.sort_key_of(item);
        if first.is_none_or(|(_, first)| plan.precedes(sort_key, first)) {
            first = Some((place, sort_key));
        }
    }
    let may_have_earlier = |shard: &Shard| {
        let is_behind = |key| first.is_none_or(|(_, first)| plan.precedes(plan.sort_key_of(key), first));
        match &shard.next {
            Next::End => false,
            Next::Read(key) => is_behind(key),
            Next::Beginning | Next::From(_) | Next::Given(_) => true,
        }
    };
    let waiting: Vec<usize> = shards
        .iter()
        .enumerate()
        .filter(|(_, shard)| shard.at_hand.is_empty() && may_have_earlier(shard))
        .map(|(place, _)| place)
        .collect();
    match first {
        _ if !waiting.is_empty() => Step::Read(waiting),
        None => Step::End,
        Some((place, _)) if !plan.is_of_table() => give(plan, shards, place),
        Some((place, sort_key)) => {
            let sort_key = sort_key.to_owned();
            give_without_copies(plan, shards, place, &sort_key)
        }
    }
}

fn give(plan: &Plan, shards: &mut [Shard], place: usize) -> Step {
    let Some(shard) = shards.get_mut(place) else { return Step::End };
    let Some(item) = shard.at_hand.pop_front() else { return Step::End };
    let rest = plan.others.iter().filter_map(|name| Some(((*name).to_owned(), item.get(*name)?.clone())));
    shard.last = Some((plan.sort_key_of(&item).to_owned(), rest.collect()));
    Step::Give(item)
}

/// Gives the first item. What lies under later keys of the same item is a copy of it, and is left out.
fn give_without_copies(plan: &Plan, shards: &mut [Shard], place: usize, sort_key: &str) -> Step {
    let has_it = |shard: &Shard| shard.at_hand.front().is_some_and(|item| plan.sort_key_of(item) == sort_key);
    if !shards.iter().skip(place + 1).any(has_it) {
        let item = shards.get_mut(place).and_then(|shard| shard.at_hand.pop_front());
        return item.map_or(Step::End, Step::Give);
    }
    let mut first: Option<(usize, Attributes)> = None;
    for shard in shards.iter_mut() {
        if !has_it(shard) {
            continue;
        }
        let rank = plan.rank(&shard.key, sort_key);
        let Some(item) = shard.at_hand.pop_front() else { continue };
        if first.as_ref().is_none_or(|(lowest, _)| rank < *lowest) {
            first = Some((rank, item));
        }
    }
    first.map_or(Step::End, |(_, item)| Step::Give(item))
}

/// Where a page ends whose last item has this sort key, or that has read up to it; none if nothing is left behind it.
pub(super) fn position(plan: &Plan, shards: &[Shard], sort_key: &str) -> Option<MergePosition> {
    if !shards.iter().any(Shard::has_more) {
        return None;
    }
    let mut last = BTreeMap::new();
    if !plan.is_of_table() {
        for shard in shards {
            let read = shard.read_up_to().filter(|key| plan.sort_key_of(key) == sort_key).map(|key| {
                let rest = key.iter().filter(|(name, _)| plan.others.contains(&name.as_str()));
                rest.map(|(name, value)| (name.clone(), value.clone())).collect()
            });
            let given = || {
                let (of_last, rest) = shard.last.as_ref()?;
                (of_last == sort_key).then(|| rest.clone())
            };
            if let Some(rest) = read.or_else(given) {
                last.insert(plan.suffix(&shard.key).to_owned(), rest);
            }
        }
    }
    Some(MergePosition { sort_key: sort_key.to_owned(), last })
}

/// The sort key up to which all shards are read, if one has something left that was not read.
pub(super) fn read_up_to<'s>(plan: &Plan, shards: &'s [Shard]) -> Option<&'s str> {
    let read = shards.iter().filter_map(Shard::read_up_to).map(|key| plan.sort_key_of(key));
    read.reduce(|one, other| if plan.precedes(one, other) { one } else { other })
}
