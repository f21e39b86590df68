//! The story is told to its end, in this process and over HTTP, and what it says is so.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test: what fails shows itself")]

use std::process::Command;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_async::rt::sleep::TokioSleep;
use keywright::{CursorKey, CursorKeys};
use keywright_api::Operation::{
    BatchGetItem, BatchWriteItem, GetItem, PutItem, Query, Scan, TransactGetItems, TransactWriteItems,
};
use keywright_api::ThrottlingLimit;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};
use keywright_embedded::engine::{Engine, Options};
use keywright_server::{Server, ServerOptions};
use saas::stores::Stores;
use saas::story;

/// What is told, in this order; the numbers are counts, sums and refusals.
const TOLD: &[&str] = &[
    "A day at Wayboard. ",
    "requests   read  write   Signing up\n",
    "       1      -      7   acme signed up with its first user, together or not at all\n",
    "       1      -      -   acme is there already, and nothing was written\n",
    "acme has 2 users, read with one Query\n",
    "two people read acme, version 1, and change its name\n",
    "the second is told that it is Acme now, version 2\n",
    "ada's address is known to 2 organizations\n",
    "try 1: wrong\n",
    "try 2: right\n",
    "no code: it was used",
    "eve signs up with bob's address: taken, says UserEmail\n",
    "bob's first click on the link: the address is changed\n",
    "bob's second click on the link: it was used\n",
    "the new address is bob's\n",
    "eve signs up with bob's old address: it is hers\n",
    "       1    0.5      -   team 1 and its 2 members are one Query",
    "its key condition: pk = \"ORG#acme-",
    "\" AND sk BETWEEN \"TEAM#1\" AND \"TEAM#1$\"\n",
    "bob is Member now\n",
    "ada is in teams 1 and 10\n",
    "       -      -      -   globex writes acme's team: ",
    "does not belong to the tenant through which it is written",
    "globex reads its own team 1: 0 items\n",
    "1 invitation is pending",
    "first click on the link: a user, and a guest of team 1\n",
    "second click on the link: the invitation is gone, and nothing was written\n",
    "newest: task 4, task 3 (there are more)\n",
    "newest: task 0 (that is all)\n",
    "due in six days: task 0, task 1\n",
    "task 0 is closed once",
    "ada has 1 notice\n",
    "task 4 moves to another project",
    "a new process resumes it by its token: it was done before: true\n",
    "a snapshot of both places: here 0, there 1\n",
    "published: The plan;",
    "a visitor with the link sees \"The plan\"\n",
    "the other link is still stored, and gone for every reader\n",
    "globex wants to revoke it: a `ShareToken",
    "2 browsers are told when a board changes",
    "bob closes the browser",
    "1 is left\n",
    "globex closes ada's: ",
    "refused, and shown nothing of what is there\n",
    "acme is found by it\n",
    "delivery 1: \"here is the plan\" was posted\n",
    "delivery 3: \"here is the plan\", as before; nothing was posted\n",
    "three deliveries, 1 answer in the channel\n",
    "the id comes again with another body: refused\n",
    "worker 2 claims it, does the work, and stores the answer\n",
    "      40      -     40   forty views at once",
    "the ten are read by one request, and added up: 40\n",
    "a page merged of four Queries, newest first: page 12, page 11, page 10, page 9, page 8\n",
    "the next page merged of four Queries, newest first: page 7, page 6, page 5, page 4, page 3\n",
    "event stored-1, 5 megabytes: counted\n",
    "event stored-1, 5 megabytes: came before, and is not counted again\n",
    "12 megabytes are on the bill\n",
    "20 megabytes less: refused, there are 12\n",
    "five requests at once, three a minute: 3 served, 2 told to come back in 20 seconds\n",
    "Stripe's event, delivery 1: the balance is 2000 cents\n",
    "Stripe's event, delivery 2: done before: it is 2000 cents\n",
    "a worker that lost its claim does it again: the balance is still 2000 cents\n",
    "who paid sees 1 payment at once\n",
    "1500 cents for seats: charged\n",
    "the meter asks again: charged before, and not again\n",
    "600 cents for storage: refused, there are 500\n",
    "ten charges of 100 cents at once: 5 made, 5 refused\n",
    "7 entries: 2000 cents paid, 2000 charged, and the balance is 0\n",
    "worker 1 sleeps, its lease ends, worker 2 takes the lock\n",
    "       5      -    120   120 tasks in 5 calls, told 5 times how far it is\n",
    "the import begins again, as a stream, with the same ids: 120 written\n",
    "one row twice: refused before anything is sent, 1 pair named\n",
    "worker 2 writes that the project is there: done",
    "worker 1 writes that the project is there: refused, somebody else has taken the lock since\n",
    "three tasks by their keys, in 1 call",
    "all of them by their keys, as a stream in their order: row 0 to row 119\n",
    "by a Query, page after page: there are 120\n",
    "the project is cleaned up: 120 tasks deleted in 5 calls\n",
    "0 are left\n",
    "the hottest partition key of App is that project's: ",
    "three records, each delivered twice: three entries\n",
    "newest first: ada paid, bob closed task 0, ada invited cyd\n",
    "as they were written: the chain holds\n",
    "entry 2 is forged: the chain breaks at entry 3\n",
    "and put right: the chain holds\n",
    "tonight: 10 rows are read, the cap is reached, and the position kept\n",
    "tomorrow: 10 rows are read, the cap is reached, and the position kept\n",
    "a walk over App: every item decodes",
    "a walk over Audit: the chains break at 0 places\n",
    "items of acme are to go, as many as were exported\n",
    "a recount finds 0 of acme\n",
    "of globex, as before\n",
    "What it cost, by access pattern and by entity\n",
    "= the day; ",
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

/// The program itself, and then another one on what it left: a directory is opened by one process at a time, and keeps everything.
#[tokio::test(flavor = "current_thread")]
async fn the_story_can_be_told_in_a_directory_and_again_on_what_it_left() {
    let directory = tempfile::tempdir().unwrap();
    let ran =
        Command::new(env!("CARGO_BIN_EXE_saas")).arg("--directory").arg(directory.path()).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_in_order(&String::from_utf8(ran.stdout).unwrap(), TOLD.iter().copied());

    tell(&Stores::in_directory(directory.path(), keys()).await.unwrap()).await;
}

/// Batches come back half done, calls are throttled, transactions conflict. What is told is the same; what it took is not.
#[tokio::test(flavor = "current_thread")]
async fn the_story_is_the_same_where_the_service_is_busy() {
    is_told_under(busy()).await;
}

/// Besides, one of twenty answers is lost after its call had effect, but for updates and deletes: where somebody else has written since, or
/// nothing is left that could tell, what became of those is unknown, and a person would decide.
#[tokio::test(flavor = "current_thread")]
async fn the_story_is_the_same_where_answers_are_lost_besides() {
    let lost =
        [GetItem, PutItem, Query, Scan, BatchGetItem, BatchWriteItem, TransactGetItems, TransactWriteItems]
            .into_iter()
            .fold(Rule::new(Fault::CutConnection(Moment::AfterCommit)), Rule::operation);
    is_told_under(busy().rule(lost.when(When::Share(0.05))).unwrap()).await;
}

async fn is_told_under(faults: Faults) {
    let engine = Engine::open(Options::memory().faults(faults)).unwrap();
    let told = told(&Stores::behind(&keywright_embedded::client(&engine), keys()).await.unwrap()).await;
    let is_of_cost = |line: &str| line.starts_with(' ') || line.contains(" call");
    assert_in_order(&told, TOLD.iter().copied().filter(|line| !is_of_cost(line)));
    let report = engine.faults().unwrap();
    assert!(report.rules.iter().all(|rule| rule.fired > 0), "{report:?}");
}

fn busy() -> Faults {
    let share = |fault, share| Rule::new(fault).when(When::Share(share));
    Faults::new(7)
        .rule(share(Fault::Unprocessed { share: 0.3 }, 0.5))
        .unwrap()
        .rule(share(Fault::Throttle(ThrottlingLimit::KeyRangeThroughput), 0.05))
        .unwrap()
        .rule(share(Fault::TransactionConflict, 0.05))
        .unwrap()
}

#[tokio::test(flavor = "current_thread")]
async fn what_the_documentation_shows_is_what_is_printed() {
    let told = told(&Stores::in_memory(keys()).await.unwrap()).await;
    for page in [include_str!("../../../README.md"), include_str!("../../../docs/data-layer/README.md")] {
        let heading = page.find("requests   read  write   ").expect("the page shows what is printed");
        let begin = page[..heading].rfind("```text\n").unwrap() + "```text\n".len();
        let shown = page[begin..].split("```").next().unwrap();
        // What is left out is a line of dots.
        assert_in_order(&told, shown.lines().filter(|line| !line.is_empty() && *line != "..."));
    }
}

/// Tells the story and looks for everything that it should say, in its order.
async fn tell(stores: &Stores) {
    assert_in_order(&told(stores).await, TOLD.iter().copied());
}

async fn told(stores: &Stores) -> String {
    let mut told = Vec::new();
    story::tell(stores, &mut told).await.unwrap();
    String::from_utf8(told).unwrap()
}

fn assert_in_order<'t>(told: &str, texts: impl Iterator<Item = &'t str>) {
    let mut rest = told;
    for text in texts {
        let place = rest.find(text);
        assert!(place.is_some(), "{text:?} is not in its place in:\n{told}");
        rest = rest.split_at(place.unwrap() + text.len()).1;
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
