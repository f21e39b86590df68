use super::*;
use std::collections::BTreeSet;

fn file_with(files: &FaultyFiles, bytes: &[u8]) -> Arc<dyn File> {
    let file = files.open_or_create("file").unwrap();
    files.sync_directory().unwrap();
    file.write_at(0, bytes).unwrap();
    file
}

fn content(files: &dyn Files) -> Vec<u8> {
    let file = files.open_or_create("file").unwrap();
    let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    bytes
}

/// What a power loss may leave, over many seeds.
fn outcomes<Outcome: Ord>(run: impl Fn(&FaultyFiles) -> Outcome) -> Vec<Outcome> {
    let seen: BTreeSet<Outcome> = (0..200).map(|seed| run(&FaultyFiles::counting(seed))).collect();
    seen.into_iter().collect()
}

#[test]
fn what_was_synced_survives_every_power_loss() {
    for seed in 0..200 {
        let files = FaultyFiles::counting(seed);
        let file = file_with(&files, &[7; 2_000]);
        file.sync_data().unwrap();
        file.write_at(1_024, &[8; 2_000]).unwrap();
        let after = content(&files.restart().unwrap());
        assert_eq!(after.get(..1_024), Some([7; 1_024].as_slice()), "seed {seed}");
    }
}

#[test]
fn unsynced_writes_survive_wholly_partly_and_not_at_all() {
    let seen = outcomes(|files| {
        let file = file_with(files, &[7; 1_024]);
        file.sync_data().unwrap();
        file.write_at(0, &[8; 1_024]).unwrap();
        let after = content(&files.restart().unwrap());
        assert_eq!(after.len(), 1_024);
        (after[0], after[511], after[512], after[1_023])
    });
    assert_eq!(seen, [(7, 7, 7, 7), (7, 7, 8, 8), (8, 8, 7, 7), (8, 8, 8, 8)], "torn only between sectors");
}

#[test]
fn a_later_write_may_survive_an_earlier_one_in_the_same_file_and_in_another() {
    let seen = outcomes(|files| {
        let (first, second) = (file_with(files, &[0; 1_024]), files.open_or_create("second").unwrap());
        second.write_at(0, &[0; 8]).unwrap();
        files.sync_directory().unwrap();
        [&first, &second].iter().for_each(|file| file.sync_data().unwrap());
        first.write_at(0, &[1; 8]).unwrap();
        first.write_at(512, &[1; 8]).unwrap();
        second.write_at(0, &[1; 8]).unwrap();
        let survivors = files.restart().unwrap();
        let mut other = [0];
        survivors.open_or_create("second").unwrap().read_at(0, &mut other).unwrap();
        let after = content(&survivors);
        (after[0], after[512], other[0])
    });
    assert_eq!(seen.len(), 8, "any subset: {seen:?}");
}

#[test]
fn a_name_that_was_never_synced_may_be_gone() {
    let seen = outcomes(|files| {
        files.open_or_create("file").unwrap();
        files.restart().unwrap().exists("file").unwrap()
    });
    assert_eq!(seen, [false, true]);
}

#[test]
fn a_removed_file_may_be_back_with_what_was_synced_until_the_directory_is_synced() {
    let seen = outcomes(|files| {
        file_with(files, b"old").sync_data().unwrap();
        files.remove("file").unwrap();
        assert!(!files.exists("file").unwrap());
        assert_eq!(files.list().unwrap(), Vec::<String>::new());
        content(&files.restart().unwrap())
    });
    assert_eq!(seen, [b"".to_vec(), b"old".to_vec()]);

    let seen = outcomes(|files| {
        file_with(files, b"old").sync_data().unwrap();
        files.remove("file").unwrap();
        files.sync_directory().unwrap();
        files.restart().unwrap().exists("file").unwrap()
    });
    assert_eq!(seen, [false]);
}

#[test]
fn a_file_in_the_place_of_a_removed_one_is_that_the_old_one_or_none_and_never_a_mixture() {
    let seen = outcomes(|files| {
        file_with(files, b"the old one").sync_data().unwrap();
        files.remove("file").unwrap();
        let new = files.open_or_create("file").unwrap();
        assert_eq!(new.len().unwrap(), 0);
        new.write_at(0, b"new").unwrap();
        new.sync_data().unwrap();
        let survivors = files.restart().unwrap();
        survivors.exists("file").unwrap().then(|| content(&survivors))
    });
    assert_eq!(seen, [None, Some(b"new".to_vec()), Some(b"the old one".to_vec())]);
}

