//! The checker itself: histories that must pass, histories that must fail, and a slow checker that agrees with it.

use proptest::prelude::*;

use super::{Observed, check};
use crate::registers::{Held, Items, Step};

type History = Vec<Observed<Vec<(usize, Step)>>>;

/// A history written as call, answer, item and step.
fn history(operations: &[(u64, u64, usize, Step)]) -> History {
    let observed = operations.iter().map(|(called, answered, item, step)| Observed {
        called: *called,
        answered: Some(*answered),
        operation: vec![(*item, step.clone())],
    });
    observed.collect()
}

fn passes(history: &History) -> bool {
    check::<Items>(vec![None; 2], history).is_ok()
}

fn put(value: u64) -> Step {
    Step::Put { value, replaced: None }
}

#[test]
fn overlapping_operations_may_come_in_either_order() {
    for seen in [None, Some(1)] {
        assert!(passes(&history(&[(1, 4, 0, put(1)), (2, 3, 0, Step::Read(seen))])), "{seen:?}");
    }
    // Two writes at once, and two readers after them that agree on which came last.
    for last in [1, 2] {
        let read = || Step::Read(Some(last));
        let operations = [(1, 4, 0, put(1)), (2, 3, 0, put(2)), (5, 6, 0, read()), (7, 8, 0, read())];
        assert!(passes(&history(&operations)));
    }
    assert!(passes(&Vec::new()));
}

#[test]
fn a_stale_read_fails() {
    assert!(!passes(&history(&[(1, 2, 0, put(1)), (3, 4, 0, Step::Read(None))])));
    let back = [
        (1, 2, 0, put(1)),
        (3, 8, 0, put(2)),
        (4, 5, 0, Step::Read(Some(2))),
        (6, 7, 0, Step::Read(Some(1))),
    ];
    assert!(!passes(&history(&back)), "once the new value was read, the old one is gone");
}

#[test]
fn a_value_that_nobody_wrote_fails() {
    assert!(!passes(&history(&[(1, 4, 0, put(1)), (2, 3, 0, Step::Read(Some(2)))])));
}

#[test]
fn a_lost_addition_fails() {
    let add = |sum| Step::Added { amount: 1, sum: Some(sum) };
    assert!(passes(&history(&[(1, 4, 0, add(2)), (2, 3, 0, add(1))])));
    assert!(!passes(&history(&[(1, 4, 0, add(1)), (2, 3, 0, add(1))])), "both began from nothing");
}

#[test]
fn two_winners_of_one_claim_fail() {
    let claim = |value| Step::PutWhere { expected: None, value };
    assert!(!passes(&history(&[(1, 4, 0, claim(1)), (2, 3, 0, claim(2))])));
    let lost = Step::Failed { expected: None, found: Some(2) };
    assert!(passes(&history(&[(1, 4, 0, lost.clone()), (2, 3, 0, claim(2))])));
    assert!(!passes(&history(&[(1, 2, 0, lost), (3, 4, 0, claim(2))])), "the refusal came first");
}

#[test]
fn a_fork_in_the_chain_of_replaced_values_fails() {
    let put = |value, was| Step::Put { value, replaced: Some(was) };
    let chain = |third: Held| {
        history(&[(1, 6, 0, put(1, None)), (2, 5, 0, put(2, Some(1))), (3, 4, 0, put(3, third))])
    };
    assert!(passes(&chain(Some(2))));
    assert!(!passes(&chain(Some(1))), "1 was replaced twice");
}

#[test]
fn half_of_a_transaction_fails_and_only_a_check_of_all_items_sees_it() {
    let both = vec![(0, put(1)), (1, put(1))];
    let seen = vec![(0, Step::Read(Some(1))), (1, Step::Read(None))];
    let torn = vec![
        Observed { called: 1, answered: Some(4), operation: both },
        Observed { called: 2, answered: Some(3), operation: seen },
    ];
    assert!(!passes(&torn));
    for item in 0..2 {
        check::<Items>(vec![None], &crate::registers::of_item(&torn, item)).unwrap();
    }
}

