//! A shard that fails makes the page an error; writes to several keys lose and double nothing.

use std::num::NonZeroU32;
use std::time::Duration;

use keywright::{ReadError, ServiceProblem, WriteError};
use keywright_api::Operation::{
    BatchGetItem, BatchWriteItem, DeleteItem, GetItem, PutItem, Query, UpdateItem,
};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{with_faults, with_faults_and_slow_calls};

/// One of ten shards was throttled, and the page came without its items, as if there were none. (Brighter #2813)
#[tokio::test]
async fn a_throttled_shard_is_an_error_of_the_page_and_never_a_short_page() {
    for (fault, problem) in [
        (Fault::Throttle(KeyRangeThroughput), ServiceProblem::Throttled),
        (Fault::CutConnection(Moment::BeforeCommit), ServiceProblem::Unanswered),
    ] {
        let rule = Rule::new(fault).operation(Query).key_prefix("ORG#acme#TOPIC#news#7");
        let arm = with_faults(Faults::new(7).rule(rule).unwrap());
        let program = ten_alone::Handle::create(&arm).await;
        for number in 0..50 {
            program.put(&row("news", &format!("{number:02}"))).await.unwrap();
        }
        for reading in
            [Reading::topic("news"), Reading::topic("news").limit(1), Reading::topic("news").limit(80)]
        {
            let page = program.page(&reading).await;
            let Err(ReadError::Service(error)) = &page else { panic!("{page:?}") };
            assert_eq!(error.problem(), problem);
        }
        // The whole key of an item in another shard asks that one only.
        let other = (0..50).map(|number| format!("{number:02}"));
        let mut found = 0;
        for id in other {
            found += usize::from(program.page(&Reading::of(Of::Id("news".to_owned(), id))).await.is_ok());
        }
        assert!((30..50).contains(&found), "{found}");
    }
}

/// A shard that is throttled twice is asked a third time by the client, and the page is whole.
#[tokio::test]
async fn a_shard_that_is_throttled_for_a_moment_is_asked_again() {
    let rule = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(Query).when(When::First(2));
    let arm = with_faults(Faults::new(7).rule(rule.key_prefix("ORG#acme#TOPIC#news#7")).unwrap());
    let program = ten_alone::Handle::create(&arm).await;
    for number in 0..50 {
        program.put(&row("news", &format!("{number:02}"))).await.unwrap();
    }
    assert_eq!(program.ids(Reading::topic("news").limit(20)).await.len(), 50);
}

/// A page over ten shards read on and on, whatever time it was given, where its filter kept nothing; and a throttle at its end threw all of
/// it away. Now it ends where all shards were read up to, in order, without a hole and without an item twice.
#[tokio::test]
async fn a_page_that_ends_early_is_gone_on_from_without_a_hole() {
    let of = |of| Reading::of(of);
    let readings = [
        (of(Of::Saying("news".to_owned(), "Last".to_owned())), 1),
        (Reading::topic("news"), 50),
        (of(Of::Author("ada".to_owned())), 50),
        (of(Of::AuthorSince("ada".to_owned(), 3)), 50),
        (of(Of::Texts("news".to_owned())), 50),
    ];
    // Each call takes a seventh of the time that the policy gives, or one shard fails when it is asked a second time.
    let slow = || with_faults_and_slow_calls(Faults::new(7), Duration::from_millis(4_300));
    let throttled = || {
        let rule = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(Query);
        let shard = rule.key_prefix("ORG#acme#TOPIC#news#7").when(When::Calls(vec![2, 3, 4, 6, 7, 8]));
        with_faults(Faults::new(7).rule(shard).unwrap())
    };
    for (arm, is_slow) in [(slow(), true), (throttled(), false)] {
        let mut ended_early = 0;
        let program = ten_alone::Handle::create(&arm).await;
        for number in 0..50 {
            let id = format!("{number:02}");
            let text = if number == 49 { "Last" } else { "Plain" };
            let row = Row { text: text.to_owned(), ..row("news", &id) };
            program.put(&row).await.unwrap();
        }
        for (reading, count) in &readings {
            for limit in [1, 7, 40] {
                for backward in [false, true] {
                    let mut reading = Reading { backward, ..reading.clone().limit(limit) };
                    let mut found = Vec::new();
                    let mut pages = 0;
                    loop {
                        let page = program.page(&reading).await.unwrap();
                        pages += 1;
                        assert!(pages < 1_000, "pages that do not advance: {reading:?}");
                        ended_early += usize::from(page.next.is_some() && page.items.len() < limit as usize);
                        found.extend(page.ids().into_iter().map(str::to_owned));
                        reading.after = page.next;
                        if reading.after.is_none() {
                            break;
                        }
                    }
                    if let Of::Topic(_) = reading.of {
                        let is_in_order = found.is_sorted_by(|one, other| (one < other) != backward);
                        assert!(is_in_order, "{reading:?}: {found:?}");
                    }
                    found.sort();
                    found.dedup();
                    assert_eq!(found.len(), *count, "{reading:?}: {found:?}");
                }
            }
        }
        assert!(ended_early >= 2, "{ended_early}");
        // Everything, or an error: a part of it is not given as if it were all.
        if is_slow {
            let last = ten_alone::EventsSaying { topic: "news".to_owned(), text: "Last".to_owned() };
            let all = program.tenant.query_sharded(last).all(NonZeroU32::MIN).await;
            assert!(matches!(all, Err(ReadError::OutOfTime { pattern: "EventsSaying" })), "{all:?}");
        }
    }
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % count
    }
}

