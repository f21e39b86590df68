//! Items as registers: what each operation on an item may answer, and what it makes of it.

use crate::linearizability::{Observed, Specification};

/// The number that an item holds; `None` is no item.
pub(crate) type Held = Option<u64>;

/// What an operation did to one item, and what it told of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A read that found this.
    Read(Held),
    /// A write in place of whatever was there; the answer may tell what that was.
    Put { value: u64, replaced: Option<Held> },
    /// A write on condition that the item held this.
    PutWhere { expected: Held, value: u64 },
    /// A condition that held, of a write or check without an effect.
    Matched { expected: Held },
    /// A condition that did not hold, and what was there instead.
    Failed { expected: Held, found: Held },
    /// An addition; the answer may tell the sum.
    Added { amount: u64, sum: Option<u64> },
    /// A delete; the answer may tell what was deleted.
    Deleted { replaced: Option<Held> },
}

impl Step {
    fn apply(&self, held: Held) -> Option<Held> {
        let is_told = |told: &Option<Held>| told.is_none_or(|told| told == held);
        match self {
            Step::Read(found) => (*found == held).then_some(held),
            Step::Put { value, replaced } => is_told(replaced).then_some(Some(*value)),
            Step::PutWhere { expected, value } => (*expected == held).then_some(Some(*value)),
            Step::Matched { expected } => (*expected == held).then_some(held),
            Step::Failed { expected, found } => (*found == held && expected != found).then_some(held),
            Step::Added { amount, sum } => {
                let after = held.unwrap_or(0) + amount;
                sum.is_none_or(|sum| sum == after).then_some(Some(after))
            }
            Step::Deleted { replaced } => is_told(replaced).then_some(None),
        }
    }
}

/// Some items, and operations that each work on one or several of them at one moment.
pub(crate) struct Items;

impl Specification for Items {
    type State = Vec<Held>;
    type Operation = Vec<(usize, Step)>;

    fn apply(state: &Vec<Held>, steps: &Vec<(usize, Step)>) -> Option<Vec<Held>> {
        let mut after = state.clone();
        for (item, step) in steps {
            after[*item] = step.apply(state[*item])?;
        }
        Some(after)
    }
}

/// What a history did to one item, as a history of that item alone.
pub(crate) fn of_item(
    history: &[Observed<Vec<(usize, Step)>>],
    item: usize,
) -> Vec<Observed<Vec<(usize, Step)>>> {
    let steps = |steps: &Vec<(usize, Step)>| -> Vec<(usize, Step)> {
        steps.iter().filter(|(of, _)| *of == item).map(|(_, step)| (0, step.clone())).collect()
    };
    history
        .iter()
        .map(|seen| Observed { operation: steps(&seen.operation), ..*seen })
        .filter(|seen| !seen.operation.is_empty())
        .collect()
}
