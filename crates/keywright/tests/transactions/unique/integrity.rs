//! A walk finds nothing wrong with items that have reservations, nor with the reservations.

use std::num::NonZeroU64;

use super::{
    ChangeEmail, Directory, Guest, GuestEmail, Person, PersonEmail, PersonHandle, by_id, tenant, with_handle,
};
use crate::arm::in_process_alone;

#[tokio::test]
async fn reservations_are_as_their_types_say() {
    let store = in_process_alone().store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let ada = with_handle("acme", "ada", "ada@example.com", "ada");
    assert!(acme.put_unique(&ada).send().await.unwrap().is_done());
    let moved = ChangeEmail { email: "lovelace@example.com".to_owned() };
    assert!(acme.update_unique(by_id("ada"), moved).send().await.unwrap().is_done());

    let walk = store.maintenance("a test").integrity(NonZeroU64::new(100).unwrap());
    let walk = walk.checking::<Person>().checking::<PersonEmail>().checking::<PersonHandle>();
    let mut pages = walk.checking::<Guest>().checking::<GuestEmail>().pages().unwrap();
    let mut rows = 0;
    while let Some(page) = pages.next().await.unwrap() {
        assert_eq!(page.findings, []);
        rows += page.rows;
    }
    assert_eq!(rows, 3);
}
