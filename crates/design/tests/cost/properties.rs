//! What holds of units whatever the sizes.

use keywright_design::cost::units::{
    LARGEST_ITEM_BYTES, PAGE_BYTES, Pages, ReadKind, WriteKind, read_units, write_units,
};
use proptest::prelude::*;

fn kinds() -> impl Strategy<Value = ReadKind> {
    prop_oneof![Just(ReadKind::Eventual), Just(ReadKind::Strong), Just(ReadKind::Transactional)]
}

proptest! {
    #[test]
    fn more_bytes_never_cost_less(bytes in 0..LARGEST_ITEM_BYTES, more in 0_u64..8_192, kind in kinds()) {
        prop_assert!(read_units(bytes, kind) <= read_units(bytes + more, kind));
        prop_assert!(write_units(bytes, WriteKind::Standard) <= write_units(bytes + more, WriteKind::Standard));
    }

    #[test]
    fn a_transaction_costs_twice(bytes in 0..LARGEST_ITEM_BYTES) {
        prop_assert_eq!(read_units(bytes, ReadKind::Transactional), 2.0 * read_units(bytes, ReadKind::Strong));
        prop_assert_eq!(write_units(bytes, WriteKind::Transactional), 2.0 * write_units(bytes, WriteKind::Standard));
    }

    /// Page by page as a client would see them, added up.
    #[test]
    fn pages_add_up(
        items in 0_u64..20_000,
        bytes in 1..LARGEST_ITEM_BYTES,
        limit in proptest::option::of(1_u64..500),
        kind in kinds(),
    ) {
        let mut left = items;
        let (mut pages, mut units, mut largest) = (0_u64, 0.0_f64, 0.0_f64);
        loop {
            let mut in_page = 0;
            while in_page < left && (in_page + 1) * bytes <= PAGE_BYTES && limit.is_none_or(|limit| in_page < limit) {
                in_page += 1;
            }
            let page = read_units(in_page * bytes, kind);
            (pages, units, largest) = (pages + 1, units + page, largest.max(page));
            left -= in_page;
            if left == 0 {
                break;
            }
        }
        let found = Pages::of(items, bytes, limit, kind);
        prop_assert_eq!(found.count, pages);
        prop_assert_eq!(found.units, units);
        prop_assert_eq!(found.largest_page_units, largest);
    }

    /// Reading together is never dearer than one by one, and at most a block for each page dearer than the bytes.
    #[test]
    fn a_query_costs_its_bytes_and_less_than_single_reads(items in 1_u64..2_000, bytes in 1_u64..20_000) {
        let pages = Pages::of(items, bytes, None, ReadKind::Strong);
        let exact = (items * bytes).div_ceil(4_096) as f64;
        prop_assert!(pages.units >= exact);
        prop_assert!(pages.units <= exact + pages.count as f64);
        prop_assert!(pages.units <= items as f64 * read_units(bytes, ReadKind::Strong));
    }
}
