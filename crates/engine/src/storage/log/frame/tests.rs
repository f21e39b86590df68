use super::*;
use crate::random::SeededRandom;
use proptest::prelude::*;

fn seal() -> Seal {
    Seal::of(StoreId::draw(&SeededRandom::new(1)))
}

fn encoded(batch: &Batch) -> Vec<u8> {
    let mut frame = Vec::new();
    encode(seal(), 7, Earlier::Durable, batch, &mut frame);
    frame
}

fn batch_of(value_bytes: usize) -> Batch {
    let mut batch = Batch::decided_at(Timestamp::from_milliseconds(1_700_000_000_000));
    batch.put(Space::Items, b"key", vec![0; value_bytes]);
    batch
}

fn head_of(frame: &[u8]) -> Head {
    match look(seal(), frame) {
        Found::Frame(head) => head,
        other => panic!("not a frame: {other:?}"),
    }
}

fn logged_change() -> impl Strategy<Value = LoggedChange> {
    let bytes = |most: usize| proptest::collection::vec(any::<u8>(), 0..most);
    let space = proptest::sample::select(Space::ALL.to_vec());
    let author = prop_oneof![Just(Author::Request), Just(Author::TimeToLive)];
    let change = prop_oneof![bytes(2_000).prop_map(Change::Put), Just(Change::Delete)];
    (space, bytes(300), change, proptest::option::of(bytes(600)), author)
        .prop_map(|(space, key, change, before, author)| LoggedChange { space, key, change, before, author })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_frame_reads_as_what_was_written_with_order_before_images_and_authors(
        changes in proptest::collection::vec(logged_change(), 0..20),
        moment in any::<u64>(),
    ) {
        let mut batch = Batch::decided_at(Timestamp::from_milliseconds(moment));
        changes.into_iter().for_each(|change| batch.push(change));
        let frame = encoded(&batch);
        prop_assert_eq!(frame.len() % SECTOR_BYTES, 0);
        let head = head_of(&frame);
        prop_assert_eq!((head.sequence, head.earlier), (7, Earlier::Durable));
        prop_assert_eq!(changes_of(&head, &frame), batch);
    }
}

fn changes_of(head: &Head, frame: &[u8]) -> Batch {
    changes(head, frame).unwrap()
}

#[test]
fn a_frame_keeps_its_bytes() {
    let mut batch = Batch::decided_at(Timestamp::from_milliseconds(258));
    batch.push(LoggedChange {
        space: Space::Index,
        key: b"key".to_vec(),
        change: Change::Put(b"value".to_vec()),
        before: Some(b"old".to_vec()),
        author: Author::TimeToLive,
    });
    batch.delete(Space::Meta, b"gone");
    let frame = encoded(&batch);
    assert_eq!(frame.len(), SECTOR_BYTES);
    let fields = b"F\x01\0\0\0\0\0\x01\0\0\0\0\0\0\0\x07\0\0\0\0\0\0\x01\x02";
    assert_eq!(frame.get(..24).unwrap(), fields);
    let body = [b"\x9D\x03key\x05value\x03old\x83\x04gone".as_slice(), &[0; 472]].concat();
    assert_eq!(frame.get(40..).unwrap(), body.get(..472).unwrap());
}

#[test]
fn every_flipped_bit_is_damage() {
    for value_bytes in [0, 400, 3_000] {
        let frame = encoded(&batch_of(value_bytes));
        for place in 0..frame.len() * 8 {
            let mut flipped = frame.clone();
            flipped[place / 8] ^= 1 << (place % 8);
            let found = look(seal(), &flipped);
            assert!(matches!(found, Found::Damaged(_)), "bit {place} of {value_bytes}: {found:?}");
        }
    }
}

#[test]
fn a_frame_of_which_any_sectors_are_missing_is_torn_even_when_its_values_are_zeros() {
    let frame = encoded(&batch_of(5_000));
    let sectors = frame.len() / SECTOR_BYTES;
    for seed in 0..500 {
        let random = SeededRandom::new(seed);
        let mut missing: Vec<bool> = (0..sectors).map(|_| random.below(2) == 0).collect();
        missing[usize::try_from(random.below(sectors as u64)).unwrap()] = true;
        let mut torn = frame.clone();
        for (sector, is_missing) in torn.chunks_mut(SECTOR_BYTES).zip(&missing) {
            if *is_missing {
                sector.fill(0);
            }
        }
        let found = look(seal(), &torn);
        match missing[0] {
            true => assert_eq!(found, Found::Zeros, "{random}"),
            false => assert!(matches!(found, Found::Torn(head) if head.sequence == 7), "{random}: {found:?}"),
        }
        for sector in torn.chunks(SECTOR_BYTES) {
            assert!(sector::is_zero(sector) || is_of_a_frame(seal(), sector), "{random}");
        }
    }
}

#[test]
fn a_frame_that_the_segment_cuts_off_is_damage() {
    let frame = encoded(&batch_of(5_000));
    for end in [1, 511, 512, 5_000] {
        assert!(matches!(look(seal(), &frame[..end]), Found::Damaged(_)), "{end}");
    }
}

#[test]
fn a_frame_of_another_store_is_not_taken_for_one_of_this() {
    let other = Seal::of(StoreId::draw(&SeededRandom::new(2)));
    let found = look(other, &encoded(&batch_of(10)));
    assert_eq!(found, Found::Damaged("the bytes are not the head of a frame"));
}

#[test]
fn content_of_a_later_build_is_not_guessed_at() {
    for kind in [0x20, 0x40, 0x01, 0xA0] {
        let mut frame = vec![0; HEAD_BYTES];
        sector::extend(&mut frame, &[kind, 1, b'k']);
        sector::pad(&mut frame);
        let head = Head { sectors: 1, ..head_of(&encoded(&batch_of(1))) };
        assert_eq!(changes(&head, &frame), Err(UnknownContent), "{kind:x}");
    }
}

#[test]
fn a_length_that_reaches_over_the_end_is_refused() {
    for bytes in [&[][..], &[0x80], &[5, 1, 2], &[0xFF; 20]] {
        assert_eq!(read_bytes(bytes), None, "{bytes:?}");
    }
    assert_eq!(read_bytes(&[0x80, 0x01]), None);
    assert_eq!(read_bytes(&[2, 1, 2, 3]), Some(([1, 2].as_slice(), [3].as_slice())));
}
