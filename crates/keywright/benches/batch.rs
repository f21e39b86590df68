//! `cargo bench -p keywright --bench batch`: 10,000 rows through a service that gives a tenth of them back, and through one that throttles a
//! tenth of the calls and loses a tenth of the answers besides; what becomes of them.
//!
//! The layer's batch and its stream stand beside the loop that many programs have (chunks one after the other, five tries without a
//! pause, the rest forgotten; what is throttled the SDK makes again by itself, a second later at first), and beside an ideal one: the
//! same requests, made before the clock runs, four at once, to a service without faults. Times are real ones, pauses included; medians over the rounds, which are interleaved and have a seed each.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark that fails says where, and printing is its work"
)]

#[path = "../tests/suite/application.rs"]
#[expect(dead_code, reason = "the suite uses the rest of it")]
mod application;
mod in_process;

use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{PutRequest, Select, WriteRequest};
use futures_util::{StreamExt, stream};
use keywright::{BatchBudget, BatchChange, Store, Tenant};
use keywright_api::Operation::BatchWriteItem;
use keywright_api::ThrottlingLimit;
use keywright_embedded::engine::Options;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use application::*;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Batch,
    Stream,
    Naive,
    Ideal,
}

const WAYS: [(&str, Way); 4] = [
    ("layer: batch_put", Way::Batch),
    ("layer: batch_write_stream", Way::Stream),
    ("naive loop", Way::Naive),
    ("ideal loop, nothing befalls it", Way::Ideal),
];

/// What befalls calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// A fifth of every second call comes back, a tenth of all members.
    Leftovers,
    /// That, and a tenth of the calls is throttled, and a tenth of those that are carried out loses its answer.
    Everything,
}

const TROUBLES: [(&str, Trouble); 2] = [
    ("a tenth comes back", Trouble::Leftovers),
    ("a tenth comes back, is throttled, unanswered", Trouble::Everything),
];

/// What one way took.
#[derive(Clone, Copy, Debug)]
struct Taken {
    calls: u64,
    elapsed: Duration,
    lost: u64,
}

struct Scene {
    client: Client,
    store: Store<App>,
    acme: Tenant<App>,
}

impl Scene {
    /// A service with such faults; none on the ideal way.
    async fn new(seed: u64, trouble: Trouble, way: Way) -> Scene {
        let leftovers = (Fault::Unprocessed { share: 0.2 }, 0.5);
        let throttles = (Fault::Throttle(ThrottlingLimit::KeyRangeThroughput), 0.1);
        let lost_answers = (Fault::CutConnection(Moment::AfterCommit), 0.1);
        let befall = match (way, trouble) {
            (Way::Ideal, _) => Vec::new(),
            (_, Trouble::Leftovers) => vec![leftovers],
            (_, Trouble::Everything) => vec![leftovers, throttles, lost_answers],
        };
        let faults = befall.into_iter().fold(Faults::new(seed), |faults, (fault, share)| {
            faults.rule(Rule::new(fault).operation(BatchWriteItem).when(When::Share(share))).unwrap()
        });
        let (client, store, acme) = in_process::open(Options::memory().faults(faults)).await;
        Scene { client, store, acme }
    }

    async fn write(&self, way: Way, documents: &[Document]) -> Taken {
        let patient = BatchBudget { tries: 30.try_into().unwrap(), ..BatchBudget::default() };
        let requests = self.requests(documents);
        let begun = Instant::now();
        let calls = match way {
            Way::Batch => self.acme.batch_put(documents).budget(patient).send().await.unwrap().calls,
            Way::Stream => {
                let changes = stream::iter(documents.to_vec()).map(BatchChange::put);
                self.acme.batch_write_stream(changes).budget(patient).send().await.unwrap().calls
            }
            Way::Naive => self.naive(requests).await,
            Way::Ideal => self.ideal(requests).await,
        };
        let elapsed = begun.elapsed();
        let lost = documents.len() as u64 - self.stored().await;
        Taken { calls, elapsed, lost }
    }

