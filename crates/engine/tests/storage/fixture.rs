//! A store that version 1 wrote still opens and holds what it held.

use crate::arms::{Model, open, read_all};
use keywright_engine::files::{Files, MemoryFiles};
use keywright_engine::storage::Space;
use std::sync::Arc;

/// Written once by the first build of format version 1: a store created with the seed 42, one commit, closed. It is
/// never written again: a build that cannot read it must have another version.
const VERSION_1: &[u8] = include_bytes!("fixtures/version-1.redb");

#[test]
fn a_store_of_version_1_opens() {
    let files = MemoryFiles::new();
    files.open_or_create("keywright.redb").unwrap().write_at(0, VERSION_1).unwrap();
    let storage = open(Arc::new(files)).unwrap();
    assert_eq!(storage.id().to_string(), "bdd732262feb6e9528efe333b266f103");
    assert_eq!(read_all(&storage).unwrap(), content());
}

fn content() -> Model {
    let mut content = Model::new();
    for number in 0..50_u8 {
        content.insert((Space::Items, vec![0, number]), vec![number; 30 * usize::from(number)]);
    }
    content.insert((Space::Index, b"index key".to_vec()), b"index value".to_vec());
    content.insert((Space::TimeToLive, b"moment".to_vec()), Vec::new());
    content.insert((Space::Meta, b"next_table_id".to_vec()), 7_u64.to_be_bytes().to_vec());
    content
}
