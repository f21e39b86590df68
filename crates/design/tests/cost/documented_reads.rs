//! Reads that AWS's documentation computes. Each test names the page.

use keywright_design::cost::units::{Pages, ReadKind, read_units};

use super::{get, known, one_entity, pattern, query};

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>: "a read of a 3,500-byte item
// consumes the same throughput as reading a 4 KB item"; 3.5 KB is rounded to 4 KB, 10 KB to 12 KB.
#[test]
fn an_item_is_rounded_up_to_four_kilobytes() {
    assert_eq!(known(&get(3_500, "strong", 1.0).units_per_call), 1.0);
    assert_eq!(known(&get(3_584, "strong", 1.0).units_per_call), 1.0);
    assert_eq!(known(&get(10 * 1024, "strong", 1.0).units_per_call), 3.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>: an item of 8 KB needs 2 units
// for a strongly consistent read, 1 for an eventually consistent one, 4 for a transactional one.
#[test]
fn eight_kilobytes_cost_two_units_one_or_four() {
    assert_eq!(known(&get(8 * 1024, "strong", 1.0).units_per_call), 2.0);
    assert_eq!(known(&get(8 * 1024, "eventual", 1.0).units_per_call), 1.0);
    assert_eq!(read_units(8 * 1024, ReadKind::Transactional), 4.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/provisioned-capacity-mode.html>: 80 strongly consistent reads
// a second of 3 KB items need 80 read units.
#[test]
fn eighty_reads_a_second_of_three_kilobytes_need_eighty_units() {
    assert_eq!(known(&get(3 * 1024, "strong", 80.0).units_per_second), 80.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/provisioned-capacity-mode.html>: 6 read units give strongly
// consistent reads of 24 KB a second, or eventually consistent ones of 48 KB.
#[test]
fn six_units_read_twenty_four_kilobytes_a_second_or_forty_eight() {
    assert_eq!(known(&get(4 * 1024, "strong", 6.0).units_per_second), 6.0);
    assert_eq!(known(&get(4 * 1024, "eventual", 12.0).units_per_second), 6.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>: BatchGetItem rounds each item by
// itself: 1.5 KB and 6.5 KB are 12 KB, not 8 KB.
#[test]
fn items_of_a_batch_are_rounded_one_by_one() {
    let units = read_units(1_536, ReadKind::Strong) + read_units(6_656, ReadKind::Strong);
    assert_eq!(units, 12.0 / 4.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>: a Query of 10 items of 40.8 KB
// together is rounded to 44 KB.
#[test]
fn a_query_is_rounded_once() {
    // 4,178 bytes are 4.08 KB, rounded up to a byte.
    assert_eq!(known(&query(10, 4_178, "consistency = \"strong\"\n").units_per_call), 44.0 / 4.0);
}

// The same page: 1,500 items of 64 bytes are 96 KB.
#[test]
fn many_small_items_are_added_up_before_they_are_rounded() {
    assert_eq!(known(&query(1_500, 64, "consistency = \"strong\"\n").units_per_call), 96.0 / 4.0);
}

// The same page: an eventually consistent read of 80 KB consumes 10 units.
#[test]
fn eighty_kilobytes_read_eventually_cost_ten_units() {
    assert_eq!(known(&query(20, 4 * 1024, "").units_per_call), 10.0);
}

// The same page: what does not exist costs one unit, or half of one.
#[test]
fn reading_nothing_costs_what_four_kilobytes_cost() {
    assert_eq!(read_units(0, ReadKind::Strong), 1.0);
    assert_eq!(known(&query(0, 64, "").units_per_call), 0.5);
}

// The same page: a subset of attributes has no impact on the units.
#[test]
fn a_projection_saves_no_units() {
    let of = |returns: &str| {
        let rest = format!(
            "attributes = {{ title = \"string\" }}\n[pattern.some]\nreturns = [{returns}]\ngiven = [\"group_id\"]\n\
             expected = {{ items = 20, per_second = 1 }}\n"
        );
        known(&pattern(&one_entity(4_096, &rest), "some").units_per_call)
    };
    assert_eq!(of("{ entity = \"item\", attributes = [\"title\"] }"), of("\"item\""));
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html>: one page of 1 MB consumes 128 units read
// eventually, 256 read strongly.
#[test]
fn a_full_page_costs_128_units_or_256() {
    assert_eq!(known(&query(256, 4 * 1024, "").units_per_call), 128.0);
    assert_eq!(known(&query(256, 4 * 1024, "consistency = \"strong\"\n").units_per_call), 256.0);
    assert_eq!(known(&query(256, 4 * 1024, "").pages), 1.0);
    assert_eq!(known(&query(257, 4 * 1024, "").pages), 2.0);
}

// The same page: 40 items of 4 KB to a page. (Its "20 strongly consistent or 40 eventually consistent" has the two mixed up: 160 KB
// are 40 units read strongly and 20 read eventually.)
#[test]
fn a_page_of_forty_items_of_four_kilobytes_costs_forty_units_or_twenty() {
    assert_eq!(known(&query(1_000, 4 * 1024, "limit = 40\nconsistency = \"strong\"\n").units_per_call), 40.0);
    assert_eq!(known(&query(1_000, 4 * 1024, "limit = 40\n").units_per_call), 20.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Reads>: a query of an index
// that finds eight entries of 2,000 bytes costs 2 units.
#[test]
fn a_query_of_a_global_index_costs_what_its_entries_have() {
    let design = format!(
        "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[table.app.index.by_user]\n\
         partition_key = \"gsi1pk\"\nproject = {{ all = \"every screen shows the whole item\" }}\n\n{}",
        "[entity.item]\npartition_key = \"GROUP#{group_id}\"\nsort_key = \"ITEM#{item_id}\"\naverage_size_bytes = 2000\n\
         index.by_user = { partition_key = \"USER#{user_id}\" }\n\n[pattern.of_user]\nindex = \"by_user\"\n\
         returns = [\"item\"]\ngiven = [\"user_id\"]\nexpected = { items = 8, per_second = 1 }\n"
    );
    assert_eq!(known(&pattern(&design, "of_user").units_per_call), 2.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ThroughputConsiderations.Reads>: a local index of which
// four entries of 200 bytes are read, each with its item of 300 bytes from the table, reads 20 KB.
#[test]
fn fetches_behind_a_local_index_are_rounded_item_by_item() {
    let entries = Pages::of(4, 200, None, ReadKind::Strong).units;
    let fetches = 4.0 * read_units(300, ReadKind::Strong);
    assert_eq!(entries + fetches, 20.0 / 4.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html>: a filter is applied after the read and
// consumes the same units. Of 1,000 items of 100 bytes that are read, a tenth is kept: 100,000 bytes are 25 blocks.
#[test]
fn what_a_filter_drops_is_paid_for() {
    let rest = "attributes = { state = [\"open\", \"done\"] }\n[pattern.open]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\n\
                filter = { attributes = [\"state\"], keeps = 0.1 }\nexpected = { items = 100, per_second = 1 }\n";
    let cost = pattern(&one_entity(100, rest), "open");
    assert_eq!(known(&cost.items), 1_000.0);
    assert_eq!(known(&cost.units_per_call), 12.5);
}

// By hand: a team of one item of 1,000 bytes and 9 members of 300 are 3,700 bytes in one round trip, one block read eventually; with a
// task for each member that the pattern skips, 9 * 5,000 bytes more: 48,700 bytes, 12 blocks.
#[test]
fn what_lies_in_the_range_and_is_skipped_is_paid_for() {
    let design = |skips: &str| {
        format!(
            "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n\
             [entity.team]\npartition_key = \"TEAM#{{team_id}}\"\nsort_key = \"TEAM\"\naverage_size_bytes = 1000\ncount = 100\n\n\
             [entity.member]\npartition_key = \"TEAM#{{team_id}}\"\nsort_key = \"TEAM#MEMBER#{{user_id}}\"\naverage_size_bytes = 300\ncount = 900\n\n\
             [entity.task]\npartition_key = \"TEAM#{{team_id}}\"\nsort_key = \"TEAM#TASK#{{task_id}}\"\naverage_size_bytes = 5000\ncount = 900\n\n\
             [pattern.team]\nreturns = [\"team\", \"member\"]\n{skips}given = [\"team_id\"]\n\
             sort_key = {{ starts_with = \"TEAM\" }}\nexpected = {{ items = 10, per_second = 1 }}\n"
        )
    };
    assert_eq!(known(&pattern(&design(""), "team").units_per_call), 0.5);
    assert_eq!(known(&pattern(&design("skips = [\"task\"]\n"), "team").units_per_call), 6.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html>: with suffixes, a read of everything is
// a query of every suffix. 400 items of 1,000 bytes over 4 shards: 4 queries of 100,000 bytes, 25 blocks each.
#[test]
fn a_sharded_key_is_read_with_a_query_for_each_shard() {
    let rest = "shards = 4\n[pattern.all]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\nexpected = { items = 400, per_second = 1 }\n";
    let cost = pattern(&one_entity(1_000, rest), "all");
    assert_eq!(cost.queries, 4);
    assert_eq!(known(&cost.units_per_call), 4.0 * 12.5);
    assert_eq!(known(&cost.units_per_call_and_key), 12.5);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Scan.html>: a Scan counts what is evaluated. 2,000,000 items of 1 KB are
// 1,954 pages; all but the last are full, and the last has 128 items.
#[test]
fn a_scan_reads_the_whole_table() {
    let rest = "count = 2000000\n[pattern.walk]\noperation = { scan = \"a nightly walk over all items\" }\nreturns = [\"item\"]\n";
    let cost = pattern(&one_entity(1_024, rest), "walk");
    assert_eq!(known(&cost.pages), 1_954.0);
    assert_eq!(known(&cost.units_per_call), 1_953.0 * 128.0 + 16.0);
}
