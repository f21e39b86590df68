//! Each call that is sent is one span, with names and figures, and nothing of a key or an item.
#![allow(clippy::unwrap_used, reason = "a test: what fails shows itself")]

use std::io::Write;
use std::sync::{Arc, Mutex};

use applications::teams::*;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::format::FmtSpan;

/// What was written, kept in memory.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What is written until the guard is dropped.
fn written() -> (Written, DefaultGuard) {
    let written = Written::default();
    let writer = written.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    (written, tracing::subscriber::set_default(subscriber))
}

#[tokio::test(flavor = "current_thread")]
async fn a_call_is_a_span_with_what_it_took_and_nothing_of_an_item() {
    let store = store().await.unwrap();
    let acme = acme(&store).unwrap();
    let (written, guard) = written();

    acme.put(&team(1, "Analysts")).if_absent().send().await.unwrap().done().unwrap();
    assert!(!acme.put(&team(1, "Another")).if_absent().send().await.unwrap().is_done());
    acme.get(TeamById { team_id: 1 }).await.unwrap().unwrap();
    acme.query(TeamWithMembers { team_id: 1 }).page().await.unwrap();
    acme.update(TeamById { team_id: 1 }, Rename { name: "Renamed".to_owned() })
        .send()
        .await
        .unwrap()
        .done()
        .unwrap();
    acme.delete(TeamById { team_id: 1 }).send().await.unwrap();
    drop(guard);

    let told = written.text();
    for span in [
        r#"keywright.put{table="App" entity="Team" attempts=1 outcome="done" units=1.0}"#,
        r#"keywright.put{table="App" entity="Team" attempts=1 outcome="the condition did not hold"}"#,
        r#"keywright.get{table="App" pattern="TeamById" requests=1 units=0.5 items_read=1 items_given=1}"#,
        r#"keywright.query{table="App" pattern="TeamWithMembers" requests=1 units=0.5 items_read=1 items_given=1}"#,
        r#"keywright.update{table="App" entity="Team" attempts=1 outcome="done" units=1.0}"#,
        r#"keywright.delete{table="App" entity="Team" attempts=1 outcome="done" units=1.0}"#,
    ] {
        assert!(told.contains(span), "{span} is not in:\n{told}");
    }
    for secret in ["acme", "Analysts", "Renamed", "TEAM#"] {
        assert!(!told.contains(secret), "{secret} is in:\n{told}");
    }
}

/// An item grew by updates, and nobody was told before it reached the limit: only puts were measured.
#[tokio::test(flavor = "current_thread")]
async fn an_item_that_grew_large_by_an_update_is_an_event_and_is_in_the_usage() {
    let store = store().await.unwrap();
    let acme = acme(&store).unwrap();
    acme.put(&team(1, "Analysts")).send().await.unwrap();
    let rename = |bytes: usize| Rename { name: "n".repeat(bytes) };
    let by_id = || TeamById { team_id: 1 };

    let (quiet, guard) = written();
    acme.update(by_id(), rename(1000)).send().await.unwrap().done().unwrap();
    drop(guard);
    let small = store.usage().writes["Team"];
    let (told, guard) = written();
    acme.update(by_id(), rename(16 * 1024)).send().await.unwrap().done().unwrap();
    drop(guard);
    let large = store.usage().writes["Team"];

    assert!(!quiet.text().contains("a large item"), "{}", quiet.text());
    assert_eq!((small.items_updated, small.updated_bytes), (1, small.largest_updated_bytes));
    let grown = 16 * 1024 - 1000;
    assert_eq!(large.largest_updated_bytes, small.largest_updated_bytes + grown);
    assert_eq!((large.items_updated, large.updated_bytes), (2, 2 * small.updated_bytes + grown));
    let event = format!(
        "a large item: each KB of it costs a unit with every write entity=\"Team\" size_bytes={}",
        large.largest_updated_bytes
    );
    assert!(told.text().contains(&event), "{event} is not in:\n{}", told.text());
}
