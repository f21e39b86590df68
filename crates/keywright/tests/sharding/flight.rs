//! How many of the queries of a page are under way at once.

use std::time::Duration;

use keywright::RetryPolicy;
use keywright_api::Operation::Query;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule};

use crate::application::*;
use crate::calls::ArmWithCalls;

#[tokio::test]
async fn a_page_has_as_many_queries_under_way_as_it_may_and_no_more() {
    for (in_flight, most) in [(None, 8), (Some(1), 1), (Some(3), 3), (Some(50), 10)] {
        // Every query takes a second of a clock that only the test moves: all that may be under way come to be.
        let slow = Rule::new(Fault::Delay(Moment::BeforeCommit, Duration::from_secs(1))).operation(Query);
        let arm = ArmWithCalls::new(Faults::new(7).rule(slow).unwrap());
        let program = ten_alone::Handle::create(&arm.arm).await;
        for number in 0..40 {
            program.put(&row("news", &format!("{number:02}"))).await.unwrap();
        }
        let _ = arm.most_calls();
        // Time passes faster than the engine answers, so no try ends by time.
        let patient = RetryPolicy { attempt_timeout: Duration::from_secs(1 << 30), ..RetryPolicy::default() };
        let store =
            arm.arm.builder_of::<ten_alone::Feed>(program.table()).retries(patient).open().await.unwrap();
        let acme = store.tenant(&OrganizationId("acme".to_owned())).unwrap();
        let mut query = acme.query_sharded(ten_alone::EventsOfTopic { topic: "news".to_owned() });
        if let Some(in_flight) = in_flight {
            query = query.calls_in_flight(in_flight.try_into().unwrap());
        }
        let page = arm.until_done(query.page()).await.unwrap();
        assert_eq!((page.items.len(), arm.most_calls()), (40, most));
    }
}
