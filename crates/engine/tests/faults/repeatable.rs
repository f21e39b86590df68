//! The same seed and the same calls meet the same faults, whatever other rules there are and whoever runs beside.

use std::collections::BTreeSet;

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::Engine;
use keywright_engine::Options;
use keywright_engine::faults::{Fault, Faults, Moment, Rule, When};
use keywright_engine::random::SeededRandom;
use serde_json::json;

use crate::fixture::{counts, put_outcome};
use crate::support::{batch_write, create, key};

fn rules() -> Vec<Rule> {
    vec![
        Rule::new(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput))
            .operation(Operation::PutItem)
            .when(When::Share(0.2)),
        Rule::new(Fault::Unprocessed { share: 0.3 }).when(When::Share(0.5)),
        Rule::new(Fault::TransactionConflict).operation(Operation::PutItem).when(When::ShareOfKeys(0.1)),
    ]
}

fn open(seed: u64, rules: &[Rule]) -> Engine {
    let faults = rules.iter().fold(Faults::new(seed), |faults, rule| faults.rule(rule.clone()).unwrap());
    let engine = Engine::open(Options::memory().faults(faults)).unwrap();
    create(&engine, "app", "pk:S", None);
    engine
}

/// The outcome of each of a thousand calls, drawn from `workload`.
fn run(seed: u64, workload: u64, rules: &[Rule]) -> Vec<String> {
    let engine = open(seed, rules);
    let random = SeededRandom::new(workload);
    let outcomes = (0..1000).map(|_| {
        let name = format!("ORG#{}", random.below(50));
        if random.below(4) > 0 {
            return put_outcome(&engine, &name);
        }
        let names: BTreeSet<u64> = (0..=random.below(24)).map(|_| random.below(100)).collect();
        let puts: Vec<_> =
            names.iter().map(|name| json!({"PutRequest": {"Item": key(&name.to_string())}})).collect();
        match batch_write(&engine, json!({"app": puts})) {
            Ok(answer) => answer["UnprocessedItems"].to_string(),
            Err(refusal) => refusal.name,
        }
    });
    outcomes.collect()
}

#[test]
fn two_runs_of_one_seed_are_equal_and_other_seeds_differ() {
    let first = run(7, 1, &rules());
    assert_eq!(first, run(7, 1, &rules()));
    assert_ne!(first, run(8, 1, &rules()));
    for seen in ["ok", "ThrottlingException", "TransactionConflictException"] {
        assert!(first.iter().any(|outcome| outcome == seen), "{seen}");
    }
}

/// Who adds a rule to find out more would otherwise lose the run that needs it.
#[test]
fn another_rule_changes_no_decision_of_the_others() {
    let silent = Rule::new(Fault::InternalServerError(Moment::BeforeCommit))
        .operation(Operation::GetItem)
        .when(When::Share(0.5));
    let with = [vec![silent], rules()].concat();
    assert_eq!(run(7, 1, &rules()), run(7, 1, &with));
}

/// What several threads share is the order in which their calls come; how many faults there are depends on the seed alone.
#[test]
fn concurrent_calls_share_the_decisions_of_their_rule() {
    let rule = || [rules().remove(0)];
    let alone = open(7, &rule());
    let refused = (0..400).filter(|_| put_outcome(&alone, "a") != "ok").count();
    let shared = open(7, &rule());
    let together: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..100).filter(|_| put_outcome(&shared, "a") != "ok").count()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(refused, together);
    assert_eq!(counts(&alone), counts(&shared));
}
