//! Random writes of the programs of three times, pages of any size between them, in both directions, against a map.
//!
//! A page is exactly what the map has behind the last item that was given, whatever was written since: nothing is repeated, nothing
//! skipped, and no page short, while the number of shards is raised in the middle of a read.

use std::collections::BTreeMap;
use std::ops::Bound;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::application::*;
use crate::arm::in_process_alone;

const NEWS: &str = "news";

#[derive(Clone, Debug)]
enum Step {
    Put(u32),
    Insert(u32),
    Edit(u32),
    Delete(u32),
    PutAll(Vec<u32>),
    DeleteAll(Vec<u32>),
    /// The next page of the one read that goes on, or of a new one.
    NextPage {
        limit: u32,
        backward: bool,
        begins: bool,
    },
    /// The next time's program takes over.
    Raise,
}

fn step() -> impl Strategy<Value = Step> {
    let id = || 0..40_u32;
    let ids = || prop::collection::btree_set(id(), 1..12).prop_map(|ids| ids.into_iter().collect());
    prop_oneof![
        5 => id().prop_map(Step::Put),
        2 => id().prop_map(Step::Insert),
        2 => id().prop_map(Step::Edit),
        2 => id().prop_map(Step::Delete),
        2 => ids().prop_map(Step::PutAll),
        1 => ids().prop_map(Step::DeleteAll),
        6 => (1..9_u32, any::<bool>(), prop::bool::weighted(0.2))
            .prop_map(|(limit, backward, begins)| Step::NextPage { limit, backward, begins }),
        1 => Just(Step::Raise),
    ]
}

/// A read that goes on.
struct Read {
    backward: bool,
    after: Option<keywright::Cursor>,
    /// The last id that was given.
    last: Option<String>,
}

#[derive(Default)]
struct State {
    model: BTreeMap<String, String>,
    writes: u32,
    read: Option<Read>,
}

impl State {
    fn text(&mut self) -> String {
        self.writes += 1;
        format!("text {}", self.writes)
    }

    async fn run(&mut self, program: &impl Program, step: Step) {
        let name = |id: u32| format!("{id:02}");
        match step {
            Step::Put(id) => {
                let text = self.text();
                program.put(&Row { text: text.clone(), ..row(NEWS, &name(id)) }).await.unwrap();
                self.model.insert(name(id), text);
            }
            Step::Insert(id) => {
                let text = self.text();
                let new = Row { text: text.clone(), ..row(NEWS, &name(id)) };
                let is_done = program.insert(&new).await.unwrap().is_done();
                assert_eq!(is_done, !self.model.contains_key(&name(id)));
                self.model.entry(name(id)).or_insert(text);
            }
            Step::Edit(id) => {
                let text = self.text();
                let is_done = program.edit(NEWS, &name(id), &text).await.unwrap();
                assert_eq!(is_done, self.model.contains_key(&name(id)));
                self.model.entry(name(id)).and_modify(|there| *there = text);
            }
            Step::Delete(id) => {
                program.delete(NEWS, &name(id)).await.unwrap();
                self.model.remove(&name(id));
            }
            Step::PutAll(ids) => {
                let text = self.text();
                let rows: Vec<Row> =
                    ids.iter().map(|id| Row { text: text.clone(), ..row(NEWS, &name(*id)) }).collect();
                program.put_all(&rows).await.unwrap();
                self.model.extend(ids.into_iter().map(|id| (name(id), text.clone())));
            }
            Step::DeleteAll(ids) => {
                let names: Vec<String> = ids.into_iter().map(name).collect();
                let ids: Vec<&str> = names.iter().map(String::as_str).collect();
                program.delete_all(NEWS, &ids).await.unwrap();
                self.model.retain(|id, _| !names.contains(id));
            }
            Step::NextPage { limit, backward, begins } => {
                self.next_page(program, limit, backward, begins).await
            }
            Step::Raise => unreachable!("the caller does that"),
        }
    }

    async fn next_page(&mut self, program: &impl Program, limit: u32, backward: bool, begins: bool) {
        let read = match self.read.take() {
            Some(read) if !begins => read,
            _ => Read { backward, after: None, last: None },
        };
        let reading =
            Reading { backward: read.backward, ..Reading::topic(NEWS).limit(limit).after(read.after) };
        let page = program.page(&reading).await.unwrap();
        let expected: Vec<(&String, &String)> = match (&read.last, read.backward) {
            (None, false) => self.model.iter().collect(),
            (None, true) => self.model.iter().rev().collect(),
            (Some(last), false) => {
                self.model.range::<str, _>((Bound::Excluded(last.as_str()), Bound::Unbounded)).collect()
            }
            (Some(last), true) => {
                self.model.range::<str, _>((Bound::Unbounded, Bound::Excluded(last.as_str()))).rev().collect()
            }
        };
        let found: Vec<(String, String)> =
            page.items.iter().map(|item| item.clone().unwrap()).map(|(_, id, text)| (id, text)).collect();
        let on_page: Vec<(String, String)> =
            expected.iter().take(limit as usize).map(|(id, text)| ((*id).clone(), (*text).clone())).collect();
        assert_eq!(found, on_page, "{reading:?}");
        assert!(page.next.is_some() || expected.len() <= limit as usize, "it says that there is no more");
        let last = found.last().map(|(id, _)| id.clone()).or(read.last);
        self.read = page.next.is_some().then_some(Read { backward: read.backward, after: page.next, last });
    }
}

async fn run(steps: Vec<Step>) {
    let arm = in_process_alone();
    let plain = plain::Handle::create(&arm).await;
    let table = plain.table().to_owned();
    let three = three::Handle::open(&arm, &table, "acme").await;
    let ten = ten::Handle::open(&arm, &table, "acme").await;
    let two = two::Handle::open(&arm, &table, "acme").await;
    let (mut state, mut time) = (State::default(), 0);
    for step in steps {
        match (step, time) {
            (Step::Raise, _) => time += 1,
            (step, 0) => state.run(&plain, step).await,
            (step, 1) => state.run(&three, step).await,
            (step, 2) => state.run(&ten, step).await,
            (step, _) => state.run(&two, step).await,
        }
    }
    let scan = arm.client().scan().table_name(&table).send().await.unwrap();
    assert_eq!(scan.count() as usize, state.model.len(), "no copies");
    let ids = two.ids(Reading::topic(NEWS).limit(6)).await;
    assert!(ids.iter().eq(state.model.keys()));
}

#[test]
fn a_page_is_what_a_map_has_behind_the_last_item_whatever_is_written_and_raised_between() {
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 3_000 } else { 80 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&prop::collection::vec(step(), 1..80), |steps| {
            runtime.block_on(run(steps));
            Ok(())
        })
        .unwrap();
}
