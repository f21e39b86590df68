//! One client, one document, one write after the other: each outcome against what is stored before and after.

use keywright::{Conditional, ETag, Tenant, Upserted, WriteError};

use super::{Dice, StoredItem, faults, faults_of_reads_too, number, seeds, stored, text};
use crate::application::*;
use crate::arm::{Arm, with_faults};

const WRITES: usize = 25;
const SORT_KEY: &str = "DOC#00000000000000000001";

fn by_id() -> DocumentById {
    DocumentById { document_id: 1 }
}

/// What a write does to the document, if it has effect.
#[derive(Debug)]
enum Effect {
    /// It is the document of this title and so many views, in the version after this one.
    Stored { title: String, views: i64, after: i64 },
    /// It has so many views more.
    Counted(i64),
    /// It has this title.
    Titled(String),
    /// It is gone.
    Deleted,
}

/// What the layer said.
#[derive(Debug)]
enum Said {
    Done { etag: Option<ETag> },
    Failed,
    NoEffect,
    Unknown { write_id: String },
}

fn said<Done>(
    outcome: Result<Conditional<Done, Document>, WriteError>,
    etag: impl Fn(Done) -> Option<ETag>,
) -> Said {
    match outcome {
        Ok(Conditional::Done(done)) => Said::Done { etag: etag(done) },
        Ok(Conditional::Failed { .. }) => Said::Failed,
        Err(WriteError::Service(_)) => Said::NoEffect,
        Err(WriteError::Unknown { write_id, .. }) => Said::Unknown { write_id: write_id.as_str().to_owned() },
        Err(error) => panic!("{error}"),
    }
}

/// What a write was, whether it was to have effect on the document as it was, and what it said.
struct Tried {
    what: &'static str,
    effect: Effect,
    was_to_have_effect: bool,
    said: Said,
}

async fn write(acme: &Tenant<App>, before: Option<&StoredItem>, dice: &mut Dice, round: usize) -> Tried {
    let title = format!("title {round}");
    let version = before.map_or(0, |item| number(item, "version"));
    let views = before.map_or(0, |item| number(item, "views"));
    let made_of = u64::try_from(version).unwrap();
    let put = Document { title: title.clone(), views, version: made_of, ..document("acme", 1) };
    // Half of the tags and versions are of another state.
    let is_current = dice.below(2) == 0;
    let etag = match before {
        Some(item) if is_current => ETag::parse(&format!("\"{}\"", text(item, "keywright_write"))).unwrap(),
        _ => ETag::parse("\"AAAAAAAAAAAAAAAAAAAAAA\"").unwrap(),
    };
    let asked = if is_current { made_of } else { made_of + 7 };
    let is_there = before.is_some();
    let stored = |after| Effect::Stored { title: title.clone(), views, after };
    let retitle = || acme.update(by_id(), Retitle { title: title.clone() });
    let count = || acme.update(by_id(), CountViews { views: 3 });
    let tag = |written: keywright::Written| Some(written.etag());
    let new_tag = |updated: keywright::Updated<Document>| updated.item.etag();
    let none = |_: keywright::Deleted| None;
    let (what, effect, was_to_have_effect, said) = match dice.below(12) {
        0 => {
            let outcome = acme.put(&put).send().await.map(Conditional::Done);
            ("put", stored(version), true, said(outcome, tag))
        }
        1 => ("if_absent", stored(version), !is_there, said(acme.put(&put).if_absent().send().await, tag)),
        2 => {
            let outcome = acme.put(&put).if_match(&etag).send().await;
            ("put if_match", stored(version), is_there && is_current, said(outcome, tag))
        }
        3 => {
            let outcome = acme.put(&put).if_version(asked).send().await;
            ("put if_version", stored(version), is_there && is_current, said(outcome, tag))
        }
        4 => ("update", Effect::Titled(title.clone()), is_there, said(retitle().send().await, new_tag)),
        5 | 6 => ("add", Effect::Counted(3), is_there, said(count().send().await, new_tag)),
        7 => {
            let outcome = count().if_match(&etag).send().await;
            ("add if_match", Effect::Counted(3), is_there && is_current, said(outcome, new_tag))
        }
        8 => {
            let outcome = count().if_version(asked).send().await;
            ("add if_version", Effect::Counted(3), is_there && is_current, said(outcome, new_tag))
        }
        9 => {
            let outcome = acme.delete(by_id()).send().await.map(Conditional::Done);
            ("delete", Effect::Deleted, true, said(outcome, none))
        }
        10 => {
            let outcome = acme.delete(by_id()).if_match(&etag).send().await;
            ("delete if_match", Effect::Deleted, is_there && is_current, said(outcome, none))
        }
        _ => {
            let first = Document { title: title.clone(), views: 3, ..document("acme", 1) };
            let outcome = count().or_insert(&first).await;
            let effect = if is_there {
                Effect::Counted(3)
            } else {
                Effect::Stored { title: title.clone(), views: 3, after: 0 }
            };
            let tag = |upserted| match upserted {
                Upserted::Updated(updated) => new_tag(updated),
                Upserted::Inserted(written) => tag(written),
            };
            ("upsert", effect, true, said(outcome, tag))
        }
    };
    Tried { what, effect, was_to_have_effect, said }
}

