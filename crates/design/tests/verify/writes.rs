//! KW08: what is said of writes.

use crate::{TABLE, errors_at, found};

const ENTITIES: &str = r#"
[entity.request]
partition_key = "REQUEST#{request_id}"
sort_key = "REQUEST"
attributes = { expires_at = "time-to-live" }
purpose = "claim"

[entity.lock]
partition_key = "LOCK#{job}"
sort_key = "LOCK"
attributes = { holder = "string", held_until = "timestamp" }
purpose = "lock"

[entity.document]
partition_key = "DOCUMENT#{document_id}"
sort_key = "DOCUMENT"
attributes = { title = "string", revision = "version" }

[entity.page]
partition_key = "PAGE#{page_id}"
sort_key = "PAGE"
attributes = { views = "counter" }

[entity.views]
partition_key = "VIEWS#{page_id}"
sort_key = "VIEWS"
attributes = { views = "counter" }
purpose = "approximate-counter"

[entity.entry]
partition_key = "ENTRY#{entry_id}"
sort_key = "ENTRY"
purpose = "audit"

[entity.note]
partition_key = "NOTE#{note_id}"
sort_key = "NOTE"
attributes = { text = "string" }
"#;

/// The errors of one write.
#[track_caller]
fn errors(write: &str) -> Vec<&'static str> {
    errors_at(&format!("{TABLE}{ENTITIES}\n[write.it]\n{write}\n"), "write.it")
}

#[test]
fn a_condition_that_is_missing_is_asked_for_once() {
    // Each of these has no condition and says nothing of a second try, and one rule knows best what is missing.
    let cases = [
        ("operation = \"put\"\nentities = [\"request\"]", "KW0805"),
        ("operation = \"delete\"\nentities = [\"lock\"]", "KW0805"),
        ("operation = \"update\"\nentities = [\"document\"]\nchanges = [\"title\"]", "KW0807"),
        ("operation = \"delete\"\nentities = [\"document\"]", "KW0807"),
        ("operation = \"update\"\nentities = [\"page\"]\nchanges = [\"views\"]", "KW0808"),
        ("operation = \"put\"\nentities = [\"page\"]", "KW0808"),
        ("operation = \"put\"\nentities = [\"entry\"]", "KW0820"),
        ("operation = \"put\"\nentities = [\"note\"]", "KW0811"),
        ("operation = \"add\"\nentities = [\"page\"]\nchanges = [\"views\"]", "KW0811"),
        ("operation = \"transaction\"\nentities = [\"note\", \"page\"]", "KW0811"),
    ];
    for (write, code) in cases {
        assert_eq!(errors(write), [code], "{write}");
    }
}

#[test]
fn these_writes_are_as_they_should_be() {
    let cases = [
        "operation = \"put\"\nentities = [\"request\"]\ncondition = \"if-absent\"",
        "operation = \"delete\"\nentities = [\"lock\"]\ncondition = \"holder = :me\"",
        "operation = \"put\"\nentities = [\"document\"]\ncondition = \"if-absent\"",
        "operation = \"delete\"\nentities = [\"document\"]\ncondition = \"revision = :read\"",
        "operation = \"update\"\nentities = [\"document\"]\nchanges = [\"title\"]\ncondition = \"version\"",
        "operation = \"add\"\nentities = [\"views\"]\nchanges = [\"views\"]",
        "operation = \"update\"\nentities = [\"page\"]\nchanges = [\"views\"]\ncondition = \"views < :most\"\nonce = \"condition\"",
        "operation = \"delete\"\nentities = [\"note\"]",
        "operation = \"delete\"\nentities = [\"note\"]\ncondition = \"if-present\"\nonce = \"condition\"",
        "operation = \"batch\"\nentities = [\"note\"]\nitems = 10",
        "operation = \"transaction\"\nentities = [\"note\", \"request\"]\ncondition = \"if-absent\"",
        "operation = \"put\"\nentities = [\"entry\"]\ncondition = \"if-absent\"",
    ];
    for write in cases {
        assert_eq!(errors(write), [""; 0], "{write}");
    }
}

#[test]
fn a_floor_does_not_keep_a_write_from_having_effect_twice() {
    // A charge was tried again after its answer was lost. The balance was still large enough, and was charged twice.
    let charge = "operation = \"update\"\nentities = [\"page\"]\nchanges = [\"views\"]\ncondition = \"views >= :cost\"";
    assert_eq!(errors(charge), ["KW0811"]);
}

#[test]
fn the_items_of_a_transaction_count_at_their_largest() {
    let transaction = |items: u64| {
        format!(
            "{TABLE}\n[entity.small]\npartition_key = \"SMALL#{{id}}\"\nsort_key = \"SMALL\"\nlargest_size_bytes = 1000\n\
             \n[entity.large]\npartition_key = \"LARGE#{{id}}\"\nsort_key = \"LARGE\"\naverage_size_bytes = 10\n\
             largest_size_bytes = 400000\n\n[write.it]\noperation = \"transaction\"\nentities = [\"small\", \"large\"]\n\
             items = {items}\ncondition = \"if-absent\"\n"
        )
    };
    // One of each is 401,000 bytes; of eleven all could be large ones.
    assert_eq!(found(&transaction(2), "KW0816"), [""; 0]);
    assert_eq!(found(&transaction(10), "KW0816"), [""; 0]);
    assert_eq!(found(&transaction(11), "KW0816"), ["write.it.items"]);
}

#[test]
fn a_key_that_is_rendered_from_the_tables_key_is_known() {
    let index = |template: &str| {
        format!(
            "{TABLE}\n[table.app.index.by_state]\npartition_key = \"gsi1pk\"\nproject = [\"entity\"]\n\n[entity.task]\n\
             partition_key = \"PROJECT#{{project_id}}\"\nsort_key = \"TASK#{{task_id}}\"\n\
             attributes = {{ state = [\"done\", \"open\"], owner = \"string\" }}\n\
             index.by_state = {{ partition_key = \"{template}\" }}\n\n[write.it]\noperation = \"update\"\nentities = [\"task\"]\n\
             changes = [\"state\"]\ncondition = \"state = :open\"\nonce = \"condition\"\n"
        )
    };
    assert_eq!(found(&index("PROJECT#{project_id}#STATE#{state}"), "KW0815"), [""; 0]);
    assert_eq!(found(&index("OWNER#{owner}#STATE#{state}"), "KW0815"), ["write.it.changes"]);
    assert_eq!(found(&index("OWNER#{owner}"), "KW0815"), [""; 0]);
}
