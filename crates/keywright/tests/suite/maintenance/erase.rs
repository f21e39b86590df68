//! An erasure is looked at first, is whole, and touches nobody else's, whoever writes meanwhile and whatever fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_smithy_async::rt::sleep::{AsyncSleep, Sleep};
use keywright::{Capabilities, CursorKey, CursorKeys, MaintenanceError, RetryPolicy, Store};
use keywright_api::Operation::{BatchWriteItem, DeleteItem, Scan};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::clock::{ManualClock, Timestamp};
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
use keywright_embedded::engine::{Engine, Options};

use super::{MOST, documents, number, one_of_each, rows};
use crate::application::*;
use crate::arm::{on_every_arm, with_faults};
use crate::hostile::stored_items;

#[tokio::test]
async fn a_plan_changes_nothing_and_what_is_carried_out_leaves_nothing() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
        one_of_each(&acme, "acme", "t1", arm.now_seconds() - 1).await;
        one_of_each(&globex, "globex", "t2", arm.now_seconds() + 1000).await;
        documents(&store, "acme", 60).await;
        let table = store.table_name();
        let (mine, theirs) =
            (stored_items(&arm, table, "acme").await, stored_items(&arm, table, "globex").await);
        let maintenance = store.maintenance("a test");

        let plan = maintenance.erasure(&acme, MOST).segments(number(3)).plan().await.unwrap();

        assert_eq!(plan.items(), 64, "document 1 is one of the 60");
        assert_eq!((plan.items_by_entity()["document"], plan.items_by_entity()["share"]), (60, 1));
        assert!(plan.bytes() > 64 * 50);
        assert_eq!(stored_items(&arm, table, "acme").await, mine, "a plan deletes nothing");

        let erased = plan.carry_out().await.unwrap();

        assert_eq!((erased.items, erased.rounds), (64, 1));
        assert!(erased.write_units >= 64.0);
        assert!(stored_items(&arm, table, "acme").await.is_empty());
        assert_eq!(stored_items(&arm, table, "globex").await, theirs);
        let again = maintenance.erasure(&acme, MOST).plan().await.unwrap();
        assert_eq!((again.items(), again.carry_out().await.unwrap().items), (0, 0));
    })
    .await;
}

/// The units of a page were waited for once, and then the whole page, a thousand rows, was deleted at full speed.
#[tokio::test]
async fn an_erasure_takes_no_more_units_a_second_than_it_may() {
    let arm = with_faults(Faults::new(7));
    let store = arm.store::<App>().await;
    documents(&store, "acme", 300).await;
    let acme = tenant(&store, "acme");
    let erasure = || store.maintenance("a test").erasure(&acme, MOST).units_per_second(number(25));
    let plan = erasure().rows_per_page(number(100)).plan().await.unwrap();

    let begun = arm.now_seconds();
    let erased = plan.carry_out().await.unwrap();
    let took = arm.now_seconds() - begun;

    assert_eq!((erased.items, erased.write_units), (300, 300.0));
    // A second's units are there at the beginning, and the last call is not waited for.
    assert!((10..=16).contains(&took), "{took} s");
    assert_eq!(store.usage().writes["Document"].requests, 12 + 12, "25 at once, as they were put");
}

/// Each look began as if nothing had been taken before: what the last page and the last deletes had taken beyond the rate was forgotten, and
/// another second's units were there at once.
#[tokio::test]
async fn an_erasure_keeps_its_pace_from_one_look_to_the_next() {
    const RATE: f64 = 2.0;
    let arm = with_faults(Faults::new(7));
    let store = arm.store::<App>().await;
    documents(&store, "acme", 300).await;
    let acme = tenant(&store, "acme");
    let erasure = store.maintenance("a test").erasure(&acme, MOST).units_per_second(number(2));

    let begun = arm.now_seconds();
    let plan = erasure.plan().await.unwrap();
    let looked = store.usage().reads["maintenance"].units;
    let erased = plan.carry_out().await.unwrap();
    let took = arm.now_seconds() - begun;

    assert!(looked > 4.0 * RATE, "the page of a look takes {looked} units at once");
    let units = store.usage().reads["maintenance"].units + erased.write_units;
    // All of it was waited for but the units that are there at the beginning and what the last look, which finds nothing, takes.
    let at_least = (units - RATE) / RATE - 2.0;
    assert!(took as f64 >= at_least, "{took} s for {units} units, and not {at_least} s");
}

