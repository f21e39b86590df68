//! A scan reads every row once, up to its cap, at its pace, and goes on where it was interrupted.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, Mutex};

use keywright::{InvalidPosition, MaintenanceError, MaintenanceProgress, Row, ScanEnd, ScanPosition};
use keywright_api::Operation::Scan;
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Rule, When};

use super::{MOST, documents, number, rows};
use crate::application::*;
use crate::arm::{in_process_alone, on_every_arm, with_faults};

fn sort_key(row: &Row<App>) -> String {
    row.attributes()["sk"].as_s().unwrap().clone()
}

#[tokio::test]
async fn every_row_is_read_once_in_any_number_of_segments() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        documents(&store, "acme", 60).await;
        documents(&store, "globex", 40).await;
        for segments in [1, 3, 8] {
            let mut last = None;
            let scan =
                store.maintenance("a test").scan(MOST).segments(number(segments)).rows_per_page(number(7));
            let mut pages = scan.on_progress(|progress: MaintenanceProgress| last = Some(progress)).pages();
            let mut seen = BTreeSet::new();
            while let Some(page) = pages.next().await.unwrap() {
                for row in &page.rows {
                    let document = row.decode::<Document>().unwrap().unwrap();
                    assert_eq!(row.entity(), Some("document"));
                    assert!(row.decode::<Team>().unwrap().is_none());
                    let is_new = seen.insert((document.organization_id.0.clone(), document.document_id));
                    assert!(is_new, "{segments} segments: {document:?} came twice");
                }
            }
            assert_eq!((seen.len(), pages.end()), (100, Some(ScanEnd::Complete)), "{segments} segments");
            drop(pages);
            let progress = last.unwrap();
            let segments = usize::try_from(segments).unwrap();
            assert_eq!((progress.rows, progress.segments_done, progress.segments), (100, segments, segments));
        }
        let usage = store.usage().reads["maintenance"];
        assert_eq!((usage.items_read, usage.items_given), (300, 300));
        assert!(usage.units > 0.0);
    })
    .await;
}

/// What was written for the subscriber of one thread.
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

/// On both sides of the cap. At ten nobody knows that there is no eleventh, so it is a cap that was hit.
#[tokio::test]
async fn no_more_rows_are_read_than_the_cap_says_and_that_there_may_be_more_is_an_event() {
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    documents(&store, "acme", 10).await;
    for (cap, segments, read, end) in [
        (9, 1, 9, ScanEnd::Cap),
        (10, 1, 10, ScanEnd::Cap),
        (11, 1, 10, ScanEnd::Complete),
        (9, 4, 9, ScanEnd::Cap),
        (40, 4, 10, ScanEnd::Complete),
    ] {
        let written = Written::default();
        let writer = written.clone();
        let subscriber =
            tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        let guard = tracing::subscriber::set_default(subscriber);
        let maintenance = store.maintenance("a test of the cap");
        let mut pages =
            maintenance.scan(rows(cap)).segments(number(segments)).rows_per_page(number(4)).pages();
        let mut seen = BTreeSet::new();
        while let Some(page) = pages.next().await.unwrap() {
            seen.extend(page.rows.iter().map(sort_key));
        }
        assert!(pages.next().await.unwrap().is_none());
        drop(guard);

        assert_eq!((seen.len(), pages.end()), (read, Some(end)), "cap {cap}, {segments} segments");
        let told = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert!(told.contains("maintenance has begun") && told.contains("a test of the cap"), "{told}");
        assert_eq!(told.contains("a scan stopped at its cap"), end == ScanEnd::Cap, "{told}");
    }
}

#[tokio::test]
async fn a_scan_that_was_interrupted_goes_on_from_a_position_that_was_kept_as_text() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        documents(&store, "acme", 50).await;
        documents(&store, "globex", 50).await;
        let maintenance = store.maintenance("a test");
        let mut kept: Option<String> = None;
        let mut seen = Vec::new();
        // A program that is killed after every page.
        loop {
            let mut scan = maintenance.scan(MOST).segments(number(3)).rows_per_page(number(9));
            if let Some(kept) = &kept {
                scan = scan.resume(kept.parse().unwrap());
            }
            let mut pages = scan.pages();
            let Some(page) = pages.next().await.unwrap() else {
                assert_eq!(pages.end(), Some(ScanEnd::Complete));
                break;
            };
            seen.extend(
                page.rows
                    .iter()
                    .map(|row| format!("{:?}{:?}", row.attributes()["pk"], row.attributes()["sk"])),
            );
            kept = Some(page.position.to_string());
        }
        let distinct: BTreeSet<&String> = seen.iter().collect();
        assert_eq!((seen.len(), distinct.len()), (100, 100));
    })
    .await;
}

