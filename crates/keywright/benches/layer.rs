//! `cargo bench -p keywright --bench layer`: calls of the data layer beside the same calls of the SDK, on one engine in this process.
//!
//! Rounds are interleaved, so that a slow minute of the machine hits all of them; figures are medians over the rounds. Beside the
//! plain call stands the one that a program without the layer would write: the same request, and `serde_dynamo` for the item.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that fails says where, and printing is its work"
)]

#[path = "../tests/suite/application.rs"]
#[expect(dead_code, reason = "the suite uses the rest of it")]
mod application;
mod in_process;

use std::cell::Cell;
use std::collections::HashMap;
use std::hint::black_box;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use keywright::{Store, Tenant};
use keywright_embedded::engine::Options;

use application::*;

const TWENTY: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// What is measured, on one tenant and one table.
struct Scene {
    client: Client,
    store: Store<App>,
    acme: Tenant<App>,
    item: HashMap<String, AttributeValue>,
    /// How many puts were made past the layer: each stores another state, as each of the layer's does.
    puts: Cell<u64>,
}

fn string(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

impl Scene {
    async fn new() -> Scene {
        let (client, store, acme) = in_process::open(Options::memory()).await;
        for number in 0..100 {
            acme.put(&member("acme", "1", &format!("user {number:03}"))).send().await.unwrap();
        }
        let item = acme.put(&member("acme", "1", "user 007")).request().unwrap().item.unwrap();
        Scene { client, store, acme, item, puts: Cell::new(0) }
    }

    fn next_state(&self) -> AttributeValue {
        self.puts.set(self.puts.get() + 1);
        string(&format!("{:022}", self.puts.get()))
    }

    async fn typed(&self, operation: Operation) {
        match operation {
            Operation::Get => {
                let named = MemberById { team_id: "1".to_owned(), user_id: "user 007".to_owned() };
                black_box(self.acme.get(named).await.unwrap().unwrap());
            }
            Operation::Put => {
                black_box(self.acme.put(&member("acme", "1", "user 007")).send().await.unwrap());
            }
            Operation::Query => {
                let pattern = TeamWithMembers { team_id: "1".to_owned() };
                black_box(self.acme.query(pattern).limit(TWENTY).page().await.unwrap());
            }
        }
    }

    async fn plain(&self, operation: Operation) -> Vec<HashMap<String, AttributeValue>> {
        let table = self.store.table_name();
        match operation {
            Operation::Get => {
                let get = self.client.get_item().table_name(table).key("pk", string("ORG#acme"));
                let get = get.key("sk", string("TEAM#1#MEMBER#user$20007"));
                let get = get.return_consumed_capacity(ReturnConsumedCapacity::Total);
                vec![get.send().await.unwrap().item.unwrap()]
            }
            Operation::Put => {
                let put = self.client.put_item().table_name(table).set_item(Some(self.item.clone()));
                let put = put.item("keywright_write", self.next_state());
                put.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await.unwrap();
                Vec::new()
            }
            Operation::Query => {
                let query = self.client.query().table_name(table);
                let query = query
                    .key_condition_expression("pk = :pk AND sk BETWEEN :low AND :high")
                    .expression_attribute_values(":pk", string("ORG#acme"))
                    .expression_attribute_values(":low", string("TEAM#1"))
                    .expression_attribute_values(":high", string("TEAM#1$"))
                    .limit(20)
                    .return_consumed_capacity(ReturnConsumedCapacity::Total);
                query.send().await.unwrap().items.unwrap()
            }
        }
    }

    /// The plain call with its items as structs, and for a put the struct as an item.
    async fn by_hand(&self, operation: Operation) {
        if operation == Operation::Put {
            let mut item: HashMap<String, AttributeValue> =
                serde_dynamo::to_item(member("acme", "1", "user 007")).unwrap();
            item.insert("pk".to_owned(), string("ORG#acme"));
            item.insert("sk".to_owned(), string("TEAM#1#MEMBER#user$20007"));
            item.insert("entity".to_owned(), string("member"));
            item.insert("by_user_pk".to_owned(), string("ORG#acme#USER#user$20007"));
            item.insert("by_user_sk".to_owned(), string("00000000000000000007"));
            item.insert("keywright_write".to_owned(), self.next_state());
            let put = self.client.put_item().table_name(self.store.table_name()).set_item(Some(item));
            black_box(put.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await.unwrap());
            return;
        }
        for item in self.plain(operation).await {
            black_box(serde_dynamo::from_item::<_, Member>(item).unwrap());
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Get,
    Put,
    Query,
}

/// The time of one call in each form, in microseconds.
#[derive(Default)]
struct Times {
    typed: Vec<f64>,
    plain: Vec<f64>,
    by_hand: Vec<f64>,
}

async fn measure(scene: &Scene, operation: Operation, rounds: usize, calls: u32) -> Times {
    let mut times = Times::default();
    for _ in 0..rounds {
        let begun = Instant::now();
        for _ in 0..calls {
            scene.typed(operation).await;
        }
        times.typed.push(per_call(begun.elapsed(), calls));
        let begun = Instant::now();
        for _ in 0..calls {
            black_box(scene.plain(operation).await);
        }
        times.plain.push(per_call(begun.elapsed(), calls));
        let begun = Instant::now();
        for _ in 0..calls {
            scene.by_hand(operation).await;
        }
        times.by_hand.push(per_call(begun.elapsed(), calls));
    }
    times
}

fn per_call(elapsed: Duration, calls: u32) -> f64 {
    elapsed.as_secs_f64() * 1e6 / f64::from(calls)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    // `cargo test` runs benchmarks, too: once, to see that they work.
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    // `cargo bench -p keywright --bench layer -- get` measures one operation.
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let (rounds, calls) = if is_measuring { (41, 200) } else { (1, 2) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let scene = Scene::new().await;
        println!("operation    layer   plain SDK   ratio   SDK and serde_dynamo   ratio      (µs a call, medians of {rounds})");
        for (name, operation) in
            [("get", Operation::Get), ("put", Operation::Put), ("query of 20", Operation::Query)]
        {
            if only.as_deref().is_some_and(|only| only != name) {
                continue;
            }
            let times = measure(&scene, operation, rounds, calls).await;
            let (typed, plain, by_hand) = (median(times.typed), median(times.plain), median(times.by_hand));
            println!(
                "{name:<11} {typed:>6.1}      {plain:>6.1}   {:>5.2}                 {by_hand:>6.1}   {:>5.2}",
                typed / plain,
                typed / by_hand
            );
        }
    });
}
