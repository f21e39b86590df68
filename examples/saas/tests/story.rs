//! The story is told to its end, in this process and over HTTP, and what it says is so.
#![allow(clippy::unwrap_used, reason = "a test: what fails shows itself")]

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_async::rt::sleep::TokioSleep;
use keywright::{CursorKey, CursorKeys};
use keywright_embedded::engine::{Engine, Options};
use keywright_server::{Server, ServerOptions};
use saas::stores::Stores;
use saas::story;

/// What is told, in this order; the numbers are counts, sums and refusals.
const TOLD: &[&str] = &[
    "acme signed up with its first user, together or not at all",
    "acme is there already, and nothing was written",
    "acme has 2 users, read with one Query",
    "renamed: true; again, by somebody who read the old version: false",
    "ada's address is known to 2 organizations",
    "try 1: wrong",
    "try 2: right",
    "no code: it was used",
    "eve signs up with bob's address: taken, says UserEmail",
    "bob's first click on the link: the address is changed",
    "bob's second click on the link: it was used",
    "bob has the new address, and eve can have the old one: true",
    "team 1 and its 2 members are one Query",
    "bob is Member now",
    "ada is in teams 1 and 10",
    "does not belong to the tenant through which it is written",
    "globex reads its own team 1: 0 items",
    "1 invitation is pending",
    "first click on the link: a user, and a guest of team 1",
    "second click on the link: the invitation is gone, and nothing was written",
    "newest: task 4, task 3 (there are more)",
    "newest: task 0 (that is all)",
    "due in six days: task 0, task 1\n",
    "task 0 is closed: true; by the one who was late: false",
    "ada has 1 notice",
    "task 4 moved to another project, and resumed by a process that did not know: done before true, here 0, there 1",
    "published: The plan;",
    "a visitor with the link sees \"The plan\"",
    "still stored: true",
    "globex wants to revoke it: a `ShareToken",
    "2 browsers are told when a board changes",
    "bob closed the browser: 1 is left",
    "globex closes ada's: ",
    "refused, and shown nothing of what is there",
    "an event of the workspace is acme's: true",
    "delivery 1: \"here is the plan\" was posted",
    "delivery 3: \"here is the plan\", as before; nothing was posted",
    "three deliveries, 1 answer in the channel",
    "the id comes again with another body: refused",
    "another one waits: true; the work fails, and the next may try: true",
    "forty views at once, into ten items by chance: their sum is 40",
    "newest first: page 12, page 11, page 10, page 9, page 8\n",
    "newest first: page 7, page 6, page 5, page 4, page 3\n",
    "5, 7 and once more the same 5 megabytes: 12 on the bill, 1 came before",
    "20 deleted: refused, there are 12",
    "five requests at once, three a minute: 3 served, 2 told to come back within 20 seconds",
    "Stripe's event, delivery 1: the balance is 2000 cents",
    "Stripe's event, delivery 2: done before: it is 2000 cents",
    "a worker that lost its claim does it again: the balance is still 2000 cents",
    "who paid sees 1 payment at once",
    "1500 cents for seats: Now",
    "the meter asks again: Before",
    "600 cents for storage: NotEnough(500)",
    "ten charges of 100 cents at once: 5 made, 5 refused",
    "7 entries: 2000 cents paid, 2000 charged, and the balance is 0",
    "worker 1 sleeps, its lease ends, worker 2 takes the lock",
    "120 tasks in 5 calls, told 5 times how far it is",
    "imported once more: there are still 120",
    "one row twice: refused before anything is sent, 1 pair named",
    "worker 2 says that it is done: written",
    "worker 1 says that it is done: refused, somebody else has the lock",
    "three of them by their keys, in 1 call",
    "the project is cleaned up: 120 tasks deleted in 5 calls, 0 are left",
    "three records, each delivered twice: three entries",
    "newest first: ada paid, bob closed task 0, ada invited cyd",
    "as they were written: the chain holds",
    "entry 2 is forged: the chain breaks at entry 3",
    "and put right: the chain holds",
    "every item of App is what it should be: true",
    "the chains of the audit trail break at 0 places",
    "as many as were exported: true",
    "a recount finds 0 of acme, and globex has all of its items: true",
    "What it cost, by access pattern and by entity\n",
];

#[tokio::test(flavor = "current_thread")]
async fn the_story_can_be_told_twice_on_the_same_tables() {
    let stores = Stores::in_memory(keys()).await.unwrap();
    for _ in 0..2 {
        tell(&stores).await;
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_story_is_the_same_over_http() {
    let engine = Engine::open(Options::memory()).unwrap();
    let options = ServerOptions { address: "127.0.0.1:0".parse().unwrap(), ..ServerOptions::default() };
    let server = Server::bind(engine, options).unwrap();
    let client = client(&format!("http://{}", server.local_address()));
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let told = async {
        tell(&Stores::behind(&client, keys()).await.unwrap()).await;
        drop(stop);
    };
    let served = server.run(async {
        let _ = stopped.await;
    });
    let ((), served) = tokio::join!(told, served);
    served.unwrap();
}

/// Tells the story and looks for everything that it should say, in its order.
async fn tell(stores: &Stores) {
    let mut told = Vec::new();
    story::tell(stores, &mut told).await.unwrap();
    let told = String::from_utf8(told).unwrap();
    let mut rest = told.as_str();
    for line in TOLD {
        let place = rest.find(line);
        assert!(place.is_some(), "{line:?} is not in its place in:\n{told}");
        rest = rest.split_at(place.unwrap() + line.len()).1;
    }
}

fn keys() -> CursorKeys {
    CursorKeys::new(CursorKey::generate().unwrap())
}

fn client(endpoint: &str) -> Client {
    let config = aws_sdk_dynamodb::config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .sleep_impl(TokioSleep::new());
    Client::from_conf(config.build())
}