/// What an erasure deletes one by one, because its key holds no tenant, was in no usage, and its throttles were those of a read.
#[tokio::test]
async fn what_an_erasure_deletes_is_counted_by_entity_and_told() {
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(DeleteItem).when(When::First(1));
    let arm = with_faults(Faults::new(7).rule(throttled).unwrap());
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    for token in ["t1", "t2", "t3"] {
        acme.put(&share_token("acme", token, arm.now_seconds() + 1000)).send().await.unwrap();
    }
    documents(&store, "acme", 10).await;
    let before = store.usage().writes["ShareToken"];
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);

    let erasure = store.maintenance("a test").erasure(&acme, MOST);
    let plan = erasure.on_progress(move |progress| kept.lock().unwrap().push(progress)).plan().await.unwrap();
    let erased = plan.carry_out().await.unwrap();

    let usage = store.usage();
    let after = usage.writes["ShareToken"];
    assert_eq!((after.requests - before.requests, after.units - before.units), (3, 3.0));
    assert_eq!((after.tries.throttles, after.tries.retries), (1, 1));
    assert_eq!(usage.reads["maintenance"].tries, keywright::RetryUsage::default());
    let told: Vec<_> = told.lock().unwrap().iter().map(|told| (told.round, told.rows, told.items)).collect();
    assert_eq!(told, [(0, 13, 0), (1, 13, 13), (2, 0, 13)]);
    assert_eq!(erased.items, 13);
    let shared = store.key_hash("SHARE#t1");
    assert!(usage.hot_keys.iter().any(|hot| hot.key == shared && hot.units > 1.0), "put and deleted");
}

/// It says that it can be carried out again after an error, and could not be: the plan was gone.
#[tokio::test]
async fn a_plan_whose_erasure_failed_is_carried_out_again() {
    let throttled =
        Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(Scan).when(When::Calls(vec![2, 3, 4]));
    let arm = with_faults(Faults::new(7).rule(throttled).unwrap());
    let store = arm.store::<App>().await;
    documents(&store, "acme", 10).await;
    let acme = tenant(&store, "acme");

    let plan = store.maintenance("a test").erasure(&acme, MOST).plan().await.unwrap();
    assert!(matches!(plan.carry_out().await, Err(MaintenanceError::Service(_))));
    assert_eq!(plan.carry_out().await.unwrap().items, 10);
}

/// On both sides of the cap: what cannot be seen whole is not erased.
#[tokio::test]
async fn an_erasure_that_cannot_see_everything_is_refused() {
    let arm = crate::arm::in_process_alone();
    let store = arm.store::<App>().await;
    documents(&store, "acme", 3).await;
    documents(&store, "globex", 7).await;
    let acme = tenant(&store, "acme");
    let maintenance = store.maintenance("a test");

    let refused = maintenance.erasure(&acme, rows(10)).plan().await;
    assert!(matches!(refused, Err(MaintenanceError::Capped { max_rows: 10 })), "{refused:?}");
    assert_eq!(stored_items(&arm, store.table_name(), "acme").await.len(), 3);
    let plan = maintenance.erasure(&acme, rows(11)).plan().await.unwrap();
    assert_eq!(plan.carry_out().await.unwrap().items, 3);
}

#[tokio::test]
async fn throttles_leftovers_and_lost_answers_leave_nothing_behind() {
    for seed in 0..10 {
        let share = |fault, operation| Rule::new(fault).operation(operation).when(When::Share(0.15));
        let faults = [
            share(Fault::Unprocessed { share: 0.3 }, BatchWriteItem),
            share(Fault::Throttle(KeyRangeThroughput), BatchWriteItem),
            share(Fault::CutConnection(Moment::AfterCommit), BatchWriteItem),
            share(Fault::CutConnection(Moment::AfterCommit), DeleteItem),
            share(Fault::InternalServerError(Moment::BeforeCommit), DeleteItem),
            share(Fault::Throttle(KeyRangeThroughput), Scan),
        ];
        let faults = faults.into_iter().fold(Faults::new(seed), |faults, rule| faults.rule(rule).unwrap());
        let arm = with_faults(faults);
        let store = arm.store::<App>().await;
        let later = arm.now_seconds() + 1000;
        documents(&store, "acme", 80).await;
        documents(&store, "globex", 20).await;
        let acme = tenant(&store, "acme");
        for token in 0..10 {
            while acme.put(&share_token("acme", &format!("t{token}"), later)).send().await.is_err() {}
        }
        // A try more than the faults have patience for.
        let erased = loop {
            let erasure = store.maintenance("a test").erasure(&acme, MOST).segments(number(2));
            let Ok(plan) = erasure.plan().await else { continue };
            if let Ok(erased) = plan.carry_out().await {
                break erased;
            }
        };
        assert!(erased.items <= 90, "seed {seed}");
        assert!(stored_items(&arm, store.table_name(), "acme").await.is_empty(), "seed {seed}");
        assert_eq!(stored_items(&arm, store.table_name(), "globex").await.len(), 20, "seed {seed}");
    }
}

