use super::{Entry, Node, Tree};
use crate::storage::Direction;
use crate::storage::overlay::entry::Held;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::ops::{Bound, RangeBounds};

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

fn entry(key: &[u8], value: &[u8]) -> Entry {
    Entry::put(key, value, &mut Vec::new())
}

fn pair(entry: &Entry) -> (Vec<u8>, Vec<u8>) {
    let Held::Value(value) = entry.held() else { panic!("only values are put here") };
    (entry.key().to_vec(), value.to_vec())
}

fn content(tree: &Tree) -> Model {
    tree.range((Bound::Unbounded, Bound::Unbounded), Direction::Forward).map(pair).collect()
}

/// Checks what every tree promises of its nodes; answers how deep its leaves are.
fn check(tree: &Tree) -> usize {
    let (mut entries, mut bytes) = (0, 0);
    let depth = tree.root.as_deref().map_or(0, |root| check_node(root, None, None, &mut entries, &mut bytes));
    assert_eq!((tree.len(), tree.held_bytes()), (entries, bytes));
    assert_eq!(tree.is_empty(), tree.root.is_none());
    depth
}

fn check_node(
    node: &Node,
    low: Option<&[u8]>,
    high: Option<&[u8]>,
    entries: &mut usize,
    bytes: &mut usize,
) -> usize {
    assert!(!node.is_empty(), "an empty node stays in the tree");
    match node {
        Node::Leaf(leaf) => {
            *entries += leaf.entries().len();
            *bytes += leaf.entries().iter().map(Entry::held_bytes).sum::<usize>();
            assert!(leaf.entries().is_sorted_by(|one, next| one.key() < next.key()));
            for (place, entry) in leaf.entries().iter().enumerate() {
                assert!(low.is_none_or(|low| low <= entry.key()));
                assert!(high.is_none_or(|high| entry.key() < high));
                assert_eq!(leaf.search(entry.key()), Ok(place));
            }
            1
        }
        Node::Inner(inner) => {
            let separators: Vec<&[u8]> = inner.separators().collect();
            assert_eq!(separators.len() + 1, inner.children().len());
            let mut depths = Vec::new();
            for (place, child) in inner.children().iter().enumerate() {
                let low = place.checked_sub(1).map(|before| separators[before]).or(low);
                let high = separators.get(place).copied().or(high);
                depths.push(check_node(child, low, high, entries, bytes));
            }
            assert!(depths.iter().all(|depth| *depth == depths[0]), "leaves at different depths");
            depths[0] + 1
        }
    }
}

/// Keys of few bytes, often with long beginnings in common, as storage keys have.
fn key() -> impl Strategy<Value = Vec<u8>> {
    let short = proptest::collection::vec(proptest::sample::select(vec![0_u8, 1, 254, 255]), 0..5);
    let numbered = (0..3_u8, 0..400_u16).prop_map(|(partition, number)| {
        [&[partition; 20], number.to_be_bytes().as_slice(), b"tail"].concat()
    });
    prop_oneof![1 => short, 4 => numbered]
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
    /// Many keys in order.
    Fill(u8, u16),
    /// Many keys, so that nodes join.
    Drain(u8, u16, u16),
    Snapshot,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (key(), proptest::collection::vec(any::<u8>(), 0..20))
            .prop_map(|(key, value)| Step::Insert(key, value)),
        4 => key().prop_map(Step::Remove),
        1 => (0..3_u8, 0..600_u16).prop_map(|(partition, count)| Step::Fill(partition, count)),
        1 => (0..3_u8, 0..400_u16, 0..400_u16).prop_map(|(partition, from, to)| Step::Drain(partition, from, to)),
        2 => Just(Step::Snapshot),
    ]
}

fn bound() -> impl Strategy<Value = Bound<Vec<u8>>> {
    prop_oneof![
        1 => Just(Bound::Unbounded),
        4 => key().prop_map(Bound::Included),
        4 => key().prop_map(Bound::Excluded),
    ]
}

fn numbered(partition: u8, number: u16) -> Vec<u8> {
    [&[partition; 20], number.to_be_bytes().as_slice(), b"tail"].concat()
}

