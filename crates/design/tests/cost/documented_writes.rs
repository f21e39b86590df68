//! Writes that AWS's documentation computes. Each test names the page.

use keywright_design::cost::units::{WriteKind, write_units};

use super::{entity, known, one_entity, write};

fn put(bytes: u64, per_second: f64) -> String {
    one_entity(
        bytes,
        &format!(
            "[write.put]\noperation = \"put\"\nentities = [\"item\"]\nexpected = {{ per_second = {per_second:?} }}\n"
        ),
    )
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>: writing 500 bytes costs what 1 KB costs, and
// an item of 1.6 KB is rounded to 2 KB.
#[test]
fn an_item_is_rounded_up_to_a_kilobyte() {
    assert_eq!(known(&write(&put(500, 1.0), "put").units_per_call), 1.0);
    assert_eq!(known(&write(&put(1_639, 1.0), "put").units_per_call), 2.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/provisioned-capacity-mode.html>: 100 writes a second of 512 bytes need 100
// write units.
#[test]
fn a_hundred_writes_a_second_of_512_bytes_need_a_hundred_units() {
    assert_eq!(known(&write(&put(512, 100.0), "put").units_per_second), 100.0);
}

// The same page: an item of 2 KB needs 2 units for a write, 4 for a transactional one.
#[test]
fn two_kilobytes_cost_two_units_or_four_in_a_transaction() {
    assert_eq!(known(&write(&put(2_048, 1.0), "put").units_per_call), 2.0);
    let transaction = one_entity(
        2_048,
        "[write.both]\noperation = \"transaction\"\nentities = [\"item\"]\nonce = \"token\"\nexpected = { per_second = 1 }\n",
    );
    assert_eq!(known(&write(&transaction, "both").units_per_call), 4.0);
}

// <https://aws.amazon.com/dynamodb/pricing/provisioned/>: a standard write of a 3 KB item needs three units, a transactional one six.
#[test]
fn three_kilobytes_cost_three_units_or_six_in_a_transaction() {
    assert_eq!(write_units(3 * 1024, WriteKind::Standard), 3.0);
    assert_eq!(write_units(3 * 1024, WriteKind::Transactional), 6.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>: BatchWriteItem rounds each item by itself: 500
// bytes and 3.5 KB are 5 KB.
#[test]
fn items_of_a_batch_are_rounded_one_by_one() {
    assert_eq!(write_units(500, WriteKind::Standard) + write_units(3_584, WriteKind::Standard), 5.0);
}

// The same page, through a design: a batch of 25 items of 1.5 KB costs 25 times 2 units. There is no discount.
#[test]
fn a_batch_has_no_discount() {
    let batch = one_entity(
        1_536,
        "[write.load]\noperation = \"batch\"\nentities = [\"item\"]\nitems = 25\nexpected = { per_second = 1 }\n",
    );
    assert_eq!(known(&write(&batch, "load").units_per_call), 50.0);
}

const INDEXED: &str = "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n\
    [table.app.index.by_state]\npartition_key = \"gsi1pk\"\nsort_key = \"gsi1sk\"\nproject = [\"title\"]\n\n\
    [entity.task]\npartition_key = \"PROJECT#{project_id}\"\nsort_key = \"TASK#{task_id}\"\n\
    index.by_state = { partition_key = \"PROJECT#{project_id}\", sort_key = \"STATE#{state}\" }\n\
    attributes = { state = [\"open\", \"done\"], title = \"string\", body = \"string\" }\naverage_size_bytes = 2500\ncount = 1000\n\n";

fn changed(operation: &str, changes: &str) -> f64 {
    let text = format!(
        "{INDEXED}[write.change]\noperation = \"{operation}\"\nentities = [\"task\"]\n{changes}once = \"same-result\"\n\
         expected = {{ per_second = 1 }}\n"
    );
    known(&write(&text, "change").units_per_call)
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes>, its five cases. The item has
// 2,500 bytes: 3 units in the table. Its entry is cut to keys and one attribute: below 1 KB more than the title's share.
#[test]
fn an_index_is_written_when_what_it_holds_changes() {
    let entry = entity(INDEXED, "task").entries[0].bytes.known().copied().unwrap();
    let of_entry = write_units(entry, WriteKind::Standard);
    assert_eq!(changed("put", ""), 3.0 + of_entry, "a new item is put into the index once");
    assert_eq!(
        changed("update", "changes = [\"state\"]\n"),
        3.0 + 2.0 * of_entry,
        "a new key is a delete and a put"
    );
    assert_eq!(changed("delete", ""), 3.0 + of_entry, "a deleted item is deleted from the index");
    assert_eq!(changed("update", "changes = [\"body\"]\n"), 3.0, "what is not projected costs nothing there");
    assert_eq!(
        changed("update", "changes = [\"title\"]\n"),
        3.0 + of_entry,
        "what is projected is updated once"
    );
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling> charges every item of a
// transaction twice; run on AWS, the indexes are charged as ever.
#[test]
fn a_transaction_is_charged_twice_in_the_table_and_once_in_its_indexes() {
    let entry = entity(INDEXED, "task").entries[0].bytes.known().copied().unwrap();
    let text = format!(
        "{INDEXED}[write.both]\noperation = \"transaction\"\nentities = [\"task\"]\ncondition = \"if-absent\"\nonce = \"token\"\n\
         expected = {{ per_second = 1 }}\n"
    );
    assert_eq!(known(&write(&text, "both").units_per_call), 6.0 + write_units(entry, WriteKind::Standard));
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.StorageConsiderations>: an entry has the table's key, the index
// key, what is projected, and 100 bytes of overhead. Names of 2, 2, 6 and 6 bytes; keys `PROJECT#` and `TASK#` with 36 bytes each,
// `STATE#` with 4; the key of the partition again.
#[test]
fn an_entry_of_a_keys_only_index_has_its_keys() {
    let design = INDEXED.replace("project = [\"title\"]\n", "");
    let cost = entity(&design, "task");
    let keys = (2 + 8 + 36) + (2 + 5 + 36) + (6 + 8 + 36) + (6 + 6 + 4);
    assert_eq!(cost.entries[0].bytes.known().copied(), Some(keys));
    assert_eq!(
        known(&cost.entries[0].storage_bytes),
        f64::from(u32::try_from(keys).unwrap() + 100) * 1_000.0
    );
}

// A title of 40 bytes beside a body that is the rest of the item: without its size, the title would be taken for half of both.
#[test]
fn an_entry_holds_as_much_of_an_attribute_as_the_file_says() {
    let design = INDEXED.replace("title = \"string\"", "title = { type = \"string\", average_bytes = 40 }");
    let keys = (2 + 8 + 36) + (2 + 5 + 36) + (6 + 8 + 36) + (6 + 6 + 4);
    let bytes = |text: &str| entity(text, "task").entries[0].bytes.known().copied();
    assert_eq!(bytes(&design), Some(keys + 5 + 40));
    let body_given =
        INDEXED.replace("body = \"string\"", "body = { type = \"string\", average_bytes = 2000 }");
    assert!(bytes(&body_given) < bytes(INDEXED), "what is left for the title is less");
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>: storage counts 100 bytes more for each item, and
// 48 more in a global table.
#[test]
fn storage_counts_a_hundred_bytes_more_for_each_item() {
    let stored = |design: &str| known(&entity(design, "item").storage_bytes);
    let alone = one_entity(900, "count = 1000\n");
    assert_eq!(stored(&alone), 1_000_000.0);
    let replicated = alone.replace(
        "sort_key = \"sk\"\n",
        "sort_key = \"sk\"\nreplication = { regions = [\"eu-west-1\"], consistency = \"eventual\" }\n",
    );
    assert_eq!(stored(&replicated), 1_048_000.0);
}

// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general-sparse-indexes.html>: an item without the index's key is not
// in the index. Of 1,000 items a twentieth has it.
#[test]
fn a_sparse_index_holds_the_items_that_have_its_key() {
    let design = INDEXED
        .replace("state = [\"open\", \"done\"]", "state = { type = [\"open\", \"done\"], optional = 0.05 }")
        .replace("project = [\"title\"]\n", "")
        + "[write.put]\noperation = \"put\"\nentities = [\"task\"]\nexpected = { per_second = 1 }\n";
    let cost = entity(&design, "task");
    assert_eq!(known(&cost.entries[0].share), 0.05);
    assert_eq!(known(&write(&design, "put").units_per_call), 3.05);
}
