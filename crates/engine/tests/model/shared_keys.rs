//! Clients that write and read the same few items in every way that there is, across restarts: the history of each item is
//! linearizable, and that of all items with the transactions between them too. With faults as well: what failed has not
//! happened, or, where nobody can know, has happened once or never.

mod client;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::faults::{Fault, Faults, Moment, Rule, When};
use keywright_engine::files::MemoryFiles;
use keywright_engine::{Engine, Options};
use serde_json::json;

use self::client::{Client, ITEMS};
use crate::client::call;
use crate::linearizability::{self, Observed};
use crate::registers::{Items, Step, of_item};
use crate::seeds::{Choices, Runs};

const CLIENTS: u64 = 4;
/// Between two restarts.
const CALLS: usize = 30;

type History = Vec<Observed<Vec<(usize, Step)>>>;

#[test]
fn histories_on_shared_keys_are_linearizable_item_by_item_and_with_their_transactions() {
    Runs { short: 60, long: 3_000 }.each(|seed| check(seed, &run(seed, None)));
}

#[test]
fn histories_under_faults_are_linearizable_too() {
    Runs { short: 60, long: 3_000 }.each(|seed| {
        let history = run(seed, Some(faults(seed)));
        check(seed, &history);
        assert!(history.iter().any(|seen| seen.answered.is_none()), "seed {seed}: no answer was lost");
    });
}

/// The tests above could not fail if the checker took whatever an engine answers: one answer that is changed is noticed.
#[test]
fn a_recorded_history_with_one_wrong_read_is_refused() {
    let mut history = run(1, None);
    let reads = |steps: &[(usize, Step)]| matches!(steps, [(_, Step::Read(_))]);
    let wrong = history.iter_mut().find(|seen| reads(&seen.operation)).unwrap();
    wrong.operation[0].1 = Step::Read(Some(u64::MAX));
    assert!(linearizability::check::<Items>(vec![None; ITEMS], &history).is_err());
}

fn check(seed: u64, history: &History) {
    for item in 0..ITEMS {
        if let Err(failure) = linearizability::check::<Items>(vec![None], &of_item(history, item)) {
            panic!("seed {seed}, item {item}: {failure:?}");
        }
    }
    if let Err(failure) = linearizability::check::<Items>(vec![None; ITEMS], history) {
        panic!("seed {seed}, all items: {failure:?}");
    }
}

/// Every fault that does not take its time, each of some calls.
fn faults(seed: u64) -> Faults {
    let faults = [
        Fault::InternalServerError(Moment::BeforeCommit),
        Fault::InternalServerError(Moment::AfterCommit),
        Fault::CutConnection(Moment::AfterCommit),
        Fault::TransactionConflict,
        Fault::Throttle(ThrottlingLimit::KeyRangeThroughput),
        Fault::Unprocessed { share: 0.5 },
    ];
    faults.into_iter().fold(Faults::new(seed), |faults, fault| {
        let operations = fault.operations().iter().filter(|operation| CALLED.contains(operation));
        let rule = Rule::new(fault).table("items").when(When::Share(0.08));
        faults.rule(operations.fold(rule, |rule, operation| rule.operation(*operation))).unwrap()
    })
}

/// What the clients call.
const CALLED: [Operation; 10] = [
    Operation::PutItem,
    Operation::UpdateItem,
    Operation::DeleteItem,
    Operation::GetItem,
    Operation::Query,
    Operation::Scan,
    Operation::BatchWriteItem,
    Operation::BatchGetItem,
    Operation::TransactWriteItems,
    Operation::TransactGetItems,
];

/// Runs the clients, with a restart in between.
fn run(seed: u64, faults: Option<Faults>) -> History {
    let files = Arc::new(MemoryFiles::new());
    let time = AtomicU64::new(0);
    let history = Mutex::new(History::new());
    for phase in 0..2 {
        let options = Options::files(files.clone());
        let options = match &faults {
            Some(faults) => options.faults(faults.clone()),
            None => options,
        };
        let engine = Engine::open(options).unwrap();
        if phase == 0 {
            create(&engine);
        }
        std::thread::scope(|scope| {
            for number in 0..CLIENTS {
                let (engine, time, history) = (&engine, &time, &history);
                scope.spawn(move || {
                    let number = phase * CLIENTS + number;
                    let mut client = Client::new(engine, Choices::new(seed, number), number);
                    for _ in 0..CALLS {
                        let called = time.fetch_add(1, Ordering::SeqCst);
                        let acted = client.act();
                        let answered = time.fetch_add(1, Ordering::SeqCst);
                        let answered = acted.is_told.then_some(answered);
                        let operations = acted.operations.into_iter();
                        let seen = operations.map(|operation| Observed { called, answered, operation });
                        history.lock().unwrap().extend(seen);
                    }
                });
            }
        });
        engine.close().unwrap();
    }
    history.into_inner().unwrap()
}

/// The number of an item is also the sort key of a local index, which may be read consistently.
fn create(engine: &Engine) {
    let key = |sort: &str| json!([{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]);
    let attribute = |name: &str, kind: &str| json!({"AttributeName": name, "AttributeType": kind});
    let body = json!({
        "TableName": "items", "BillingMode": "PAY_PER_REQUEST", "KeySchema": key("sk"),
        "AttributeDefinitions": [attribute("pk", "S"), attribute("sk", "S"), attribute("v", "N")],
        "LocalSecondaryIndexes": [
            {"IndexName": "by_value", "KeySchema": key("v"), "Projection": {"ProjectionType": "KEYS_ONLY"}},
        ],
    });
    call(engine, Operation::CreateTable, &body).unwrap();
}