/// The report of an erasure said one item less than was planned and deleted: the delete whose answer was lost was made again, and found
/// nothing.
#[tokio::test]
async fn an_item_is_counted_though_the_answer_to_its_delete_was_lost() {
    let lost =
        Rule::new(Fault::CutConnection(Moment::AfterCommit)).operation(DeleteItem).when(When::Calls(vec![2]));
    let arm = with_faults(Faults::new(1).rule(lost).unwrap());
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    for token in ["t1", "t2", "t3"] {
        acme.put(&share_token("acme", token, arm.now_seconds() + 1000)).send().await.unwrap();
    }
    let plan = store.maintenance("a test").erasure(&acme, MOST).plan().await.unwrap();
    assert_eq!(plan.carry_out().await.unwrap().items, 3);
    assert!(stored_items(&arm, store.table_name(), "acme").await.is_empty());
}

/// What happens while an erasure pauses.
#[derive(Clone, Copy, Debug)]
enum Meanwhile {
    /// Another tenant takes the key of a share token.
    AnotherTakesTheKey,
    /// The tenant goes on writing.
    TheTenantWrites,
}

/// Sleeps by moving the clock; before that, somebody writes.
#[derive(Clone, Debug)]
struct Writes {
    clock: ManualClock,
    client: Client,
    table: String,
    meanwhile: Meanwhile,
    pauses: Arc<AtomicU64>,
}

impl AsyncSleep for Writes {
    fn sleep(&self, duration: Duration) -> Sleep {
        if duration == RetryPolicy::default().attempt_timeout {
            return Sleep::new(std::future::pending());
        }
        let (writes, clock) = (self.clone(), self.clock.clone());
        Sleep::new(async move {
            tokio::spawn(writes.write()).await.unwrap();
            clock.advance(duration);
        })
    }
}

impl Writes {
    async fn write(self) {
        let pause = self.pauses.fetch_add(1, Ordering::Relaxed);
        let keys = CursorKeys::new(CursorKey::generate().unwrap());
        let store = Store::<App>::builder(self.client, keys).table_name(self.table).open_unchecked();
        match self.meanwhile {
            Meanwhile::AnotherTakesTheKey => {
                let acme = tenant(&store, "acme");
                let _ = acme.delete(ShareByToken { token: "t1".to_owned() }).send().await;
                let theirs = share_token("globex", "t1", 4_102_444_800);
                let _ = tenant(&store, "globex").put(&theirs).send().await;
            }
            Meanwhile::TheTenantWrites => {
                tenant(&store, "acme").put(&document("acme", 1000 + pause)).send().await.unwrap();
            }
        }
    }
}

/// A store whose pauses are used by somebody, and its table's own client.
async fn store_with(meanwhile: Meanwhile) -> (Store<App>, Client) {
    let clock = ManualClock::new(Timestamp::from_milliseconds(1_780_000_000_000));
    let engine = Engine::open(Options::memory().clock(Arc::new(clock.clone()))).unwrap();
    let client = keywright_embedded::client(&engine);
    let writes =
        Writes { clock, client: client.clone(), table: "App".to_owned(), meanwhile, pauses: Arc::default() };
    let config = keywright_embedded::config(&engine).sleep_impl(writes);
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let builder =
        Store::<App>::builder(Client::from_conf(config.build()), keys).capabilities(Capabilities::EMBEDDED);
    builder.create_table().await.unwrap();
    (builder.open().await.unwrap(), client)
}

/// A share token's key holds no tenant. Between the look and the delete the token was given to another tenant, and a delete by its key
/// alone would have taken that one's.
#[tokio::test]
async fn a_key_that_another_tenant_took_meanwhile_is_left_alone() {
    let (store, _) = store_with(Meanwhile::AnotherTakesTheKey).await;
    let acme = tenant(&store, "acme");
    acme.put(&share_token("acme", "t1", 4_102_444_800)).send().await.unwrap();

    let plan = store.maintenance("a test").erasure(&acme, MOST).plan().await.unwrap();
    assert_eq!(plan.items(), 1);
    let paced = store.maintenance("a test").erasure(&acme, MOST).units_per_second(number(1));
    let erased = paced.plan().await.unwrap().carry_out().await.unwrap();

    let theirs = tenant(&store, "globex").get(ShareByToken { token: "t1".to_owned() }).await.unwrap();
    assert!(theirs.is_some(), "{erased:?}");
}

#[tokio::test]
async fn an_erasure_while_the_tenant_goes_on_writing_says_so() {
    let (store, _) = store_with(Meanwhile::TheTenantWrites).await;
    documents(&store, "acme", 30).await;
    let acme = tenant(&store, "acme");
    let paced = store.maintenance("a test").erasure(&acme, MOST).units_per_second(number(1));

    let erased = paced.plan().await.unwrap().carry_out().await;

    assert!(matches!(erased, Err(MaintenanceError::StillThere { items: 1.. })), "{erased:?}");
}
