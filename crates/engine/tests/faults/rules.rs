//! What a rule may say, and which of the calls it befalls.

use std::time::Duration;

use keywright_api::{Operation, ThrottlingLimit};
use keywright_engine::faults::{Fault, Faults, Moment, Rule, RuleError, When};

use crate::fixture::{counts, engine, put_outcome};
use crate::support::memory;

const HOT: Fault = Fault::Throttle(ThrottlingLimit::KeyRangeThroughput);
const ERROR: Fault = Fault::InternalServerError(Moment::BeforeCommit);

fn outcomes(when: When, calls: usize) -> String {
    let engine = engine([Rule::new(ERROR).operation(Operation::PutItem).when(when)]);
    let outcomes = (0..calls).map(|call| match put_outcome(&engine, &format!("key {call}")).as_str() {
        "ok" => '.',
        "InternalServerError" => 'x',
        other => panic!("{other}"),
    });
    let outcomes: String = outcomes.collect();
    let fired = outcomes.matches('x').count() as u64;
    assert_eq!(counts(&engine), [(calls as u64, fired)]);
    outcomes
}

#[test]
fn a_rule_befalls_the_calls_that_it_names_by_their_number() {
    assert_eq!(outcomes(When::Always, 3), "xxx");
    assert_eq!(outcomes(When::Calls(vec![3]), 5), "..x..");
    assert_eq!(outcomes(When::Calls(vec![5, 2]), 6), ".x..x.");
    assert_eq!(outcomes(When::Every(3), 7), "..x..x.");
    assert_eq!(outcomes(When::First(2), 4), "xx..");
    assert_eq!(outcomes(When::Share(1.0), 4), "xxxx");
}

#[test]
fn a_share_of_the_calls_is_drawn() {
    let share = outcomes(When::Share(0.25), 400);
    let fired = share.matches('x').count();
    assert!((70..130).contains(&fired), "seed 7: {share}");
}

/// A hot partition stays hot: who tries the same key again meets the same answer, and the other keys never do.
#[test]
fn a_share_of_the_keys_is_the_same_keys_every_time() {
    let hot = || Rule::new(HOT).operation(Operation::PutItem).when(When::ShareOfKeys(0.25));
    let keys: Vec<String> = (0..100).map(|key| format!("ORG#{key}")).collect();
    let run = |keys: &[String]| -> Vec<(String, String)> {
        let engine = engine([hot()]);
        keys.iter().map(|key| (key.clone(), put_outcome(&engine, key))).collect()
    };
    let mut first = run(&keys);
    let reversed: Vec<String> = keys.iter().rev().chain(&keys).cloned().collect();
    let mut second = run(&reversed);
    second.truncate(100);
    first.sort();
    second.sort();
    assert_eq!(first, second);
    let throttled = first.iter().filter(|(_, outcome)| outcome == "ThrottlingException").count();
    assert!((10..40).contains(&throttled), "seed 7: {throttled}");
}

#[test]
fn a_rule_that_can_never_fire_is_refused_with_what_to_write() {
    let refused = |rule: Rule| Faults::new(7).rule(rule).unwrap_err().to_string();
    let cases = [
        (
            Rule::new(Fault::Unprocessed { share: 0.5 }).operation(Operation::PutItem),
            "`unprocessed = 0.5` never happens to PutItem, only to BatchGetItem, BatchWriteItem",
        ),
        (
            Rule::new(Fault::TransactionConflict).operation(Operation::BatchWriteItem),
            "`transaction = \"conflict\"` never happens to BatchWriteItem, only to PutItem, UpdateItem, DeleteItem, \
             TransactGetItems, TransactWriteItems",
        ),
        (
            Rule::new(ERROR).operation(Operation::Scan).key_prefix("ORG#"),
            "Scan names no partition key, so that the rule never fires",
        ),
        (
            Rule::new(ERROR).operation(Operation::GetItem).index("by_user"),
            "GetItem names no index, so that the rule never fires",
        ),
        (
            Rule::new(ERROR).operation(Operation::ListTables).table("app"),
            "ListTables names no table, so that the rule never fires",
        ),
        (
            Rule::new(ERROR).table("my table"),
            "\"my table\" is not the name of a table: 1 to 255 of a-z, A-Z, 0-9, `_`, `-`, `.`",
        ),
        (
            Rule::new(ERROR).index("i"),
            "\"i\" is not the name of an index: 3 to 255 of a-z, A-Z, 0-9, `_`, `-`, `.`",
        ),
        (
            Rule::new(Fault::Delay(Moment::AfterCommit, Duration::ZERO)),
            "a time is at least 1 millisecond, and at most a hundred years",
        ),
    ];
    for (rule, expected) in cases {
        assert_eq!(refused(rule.clone()), expected, "{rule}");
    }
    for share in [0.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
        for rule in [
            Rule::new(ERROR).when(When::Share(share)),
            Rule::new(ERROR).when(When::ShareOfKeys(share)),
            Rule::new(Fault::Unprocessed { share }),
        ] {
            assert!(matches!(Faults::new(7).rule(rule), Err(RuleError::Share(_))), "{share}");
        }
    }
    for when in [When::Calls(vec![]), When::Calls(vec![1, 0]), When::Every(0), When::First(0)] {
        assert_eq!(
            Faults::new(7).rule(Rule::new(ERROR).when(when.clone())),
            Err(RuleError::Count),
            "{when:?}"
        );
    }
    let forever = Fault::IndexLag(Duration::MAX);
    assert_eq!(Faults::new(7).rule(Rule::new(forever)), Err(RuleError::Time));
}

#[test]
fn a_rule_reads_as_in_a_fault_file() {
    let rule = Rule::new(HOT)
        .operation(Operation::PutItem)
        .operation(Operation::UpdateItem)
        .operation(Operation::PutItem)
        .table("app")
        .index("by_user")
        .key_prefix("ORG#\"1\"#")
        .when(When::Share(0.1));
    assert_eq!(
        rule.to_string(),
        r##"throttle = "KeyRangeThroughputExceeded", operations = ["PutItem", "UpdateItem"], table = "app", index = "by_user", key_prefix = "ORG#\"1\"#", share = 0.1"##
    );
    let lag = Rule::new(Fault::IndexLag(Duration::from_millis(1500))).when(When::Calls(vec![2, 4]));
    assert_eq!(lag.to_string(), "index_lag_ms = 1500, calls = [2, 4]");
}

#[test]
fn the_report_lists_every_rule_with_its_counts() {
    let rules =
        [Rule::new(ERROR).operation(Operation::PutItem).when(When::First(1)), Rule::new(HOT).table("other")];
    let engine = engine(rules);
    put_outcome(&engine, "a");
    put_outcome(&engine, "b");
    assert_eq!(
        engine.faults().unwrap().to_string(),
        "Faults from seed 7:\n  \
         1. internal_server_error = \"before-commit\", operation = \"PutItem\", first = 1: befell 1 of 2 calls\n  \
         2. throttle = \"KeyRangeThroughputExceeded\", table = \"other\": befell 0 of 0 calls"
    );
}

#[test]
fn without_rules_nothing_happens_and_nothing_is_reported() {
    assert_eq!(memory().faults(), None);
    let engine = engine([]);
    assert_eq!(put_outcome(&engine, "a"), "ok");
    assert_eq!(counts(&engine), []);
}
