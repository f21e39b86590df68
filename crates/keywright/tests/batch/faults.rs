//! Ten thousand rows through a service that gives back, throttles and does not answer: none is lost, and each is stored as it was
//! written once.

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{BatchBudget, Store};
use keywright_api::Operation::{BatchGetItem, BatchWriteItem};
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use crate::application::*;
use crate::arm::{Arm, with_faults};

const ROWS: u64 = 10_000;

/// A fifth of every second batch comes back, a tenth of all members; a tenth of the calls is throttled, and a tenth of those that are carried
/// out loses its answer. A few more break before they arrive, or fail after.
pub(crate) fn faults(seed: u64) -> Faults {
    let befall = [
        (Fault::Unprocessed { share: 0.2 }, 0.5),
        (Fault::Throttle(KeyRangeThroughput), 0.1),
        (Fault::CutConnection(Moment::AfterCommit), 0.1),
        (Fault::CutConnection(Moment::BeforeCommit), 0.05),
        (Fault::InternalServerError(Moment::AfterCommit), 0.05),
    ];
    befall.into_iter().fold(Faults::new(seed), |faults, (fault, share)| {
        let rule = Rule::new(fault).operation(BatchWriteItem).operation(BatchGetItem);
        faults.rule(rule.when(When::Share(share))).unwrap()
    })
}

/// Many tries, since the faults are many; the time is that of a clock that is moved.
pub(crate) fn patient() -> BatchBudget {
    BatchBudget { tries: 30.try_into().unwrap(), overall: Duration::from_secs(3600) }
}

/// The write id of every stored document, read past every fault.
pub(crate) async fn stored(arm: &Arm, store: &Store<App>) -> HashMap<String, String> {
    let text = |item: &HashMap<String, AttributeValue>, name: &str| item[name].as_s().unwrap().clone();
    let mut found = HashMap::new();
    let mut start = None;
    loop {
        let scan = arm.client().scan().table_name(store.table_name()).set_exclusive_start_key(start);
        let page = scan.send().await.unwrap();
        for item in page.items() {
            assert!(found.insert(text(item, "sk"), text(item, "keywright_write")).is_none());
        }
        start = page.last_evaluated_key;
        if start.is_none() {
            return found;
        }
    }
}

#[tokio::test]
async fn ten_thousand_rows_are_written_read_and_deleted_and_none_is_lost() {
    for seed in [1, 2] {
        let arm = with_faults(faults(seed));
        let store = arm.store::<App>().await;
        let acme = tenant(&store, "acme");
        let documents: Vec<Document> = (0..ROWS).map(|id| document("acme", id)).collect();

        let written = acme.batch_put(&documents).budget(patient()).send().await.unwrap();
        let found = stored(&arm, &store).await;
        assert_eq!((written.items as u64, found.len() as u64), (ROWS, ROWS), "seed {seed}");
        for (id, write_id) in (0..ROWS).zip(&written.write_ids) {
            let stored = &found[&format!("DOC#{id:020}")];
            assert_eq!(stored, write_id.as_ref().unwrap().as_str(), "seed {seed}, row {id}");
        }

        let keys = || (0..ROWS).map(|document_id| DocumentById { document_id });
        let read = acme.batch_get(keys()).budget(patient()).send().await.unwrap();
        let reads = read.calls;
        for (id, found) in (0..ROWS).zip(read.into_items().unwrap()) {
            assert_eq!(found.unwrap().document_id, id, "seed {seed}");
        }

        let deleted = acme.batch_write().delete_all(keys()).budget(patient()).send().await.unwrap();
        assert!(stored(&arm, &store).await.is_empty(), "seed {seed}");
        println!(
            "seed {seed}: {} calls to write, {reads} to read, {} to delete",
            written.calls, deleted.calls
        );
    }
}

/// What comes back of many calls goes into few: 400 calls, of every second of which 5 members are left, take about 50 more, not 200.
#[tokio::test]
async fn what_comes_back_is_gathered_into_full_calls() {
    let rule = Rule::new(Fault::Unprocessed { share: 0.2 }).operation(BatchWriteItem);
    let arm = with_faults(Faults::new(7).rule(rule.when(When::Share(0.5))).unwrap());
    let store = arm.store::<App>().await;
    let documents: Vec<Document> = (0..ROWS).map(|id| document("acme", id)).collect();

    let written = tenant(&store, "acme").batch_put(&documents).budget(patient()).send().await.unwrap();

    println!("{} calls", written.calls);
    assert!((400..520).contains(&written.calls), "{}", written.calls);
    assert_eq!(stored(&arm, &store).await.len(), documents.len());
}
