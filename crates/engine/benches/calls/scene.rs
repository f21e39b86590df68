//! An engine with items of 1 KB in partitions of 20, and the requests that it is sent.

use std::io::Write;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use keywright_api::Operation;
use keywright_engine::{Engine, Options};
use tempfile::TempDir;

/// Where the items are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Memory,
    Directory,
}

impl Place {
    pub(crate) const ALL: [Place; 2] = [Place::Memory, Place::Directory];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Place::Memory => "memory",
            Place::Directory => "directory",
        }
    }
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    GetItem,
    /// A Query of a partition of 20 items.
    Query20,
    PutItem,
}

impl Call {
    pub(crate) const ALL: [Call; 3] = [Call::GetItem, Call::Query20, Call::PutItem];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Call::GetItem => "GetItem",
            Call::Query20 => "Query20",
            Call::PutItem => "PutItem",
        }
    }

    pub(crate) fn is_read(self) -> bool {
        self != Call::PutItem
    }

    /// How many threads are compared with one: as many as the bar says, or enough that writes share their syncs.
    pub(crate) fn threads(self) -> usize {
        if self.is_read() { 2 } else { 16 }
    }

    fn operation(self) -> Operation {
        match self {
            Call::GetItem => Operation::GetItem,
            Call::Query20 => Operation::Query,
            Call::PutItem => Operation::PutItem,
        }
    }
}

/// What stands before the number of an item, which has ten digits.
const BEFORE_NUMBER: &[u8] = br#""n":{"N":""#;
const ITEMS_IN_A_PARTITION: usize = 20;
/// With the names and the keys, an item of 1,000 bytes or a little more.
const FILLER_BYTES: usize = 950;
const ITEMS_IN_A_BATCH: usize = 25;
/// Threads that store the items before the clock runs: enough that batches share their syncs.
const LOADERS: usize = 8;

/// An engine with its items.
pub(crate) struct Scene {
    engine: Engine,
    place: Place,
    items: usize,
    filler: String,
    /// What the next put stores: none stores what is there already, which would not be a write.
    next_number: AtomicU64,
    /// Kept as long as the engine.
    directory: Option<TempDir>,
}

