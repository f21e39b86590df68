use super::*;
use crate::files::{FaultyFiles, Files as _, MemoryFiles};
use crate::random::{Random as _, SeededRandom};

const FILE: &str = "tree";
const BLOCK: u64 = BLOCK_BYTES as u64;

struct Arm {
    files: MemoryFiles,
    health: Health,
}

impl Arm {
    fn new() -> Arm {
        Arm { files: MemoryFiles::new(), health: Health::default() }
    }

    fn raw(&self) -> Arc<dyn File> {
        self.files.open_or_create(FILE).unwrap()
    }

    fn open(&self) -> SealedFile {
        SealedFile::new(self.raw(), FILE, self.health.clone(), Arc::default()).unwrap()
    }

    fn flip(&self, bit: u64) {
        let mut byte = [0];
        self.raw().read_at(bit / 8, &mut byte).unwrap();
        self.raw().write_at(bit / 8, &[byte[0] ^ 1 << (bit % 8)]).unwrap();
    }
}

fn block_of(random: &SeededRandom) -> Vec<u8> {
    std::iter::repeat_with(|| random.next_u64().to_be_bytes()).take(BLOCK_BYTES / 8).flatten().collect()
}

fn read(file: &SealedFile, block: u64, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count * BLOCK_BYTES];
    file.read_at(block * BLOCK, &mut bytes).unwrap();
    bytes
}

/// A file of some groups; two writes of which one is over the end of a group.
fn written(arm: &Arm) -> (Vec<u8>, Vec<u8>) {
    let random = SeededRandom::new(4);
    let (one, several) = (block_of(&random), [0; 3].map(|_| block_of(&random)).concat());
    let file = arm.open();
    file.set_len(1_100 * BLOCK).unwrap();
    file.write_at(0, b"header").unwrap();
    file.write_at(7 * BLOCK, &one).unwrap();
    file.write_at(511 * BLOCK, &several).unwrap();
    file.sync_data().unwrap();
    (one, several)
}

#[test]
fn what_was_written_is_read_from_this_file_and_from_one_that_is_opened_later() {
    let arm = Arm::new();
    let (one, several) = written(&arm);
    let file = arm.open();
    assert_eq!(file.len().unwrap(), 1_100 * BLOCK);
    assert_eq!(read(&file, 7, 1), one);
    assert_eq!(read(&file, 511, 3), several);
    assert_eq!(read(&file, 1_099, 1), [0; BLOCK_BYTES], "one that was never written");
    let mut header = [0; 7];
    file.read_at(0, &mut header).unwrap();
    assert_eq!(&header, b"header\0");
    assert_eq!(arm.health.damage(), None);
}

#[test]
fn a_flipped_bit_in_a_block_or_in_its_checksum_makes_it_no_page_and_leaves_the_others() {
    let checksum_of_7 = layout::offset_of_checksums(0) + 6 * 8;
    for offset in [layout::offset_of(7), layout::offset_of(7) + BLOCK - 1, checksum_of_7, checksum_of_7 + 7] {
        let arm = Arm::new();
        let (_, several) = written(&arm);
        arm.flip(offset * 8 + 3);
        let file = arm.open();
        assert_eq!(read(&file, 7, 1), [NO_PAGE; BLOCK_BYTES], "offset {offset}");
        assert_eq!(read(&file, 511, 3), several);
        let place = format!("a checksum does not fit (tree at offset {})", layout::offset_of(7));
        assert_eq!(arm.health.damage(), Some(place));
        assert_eq!(arm.health.check(), Ok(()), "other calls go on");
    }
}

#[test]
fn a_page_of_several_blocks_is_none_when_one_of_them_is_damaged() {
    let arm = Arm::new();
    written(&arm);
    arm.flip(layout::offset_of(513) * 8);
    assert_eq!(read(&arm.open(), 511, 3), vec![NO_PAGE; 3 * BLOCK_BYTES]);
}

