//! The story is told to its end, and what it says is so.
#![allow(clippy::unwrap_used, reason = "a test: what fails shows itself")]

use keywright::{Capabilities, CursorKey, CursorKeys, Store};
use saas::app::App;
use saas::live::Live;
use saas::story;

#[tokio::test(flavor = "current_thread")]
async fn the_story_can_be_told_twice_on_the_same_tables() {
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let app = Store::<App>::in_memory(keys.clone()).await.unwrap();
    let builder = Store::<Live>::builder(app.client().clone(), keys).capabilities(Capabilities::EMBEDDED);
    builder.create_table().await.unwrap();
    let live = builder.open().await.unwrap();

    for _ in 0..2 {
        let mut told = Vec::new();
        story::tell(&app, &live, &mut told).await.unwrap();
        let told = String::from_utf8(told).unwrap();
        for line in [
            "organization acme: inserted true",
            "again, by somebody who read the old version: false",
            "ada's address is known to 2 organizations",
            "try 1: wrong",
            "try 2: right",
            "no code: it was used",
            "team 1 and its 2 members are one Query",
            "bob is Member now",
            "ada is in teams 1 and 10",
            "does not belong to the tenant through which it is written",
            "globex reads its own team 1: 0 items",
            "1 invitation is pending",
            "newest: task 4, task 3 (there are more)",
            "newest: task 0 (that is all)",
            "due in six days: task 0, task 1\n",
            "task 0 is closed: true; by the one who was late: false",
            "published: The plan;",
            "a visitor with the link sees \"The plan\"",
            "still stored: true",
            "globex wants to revoke it: a `ShareToken",
        ] {
            assert!(told.contains(line), "{line:?} is not in:\n{told}");
        }
    }
}
