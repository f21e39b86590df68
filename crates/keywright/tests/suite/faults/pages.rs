//! A page ends with the time of a call, and what was read of it is not lost with a request that fails.

use std::num::NonZeroU32;
use std::time::Duration;

use keywright::{Cursor, RawExpression, ReadError, RetryPolicy, ServiceProblem, Store};
use keywright_api::Operation::Query;
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Rule, When};

use crate::application::*;
use crate::arm::{Arm, with_faults, with_faults_and_slow_calls};

const CALL: Duration = Duration::from_millis(400);
const OVERALL: Duration = Duration::from_secs(1);

/// A hundred documents, of which the last one alone is called `Last`.
async fn store_of_hundred(arm: &Arm) -> Store<App> {
    let builder = arm.builder::<App>();
    builder.create_table().await.unwrap();
    let store =
        builder.retries(RetryPolicy { overall: OVERALL, ..RetryPolicy::default() }).open().await.unwrap();
    let acme = tenant(&store, "acme");
    for document_id in 0..100 {
        let title = if document_id == 99 { "Last" } else { "Plain" };
        acme.put(&Document { title: title.to_owned(), ..document("acme", document_id) })
            .send()
            .await
            .unwrap();
    }
    store
}

fn last() -> DocumentsTitled {
    DocumentsTitled { title: "Last".to_owned() }
}

/// A list was filtered by a state that nothing had. One page of twenty read the whole partition, ten thousand requests where three seconds
/// were allowed, and the throttle that they led to threw all of it away: no later call came further.
#[tokio::test]
async fn a_page_whose_filter_keeps_nothing_ends_with_the_time_of_a_call_and_is_gone_on_from() {
    let arm = with_faults_and_slow_calls(Faults::new(7), CALL);
    let store = store_of_hundred(&arm).await;
    let acme = tenant(&store, "acme");

    let requests = || store.usage().reads["DocumentsTitled"].requests;
    let (mut pages, mut found, mut cursor) = (0, Vec::new(), None::<Cursor>);
    loop {
        let query = acme.query(last()).limit(NonZeroU32::MIN);
        let query = match cursor.take() {
            Some(cursor) => query.after(cursor),
            None => query,
        };
        let before = store.usage().reads.get("DocumentsTitled").map_or(0, |usage| usage.requests);
        let page = query.page().await.unwrap();
        pages += 1;
        assert!(requests() - before <= 3, "three requests take longer than a call may");
        cursor = page.next.clone();
        assert!(pages < 1_000, "pages that do not advance");
        found.extend(page.into_items().unwrap().iter().map(|document| document.document_id));
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(found, [99]);
    assert!(pages > 10, "one, two and four documents are read for a page: {pages}");

    // The pages one after the other are each a call.
    let mut found = Vec::new();
    let mut reading = acme.query(last()).limit(NonZeroU32::MIN).pages();
    while let Some(page) = reading.next().await.unwrap() {
        found.extend(page.into_items().unwrap().iter().map(|document| document.document_id));
    }
    assert_eq!(found, [99]);

    // Everything, or an error: a part of it is not given as if it were all.
    let all = acme.query(last()).all(NonZeroU32::MIN).await;
    assert!(matches!(all, Err(ReadError::OutOfTime { pattern: "DocumentsTitled" })), "{all:?}");
    assert_eq!(acme.query(Documents {}).all(100.try_into().unwrap()).await.unwrap().len(), 100);
}

#[tokio::test]
async fn a_lookup_ends_with_the_time_of_a_call_too() {
    let arm = with_faults_and_slow_calls(Faults::new(7), CALL);
    let store = store_of_hundred(&arm).await;
    let acme = tenant(&store, "acme");
    for invitation_id in 0..8 {
        let invitation = invitation("acme", invitation_id, "ada@example.org", u64::MAX / 4);
        acme.put(&invitation).send().await.unwrap();
    }
    let to_ada = || InvitationsByAddress { address: "ada@example.org".to_owned() };
    let last =
        RawExpression::new("#n = :n").unwrap().name("n", "note").value("n", &"Invitation 7 of acme").unwrap();
    let first = store.lookup(to_ada()).limit(NonZeroU32::MIN).and_filter(last.clone()).page().await.unwrap();
    assert_eq!((first.items.len(), first.items_read, first.has_more()), (0, 7, true));
    let rest = store.lookup(to_ada()).and_filter(last).after(first.next.unwrap()).page().await.unwrap();
    assert_eq!((rest.items.len(), rest.has_more()), (1, false));
}

/// The fourth request of a page is throttled for as long as it is tried. What the first three read is given, and the next page begins there.
#[tokio::test]
async fn a_request_that_fails_ends_its_page_and_is_an_error_only_where_nothing_was_read() {
    let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(Query);
    let throttled = throttled.when(When::Calls(vec![4, 5, 6, 7, 8, 9, 12, 13, 14]));
    let arm = with_faults(Faults::new(7).rule(throttled).unwrap());
    let store = store_of_hundred(&arm).await;
    let acme = tenant(&store, "acme");

    let first = acme.query(last()).limit(NonZeroU32::MIN).page().await.unwrap();
    assert_eq!((first.items.len(), first.items_read, first.has_more()), (0, 7, true));
    let rest = || acme.query(last()).limit(NonZeroU32::MIN).after(first.next.clone().unwrap());
    let second = rest().page().await;
    let Err(ReadError::Service(error)) = &second else { panic!("{second:?}") };
    assert_eq!(error.problem(), ServiceProblem::Throttled);
    // All there is, or the error, however much was read before.
    let all = rest().all(NonZeroU32::MIN).await;
    let Err(ReadError::Service(error)) = &all else { panic!("{all:?}") };
    assert_eq!(error.problem(), ServiceProblem::Throttled);
    let third = rest().page().await.unwrap().into_items().unwrap();
    assert_eq!(third.iter().map(|document| document.document_id).collect::<Vec<_>>(), [99]);
}