#[test]
fn bytes_that_changed_in_a_block_that_was_never_written_are_damage() {
    let arm = Arm::new();
    written(&arm);
    arm.flip(layout::offset_of(900) * 8);
    assert_eq!(read(&arm.open(), 900, 1), [NO_PAGE; BLOCK_BYTES]);
}

/// A disk that writes the right bytes to the wrong place.
#[test]
fn a_block_with_the_bytes_and_the_checksum_of_another_is_damage() {
    let arm = Arm::new();
    let (one, _) = written(&arm);
    let raw = arm.raw();
    let mut checksum = [0; 8];
    raw.read_at(layout::offset_of_checksums(0) + 6 * 8, &mut checksum).unwrap();
    raw.write_at(layout::offset_of_checksums(0) + 9 * 8, &checksum).unwrap();
    raw.write_at(layout::offset_of(10), &one).unwrap();
    let file = arm.open();
    assert_eq!(read(&file, 7, 1), one);
    assert_eq!(read(&file, 10, 1), [NO_PAGE; BLOCK_BYTES]);
}

#[test]
fn every_flipped_bit_of_the_headers_sector_is_refused() {
    let arm = Arm::new();
    written(&arm);
    for bit in 0..header::SECTOR_BYTES as u64 * 8 {
        arm.flip(bit);
        let error = arm.open().read_at(0, &mut [0; 4]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "bit {bit}");
        assert!(error.to_string().contains("tree at offset 0"), "{error}");
        arm.flip(bit);
    }
    arm.open().read_at(0, &mut [0; 4]).unwrap();
}

#[test]
fn a_block_that_was_cut_off_and_comes_again_has_zeros() {
    for blocks in [5, 512, 513, 514, 600] {
        let arm = Arm::new();
        written(&arm);
        let file = arm.open();
        file.set_len(blocks * BLOCK).unwrap();
        assert_eq!(file.len().unwrap(), blocks * BLOCK);
        file.set_len(1_100 * BLOCK).unwrap();
        let is_kept = |block: u64| block < blocks;
        let check = |file: &SealedFile| {
            for block in [7, 511, 512, 513] {
                let bytes = read(file, block, 1);
                assert_ne!(bytes, [NO_PAGE; BLOCK_BYTES]);
                assert_eq!(bytes == [0; BLOCK_BYTES], !is_kept(block), "block {block} of {blocks}");
            }
        };
        check(&file);
        file.sync_data().unwrap();
        check(&arm.open());
        assert_eq!(arm.health.damage(), None);
    }
}

/// A sync does not wait for room as a write does. After a power loss in the middle of a growth even a file that was long enough had none.
#[test]
fn what_was_written_has_room_for_its_checksums_and_what_could_not_be_is_written_later() {
    let files = FaultyFiles::counting(1);
    let raw = files.open_or_create(FILE).unwrap();
    raw.set_len(layout::length_with_checksums(2_000)).unwrap();
    let file = SealedFile::new(raw, FILE, Health::default(), Arc::default()).unwrap();
    for block in [1, 600, 1_999] {
        files.limit_bytes(Some(files.used_bytes() + BLOCK));
        let refused = file.write_at(block * BLOCK, &[7; BLOCK_BYTES]).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::StorageFull);
        files.limit_bytes(None);
        file.write_at(block * BLOCK, &[7; BLOCK_BYTES]).unwrap();
    }
    files.limit_bytes(Some(files.used_bytes()));
    file.sync_data().unwrap();
    assert_eq!(read(&file, 600, 1), [7; BLOCK_BYTES]);
}

#[test]
fn parts_of_blocks_are_refused() {
    let arm = Arm::new();
    written(&arm);
    let file = arm.open();
    assert!(file.read_at(BLOCK, &mut [0; 10]).is_err());
    assert!(file.write_at(BLOCK + 1, &[0; BLOCK_BYTES]).is_err());
    assert!(file.write_at(10, b"within the header").is_err());
    assert!(file.write_at(0, &[1; header::SECTOR_BYTES]).is_err(), "no room for the checksum");
    assert!(file.set_len(BLOCK + 1).is_err());
}
