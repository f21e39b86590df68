//! The one cursor of many shards: for one read, and for no other.

use keywright::{Cursor, CursorError, ReadError};

use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm};

async fn filled(program: &impl Program) {
    for number in 0..20 {
        program.put(&row("news", &format!("{number:02}"))).await.unwrap();
    }
}

fn refused(answer: Result<Found, ReadError>) -> bool {
    matches!(answer, Err(ReadError::Cursor(CursorError::Invalid)))
}

#[tokio::test]
async fn a_cursor_of_another_tenant_topic_direction_pattern_or_table_is_refused_before_anything_is_read() {
    on_every_arm(|arm| async move {
        let acme = ten_alone::Handle::create(&arm).await;
        filled(&acme).await;
        let cursor = acme.page(&Reading::topic("news").limit(3)).await.unwrap().next;
        assert!(cursor.is_some());
        let other = ten_alone::Handle::open(&arm, acme.table(), "globex").await;
        let elsewhere = ten_alone::Handle::create(&arm).await;
        let before = acme.usage().reads["EventsOfTopic"].requests;

        let news = || Reading::topic("news").limit(3).after(cursor.clone());
        assert!(refused(other.page(&news()).await));
        assert!(refused(elsewhere.page(&news()).await));
        assert!(refused(acme.page(&news().backward()).await));
        let of = |of: Of| Reading::of(of).limit(3).after(cursor.clone());
        assert!(refused(acme.page(&of(Of::Topic("new".to_owned()))).await));
        assert!(refused(acme.page(&of(Of::Saying("news".to_owned(), "x".to_owned()))).await));
        assert!(refused(acme.page(&of(Of::Author("ada".to_owned()))).await));
        assert!(refused(acme.page(&of(Of::Texts("news".to_owned()))).await));

        assert_eq!(acme.usage().reads["EventsOfTopic"].requests, before);
        assert!(other.usage().reads.is_empty());
        assert_eq!(acme.page(&news()).await.unwrap().ids(), ["03", "04", "05"]);
    })
    .await;
}

#[tokio::test]
async fn a_changed_or_expired_cursor_is_refused() {
    let arm = in_process_alone();
    let acme = ten_alone::Handle::create(&arm).await;
    filled(&acme).await;
    let cursor = acme.page(&Reading::topic("news").limit(3)).await.unwrap().next.unwrap();
    let text = cursor.to_string();
    let middle = text.len() / 2;
    let other = if &text[middle..=middle] == "A" { "B" } else { "A" };
    let changed: Cursor = format!("{}{other}{}", &text[..middle], &text[middle + 1..]).parse().unwrap();

    assert!(refused(acme.page(&Reading::topic("news").after(Some(changed))).await));
    arm.advance(std::time::Duration::from_secs(24 * 3600 + 1));
    let expired = acme.page(&Reading::topic("news").after(Some(cursor))).await;
    assert!(matches!(expired, Err(ReadError::Cursor(CursorError::Expired))), "{expired:?}");
}

/// The position is one sort key: the cursor of ten shards is no longer than that of one.
#[tokio::test]
async fn a_cursor_of_many_shards_is_as_short_as_that_of_one_key() {
    let arm = in_process_alone();
    let (plain, ten) = (plain::Handle::create(&arm).await, ten_alone::Handle::create(&arm).await);
    filled(&plain).await;
    filled(&ten).await;
    let length = |page: Found| page.next.unwrap().as_str().len();

    let of_one = length(plain.page(&Reading::topic("news").limit(3)).await.unwrap());
    let of_ten = length(ten.page(&Reading::topic("news").limit(3)).await.unwrap());

    assert_eq!(of_one, of_ten);
}
