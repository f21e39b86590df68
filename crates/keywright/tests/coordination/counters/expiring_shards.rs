//! Counters that expire and are spread: what is taken is taken from a shard that is there, whichever it is, and nothing comes back.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{Added, AddedOnce, Entity, Store, Table, Tenant, TransactionError, WriteError};
use keywright_api::Operation::TransactWriteItems;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
use serde::{Deserialize, Serialize};

use crate::application::{DayViews, OrganizationId, organization, tenant, views};
use crate::arm::{Arm, in_process_alone, with_faults};

const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// One table at two times of its life, with a counter of each kind.
macro_rules! at_a_time {
    ($table:ident, $record:ident, $exact:ident, $approximate:ident, $($shards:tt)*) => {
        #[derive(Table)]
        #[table(tenant = "organization_id", entities($record, $exact, $approximate), ttl = "expires_at")]
        struct $table;

        #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
        #[entity(
            table = $table,
            partition_key = "ORG#{organization_id}",
            sort_key = "RECORD#{id}",
            discriminator = "record",
            purpose = "claim",
            ttl = "expires_at"
        )]
        struct $record {
            organization_id: OrganizationId,
            id: u64,
        }

        #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
        #[entity(
            table = $table,
            partition_key = "ORG#{organization_id}#TASKS#{counter}",
            sort_key = "TASKS",
            discriminator = "tasks",
            purpose = "exact-counter"
            $($shards)*
        )]
        struct $exact {
            organization_id: OrganizationId,
            counter: u64,
            #[entity(ttl)]
            expires_at: u64,
        }

        #[derive(Clone, Debug, PartialEq, Entity, Serialize, Deserialize)]
        #[entity(
            table = $table,
            partition_key = "ORG#{organization_id}#HITS",
            sort_key = "HITS",
            discriminator = "hits",
            purpose = "approximate-counter"
            $($shards)*
        )]
        struct $approximate {
            organization_id: OrganizationId,
            #[entity(ttl)]
            expires_at: u64,
        }
    };
}

at_a_time!(First, FirstRecord, FirstTasks, FirstHits,);
at_a_time!(Second, SecondRecord, SecondTasks, SecondHits, , shards = 4, earlier_shards(1));

/// Both times' handles on one table.
async fn times(arm: &Arm) -> (Tenant<First>, Store<Second>, Tenant<Second>) {
    let first: Store<First> = arm.store().await;
    let second: Store<Second> = arm.builder().table_name(first.table_name()).open().await.unwrap();
    let id = organization("acme");
    let tenant = second.tenant(&id).unwrap();
    (first.tenant(&id).unwrap(), second, tenant)
}

fn record(id: u64) -> SecondRecord {
    SecondRecord { organization_id: organization("acme"), id }
}

fn tasks(counter: u64, expires_at: u64) -> SecondTasks {
    SecondTasks { organization_id: organization("acme"), counter, expires_at }
}

/// Ten were counted, all in one of four shards. Whoever took one drew another shard three times in four, and was told that there was
/// nothing to take.
#[tokio::test]
async fn an_exact_decrement_finds_the_shard_that_is_there() {
    let arm = in_process_alone();
    let (_, _, acme) = times(&arm).await;
    let later = arm.now_seconds() + 60;
    for round in 0..10 {
        let counter = tasks(round, later);
        let add = acme.add_once(&record(round * 100), KEPT).add(&counter, 10).send().await;
        assert_eq!(add.unwrap(), AddedOnce::Done);
        for taken in 1..=3 {
            let take = acme.add_once(&record(round * 100 + taken), KEPT).add(&counter, -1).send().await;
            assert_eq!(take.unwrap(), AddedOnce::Done, "round {round}");
        }
        assert_eq!(acme.count(&counter).await.unwrap(), 7);
    }
    let nothing = acme.add_once(&record(5000), KEPT).add(&tasks(77, later), -1).send().await.unwrap();
    assert_eq!(nothing, AddedOnce::Refused { counter: 0, count: None });
}