#[test]
fn an_operation_without_an_answer_happened_at_any_time_since_its_call_or_never() {
    let unanswered = |rest: &[(u64, u64, usize, Step)]| {
        let mut history = history(rest);
        history.push(Observed { called: 3, answered: None, operation: vec![(0, put(7))] });
        history
    };
    let read = |called, found| (called, called + 1, 0, Step::Read(found));
    assert!(passes(&unanswered(&[read(4, None), read(6, None)])), "never");
    assert!(passes(&unanswered(&[read(4, Some(7)), read(6, Some(7))])), "at once");
    assert!(passes(&unanswered(&[read(4, None), read(6, Some(7))])), "later");
    assert!(!passes(&unanswered(&[read(4, Some(7)), read(6, None)])), "and not back");
    assert!(!passes(&unanswered(&[read(1, Some(7))])), "not before it was called");
    let alone =
        unanswered(&[(4, 5, 0, Step::Added { amount: 1, sum: Some(8) }), read(6, Some(8)), read(8, Some(7))]);
    assert!(!passes(&alone), "and not twice");
}

#[test]
fn a_failure_says_where_the_best_sequence_ends() {
    let failing =
        history(&[(1, 2, 0, put(1)), (3, 4, 0, Step::Read(Some(1))), (5, 6, 0, Step::Read(Some(7)))]);
    let error = check::<Items>(vec![None], &failing).unwrap_err();
    assert_eq!(error.longest, 2);
    assert!(error.left.contains("Read(Some(7))") && !error.left.contains("Read(Some(1))"), "{error:?}");
}

/// Without its memory the search would try every order of the writes, and not end.
#[test]
fn many_writes_at_once_are_decided_quickly() {
    let mut operations: Vec<_> = (0..12).map(|number| (number, 100 + number, 0, put(number))).collect();
    operations.push((200, 201, 0, Step::Read(Some(99))));
    assert!(!passes(&history(&operations)));
    operations.pop();
    operations.push((200, 201, 0, Step::Read(Some(5))));
    assert!(passes(&history(&operations)));
}

/// Whether any order of the operations at all explains the history.
fn any_order_explains(history: &History, done: &mut Vec<usize>, state: &[Held]) -> bool {
    use super::Specification;
    if (0..history.len()).all(|number| done.contains(&number) || history[number].answered.is_none()) {
        return true;
    }
    (0..history.len()).any(|number| {
        let left = |other: &usize| !done.contains(other);
        let is_late = (0..history.len())
            .filter(left)
            .any(|other| history[other].answered.is_some_and(|answered| answered < history[number].called));
        if done.contains(&number) || is_late {
            return false;
        }
        let Some(after) = Items::apply(&state.to_vec(), &history[number].operation) else { return false };
        done.push(number);
        let explained = any_order_explains(history, done, &after);
        done.pop();
        explained
    })
}

fn any_history() -> impl Strategy<Value = History> {
    let held = || prop_oneof![Just(None), (1u64..3).prop_map(Some)];
    let step = prop_oneof![
        held().prop_map(Step::Read),
        (1u64..3, prop::option::of(held())).prop_map(|(value, replaced)| Step::Put { value, replaced }),
        (held(), 1u64..3).prop_map(|(expected, value)| Step::PutWhere { expected, value }),
        (held(), held()).prop_map(|(expected, found)| Step::Failed { expected, found }),
        (1u64..2, prop::option::of(1u64..4)).prop_map(|(amount, sum)| Step::Added { amount, sum }),
        prop::option::of(held()).prop_map(|replaced| Step::Deleted { replaced }),
    ];
    let length = prop_oneof![5 => (1u64..12).prop_map(Some), 1 => Just(None)];
    let steps = prop::collection::vec((0usize..2, step, 0u64..20, length), 0..6);
    steps.prop_map(|steps| {
        let observed = steps.into_iter().enumerate().map(|(number, (item, step, called, length))| Observed {
            // Times that no other operation has.
            called: called * 16 + number as u64,
            answered: length.map(|length| (called + length) * 16 + 8 + number as u64),
            operation: vec![(item, step)],
        });
        observed.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn the_checker_agrees_with_a_search_of_all_orders(history in any_history()) {
        let explained = any_order_explains(&history, &mut Vec::new(), &[None; 2]);
        prop_assert_eq!(passes(&history), explained);
    }
}
