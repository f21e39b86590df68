//! What the file does not say is never taken for 0.

use keywright_design::cost::Figure;

use super::{entity, known, one_entity, pattern, table, write};

#[test]
fn a_pattern_without_its_load_says_which_members_are_missing() {
    let text = one_entity(500, "[pattern.many]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\n");
    let cost = pattern(&text, "many");
    assert_eq!(
        cost.units_per_call.to_string(),
        "unknown, because `pattern.many.expected.items` is not given"
    );
    assert_eq!(
        cost.units_per_second.to_string(),
        "unknown, because `pattern.many.expected.items` is not given and `pattern.many.expected.per_second` is not given"
    );
}

#[test]
fn a_limit_bounds_what_is_not_given() {
    let text = one_entity(500, "[pattern.many]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\nlimit = 16\n");
    assert_eq!(known(&pattern(&text, "many").items), 16.0);
    assert_eq!(known(&pattern(&text, "many").units_per_call), 1.0);
}

#[test]
fn an_entity_without_size_has_no_units_and_no_storage() {
    let text = one_entity(500, "writes = { per_second = 1 }\n").replace("average_size_bytes = 500\n", "");
    let cost = entity(&text, "item");
    assert_eq!(cost.item_bytes.to_string(), "unknown, because `entity.item.average_size_bytes` is not given");
    assert!(
        cost.storage_bytes.to_string().contains("`entity.item.count` is not given"),
        "{}",
        cost.storage_bytes
    );
    assert!(cost.units_per_second.known().is_none());
    assert!(table(&text, "app").on_demand.total.known().is_none());
}

#[test]
fn an_update_that_does_not_say_what_it_changes_has_no_units_in_an_index() {
    let text = "tenancy = false\n\n[table.app]\npartition_key = \"pk\"\nsort_key = \"sk\"\n\n[table.app.index.by_user]\npartition_key = \"gsi1pk\"\n\n\
                [entity.item]\npartition_key = \"ITEM#{item_id}\"\nsort_key = \"ITEM\"\nindex.by_user = { partition_key = \"USER#{user_id}\" }\n\
                average_size_bytes = 500\n\n[write.touch]\noperation = \"update\"\nentities = [\"item\"]\nonce = \"same-result\"\n\
                expected = { per_second = 1 }\n";
    assert_eq!(
        write(text, "touch").units_per_call.to_string(),
        "unknown, because `write.touch.changes` is not given"
    );
}

#[test]
fn a_figure_in_json_is_its_value_or_says_what_is_missing() {
    let text = one_entity(500, "[pattern.many]\nreturns = [\"item\"]\ngiven = [\"group_id\"]\nlimit = 16\n");
    let json = serde_json::to_value(pattern(&text, "many")).unwrap();
    assert_eq!(json["units_per_call"], serde_json::json!(1.0));
    assert_eq!(
        json["units_per_second"],
        serde_json::json!({ "unknown": ["`pattern.many.expected.per_second` is not given"] })
    );
}

#[test]
fn gaps_of_one_kind_are_said_once() {
    let missing = Figure::<f64>::given(None, || keywright_design::Place::design().member("count"));
    assert_eq!(missing.plus(&missing).to_string(), "unknown, because `count` is not given");
}