/// What was counted before there were shards lies under the key without one. It was counted by `count`, and nothing could be taken from it.
#[tokio::test]
async fn a_decrement_takes_from_what_was_counted_with_an_earlier_number_of_shards() {
    let arm = in_process_alone();
    let (before, _, acme) = times(&arm).await;
    let later = arm.now_seconds() + 60;
    let old = FirstHits { organization_id: organization("acme"), expires_at: later };
    let _ = before.add(&old, 10).send().await.unwrap();
    let old_tasks = FirstTasks { organization_id: organization("acme"), counter: 1, expires_at: later };
    let old_record = FirstRecord { organization_id: organization("acme"), id: 1 };
    let _ = before.add_once(&old_record, KEPT).add(&old_tasks, 10).send().await.unwrap();

    let hits = SecondHits { organization_id: organization("acme"), expires_at: later };
    assert_eq!(acme.add(&hits, -1).send().await.unwrap(), Added::Done { count: None });
    assert_eq!(acme.count(&hits).await.unwrap(), 9);
    let taken = acme.add_once(&record(2), KEPT).add(&tasks(1, later), -1).send().await.unwrap();
    assert_eq!((taken, acme.count(&tasks(1, later)).await.unwrap()), (AddedOnce::Done, 9));
}

/// It was refused or done by chance. A transaction of the caller's own cannot look which shard is there, and says so.
#[tokio::test]
async fn a_transaction_that_would_take_from_a_shard_by_chance_is_never_sent() {
    let store = in_process_alone().store().await;
    let acme = tenant(&store, "acme");
    let today = DayViews { organization_id: organization("acme"), day: 1, expires_at: u64::MAX >> 20 };
    for _ in 0..10 {
        let mut transaction = acme.transaction();
        transaction.add(acme.add(&today, -1));
        let error = transaction.send().await.unwrap_err();
        let TransactionError::Action { source, .. } = &error else { panic!("{error}") };
        assert!(matches!(**source, WriteError::Value { .. }), "{error}");
    }
    let mut transaction = acme.transaction();
    transaction.add(acme.add(&today, 1));
    assert!(transaction.send().await.unwrap().is_done());
}

/// Two increments of one counter in one transaction are refused. Of one in shards they were refused only if both drew the same shard.
#[tokio::test]
async fn a_counter_in_shards_is_one_item_to_a_transaction() {
    let arm = in_process_alone();
    let (_, _, second) = times(&arm).await;
    let store = arm.store().await;
    let acme = tenant(&store, "acme");
    let later = arm.now_seconds() + 60;
    for round in 0..20 {
        let counter = tasks(1, later);
        let twice = second.add_once(&record(round), KEPT).add(&counter, 1).add(&counter, 1).send().await;
        assert!(matches!(twice, Err(TransactionError::SameItem(_))), "{twice:?}");
        let mut transaction = acme.transaction();
        transaction.add(acme.add(&views("acme", "prices"), 1));
        transaction.add(acme.add(&views("acme", "prices"), 1));
        let twice = transaction.send().await;
        assert!(matches!(twice, Err(TransactionError::SameItem(_))), "{twice:?}");
    }
    let (one, other) = (tasks(1, later), tasks(2, later));
    let both = second.add_once(&record(99), KEPT).add(&one, 1).add(&other, 1).send().await;
    assert_eq!(both.unwrap(), AddedOnce::Done);
}

