//! Streams of writes and reads: any number of members, of which a window is in memory.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use futures_util::{StreamExt, stream};
use keywright::{BatchBudget, BatchChange, BatchError, BatchItemError, Fate, UnfinishedReason, WriteError};
use keywright_api::Operation::{BatchGetItem, BatchWriteItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm, with_faults};
use crate::faults::{faults, patient, stored};

fn put(document_id: u64) -> BatchChange<App> {
    BatchChange::put(document("acme", document_id))
}

fn named(document_id: u64) -> DocumentById {
    DocumentById { document_id }
}

#[tokio::test]
async fn a_stream_is_written_deleted_and_read_in_full_calls() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");

        let written = acme.batch_write_stream(stream::iter(0..260).map(put)).send().await.unwrap();
        assert_eq!((written.items, written.calls), (260, 11));
        let found: Vec<_> = acme.batch_get_stream(stream::iter((0..270).rev()).map(named)).collect().await;
        for (id, found) in (0..270).rev().zip(&found) {
            let found = found.as_ref().unwrap().as_ref().map(|document| document.document_id);
            assert_eq!(found, (id < 260).then_some(id), "in the order of the patterns");
        }
        assert_eq!(store.usage().reads["DocumentById"].requests, 3);

        let deletes = stream::iter(0..260).map(|id| BatchChange::delete(named(id)));
        acme.batch_write_stream(deletes.chain(stream::iter([put(1000)]))).send().await.unwrap();
        assert_eq!(acme.query(Documents {}).all(10.try_into().unwrap()).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_stream_of_nothing_is_done_without_a_call() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let written = acme.batch_write_stream(stream::empty()).send().await.unwrap();
    assert_eq!((written.items, written.calls), (0, 0));
    assert!(acme.batch_get_stream(stream::empty::<DocumentById>()).next().await.is_none());
}

/// Ten thousand rows through a service that gives back, throttles and does not answer: none is lost, and the order of what is read is that of
/// what was asked.
#[tokio::test]
async fn ten_thousand_rows_of_a_stream_are_written_and_read_and_none_is_lost() {
    for seed in [1, 2] {
        let arm = with_faults(faults(seed));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");

        let rows = stream::iter(0..10_000).map(put);
        let written = acme.batch_write_stream(rows).budget(patient()).send().await.unwrap();
        assert_eq!((written.items, stored(&arm, &store).await.len()), (10_000, 10_000), "seed {seed}");

        let mut read = acme.batch_get_stream(stream::iter(0..10_000).map(named)).budget(patient());
        for id in 0..10_000 {
            let found = read.next().await.unwrap().unwrap().unwrap();
            assert_eq!(found.document_id, id, "seed {seed}");
        }
        assert!(read.next().await.is_none());
        println!("seed {seed}: {} calls to write", written.calls);
    }
}

/// A stream of rows was collected before the first was written, and the process ran out of memory.
#[tokio::test]
async fn a_stream_is_taken_no_faster_than_it_is_written_or_read() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let (taken, done) = (Rc::new(Cell::new(0_u64)), Mutex::new(0_usize));
    let count = |stream: stream::Iter<std::ops::Range<u64>>| {
        let taken = Rc::clone(&taken);
        stream.inspect(move |_| taken.set(taken.get() + 1))
    };

    let rows = count(stream::iter(0..3000)).map(|id| {
        assert!(taken.get() as usize <= *done.lock().unwrap() + 100, "{} of {:?}", taken.get(), done);
        put(id)
    });
    let write = acme.batch_write_stream(rows).window(100.try_into().unwrap());
    write.on_progress(|progress| *done.lock().unwrap() = progress.done).send().await.unwrap();
    assert_eq!(*done.lock().unwrap(), 3000);

    taken.set(0);
    let mut read =
        acme.batch_get_stream(count(stream::iter(0..3000)).map(named)).window(150.try_into().unwrap());
    for given in 1..=3000 {
        assert!(read.next().await.unwrap().unwrap().is_some());
        assert!(taken.get() <= given + 150);
    }
}

/// A source that has nothing for the moment does not keep what it gave from being written.
#[tokio::test]
async fn what_a_slow_stream_gave_is_written_while_it_has_nothing_more() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel::<u64>();
    let rows =
        stream::unfold(receiver, |mut receiver| async move { Some((put(receiver.recv().await?), receiver)) });
    let mut writing = pin!(acme.batch_write_stream(rows).send());

    sender.send(7).unwrap();
    let see = async {
        while acme.get(named(7)).await.unwrap().is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        () = see => {}
        ended = &mut writing => panic!("{ended:?}"),
    }
    drop(sender);
    assert_eq!(writing.await.unwrap().items, 1);
}