    fn requests(&self, documents: &[Document]) -> Vec<WriteRequest> {
        let item = |document| self.acme.put(document).request().unwrap().item;
        let put = |document| PutRequest::builder().set_item(item(document)).build().unwrap();
        documents.iter().map(|document| WriteRequest::builder().put_request(put(document)).build()).collect()
    }

    /// The loop of many programs, in Rust.
    async fn naive(&self, requests: Vec<WriteRequest>) -> u64 {
        let mut calls = 0;
        for chunk in requests.chunks(25) {
            let mut unprocessed = chunk.to_vec();
            let mut attempts = 0;
            while !unprocessed.is_empty() && attempts < 5 {
                unprocessed = self.call(unprocessed).await;
                attempts += 1;
                calls += 1;
            }
        }
        calls
    }

    async fn ideal(&self, requests: Vec<WriteRequest>) -> u64 {
        let calls = requests.chunks(25).map(<[WriteRequest]>::to_vec).map(|chunk| self.call(chunk));
        stream::iter(calls).buffer_unordered(4).count().await as u64
    }

    async fn call(&self, requests: Vec<WriteRequest>) -> Vec<WriteRequest> {
        let call = self.client.batch_write_item().request_items(self.store.table_name(), requests.clone());
        match call.send().await {
            Ok(output) => output.unprocessed_items.unwrap_or_default().into_values().flatten().collect(),
            // Throttled, as a call is of which nothing is processed, or without an answer: as if nothing of it had been processed.
            Err(error) => {
                assert!(matches!(error.code(), Some("ThrottlingException") | None), "{error:?}");
                requests
            }
        }
    }

    async fn stored(&self) -> u64 {
        let scan = self.client.scan().table_name(self.store.table_name()).select(Select::Count);
        let pages: Result<Vec<_>, _> = scan.into_paginator().send().collect().await;
        pages.unwrap().iter().map(|page| u64::try_from(page.count).unwrap()).sum()
    }
}

fn median<Value: Ord + Copy>(mut values: Vec<Value>) -> Value {
    values.sort();
    values[values.len() / 2]
}

fn main() {
    // `cargo test` runs benchmarks, too: once, to see that they work.
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let (rounds, rows) = if is_measuring { (3, 10_000) } else { (1, 200) };
    let documents: Vec<Document> = (0..rows).map(|id| document("acme", id)).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut taken: Vec<Vec<Taken>> = vec![Vec::new(); TROUBLES.len() * WAYS.len()];
        for seed in 0..rounds {
            for (row, (told, trouble, name, way)) in rows_of_table().enumerate() {
                if is_measuring {
                    eprintln!("round {} of {rounds}: {told}, {name}", seed + 1);
                }
                let scene = Scene::new(seed, trouble, way).await;
                taken[row].push(scene.write(way, &documents).await);
            }
        }
        println!("medians of {rounds} rounds of {rows} rows; lost: in all rounds");
        println!("{:<46} {:<32} {:>6} {:>7} {:>10}", "what befalls calls", "way", "calls", "ms", "rows lost");
        for ((told, _, name, _), taken) in rows_of_table().zip(taken) {
            let calls = median(taken.iter().map(|taken| taken.calls).collect());
            let elapsed = median(taken.iter().map(|taken| taken.elapsed).collect());
            let lost: u64 = taken.iter().map(|taken| taken.lost).sum();
            println!("{told:<46} {name:<32} {calls:>6} {:>7} {lost:>10}", elapsed.as_millis());
        }
    });
}

/// Each trouble with each way.
fn rows_of_table() -> impl Iterator<Item = (&'static str, Trouble, &'static str, Way)> {
    TROUBLES
        .into_iter()
        .flat_map(|(told, trouble)| WAYS.into_iter().map(move |(name, way)| (told, trouble, name, way)))
}
