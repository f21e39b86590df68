//! Conditions and updates: what they ask and change, the values that they give, and the keys that follow.
#![allow(clippy::unwrap_used, dead_code, reason = "a test: what fails shows itself, and nothing is stored")]

use std::any::TypeId;

use keywright_derive::{Condition, Entity, Table, Update};
use keywright_key::declare::{Condition, GivenValues, Update};
use keywright_key::{
    ChangeAction, ChangeShape, ComponentValue, Components as _, Filling, IntegerSize, Presence, Set,
    component_newtype,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct UserId(u64);
component_newtype!(UserId(u64));

type Sparse = Option<u64>;

#[derive(Table)]
#[table(tenant = "organization_id", entities(Task), index(ByAssignee))]
struct App;

#[derive(Entity, Serialize, Deserialize)]
#[entity(
    table = App,
    partition_key = "ORG#{organization_id}",
    sort_key = "TASK#{task_id}",
    index(ByAssignee, partition_key = "ORG#{organization_id}#USER#{assignee}", sort_key = "{task-status}#{rank}")
)]
#[serde(rename_all = "kebab-case")]
struct Task {
    #[serde(rename = "organization_id")]
    organization_id: String,
    #[serde(rename = "task_id")]
    task_id: u64,
    assignee: Option<UserId>,
    task_status: String,
    rank: Sparse,
    r#type: String,
    points: u64,
    spent: Option<f64>,
    notes: Vec<String>,
    tags: Set<String>,
    closed_at: Option<u64>,
}

#[derive(Condition)]
#[condition(table = App, of = Task, points >= least, points <> least, exists("closed-at"), type = r#type, contains(tags, tag))]
struct IsWorth {
    least: u64,
    r#type: String,
    tag: &'static str,
}

#[derive(Update)]
#[update(table = App, of = Task, remove("closed-at"))]
struct Change {
    assignee: Option<UserId>,
    #[update(attribute = "task-status")]
    status: String,
    rank: Sparse,
    r#type: String,
    #[update(add)]
    points: u64,
    #[update(subtract)]
    spent: f64,
    #[update(append)]
    notes: Vec<String>,
    #[update(delete_from)]
    tags: Option<Set<String>>,
}

#[derive(Update)]
#[update(table = App, of = Task, remove(assignee))]
struct Release;

fn value(given: &impl GivenValues, name: &str) -> Option<Value> {
    given.serialize_given(name, serde_json::value::Serializer).map(Result::unwrap)
}

fn change(attribute: &'static str, given: &'static str, action: ChangeAction) -> ChangeShape<'static> {
    ChangeShape { attribute, given, action, presence: Presence::Always }
}

#[test]
fn a_condition_is_an_expression_and_its_values() {
    let asked = IsWorth { least: 5, r#type: "bug".to_owned(), tag: "urgent" };
    assert_eq!(
        IsWorth::SHAPE.text,
        "#0 >= :0 AND #0 <> :0 AND attribute_exists(#1) AND #2 = :1 AND contains(#3, :2)"
    );
    assert_eq!(IsWorth::SHAPE.attributes, ["points", "closed-at", "type", "tags"]);
    assert_eq!(IsWorth::SHAPE.given, ["least", "type", "tag"]);
    let values: Vec<Value> = IsWorth::SHAPE.given.iter().filter_map(|name| value(&asked, name)).collect();
    assert_eq!(values, [json!(5), json!("bug"), json!("urgent")]);
    assert_eq!(value(&asked, "points"), None);
    assert_eq!(TypeId::of::<<IsWorth as Condition>::Entity>(), TypeId::of::<Task>());
}

#[test]
fn an_update_says_what_happens_to_each_attribute() {
    let sometimes = |change: ChangeShape<'static>| ChangeShape { presence: Presence::Sometimes, ..change };
    let shape = <Change as Update>::SHAPE;
    assert_eq!((shape.name, shape.entity), ("Change", "Task"));
    assert_eq!(
        shape.changes,
        [
            sometimes(change("assignee", "assignee", ChangeAction::Set)),
            change("task-status", "status", ChangeAction::Set),
            // An `Option` by another name.
            sometimes(change("rank", "rank", ChangeAction::Set)),
            change("type", "type", ChangeAction::Set),
            change("points", "points", ChangeAction::Add),
            change("spent", "spent", ChangeAction::Subtract),
            change("notes", "notes", ChangeAction::Append),
            sometimes(change("tags", "tags", ChangeAction::DeleteFrom)),
            change("closed-at", "", ChangeAction::Remove),
        ]
    );
}

#[test]
fn an_update_gives_values_by_fields_and_components_by_attributes() {
    let edit = Change {
        assignee: None,
        status: "done".to_owned(),
        rank: Some(3),
        r#type: "bug".to_owned(),
        points: 2,
        spent: 0.5,
        notes: vec!["late".to_owned()],
        tags: Some(Set::from(["urgent".to_owned()])),
    };
    assert_eq!(value(&edit, "assignee"), Some(Value::Null));
    assert_eq!(value(&edit, "status"), Some(json!("done")));
    assert_eq!(value(&edit, "type"), Some(json!("bug")));
    assert_eq!(value(&edit, "notes"), Some(json!(["late"])));
    assert_eq!(value(&edit, "tags"), Some(json!(["urgent"])));
    assert_eq!(value(&edit, "closed-at"), None);

    assert_eq!(edit.filling("assignee"), Filling::Absent);
    assert_eq!(edit.filling("task-status"), Filling::Value(ComponentValue::Text("done".into())));
    assert_eq!(edit.filling("rank"), Filling::Value(ComponentValue::Unsigned(3, IntegerSize::Bits64)));
    assert_eq!(edit.filling("closed-at"), Filling::Absent);
    // What is only known after the write, and what does not change.
    assert_eq!(edit.filling("points"), Filling::Unknown);
    assert_eq!(edit.filling("task_id"), Filling::Unknown);
}

#[test]
fn what_is_removed_fills_no_key() {
    assert_eq!(Release.filling("assignee"), Filling::Absent);
    assert_eq!(<Release as Update>::SHAPE.changes, [change("assignee", "", ChangeAction::Remove)]);
}