/// A worker of a stream adds to eight counters for each record and dies in the middle of it; every record is delivered twice; one
/// removal, too; and what comes after the counters' time changes nothing. Totals drifted at each of these.
#[tokio::test]
async fn eight_counters_of_a_stream_equal_a_recount_whatever_befalls_its_worker() {
    for moment in [Moment::BeforeCommit, Moment::AfterCommit] {
        // The first two deliveries of the second record have no answer, whether or not they had effect.
        let lost = Rule::new(Fault::CutConnection(moment)).operation(TransactWriteItems);
        let arm = with_faults(Faults::new(7).rule(lost.when(When::Calls((2..=7).collect()))).unwrap());
        let (_, store, acme) = times(&arm).await;
        let expires_at = arm.now_seconds() + 1000;
        let counters: Vec<SecondTasks> = (0..8).map(|counter| tasks(counter, expires_at)).collect();
        let deliver = async |id: u64| {
            let record = record(id);
            counters
                .iter()
                .fold(acme.add_once(&record, KEPT), |once, counter| once.add(counter, 1))
                .send()
                .await
        };
        for id in 0..7 {
            // Delivered until it is known to have counted, then once more.
            let mut is_known = false;
            loop {
                let delivered = deliver(id).await;
                let mut counts = Vec::new();
                for counter in &counters {
                    counts.push(acme.count(counter).await.unwrap());
                }
                assert!(counts.iter().all(|count| *count == counts[0]), "half a record: {counts:?}");
                match delivered {
                    Ok(AddedOnce::Before) if is_known => break,
                    Ok(AddedOnce::Done | AddedOnce::Before) if !is_known => is_known = true,
                    Err(TransactionError::Unknown { .. }) => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        let removed = record(100);
        let remove = async || acme.add_once(&removed, KEPT).add(&counters[7], -1).send().await.unwrap();
        assert_eq!((remove().await, remove().await), (AddedOnce::Done, AddedOnce::Before));
        for (place, counter) in counters.iter().enumerate() {
            assert_eq!(acme.count(counter).await.unwrap(), if place == 7 { 6 } else { 7 });
        }

        arm.advance(Duration::from_secs(1000));
        let before = items(&arm, store.table_name()).await;
        let late = acme.add_once(&record(101), KEPT).add(&counters[3], -1).send().await.unwrap();
        assert_eq!(late, AddedOnce::Refused { counter: 0, count: None });
        assert_eq!(
            items(&arm, store.table_name()).await,
            before,
            "an expired row was changed, or one came back"
        );
        // An increment begins anew.
        let fresh = tasks(3, expires_at + 1000);
        let again = acme.add_once(&record(102), KEPT).add(&fresh, 1).send().await.unwrap();
        assert_eq!((again, acme.count(&fresh).await.unwrap()), (AddedOnce::Done, 1));
    }
}

/// A claim of an expired counter's increment in one item: it begins anew, in the transaction.
#[tokio::test]
async fn an_exact_increment_takes_the_place_of_a_counter_whose_time_is_over() {
    let arm = in_process_alone();
    let store: Store<First> = arm.store().await;
    let acme = store.tenant(&organization("acme")).unwrap();
    let of = |expires_at| FirstTasks { organization_id: organization("acme"), counter: 1, expires_at };
    let record = |id| FirstRecord { organization_id: organization("acme"), id };
    let _ = acme.add_once(&record(1), KEPT).add(&of(arm.now_seconds() + 10), 5).send().await.unwrap();
    arm.advance(Duration::from_secs(10));

    let taken = acme.add_once(&record(2), KEPT).add(&of(arm.now_seconds() + 10), -1).send().await.unwrap();
    assert_eq!(taken, AddedOnce::Refused { counter: 0, count: None });
    let fresh = of(arm.now_seconds() + 10);
    assert_eq!(acme.add_once(&record(3), KEPT).add(&fresh, 2).send().await.unwrap(), AddedOnce::Done);
    assert_eq!(acme.count(&fresh).await.unwrap(), 2, "no old count goes on");
}

/// Every counter's item with its count, as it is stored.
async fn items(arm: &Arm, table: &str) -> Vec<(String, String)> {
    let scan = arm.client().scan().table_name(table).consistent_read(true).send().await.unwrap();
    let text = |value: &AttributeValue| value.as_s().unwrap().clone();
    let counted = scan
        .items()
        .iter()
        .filter_map(|item| Some((text(&item["pk"]), item.get("count")?.as_n().unwrap().clone())));
    let mut items: Vec<_> = counted.collect();
    items.sort();
    items
}
