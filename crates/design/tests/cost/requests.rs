//! The request that a pattern is, as it would be sent.

use keywright_design::model::PatternName;
use keywright_design::request::Request;

use super::with_facts;

const DESIGN: &str = r##"
[tenancy]
attribute = "organization_id"

[table.app]
partition_key = "pk"
sort_key = "sk"

[table.app.index.by_user]
partition_key = "gsi1pk"
sort_key = "gsi1sk"

[table.app.index.by_place]
partition_key = ["organization_id", "country"]
sort_key = ["city", { name = "founded", type = "number" }]

[entity.team]
partition_key = "ORG#{organization_id}"
sort_key = "TEAM#{team_id}"

[entity.member]
partition_key = "ORG#{organization_id}"
sort_key = "TEAM#{team_id}#MEMBER#{user_id}"
index.by_user = { partition_key = "ORG#{organization_id}#USER#{user_id}", sort_key = "{joined_at}" }
attributes = { role = "string", joined_at = "timestamp" }

[entity.task]
partition_key = "ORG#{organization_id}#PROJECT#{project_id}"
sort_key = "TASK#{due_on}#{task_id}"
attributes = { due_on = "date", state = ["open", "done"] }

[entity.score]
partition_key = "ORG#{organization_id}#GAME#{game_id}"
sort_key = "SCORE#{points}"
attributes = { points = "u16" }
shards = 4

[entity.office]
partition_key = "ORG#{organization_id}#OFFICES"
sort_key = "OFFICE#{office_id}"
index.by_place = true
attributes = { country = "string", city = "string", founded = "u16" }

[pattern.team_with_members]
returns = ["team", "member"]
given = ["team_id"]
sort_key = { starts_with = "TEAM#{team_id}" }

[pattern.team]
operation = "get"
returns = ["team"]
given = ["team_id"]
sort_key = "TEAM#{team_id}"
consistency = "strong"

[pattern.memberships]
index = "by_user"
returns = [{ entity = "member", attributes = ["team_id", "joined_at"] }]
given = ["user_id", "since"]
sort_key = { range = "{joined_at}", from = "since" }
order = "descending"
limit = 20

[pattern.tasks_due]
returns = ["task"]
given = ["project_id", "first", "last", "state"]
sort_key = { range = "TASK#{due_on}", from = "first", before = "last" }
filter = { attributes = ["state"], given = ["state"] }

[pattern.high_scores]
returns = ["score"]
given = ["game_id", "least"]
sort_key = { range = "SCORE#{points}", after = "least" }

[pattern.offices]
index = "by_place"
returns = [{ entity = "office", attributes = ["office_id", "city", "founded"] }]
given = ["country", "city", "year"]
sort_key = ["city", { attribute = "founded", through = "year" }]

[pattern.team_by_nothing]
operation = "get"
returns = ["team"]
"##;

fn request(name: &str) -> Option<Request> {
    with_facts(DESIGN, |facts| {
        let name = PatternName::new(name).unwrap();
        Request::of(facts, facts.pattern(&name).unwrap())
    })
}

fn sent(name: &str) -> String {
    request(name).unwrap().to_string()
}

#[test]
fn a_prefix_is_a_range_that_ends_at_the_border_of_a_component() {
    assert_eq!(
        sent("team_with_members"),
        "Query app\n  #pk = :pk AND #sk BETWEEN :low AND :high\n  #pk = pk\n  #sk = sk\n  :high = TEAM#{team_id}$\n  \
         :low = TEAM#{team_id}\n  :pk = ORG#{organization_id}"
    );
}

#[test]
fn a_get_is_the_whole_key() {
    assert_eq!(
        sent("team"),
        "GetItem app\n  pk = ORG#{organization_id}\n  sk = TEAM#{team_id}\n  ConsistentRead true"
    );
}

#[test]
fn an_open_range_ends_at_the_last_value_of_its_type() {
    assert_eq!(
        sent("memberships"),
        "Query app index by_user\n  #pk = :pk AND #sk BETWEEN :low AND :high\n  #p1 = entity\n  #p2 = team_id\n  \
         #p3 = joined_at\n  #pk = gsi1pk\n  #sk = gsi1sk\n  :high = 9999-99-99T99:99:99.999Z$\n  :low = {since}\n  \
         :pk = ORG#{organization_id}#USER#{user_id}\n  ProjectionExpression #p1, #p2, #p3\n  ScanIndexForward false\n  Limit 20"
    );
}

#[test]
fn a_range_that_leaves_its_end_out_ends_with_the_value_before() {
    assert_eq!(
        sent("tasks_due"),
        "Query app\n  #pk = :pk AND #sk BETWEEN :low AND :high\n  #pk = pk\n  #sk = sk\n  \
         :high = TASK#{the last before last}$\n  :low = TASK#{first}\n  :pk = ORG#{organization_id}#PROJECT#{project_id}\n  \
         filtered by state"
    );
}

#[test]
fn a_sharded_key_is_one_query_for_each_shard() {
    let request = request("high_scores").unwrap();
    assert_eq!(request.requests, 4);
    assert_eq!(request.values[":pk"], "ORG#{organization_id}#GAME#{game_id}#{shard}");
    assert_eq!(request.values[":low"], "SCORE#{the next after least}");
    assert_eq!(request.values[":high"], "SCORE#99999$");
}

#[test]
fn a_key_of_several_attributes_names_each() {
    assert_eq!(
        request("offices").unwrap().key_condition.unwrap(),
        "#pk1 = :pk1 AND #pk2 = :pk2 AND #sk1 = :sk1 AND #sk2 <= :sk2"
    );
}

#[test]
fn what_is_no_single_request_is_none() {
    assert!(request("team_by_nothing").is_none(), "KW0313 says why");
}

#[test]
fn requests_are_written_as_json() {
    let json = serde_json::to_value(request("team_with_members").unwrap()).unwrap();
    assert_eq!(json["operation"], "Query");
    assert_eq!(json["values"][":high"], "TEAM#{team_id}$");
}