/// Whatever befalls the requests of a write, what it says is what is stored, and there is one copy.
#[tokio::test]
async fn faulty_writes_over_earlier_numbers_say_what_became_of_them_and_leave_one_copy() {
    let seeds = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 0..2_000 } else { 0..60_u64 };
    for seed in seeds {
        let befall = [
            Fault::InternalServerError(Moment::BeforeCommit),
            Fault::InternalServerError(Moment::AfterCommit),
            Fault::CutConnection(Moment::AfterCommit),
            Fault::Throttle(KeyRangeThroughput),
        ];
        let faults = befall.into_iter().fold(Faults::new(seed), |faults, fault| {
            let rule = [PutItem, UpdateItem, DeleteItem, GetItem, BatchGetItem, BatchWriteItem]
                .into_iter()
                .fold(Rule::new(fault), Rule::operation);
            faults.rule(rule.when(When::Share(0.06))).unwrap()
        });
        let arm = with_faults(faults);
        let plain = plain::Handle::create(&arm).await;
        let three = three::Handle::open(&arm, plain.table(), "acme").await;
        let ten = ten::Handle::open(&arm, plain.table(), "acme").await;
        let mut dice = Dice(seed);
        let mut model = std::collections::BTreeMap::new();
        for step in 0..30 {
            let id = format!("{}", dice.below(8));
            let text = format!("{step}");
            let new = Row { text: text.clone(), ..row("news", &id) };
            let is_there = model.contains_key(&id);
            let outcome: Result<bool, WriteError> = match dice.below(if step < 10 { 3 } else { 8 }) {
                0 if !is_there => plain.put(&new).await.map(|()| true),
                1 if !is_there => three.put(&new).await.map(|()| true),
                2 | 3 => ten.put(&new).await.map(|()| true),
                4 => ten.insert(&new).await.map(|outcome| outcome.is_done()),
                5 => ten.edit("news", &id, &text).await,
                6 => ten.delete_if_present("news", &id).await.map(|done| done && model.remove(&id).is_some()),
                _ => ten.delete("news", &id).await.map(|_| model.remove(&id).is_some()),
            };
            // Everything is read past the faults, which befall no Query.
            let found = ten.pages(Reading::topic("news").limit(3)).await;
            let now = found.iter().find(|(_, of, _)| *of == id).map(|(.., text)| text.clone());
            match outcome {
                Ok(true) if now.is_some() => {
                    assert_eq!(now.as_ref(), Some(&text), "seed {seed}, step {step}")
                }
                Ok(true) => assert_eq!(model.get(&id), None, "seed {seed}, step {step}"),
                Ok(false) => assert_eq!(now, model.get(&id).cloned(), "seed {seed}, step {step}"),
                Err(WriteError::Unknown { .. }) => {}
                Err(error) => assert_eq!(now, model.get(&id).cloned(), "seed {seed}, step {step}: {error}"),
            }
            match now {
                Some(now) => model.insert(id, now),
                None => model.remove(&id),
            };
            let scan = arm.client().scan().table_name(ten.table()).send().await.unwrap();
            assert_eq!(scan.count() as usize, model.len(), "seed {seed}, step {step}: a copy");
            assert_eq!(found.len(), model.len(), "seed {seed}, step {step}");
        }
    }
}

/// The delete under the earlier key had been made, the one under the present key was throttled to its last try, and the caller was told that
/// nothing was written.
#[tokio::test]
async fn a_delete_that_was_made_under_some_keys_only_is_not_said_to_have_had_no_effect() {
    // First the key without a shard, then that of the present number; each is tried three times.
    for (throttled, is_deleted) in [(vec![2, 3, 4], true), (vec![1, 2, 3], false)] {
        let throttled =
            Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(DeleteItem).when(When::Calls(throttled));
        let arm = with_faults(Faults::new(7).rule(throttled).unwrap());
        let plain = plain::Handle::create(&arm).await;
        let three = three::Handle::open(&arm, plain.table(), "acme").await;
        plain.put(&row("news", "1")).await.unwrap();

        let deleted = three.delete("news", "1").await;

        match deleted {
            Err(WriteError::Unknown { .. }) => assert!(is_deleted),
            Err(WriteError::Service(_)) => assert!(!is_deleted),
            other => panic!("{other:?}"),
        }
        assert_eq!(three.get("news", "1").await.unwrap().is_none(), is_deleted);
        three.delete("news", "1").await.unwrap();
        assert_eq!(three.get("news", "1").await.unwrap(), None);
    }
}

/// A conditional delete takes the item, then its copies: one that is throttled then does not undo the item's.
#[tokio::test]
async fn a_conditional_delete_whose_copy_is_left_is_not_said_to_have_had_no_effect() {
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(DeleteItem);
    let arm = with_faults(Faults::new(7).rule(throttled.when(When::Calls(vec![2, 3, 4]))).unwrap());
    let plain = plain::Handle::create(&arm).await;
    let alone = ten_alone::Handle::open(&arm, plain.table(), "acme").await;
    let ten = ten::Handle::open(&arm, plain.table(), "acme").await;
    plain.put(&row("news", "1")).await.unwrap();
    alone.put(&row("news", "1")).await.unwrap();

    let deleted = ten.delete_if_present("news", "1").await;

    assert!(matches!(deleted, Err(WriteError::Unknown { .. })), "{deleted:?}");
    ten.delete("news", "1").await.unwrap();
    assert_eq!(ten.get("news", "1").await.unwrap(), None);
}
