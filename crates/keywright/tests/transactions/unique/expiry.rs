//! What an item had is free when its time is over.

use std::time::Duration;

use keywright::UniqueWrite;

use super::*;
use crate::arm::in_process_alone;

fn guest(guest_id: u64, expires_at: u64) -> Guest {
    Guest {
        organization_id: OrganizationId("acme".to_owned()),
        guest_id,
        email: "guest@example.org".to_owned(),
        expires_at,
    }
}

#[tokio::test]
async fn what_an_expired_item_had_is_free_though_it_is_still_stored() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let now = arm.now_seconds();
    assert!(acme.insert_unique(&guest(1, now + 100)).send().await.unwrap().is_done());
    let taken = acme.insert_unique(&guest(2, now + 1000)).send().await.unwrap();
    assert!(matches!(taken, UniqueWrite::Taken { reservations } if reservations == ["GuestEmail"]));

    arm.advance(Duration::from_secs(100));
    assert!(acme.insert_unique(&guest(2, now + 1000)).send().await.unwrap().is_done());
    // The first one, put again, does not get it back; and to delete it takes nothing from the second.
    let back = acme.put_unique(&guest(1, now + 1000)).send().await.unwrap();
    assert!(matches!(back, UniqueWrite::Taken { .. }), "{back:?}");
    acme.delete_unique(GuestById { guest_id: 1 }).send().await.unwrap().done().unwrap();
    let taken = acme.insert_unique(&guest(3, now + 1000)).send().await.unwrap();
    assert!(matches!(taken, UniqueWrite::Taken { .. }), "{taken:?}");
}

/// The time of the guest was extended and that of the reservation was not: the address was given away while the guest had it.
#[tokio::test]
async fn a_longer_time_is_a_longer_time_of_what_is_held() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let now = arm.now_seconds();
    assert!(acme.insert_unique(&guest(1, now + 100)).send().await.unwrap().is_done());
    let extend = Extend { expires_at: now + 500 };
    let extended = acme.update_unique(GuestById { guest_id: 1 }, extend).send().await.unwrap();
    assert!(extended.is_done());

    arm.advance(Duration::from_secs(200));
    let taken = acme.insert_unique(&guest(2, now + 1000)).send().await.unwrap();
    assert!(matches!(taken, UniqueWrite::Taken { .. }), "{taken:?}");
    assert!(acme.put_unique(&guest(1, now + 900)).send().await.unwrap().is_done());
    arm.advance(Duration::from_secs(400));
    let taken = acme.insert_unique(&guest(2, now + 1000)).send().await.unwrap();
    assert!(matches!(taken, UniqueWrite::Taken { .. }), "{taken:?}");
    arm.advance(Duration::from_secs(300));
    assert!(acme.insert_unique(&guest(2, now + 2000)).send().await.unwrap().is_done());
}
