//! A walk finds nothing wrong with claims, locks, counters, limits and tokens, whatever state they are in.

use std::num::NonZeroU64;
use std::time::Duration;

use keywright::{Claimed, Limits, Locked, Rate, Store};

use crate::application::*;
use crate::arm::in_process_alone;

async fn findings(store: &Store<Live>) -> Vec<String> {
    let most = NonZeroU64::new(1000).unwrap();
    let walk = store.maintenance("a test").integrity(most);
    let walk = walk.checking::<Event>().checking::<ForeignEvent>().checking::<Views>().checking::<Seats>();
    let walk = walk.checking::<Balance>().checking::<Tasks>().checking::<DayCount>().checking::<DayViews>();
    let walk = walk.checking::<ForeignCount>().checking::<JobLock>().checking::<ForeignLock>();
    let walk = walk.checking::<CallLimit>().checking::<ForeignLimit>().checking::<Reset>();
    let mut pages = walk.checking::<PinReset>().checking::<Note>().pages().unwrap();
    let mut findings = Vec::new();
    while let Some(page) = pages.next().await.unwrap() {
        findings.extend(page.findings.iter().map(ToString::to_string));
    }
    findings
}

#[tokio::test]
async fn what_coordinates_is_as_its_types_say_in_every_state() {
    let arm = in_process_alone();
    let store = arm.store::<Live>().await;
    let acme = tenant(&store, "acme");
    let lease = Duration::from_secs(30);
    let later = arm.now_seconds() + 60;

    let (held, done, counted) = (event("acme", "held"), event("acme", "done"), event("acme", "counted"));
    let _held = acme.claim(&held, lease, lease).send::<u64>().await.unwrap();
    let Claimed::New(claim) = acme.claim(&done, lease, lease).send::<u64>().await.unwrap() else { panic!() };
    claim.complete(&7).await.unwrap();
    let tasks = Tasks { organization_id: organization("acme") };
    let _ = acme.add_once(&counted, lease).add(&balance("acme", 1), 5).add(&tasks, 2).send().await.unwrap();
    for _ in 0..20 {
        let _ = acme.add(&views("acme", "prices"), 1).send().await.unwrap();
    }
    let _ = acme.add(&seats("acme"), 1).within(Limits::at_most(4)).send().await.unwrap();
    let day = DayViews { organization_id: organization("acme"), day: 1, expires_at: later };
    let _ = acme.add(&day, 3).send().await.unwrap();
    let (nightly, weekly) = (job("acme", "nightly"), job("acme", "weekly"));
    let _locked = acme.lock(&nightly, lease).send().await.unwrap();
    let Locked::Held(lock) = acme.lock(&weekly, lease).send().await.unwrap() else { panic!() };
    lock.release().await.unwrap();
    let rate = Rate::new(5, Duration::from_secs(1)).unwrap();
    let _ = acme.take(&call_limit("acme", "ada"), rate, 1).await.unwrap();

    assert_eq!(findings(&store).await, Vec::<String>::new());
    arm.advance(Duration::from_secs(3600));
    assert_eq!(findings(&store).await, Vec::<String>::new(), "after their time");
}