/// Whether two members with one key are refused depends on their places alone, and not on how fast the first was written.
#[tokio::test]
async fn of_two_members_with_one_key_close_ones_are_named_and_of_others_the_later_stays() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let rows = |distance: u64| {
            let title = move |id| Document { title: format!("row {id}"), ..document("acme", id % distance) };
            stream::iter(0..300).map(move |id| BatchChange::put(title(id)))
        };
        let window = |members: usize| members.try_into().unwrap();

        let stopped = acme.batch_write_stream(rows(99)).window(window(100)).send().await.unwrap_err();
        let BatchError::Stopped(stopped) = stopped else { panic!("{stopped}") };
        let BatchError::Duplicates(pairs) = stopped.cause() else { panic!("{stopped:?}") };
        assert_eq!((pairs[0].0.position(), pairs[0].1.position()), (0, 99));
        assert_eq!((stopped.done(), stopped.left().len()), (99, 0));

        acme.batch_write_stream(rows(100)).window(window(100)).send().await.unwrap();
        let found = acme.query(Documents {}).all(200.try_into().unwrap()).await.unwrap();
        assert!(
            found.iter().take(100).all(|found| found.title == format!("row {}", 200 + found.document_id))
        );
    })
    .await;
}

#[tokio::test]
async fn an_item_that_is_asked_for_twice_is_given_twice() {
    let store = in_process_alone().store::<App>().await;
    let acme = tenant(&store, "acme");
    acme.put(&document("acme", 1)).send().await.unwrap();
    let found: Vec<_> = acme.batch_get_stream(stream::iter([1, 1, 2, 1]).map(named)).collect().await;
    let found: Vec<bool> = found.into_iter().map(|found| found.unwrap().is_some()).collect();
    assert_eq!(found, [true, true, false, true]);
}

#[tokio::test]
async fn a_member_that_cannot_be_sent_stops_the_stream_and_what_was_before_it_is_written() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let rows = stream::iter(0..100)
            .map(|id| BatchChange::put(document(if id == 60 { "globex" } else { "acme" }, id)));

        let stopped = acme.batch_write_stream(rows).send().await.unwrap_err();

        let told = stopped.to_string();
        let BatchError::Stopped(stopped) = stopped else { panic!("{stopped}") };
        let BatchError::Member { member, source } = stopped.cause() else { panic!("{stopped:?}") };
        assert!(matches!(**source, WriteError::Foreign(_)));
        assert_eq!((member.position(), stopped.done(), stopped.calls()), (60, 60, 3));
        assert!(told.starts_with("the stream was left after 60 members that are done"), "{told}");
        assert!(acme.get(named(59)).await.unwrap().is_some());
        assert!(acme.get(named(61)).await.unwrap().is_none());
        let of_other = tenant(&store, "globex").query(Documents {}).page().await.unwrap();
        assert!(of_other.items.is_empty());
    })
    .await;
}

#[tokio::test]
async fn what_is_left_of_a_stream_is_named_by_key_and_nothing_more_is_taken() {
    // One of each call comes back: there is always one left.
    let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchWriteItem);
    let store = with_faults(Faults::new(7).rule(rule).unwrap()).store::<App>().await;
    let acme = tenant(&store, "acme");
    let taken = Cell::new(0);
    let rows = stream::iter(0..100_000).inspect(|_| taken.set(taken.get() + 1)).map(put);

    let budget = BatchBudget { tries: 3.try_into().unwrap(), ..BatchBudget::default() };
    let error = acme
        .batch_write_stream(rows)
        .budget(budget)
        .window(200.try_into().unwrap())
        .send()
        .await
        .unwrap_err();

    let BatchError::Unfinished(unfinished) = error else { panic!("{error}") };
    assert_eq!(unfinished.reason(), UnfinishedReason::Tries);
    assert_eq!(unfinished.done() + unfinished.left().len(), taken.get());
    assert!(taken.get() < 2000, "{}", taken.get());
    for left in unfinished.left() {
        let id = left.member.position() as u64;
        assert_eq!(
            (left.fate, left.member.key()),
            (Fate::NoEffect, Some(format!("ORG#acme / DOC#{id:020}").as_str()))
        );
        assert!(acme.get(named(id)).await.unwrap().is_none());
    }
}