fn run(step: &Step, tree: &mut Tree, model: &mut Model) {
    match step {
        Step::Insert(key, value) => {
            let replaced = tree.insert(entry(key, value)).map(|entry| pair(&entry).1);
            assert_eq!(replaced, model.insert(key.clone(), value.clone()));
        }
        Step::Remove(key) => {
            let removed = tree.remove(key).map(|entry| pair(&entry).1);
            assert_eq!(removed, model.remove(key));
        }
        Step::Fill(partition, count) => {
            for number in 0..*count {
                run(&Step::Insert(numbered(*partition, number), vec![1]), tree, model);
            }
        }
        Step::Drain(partition, from, to) => {
            for number in *from..*to {
                run(&Step::Remove(numbered(*partition, number)), tree, model);
            }
        }
        Step::Snapshot => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_holds_what_a_map_would_and_its_snapshots_do_not_change(
        steps in proptest::collection::vec(step(), 1..60),
        ranges in proptest::collection::vec((bound(), bound()), 12),
    ) {
        let (mut tree, mut model) = (Tree::default(), Model::new());
        let mut snapshots = Vec::new();
        for step in &steps {
            run(step, &mut tree, &mut model);
            if matches!(step, Step::Snapshot) {
                snapshots.push((tree.clone(), model.clone()));
            }
        }
        snapshots.push((tree, model));
        for (tree, model) in &snapshots {
            check(tree);
            prop_assert_eq!(&content(tree), model);
            for key in model.keys() {
                prop_assert_eq!(tree.get(key).map(|entry| pair(entry).1), model.get(key).cloned());
            }
            for (low, high) in &ranges {
                let range = (low.as_ref().map(Vec::as_slice), high.as_ref().map(Vec::as_slice));
                let within = |key: &Vec<u8>| RangeBounds::<[u8]>::contains(&range, key.as_slice());
                let mut expected: Vec<_> = model.iter().filter(|(key, _)| within(key))
                    .map(|(key, value)| (key.clone(), value.clone())).collect();
                prop_assert_eq!(&tree.range(range, Direction::Forward).map(pair).collect::<Vec<_>>(), &expected);
                expected.reverse();
                prop_assert_eq!(tree.range(range, Direction::Backward).map(pair).collect::<Vec<_>>(), expected);
                for key in [low, high] {
                    if let Bound::Included(key) | Bound::Excluded(key) = key {
                        prop_assert_eq!(tree.get(key).map(|entry| pair(entry).1), model.get(key).cloned());
                    }
                }
            }
        }
    }
}

/// A walk over all keys of 0..count in an order that looks like none.
fn scattered(count: u64) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes().to_vec())
}

#[test]
fn depth_follows_the_number_of_entries_however_they_come_and_go() {
    let mut tree = Tree::default();
    for key in scattered(20_000) {
        tree.insert(entry(&key, b"value"));
    }
    let full = check(&tree);
    assert!(full <= 4, "{full} levels for 20,000 entries");

    // All but few go, from all over the tree.
    for (number, key) in scattered(20_000).enumerate() {
        if number % 500 != 0 {
            tree.remove(&key).unwrap();
        }
    }
    let sparse = check(&tree);
    assert_eq!(tree.len(), 40);
    assert!(sparse <= 2, "{sparse} levels for 40 entries");

    for key in scattered(20_000) {
        tree.remove(&key);
    }
    assert_eq!(check(&tree), 0);
}

#[test]
fn a_queue_that_grows_at_one_end_and_shrinks_at_the_other_stays_flat() {
    let mut tree = Tree::default();
    for number in 0..50_000_u64 {
        tree.insert(entry(&number.to_be_bytes(), b"value"));
        if let Some(old) = number.checked_sub(100) {
            tree.remove(&old.to_be_bytes()).unwrap();
        }
    }
    let depth = check(&tree);
    assert_eq!(tree.len(), 100);
    assert!(depth <= 3, "{depth} levels for 100 entries");
}

#[test]
fn keys_that_come_in_order_leave_full_leaves() {
    let mut tree = Tree::default();
    for number in 0..4_096_u64 {
        tree.insert(entry(&number.to_be_bytes(), b"value"));
    }
    check(&tree);
    let mut leaves = Vec::new();
    collect_leaves(tree.root.as_deref().unwrap(), &mut leaves);
    assert_eq!(leaves.len(), 4_096 / 16);
}

fn collect_leaves(node: &Node, leaves: &mut Vec<usize>) {
    match node {
        Node::Leaf(leaf) => leaves.push(leaf.entries().len()),
        Node::Inner(inner) => inner.children().iter().for_each(|child| collect_leaves(child, leaves)),
    }
}

#[test]
fn a_change_copies_no_more_than_its_path() {
    let mut tree = Tree::default();
    for key in scattered(5_000) {
        tree.insert(entry(&key, b"value"));
    }
    let before = tree.clone();
    let key = scattered(5_000).nth(2_500).unwrap();
    tree.insert(entry(&key, b"other"));
    let (mut old, mut new) = (Vec::new(), Vec::new());
    collect_nodes(before.root.as_deref().unwrap(), &mut old);
    collect_nodes(tree.root.as_deref().unwrap(), &mut new);
    let copied = new.iter().filter(|node| !old.contains(node)).count();
    assert_eq!(copied, check(&tree), "one node a level");
    // The copies are nobody else's, so a second change in the same place copies nothing.
    tree.insert(entry(&key, b"third"));
    let mut again = Vec::new();
    collect_nodes(tree.root.as_deref().unwrap(), &mut again);
    assert_eq!(again, new);
}

fn collect_nodes(node: &Node, nodes: &mut Vec<*const Node>) {
    nodes.push(std::ptr::from_ref(node));
    if let Node::Inner(inner) = node {
        inner.children().iter().for_each(|child| collect_nodes(child, nodes));
    }
}

#[test]
fn removing_what_is_not_there_copies_nothing() {
    let mut tree = Tree::default();
    for key in scattered(100) {
        tree.insert(entry(&key, b"value"));
    }
    let before = tree.clone();
    assert!(tree.remove(b"nothing").is_none());
    assert!(std::sync::Arc::ptr_eq(before.root.as_ref().unwrap(), tree.root.as_ref().unwrap()));
}
