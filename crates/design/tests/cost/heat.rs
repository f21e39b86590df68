//! Units a second on one partition key.

use keywright_design::cost::{Basis, KeyHeat, shards_needed};

use super::{known, one_entity, pattern, with_facts};

fn heats(text: &str) -> Vec<KeyHeat> {
    with_facts(text, |facts| facts.costs().heats().to_vec())
}

const TENANTS: &str = "[tenancy]\nattribute = \"organization_id\"\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n\
    [entity.task]\npartition_key = \"ORG#{organization_id}\"\nsort_key = \"TASK#{task_id}\"\naverage_size_bytes = 2000\n\
    writes = { per_second = 100, per_second_largest_tenant = 30 }\n\n";

// By hand: 50 items of 2,000 bytes are 25 blocks, 12.5 units read eventually; 20 calls a second of the largest tenant are 250 units, and one write of 2
// units 30 times a second 60.
#[test]
fn the_largest_tenant_has_the_key_for_itself() {
    let text = format!(
        "{TENANTS}[pattern.tasks]\nreturns = [\"task\"]\nexpected = {{ items = 50, per_second = 300, per_second_largest_tenant = 20 }}\n"
    );
    let heats = heats(&text);
    assert_eq!(heats.len(), 1);
    assert_eq!(heats[0].key, "ORG#{organization_id}");
    assert_eq!((heats[0].reads.at_least, heats[0].reads.parts[0].basis), (250.0, Basis::LargestTenant));
    assert_eq!((heats[0].writes.at_least, heats[0].writes.at_most), (60.0, Some(60.0)));
}

#[test]
fn patterns_of_one_key_are_added_up() {
    let text = format!(
        "{TENANTS}[pattern.tasks]\nreturns = [\"task\"]\nexpected = {{ items = 50, per_second = 300, per_second_largest_tenant = 20 }}\n\n\
         [pattern.task]\noperation = \"get\"\nreturns = [\"task\"]\ngiven = [\"task_id\"]\nsort_key = \"TASK#{{task_id}}\"\n\
         expected = {{ per_second = 300, per_second_largest_key = 100 }}\n"
    );
    let heats = heats(&text);
    assert_eq!(heats[0].reads.at_least, 250.0 + 50.0);
    assert_eq!(heats[0].reads.parts[0].name, "tasks");
}

#[test]
fn a_key_with_many_values_has_an_upper_bound_only() {
    let text = one_entity(1_000, "writes = { per_second = 5000 }\n");
    let heats = heats(&text);
    assert_eq!((heats[0].writes.at_least, heats[0].writes.at_most), (0.0, Some(5_000.0)));
    assert_eq!(heats[0].writes.parts[0].basis, Basis::AtMost);
}

#[test]
fn a_load_that_is_not_given_leaves_the_bound_open() {
    assert_eq!(heats(&one_entity(1_000, ""))[0].writes.at_most, None);
}

#[test]
fn all_writes_of_a_day_are_on_the_key_of_that_day() {
    let text = "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[entity.event]\npartition_key = \"DAY#{day}\"\n\
                sort_key = \"{event_id}\"\nattributes = { day = \"date\", event_id = \"ulid\" }\naverage_size_bytes = 500\n\
                writes = { per_second = 700 }\n";
    assert_eq!(
        (heats(text)[0].writes.at_least, heats(text)[0].writes.parts[0].basis),
        (700.0, Basis::WholeLoad)
    );
}

#[test]
fn few_values_have_at_least_their_even_share() {
    let text = "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[table.app.index.by_state]\npartition_key = \"gsi1pk\"\n\n\
                [entity.order]\npartition_key = \"ORDER#{order_id}\"\nsort_key = \"ORDER\"\nindex.by_state = { partition_key = \"STATE#{state}\" }\n\
                attributes = { state = [\"open\", \"packed\", \"done\"] }\naverage_size_bytes = 500\n\
                writes = { per_second = 900, per_second_largest_key = 1 }\n";
    let found = heats(text);
    let of_index = found.iter().find(|heat| heat.index.is_some()).unwrap();
    assert_eq!((of_index.writes.at_least, of_index.writes.parts[0].basis), (300.0, Basis::EvenShare));
}

#[test]
fn shards_divide_the_writes_of_a_key() {
    let text =
        one_entity(1_000, "shards = 4\nwrites = { per_second = 5000, per_second_largest_key = 2000 }\n");
    assert_eq!((heats(&text)[0].writes.at_least, heats(&text)[0].shards), (500.0, 4));
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>: 3,000 read and 1,000 write units a second for each partition.
#[test]
fn shards_follow_from_what_one_partition_serves() {
    assert_eq!(shards_needed(1_000.0, 1_000.0), 1);
    assert_eq!(shards_needed(1_000.1, 1_000.0), 2);
    assert_eq!(shards_needed(9_500.0, 1_000.0), 10);
    assert_eq!(shards_needed(0.0, 1_000.0), 1);
}

#[test]
fn a_get_of_a_sharded_item_asks_its_shard() {
    let rest = "shards = 4\n[pattern.one]\noperation = \"get\"\nreturns = [\"item\"]\ngiven = [\"group_id\", \"item_id\"]\n\
                sort_key = \"ITEM#{item_id}\"\nexpected = { per_second = 400, per_second_largest_key = 400 }\n";
    let text = one_entity(1_000, rest);
    assert_eq!(known(&pattern(&text, "one").units_per_call), 0.5);
    assert_eq!(heats(&text)[0].reads.at_least, 400.0 * 0.5 / 4.0);
}