impl Scene {
    /// Opens an engine and stores the items.
    pub(crate) fn new(place: Place, items: usize) -> Scene {
        let directory = (place == Place::Directory).then(|| TempDir::new().unwrap());
        let open = || {
            Engine::open(match &directory {
                Some(directory) => Options::directory(directory.path()),
                None => Options::memory(),
            })
        };
        let mut scene = Scene {
            engine: open().unwrap(),
            place,
            items,
            filler: "x".repeat(FILLER_BYTES),
            next_number: AtomicU64::new(1_000_000_000),
            directory: None,
        };
        let started = Instant::now();
        scene.load();
        println!("{items} items in {}: stored in {:.1} s", place.name(), started.elapsed().as_secs_f64());
        if directory.is_some() {
            // What is read is in the tree then, however few items there are.
            scene.engine.close().unwrap();
            drop(mem::replace(&mut scene.engine, Engine::open(Options::memory()).unwrap()));
            scene.engine = open().unwrap();
        }
        scene.directory = directory;
        scene
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    pub(crate) fn items(&self) -> usize {
        self.items
    }

    fn load(&self) {
        let create = r#"{"TableName":"bench","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}"#;
        self.engine.call_wire(Operation::CreateTable, create.as_bytes()).wait().unwrap();
        let batches = self.items.div_ceil(ITEMS_IN_A_BATCH);
        thread::scope(|scope| {
            for loader in 0..LOADERS {
                scope.spawn(move || {
                    for batch in (loader..batches).step_by(LOADERS) {
                        self.store_batch(batch);
                    }
                });
            }
        });
    }

    fn store_batch(&self, batch: usize) {
        let first = batch * ITEMS_IN_A_BATCH;
        let mut body = br#"{"RequestItems":{"bench":["#.to_vec();
        for item in first..(first + ITEMS_IN_A_BATCH).min(self.items) {
            body.extend_from_slice(if item == first {
                br#"{"PutRequest":{"#
            } else {
                br#",{"PutRequest":{"#
            });
            self.write_item(item, 0, &mut body);
            body.extend_from_slice(b"}}");
        }
        body.extend_from_slice(b"]}}");
        self.engine.call_wire(Operation::BatchWriteItem, &body).wait().unwrap();
    }

    /// The JSON of a request; the choice says for which item.
    pub(crate) fn request(&self, call: Call, choice: &mut Choice) -> Vec<u8> {
        let item = choice.next() % self.items;
        let mut body = br#"{"TableName":"bench","#.to_vec();
        match call {
            Call::GetItem => {
                body.extend_from_slice(br#""Key":{"#);
                write_key(item, &mut body);
                body.push(b'}');
            }
            Call::Query20 => {
                let partition = item / ITEMS_IN_A_PARTITION;
                let condition = r#""KeyConditionExpression":"pk = :p","ExpressionAttributeValues""#;
                write!(body, r#"{condition}:{{":p":{{"S":"p{partition:07}"}}}}"#).unwrap();
            }
            Call::PutItem => {
                self.write_item(item, self.next_number.fetch_add(1, Ordering::Relaxed), &mut body)
            }
        }
        body.push(b'}');
        body
    }

    /// Makes a prepared request another write where it was sent before.
    pub(crate) fn renew(&self, call: Call, body: &mut [u8]) {
        if call != Call::PutItem {
            return;
        }
        let number = self.next_number.fetch_add(1, Ordering::Relaxed).to_string();
        let before = body.windows(BEFORE_NUMBER.len()).position(|window| window == BEFORE_NUMBER).unwrap();
        body[before + BEFORE_NUMBER.len()..][..number.len()].copy_from_slice(number.as_bytes());
    }

    fn write_item(&self, item: usize, number: u64, body: &mut Vec<u8>) {
        body.extend_from_slice(br#""Item":{"#);
        write_key(item, body);
        body.push(b',');
        body.extend_from_slice(BEFORE_NUMBER);
        write!(body, r#"{number}"}},"data":{{"S":"{}"}}}}"#, self.filler).unwrap();
    }

    /// Calls the engine as a server does: parses the JSON of the request, and writes the JSON of the answer.
    pub(crate) fn answer(&self, call: Call, body: &[u8], answer: &mut Vec<u8>) -> usize {
        answer.clear();
        self.engine.call_wire(call.operation(), body).wait().unwrap().write_json(answer);
        answer.len()
    }

    /// Fails when an answer cannot hold what was asked for.
    pub(crate) fn check(&self, call: Call, answer: &[u8]) {
        let (least, most) = match call {
            Call::GetItem => (FILLER_BYTES, 2 * FILLER_BYTES),
            Call::Query20 => (ITEMS_IN_A_PARTITION * FILLER_BYTES, 2 * ITEMS_IN_A_PARTITION * FILLER_BYTES),
            Call::PutItem => (2, 2),
        };
        assert!((least..=most).contains(&answer.len()), "{}", String::from_utf8_lossy(answer));
    }
}

fn write_key(item: usize, body: &mut Vec<u8>) {
    let (partition, sort) = (item / ITEMS_IN_A_PARTITION, item % ITEMS_IN_A_PARTITION);
    write!(body, r#""pk":{{"S":"p{partition:07}"}},"sk":{{"S":"s{sort:02}"}}"#).unwrap();
}

/// The same sequence of items in every run: a xorshift generator, started by the number of the thread.
pub(crate) struct Choice(u64);

impl Choice {
    pub(crate) fn new(number: usize) -> Choice {
        Choice(0x9E37_79B9_7F4A_7C15 ^ ((number as u64 + 1) << 17))
    }

    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize
    }
}
