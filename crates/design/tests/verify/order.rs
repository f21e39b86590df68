//! KW0514: which orders the keys have.

use crate::{TABLE, findings, found};

/// A pattern over members, sorted by an attribute; `sort_key` is that of the entity, `condition` of the pattern.
fn members(sort_key: &str, condition: &str, sorted_by: &str) -> String {
    format!(
        r#"{TABLE}
[entity.member]
partition_key = "ACCOUNT#{{account_id}}"
sort_key = "{sort_key}"
attributes = {{ joined_at = "timestamp", points = "u32", role = ["owner", "guest"], rank = ["first", "second"] }}

[pattern.members]
returns = ["member"]
given = ["account_id", "team_id"]
sort_key = {condition}
sorted_by = "{sorted_by}"
"#
    )
}

fn is_in_order(sort_key: &str, condition: &str, sorted_by: &str) -> bool {
    found(&members(sort_key, condition, sorted_by), "KW0514").is_empty()
}

#[test]
fn items_are_sorted_by_what_follows_the_condition() {
    let of_team = "{ starts_with = \"TEAM#{team_id}\" }";
    assert!(is_in_order("TEAM#{team_id}#{joined_at}#{user_id}", of_team, "joined_at"));
    assert!(is_in_order("TEAM#{team_id}#MEMBER#{joined_at}", of_team, "joined_at"));
    assert!(!is_in_order("TEAM#{team_id}#{user_id}#{joined_at}", of_team, "joined_at"));
    assert!(!is_in_order("TEAM#{team_id}#{user_id}", of_team, "joined_at"));
}

#[test]
fn what_is_given_is_the_same_in_all_items() {
    assert!(is_in_order("TEAM#{team_id}#{user_id}", "{ starts_with = \"TEAM#{team_id}\" }", "team_id"));
}

#[test]
fn only_what_sorts_as_its_values_do_gives_an_order() {
    let of_team = "{ starts_with = \"TEAM#{team_id}\" }";
    assert!(is_in_order("TEAM#{team_id}#{points}", of_team, "points"));
    assert!(!is_in_order("TEAM#{team_id}#{points:raw}", of_team, "points"));
    assert!(is_in_order("TEAM#{team_id}#{rank}", of_team, "rank"));
    // "guest" sorts before "owner", and is the second of the two.
    assert!(!is_in_order("TEAM#{team_id}#{role}", of_team, "role"));
}

#[test]
fn text_between_the_condition_and_the_order_is_that_of_all_entities() {
    let design = |other: &str| {
        format!(
            r#"{TABLE}
[entity.comment]
partition_key = "POST#{{post_id}}"
sort_key = "ENTRY#COMMENT#{{at}}"
attributes = {{ at = "timestamp" }}

[entity.like]
partition_key = "POST#{{post_id}}"
sort_key = "{other}"
attributes = {{ at = "timestamp" }}

[entity.post]
partition_key = "POST#{{post_id}}"
sort_key = "ENTRY"

[pattern.entries]
returns = ["post", "comment", "like"]
given = ["post_id"]
sort_key = {{ starts_with = "ENTRY" }}
sorted_by = "at"
"#
        )
    };
    // All comments come before all likes.
    assert_eq!(found(&design("ENTRY#LIKE#{at}"), "KW0514"), ["pattern.entries.sorted_by"]);
    assert_eq!(found(&design("ENTRY#COMMENT#{at}#LIKE"), "KW0514"), [""; 0]);
}

#[test]
fn attributes_of_an_index_sort_from_left_to_right() {
    let shops = |given: &str, condition: &str, sorted_by: &str| {
        format!(
            r#"{TABLE}
[table.app.index.by_place]
partition_key = ["country"]
sort_key = ["region", "city", {{ name = "founded", type = "number" }}]
project = ["entity"]

[entity.shop]
partition_key = "SHOP#{{shop_id}}"
sort_key = "SHOP"
attributes = {{ country = "string", region = "string", city = "string", founded = "u16", name = "string" }}
index.by_place = true

[pattern.shops]
index = "by_place"
returns = [{{ entity = "shop", attributes = ["shop_id"] }}]
given = [{given}]
{condition}
sorted_by = "{sorted_by}"
"#
        )
    };
    let is_in_order = |given: &str, condition: &str, sorted_by: &str| {
        found(&shops(given, condition, sorted_by), "KW0514").is_empty()
    };
    assert!(is_in_order("\"country\"", "", "region"));
    assert!(!is_in_order("\"country\"", "", "city"));
    assert!(is_in_order("\"country\", \"region\"", "sort_key = [\"region\"]", "city"));
    let both = "sort_key = [\"region\", \"city\"]";
    assert!(is_in_order("\"country\", \"region\", \"city\"", both, "founded"));
    assert!(!is_in_order("\"country\", \"region\", \"city\"", both, "name"));
}

#[test]
fn the_advice_is_a_key_that_would_do() {
    let design =
        members("TEAM#{team_id}#{user_id}#{joined_at}", "{ starts_with = \"TEAM#{team_id}\" }", "joined_at");
    let finding = findings(&design).into_iter().find(|finding| finding.rule.code == "KW0514").unwrap();
    assert!(finding.message.contains("\"TEAM#{team_id}#{joined_at}#{user_id}\""), "{}", finding.message);
    assert!(is_in_order(
        "TEAM#{team_id}#{joined_at}#{user_id}",
        "{ starts_with = \"TEAM#{team_id}\" }",
        "joined_at"
    ));
}