#[tokio::test]
async fn a_refused_call_ends_a_stream_and_the_rest_is_not_sent() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    arm.client().delete_table().table_name(store.table_name()).send().await.unwrap();

    let rows = acme.batch_write_stream(stream::iter(0..5000).map(put)).calls_in_flight(1.try_into().unwrap());
    let error = rows.send().await.unwrap_err();

    let BatchError::Unfinished(unfinished) = error else { panic!("{error}") };
    assert_eq!((unfinished.done(), unfinished.calls()), (0, 1));
    assert_eq!(unfinished.reason(), UnfinishedReason::Refused);
    assert!((25..=1000).contains(&unfinished.left().len()));
    let found: Vec<_> = acme.batch_get_stream(stream::iter(0..5000).map(named)).collect().await;
    assert!((100..=1000).contains(&found.len()));
    assert!(found.iter().all(|found| matches!(found, Err(BatchItemError::Left(_)))));
}

/// A pattern that is asked for twice waits for the first answer. That was a refusal, which ends the stream; but the second was sent all the
/// same.
#[tokio::test]
async fn what_is_asked_for_twice_is_not_sent_after_a_call_that_was_refused() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let acme = tenant(&store, "acme");
    arm.client().delete_table().table_name(store.table_name()).send().await.unwrap();

    let calls = Arc::new(Mutex::new(0));
    let told = Arc::clone(&calls);
    let read = acme.batch_get_stream(stream::iter([1, 1]).map(named));
    let found: Vec<_> =
        read.on_progress(move |progress| *told.lock().unwrap() = progress.calls).collect().await;

    assert!(matches!(found[..], [Err(BatchItemError::Left(_)), Err(BatchItemError::Left(_))]), "{found:?}");
    assert_eq!(*calls.lock().unwrap(), 1);
}

#[tokio::test]
async fn a_stream_of_reads_tells_how_far_it_is() {
    let store = in_process_alone().store::<App>().await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let read = tenant(&store, "acme").batch_get_stream(stream::iter(0..250).map(named));
    let read = read.on_progress(move |progress| kept.lock().unwrap().push((progress.done, progress.calls)));
    assert_eq!(read.count().await, 250);
    assert_eq!(*told.lock().unwrap(), [(100, 1), (200, 2), (250, 3)]);
}

#[tokio::test]
async fn a_stream_that_is_only_throttled_ends_when_its_time_is_over() {
    let rule = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(BatchWriteItem);
    let arm = with_faults(Faults::new(7).rule(rule).unwrap());
    let store = arm.store::<App>().await;
    let budget =
        BatchBudget { tries: u32::MAX.try_into().unwrap(), overall: std::time::Duration::from_secs(30) };

    let write = tenant(&store, "acme")
        .batch_write_stream(stream::iter(0..10_000).map(put))
        .budget(budget)
        .send()
        .await;

    let Err(BatchError::Unfinished(unfinished)) = write else { panic!("{write:?}") };
    assert_eq!((unfinished.done(), unfinished.reason()), (0, UnfinishedReason::Time));
    assert!(unfinished.left().len() <= 1000, "{}", unfinished.left().len());
}

#[tokio::test]
async fn what_could_not_be_read_or_named_is_an_error_in_its_place_and_others_are_read() {
    let lost =
        Rule::new(Fault::CutConnection(Moment::BeforeCommit)).operation(BatchGetItem).when(When::First(3));
    let store = with_faults(Faults::new(7).rule(lost).unwrap()).store::<App>().await;
    let acme = tenant(&store, "acme");
    for team_id in ["0", "1"] {
        acme.put(&team("acme", team_id)).send().await.unwrap();
    }
    let named = |team_id: &str| TeamById { team_id: team_id.to_owned() };
    let budget = BatchBudget { tries: 3.try_into().unwrap(), ..BatchBudget::default() };

    let read = acme.batch_get_stream(stream::iter([named("0"), named(""), named("1")])).budget(budget);
    let found: Vec<_> = read.collect().await;

    let [Err(BatchItemError::Left(left)), Err(BatchItemError::Key(of_key, _)), Err(BatchItemError::Left(_))] =
        &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!((left.position(), left.key(), of_key.position()), (0, Some("ORG#acme / TEAM#0"), 1));
    let found: Vec<_> =
        acme.batch_get_stream(stream::iter([named("0"), named(""), named("1")])).collect().await;
    assert!(matches!(found[..], [Ok(Some(_)), Err(BatchItemError::Key(..)), Ok(Some(_))]), "{found:?}");
}