#[tokio::test]
async fn a_position_of_another_table_or_none_at_all_is_refused_before_anything_is_read() {
    let arm = in_process_alone();
    let (store, other) = (arm.store::<App>().await, arm.store::<App>().await);
    documents(&other, "acme", 3).await;
    let mut pages = other.maintenance("a test").scan(MOST).pages();
    let position = pages.next().await.unwrap().unwrap().position;

    let mut resumed = store.maintenance("a test").scan(MOST).resume(position.clone()).pages();
    assert!(matches!(resumed.next().await, Err(MaintenanceError::Position(InvalidPosition))));
    assert!(store.usage().reads.is_empty());

    let text = position.to_string();
    assert_eq!(text.parse::<ScanPosition>().unwrap(), position);
    let cut: String = text.chars().take(text.len() - 4).collect();
    for wrong in ["", "%", "AAAA", cut.as_str()] {
        assert_eq!(wrong.parse::<ScanPosition>(), Err(InvalidPosition), "{wrong}");
    }
}

/// The clock is the engine's, and pauses move it.
#[tokio::test]
async fn a_scan_takes_no_more_units_a_second_than_it_may() {
    let arm = with_faults(Faults::new(7));
    let store = arm.store::<App>().await;
    documents(&store, "acme", 200).await;
    let mut took = Vec::new();
    for (rate, segments) in [(None, 1), (Some(2), 1), (Some(2), 4)] {
        let mut scan =
            store.maintenance("a test").scan(MOST).segments(number(segments)).rows_per_page(number(5));
        if let Some(rate) = rate {
            scan = scan.units_per_second(number(rate));
        }
        let begun = arm.now_seconds();
        let (mut pages, mut units) = (scan.pages(), 0.0);
        while let Some(page) = pages.next().await.unwrap() {
            units += page.read_units;
        }
        took.push((arm.now_seconds() - begun, units));
    }
    let [(unpaced, units), (paced, _), (in_segments, _)] = took[..] else { panic!("{took:?}") };
    assert_eq!(unpaced, 0);
    // A second's units are there at the beginning, and four segments may be a page of half a unit each ahead.
    let at_least = ((units - 2.0) / 2.0) as u64 - 1;
    assert!(at_least > 5, "{took:?}");
    assert!((at_least..at_least + 4).contains(&paced), "{took:?}");
    assert!((at_least - 1..at_least + 4).contains(&in_segments), "{took:?}");
}

#[tokio::test]
async fn a_page_that_failed_can_be_asked_for_again_and_nothing_is_lost() {
    for segments in [1, 3] {
        let throttled = Rule::new(Fault::Throttle(KeyRangeThroughput)).operation(Scan);
        let arm = with_faults(Faults::new(7).rule(throttled.when(When::Share(0.6))).unwrap());
        let store = arm.store::<App>().await;
        documents(&store, "acme", 40).await;
        let scan =
            store.maintenance("a test").scan(rows(41)).segments(number(segments)).rows_per_page(number(5));
        let (mut pages, mut seen, mut failures) = (scan.pages(), Vec::new(), 0);
        loop {
            match pages.next().await {
                Ok(Some(page)) => seen.extend(page.rows.iter().map(sort_key)),
                Ok(None) => break,
                Err(MaintenanceError::Service(_)) => failures += 1,
                Err(error) => panic!("{error}"),
            }
        }
        let distinct: BTreeSet<&String> = seen.iter().collect();
        assert_eq!((seen.len(), distinct.len(), pages.end()), (40, 40, Some(ScanEnd::Complete)));
        assert!(failures > 0, "the faults befell nothing");
        assert!(store.usage().reads["maintenance"].tries.retries > 0);
    }
}