/// Whether what is stored is what was before with the effect once.
fn has_effect(effect: &Effect, before: Option<&StoredItem>, after: Option<&StoredItem>) -> bool {
    let is_next = |after: &StoredItem| {
        before.is_some_and(|before| number(after, "version") == number(before, "version") + 1)
    };
    match (effect, after) {
        (Effect::Deleted, after) => after.is_none(),
        (Effect::Stored { title, views, after: version }, Some(after)) => {
            text(after, "title") == title
                && number(after, "views") == *views
                && number(after, "version") == version + 1
        }
        (Effect::Counted(more), Some(after)) => {
            is_next(after)
                && before.is_some_and(|before| number(after, "views") == number(before, "views") + more)
        }
        (Effect::Titled(title), Some(after)) => is_next(after) && text(after, "title") == title,
        (_, None) => false,
    }
}

/// How often each thing was said.
#[derive(Debug, Default)]
struct Tally {
    done: usize,
    failed: usize,
    no_effect: usize,
    unknown: usize,
}

async fn outcomes_are_true(seed: u64, arm: &Arm, reads: Reads, tally: &mut Tally) {
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    let mut dice = Dice(seed);
    for round in 0..WRITES {
        let before = stored(arm, store.table_name(), SORT_KEY).await;
        let tried = write(&acme, before.as_ref(), &mut dice, round).await;
        let after = stored(arm, store.table_name(), SORT_KEY).await;

        let Tried { what, effect, was_to_have_effect, said } = tried;
        let place =
            format!("seed {seed}, write {round}: {what} said {said:?}: {effect:?}\n{before:?}\n{after:?}");
        let has_effect = has_effect(&effect, before.as_ref(), after.as_ref());
        let write_id = after.as_ref().map(|item| text(item, "keywright_write").to_owned());
        match said {
            Said::Done { etag } => {
                tally.done += 1;
                assert!(was_to_have_effect && has_effect, "{place}");
                if !matches!(effect, Effect::Deleted) {
                    assert_eq!(
                        etag.map(|etag| etag.to_string()),
                        write_id.map(|id| format!("\"{id}\"")),
                        "{place}"
                    );
                }
            }
            Said::Failed => {
                tally.failed += 1;
                assert!(!was_to_have_effect && before == after, "{place}");
            }
            Said::NoEffect => {
                tally.no_effect += 1;
                assert!(before == after, "{place}");
            }
            Said::Unknown { write_id: told } => {
                tally.unknown += 1;
                assert!(before == after || (was_to_have_effect && has_effect), "{place}");
                // What holds the write's id tells, where it can be asked.
                let tells = write_id.is_some_and(|id| id == told);
                assert!(reads == Reads::Fail || !tells, "{place}");
            }
        }
    }
}

/// Whether reads meet faults, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    Answered,
    Fail,
}

#[tokio::test]
async fn what_a_write_says_is_what_became_of_it_whatever_was_lost() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let arm = with_faults(faults(seed, 0.08));
        outcomes_are_true(seed, &arm, Reads::Answered, &mut tally).await;
    }
    println!("{tally:?}");
    // All four happen, and of most writes it is known what became of them, though a third of the answers are lost.
    assert!(tally.failed > 0 && tally.no_effect > 0 && tally.unknown > 0, "{tally:?}");
    assert!(tally.unknown * 3 < tally.done + tally.failed, "{tally:?}");
}

#[tokio::test]
async fn it_is_also_where_the_item_cannot_be_asked() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let arm = with_faults(faults_of_reads_too(seed, 0.1));
        outcomes_are_true(seed, &arm, Reads::Fail, &mut tally).await;
    }
    println!("{tally:?}");
}

/// An engine that does not send the item where a condition fails is asked for it, and may not answer that either. Once the layer
/// said then that the write had no effect, though the try before it, whose answer was lost, had stored it.
#[tokio::test]
async fn it_is_also_on_an_engine_that_does_not_show_the_item_in_the_way() {
    let mut tally = Tally::default();
    for seed in seeds() {
        let arm = with_faults(faults_of_reads_too(seed, 0.1)).without_items_of_failed_conditions();
        outcomes_are_true(seed, &arm, Reads::Fail, &mut tally).await;
    }
    println!("{tally:?}");
}