#[test]
fn a_removed_file_that_is_open_can_be_used_until_it_is_closed() {
    for files in [Arc::new(FaultyFiles::counting(1)) as Arc<dyn Files>, Arc::new(MemoryFiles::new())] {
        let file = files.open_or_create("file").unwrap();
        file.write_at(0, b"bytes").unwrap();
        files.remove("file").unwrap();
        files.sync_directory().unwrap();
        file.write_at(5, b" and more").unwrap();
        file.sync_data().unwrap();
        let mut bytes = [0; 14];
        file.read_at(0, &mut bytes).unwrap();
        assert_eq!(&bytes, b"bytes and more");
        assert_eq!(files.remove("file").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn nothing_works_after_a_power_loss_and_what_is_tried_is_counted() {
    let plan = FaultPlan { seed: 3, fault: Fault::PowerLoss, at_operation: 2 };
    let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
    let file = files.open_or_create("file").unwrap();
    file.write_at(0, b"abc").unwrap();
    assert!(!files.has_failed());
    assert!(file.sync_data().is_err());
    assert!(files.has_failed());
    assert!(file.sync_data().is_err());
    assert!(file.write_at(0, b"abc").is_err());
    assert!(file.read_at(0, &mut [0]).is_err());
    assert!(file.len().is_err());
    assert!(files.list().is_err());
    assert!(files.remove("file").is_err());
    assert!(files.open_or_create("file").is_err());
    assert_eq!(files.operations_after_fault(), 3);
    assert_eq!(files.operations(), 2);
}

#[test]
fn a_removal_in_which_the_power_is_lost_has_happened_or_not() {
    let seen = outcomes(|files| {
        file_with(files, b"old").sync_data().unwrap();
        files.strike(Fault::PowerLoss, 0);
        assert!(files.remove("file").is_err());
        files.restart().unwrap().exists("file").unwrap()
    });
    assert_eq!(seen, [false, true]);
}

#[test]
fn a_failed_sync_drops_what_it_likes_and_the_next_one_reports_a_success_that_is_none() {
    let seen = outcomes(|files| {
        let file = file_with(files, b"old");
        file.sync_data().unwrap();
        file.write_at(0, b"new").unwrap();
        files.strike(Fault::SyncFails, 0);
        assert!(file.sync_data().is_err());
        assert_eq!(content(files), b"new", "the process goes on seeing what it wrote");
        assert_eq!(files.retried_syncs(), 0);
        file.sync_data().unwrap();
        assert_eq!((files.retried_syncs(), files.operations_after_fault()), (1, 1));
        content(&files.restart().unwrap())
    });
    assert_eq!(seen, [b"new".to_vec(), b"old".to_vec()]);
}

#[test]
fn a_failed_sync_of_the_directory_loses_names_for_good() {
    let seen = outcomes(|files| {
        files.open_or_create("file").unwrap();
        files.strike(Fault::SyncFails, 0);
        assert!(files.sync_directory().is_err());
        files.sync_directory().unwrap();
        assert_eq!(files.retried_syncs(), 1);
        files.restart().unwrap().exists("file").unwrap()
    });
    assert_eq!(seen, [false, true]);
}

#[test]
fn a_full_disk_refuses_what_needs_room_and_nothing_else() {
    let plan = FaultPlan { seed: 3, fault: Fault::DiskFull, at_operation: 2 };
    let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
    let file = files.open_or_create("file").unwrap();
    file.write_at(0, b"abc").unwrap();
    file.write_at(0, b"over what is there").unwrap();
    assert!(!files.has_failed());
    assert_eq!(file.write_at(4_000, &[1; 200]).unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert!(files.has_failed());
    assert!(file.len().unwrap() <= 4_096, "the part that had room is done at most");
    file.write_at(0, b"over").unwrap();
    file.read_at(0, &mut [0; 18]).unwrap();
    file.set_len(1 << 20).unwrap();
    file.sync_data().unwrap();
    assert_eq!(file.write_at(8_192, b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    files.limit_bytes(None);
    file.write_at(8_192, b"x").unwrap();
}

#[test]
fn a_disk_is_full_from_its_last_block_on_until_something_is_removed() {
    let files = FaultyFiles::counting(1);
    files.limit_bytes(Some(3 * 4_096));
    let file = files.open_or_create("file").unwrap();
    file.write_at(0, &[1; 2 * 4_096]).unwrap();
    assert_eq!(files.used_bytes(), 2 * 4_096);
    // The third block is the last one.
    let other = files.open_or_create("other").unwrap();
    other.write_at(0, b"one byte takes a block").unwrap();
    assert_eq!(file.write_at(8_000, &[2; 500]).unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(file.len().unwrap(), 2 * 4_096);
    files.remove("other").unwrap();
    file.write_at(8_000, &[2; 500]).unwrap();
    file.set_len(4_096).unwrap();
    assert_eq!(files.used_bytes(), 4_096);
}

#[test]
fn a_disk_that_is_full_for_a_while_has_room_after_so_many_refusals() {
    let files = FaultyFiles::counting(1);
    let file = files.open_or_create("file").unwrap();
    files.strike(Fault::DiskFullFor { refusals: 2 }, 0);
    assert!(file.write_at(0, b"first").is_err());
    assert!(file.write_at(0, b"second").is_err());
    file.write_at(0, b"third").unwrap();
}

#[test]
fn a_place_that_cannot_be_read_stays_so_and_the_rest_can_be_read() {
    let files = FaultyFiles::counting(1);
    let file = file_with(&files, &[7; 100]);
    files.strike(Fault::ReadFails, 0);
    assert!(file.read_at(10, &mut [0; 10]).is_err());
    assert!(file.read_at(19, &mut [0; 1]).is_err());
    file.read_at(20, &mut [0; 10]).unwrap();
    file.write_at(0, b"writes go on").unwrap();
    assert_eq!(content(&files.restart().unwrap()).len(), 100);
}

#[test]
fn a_restart_of_files_over_others_begins_with_all_of_those_durable() {
    let before = MemoryFiles::new();
    before.open_or_create("file").unwrap().write_at(70_000, b"far").unwrap();
    let plan = FaultPlan { seed: 1, fault: Fault::PowerLoss, at_operation: u64::MAX };
    let files = FaultyFiles::over(&before, plan).unwrap();
    let after = content(&files.restart().unwrap());
    assert_eq!(after.len(), 70_003);
    assert!(after.ends_with(b"\0far"));
}

#[test]
fn a_write_that_fails_is_done_in_part_at_most_and_the_next_one_works() {
    let seen = outcomes(|files| {
        let file = file_with(files, &[7; 8_192]);
        files.strike(Fault::WriteFails, 0);
        assert_eq!(file.write_at(0, &[8; 8_192]).unwrap_err().kind(), io::ErrorKind::Other);
        let after = content(files);
        file.write_at(0, &[9; 8_192]).unwrap();
        assert_eq!(content(files), [9; 8_192]);
        after.iter().filter(|byte| **byte == 8).count()
    });
    assert_eq!(seen, [0, 4_096, 8_192]);
}

#[test]
fn each_call_can_fail_once_and_has_done_nothing_then() {
    let files = FaultyFiles::counting(1);
    let file = file_with(&files, &[7; 100]);
    files.strike(Fault::ResizeFails, 0);
    assert!(file.set_len(10).is_err());
    assert_eq!(file.len().unwrap(), 100);
    file.set_len(10).unwrap();

    files.strike(Fault::CreateFails, 0);
    files.open_or_create("file").unwrap();
    assert!(files.open_or_create("other").is_err());
    assert!(!files.exists("other").unwrap());
    files.open_or_create("other").unwrap();

    files.strike(Fault::RemoveFails, 0);
    assert!(files.remove("other").is_err());
    assert!(files.exists("other").unwrap());
    files.remove("other").unwrap();

    files.strike(Fault::ListFails, 0);
    assert!(files.list().is_err());
    assert_eq!(files.list().unwrap(), ["file"]);

    files.strike(Fault::DirectorySyncFails, 0);
    file.sync_data().unwrap();
    assert!(files.sync_directory().is_err());
    assert_eq!(files.struck().unwrap().fault, Fault::DirectorySyncFails);
}

#[test]
fn a_second_fault_comes_so_many_operations_after_the_first() {
    let files = FaultyFiles::counting(1);
    let file = file_with(&files, &[7; 100]);
    files.strike(Fault::SyncFails, 0);
    files.strike_then(Fault::WriteFails, 1);
    assert!(file.sync_data().is_err());
    assert_eq!(files.struck().unwrap().fault, Fault::SyncFails);
    file.write_at(0, b"first").unwrap();
    assert!(file.write_at(0, b"second").is_err());
    assert_eq!(files.struck().unwrap().fault, Fault::WriteFails);
    file.write_at(0, b"third").unwrap();

    files.strike(Fault::SyncFails, 0);
    files.strike_then(Fault::WriteFails, 0);
    files.strike(Fault::SyncFails, 0);
    assert!(file.sync_data().is_err());
    file.write_at(0, b"what was planned is forgotten").unwrap();
}

#[test]
fn power_can_be_lost_in_a_kind_of_operation() {
    let files = FaultyFiles::counting(1);
    let file = file_with(&files, &[7; 100]);
    files.strike(Fault::PowerLossIn(Operation::Remove), 0);
    file.sync_data().unwrap();
    files.open_or_create("other").unwrap();
    assert!(files.remove("other").is_err());
    assert!(file.sync_data().is_err());
    let struck = files.struck().unwrap();
    assert_eq!((struck.operation, struck.file.as_deref()), (Operation::Remove, Some("other")));
}
