//! KW03: conditions and updates.

use keywright_key::rule::{self, Check, RULES, reservation_update};
use keywright_key::{
    AttributeKind, AttributeShape, ChangeAction, ChangeShape, ComponentKind, ConditionShape, EntityShape,
    ExpressionShape, IndexEntryShape, IndexKey, IndexShape, KeyAttribute, Presence, Purpose, TableShape,
    UpdateKind, UpdateShape,
};

use crate::application::{NUMBER, TENANT, key, text};

/// A task in every kind of index, with an attribute of every kind.
const TASK: EntityShape<'static> = EntityShape::new(
    "Task",
    "task",
    key("ORG#{organization_id}", "TASK#{task_id}"),
    &[
        TENANT,
        text("task_id"),
        text("title"),
        text("assignee").with_presence(Presence::Sometimes),
        text("status"),
        AttributeShape::component("due", NUMBER),
        AttributeShape::component("points", NUMBER),
        AttributeShape::component("size", NUMBER),
        AttributeShape::component("version", NUMBER),
        AttributeShape::component("picture", ComponentKind::Bytes).with_presence(Presence::Sometimes),
        AttributeShape::opaque("notes").with_presence(Presence::Sometimes),
        AttributeShape { kind: AttributeKind::Number, ..AttributeShape::opaque("weight") },
        AttributeShape { kind: AttributeKind::Set, ..AttributeShape::opaque("tags") },
    ],
)
.with_indexes(&[
    IndexEntryShape {
        index: "ByAssignee",
        key: IndexKey::Global(key("ORG#{organization_id}#USER#{assignee}", "{status}#{due}")),
    },
    IndexEntryShape {
        index: "ByPoints",
        key: IndexKey::Local { sort_key: crate::application::template("{points}") },
    },
    IndexEntryShape { index: "BySize", key: IndexKey::Attributes },
])
.with_version("version");

/// Found by a token, whoever asks.
const SHARE: EntityShape<'static> =
    EntityShape::new("Share", "share", key("SHARE#{token}", "SHARE"), &[TENANT, text("token")]);

const APP: TableShape<'static> = TableShape::new("App")
    .with_tenant("organization_id")
    .with_indexes(&[
        IndexShape::global(
            "ByAssignee",
            KeyAttribute::string("gsi1pk"),
            Some(KeyAttribute::string("gsi1sk")),
        ),
        IndexShape::local("ByPoints", KeyAttribute::string("pk"), KeyAttribute::string("lsi1sk")),
        IndexShape::multi_attribute(
            "BySize",
            &[KeyAttribute::string("organization_id")],
            &[KeyAttribute::number("size")],
        ),
    ])
    .with_entities(&[&TASK, &SHARE]);

const fn change(attribute: &'static str, action: ChangeAction) -> ChangeShape<'static> {
    ChangeShape { attribute, given: attribute, action, presence: Presence::Always }
}

const fn set(attribute: &'static str) -> ChangeShape<'static> {
    change(attribute, ChangeAction::Set)
}

fn found(entity: &'static str, changes: &[ChangeShape<'_>]) -> Vec<String> {
    let update = UpdateShape { name: "Edit", entity, changes, kind: UpdateKind::Plain };
    let checks = RULES.iter().filter_map(|rule| match rule.check {
        Check::Update(check) => Some(check),
        _ => None,
    });
    checks.filter_map(|check| check(&APP, &update)).map(|message| message.to_string()).collect()
}

#[track_caller]
fn broken(changes: &[ChangeShape<'_>], message: &str) {
    assert_eq!(found("Task", changes), [message]);
}

#[track_caller]
fn holds(changes: &[ChangeShape<'_>]) {
    assert_eq!(found("Task", changes), [""; 0]);
}

#[track_caller]
fn condition(attributes: &[&str], expected: &[&str]) {
    let expression = ExpressionShape { text: "..", attributes, given: &[] };
    let condition = ConditionShape { name: "Asked", entity: "Task", expression };
    let checks = RULES.iter().filter_map(|rule| match rule.check {
        Check::Condition(check) => Some(check),
        _ => None,
    });
    let found: Vec<String> =
        checks.filter_map(|check| check(&APP, &condition)).map(|message| message.to_string()).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_condition_asks_for_what_items_have() {
    condition(&["title", "organization_id", "pk", "sk", "entity"], &[]);
    condition(
        &["title", "titel"],
        &[
            "KW0316: `Asked` asks for `titel`, and `Task` has no attribute of that name. Did you mean `title`?",
        ],
    );
}

#[test]
fn an_update_changes_what_items_have() {
    holds(&[set("title"), set("size"), change("notes", ChangeAction::Append)]);
    broken(
        &[set("title"), change("titel", ChangeAction::Remove)],
        "KW0317: `Edit` removes `titel`, and `Task` has no attribute of that name. Did you mean `title`?",
    );
}

#[test]
fn a_name_that_resembles_none_is_to_be_corrected_or_declared() {
    broken(
        &[change("colour", ChangeAction::Remove)],
        "KW0317: `Edit` removes `colour`, and `Task` has no attribute of that name. Correct the name, or add the attribute.",
    );
}

#[test]
fn what_an_item_is_found_by_does_not_change() {
    broken(
        &[set("task_id")],
        "KW0318: `Edit` sets `task_id`, which the sort key of `Task` in `App` is made of, and the key of a stored item cannot \
         change. Put the item under its new key and delete the old one.",
    );
    broken(
        &[change("organization_id", ChangeAction::Remove)],
        "KW0318: `Edit` removes `organization_id`, which the partition key of `Task` in `App` is made of, and the key of a stored \
         item cannot change. Put the item under its new key and delete the old one.",
    );
}

#[test]
fn an_item_stays_with_its_tenant_also_where_its_key_does_not_hold_it() {
    assert_eq!(
        found("Share", &[set("organization_id")]),
        [
            "KW0318: `Edit` sets `organization_id`, which says whose the item is. An item stays with its tenant: put another item for \
          the other tenant."
        ]
    );
}

#[test]
fn the_key_of_an_index_can_be_rendered_anew() {
    // What is in the table's key is known, and the tenant is; the rest must be in the update.
    holds(&[set("points")]);
    holds(&[set("status"), set("due"), set("assignee")]);
    broken(
        &[set("assignee")],
        "KW0319: `Edit` sets `assignee`, which the key in index `ByAssignee` is rendered from. Its sort key \"{status}#{due}\" also \
         needs `status`, which is neither in the table's key nor in the update. Add `status` to the update, or put the whole item.",
    );
    broken(
        &[set("status"), set("due")],
        "KW0319: `Edit` sets `status`, which the key in index `ByAssignee` is rendered from. Its partition key \
         \"ORG#{organization_id}#USER#{assignee}\" also needs `assignee`, which is neither in the table's key nor in the update. Add \
         `assignee` to the update, or put the whole item.",
    );
    // Without its assignee the task leaves the index, whatever its status is.
    holds(&[change("assignee", ChangeAction::Remove)]);
}

#[test]
fn what_is_written_by_itself_is_left_alone() {
    broken(
        &[change("version", ChangeAction::Add)],
        "KW0320: `Edit` adds to `version`, which counts the versions of `Task`: every write counts by itself. Leave it out.",
    );
    broken(
        &[change("version", ChangeAction::Remove)],
        "KW0320: `Edit` removes `version`, which counts the versions of `Task`: every write counts by itself. Leave it out.",
    );
    broken(
        &[set("entity")],
        "KW0320: `Edit` sets `entity`, in which `App` stores which entity an item is. An item stays what it is: put another one.",
    );
    for attribute in ["pk", "sk", "gsi1pk", "gsi1sk", "lsi1sk"] {
        broken(
            &[set(attribute)],
            &format!(
                "KW0320: `Edit` sets `{attribute}`, which a key is rendered into. Set the attributes that it is rendered from: the \
                 key follows by itself."
            ),
        );
    }
}

#[test]
fn what_the_data_layer_keeps_of_an_entity_is_changed_by_its_own_calls() {
    let attributes = const { &[text("id"), text("title"), AttributeShape::of::<u64>("expires_at")] };
    let entity =
        EntityShape::new("Seen", "seen", key("P", "SEEN#{id}"), attributes).with_time_to_live("expires_at");
    let counter = Purpose::ExactCounter { count: "title" };
    for (purpose, attribute, noun) in [
        (Purpose::Data, "title", None),
        (Purpose::Data, "expires_at", None),
        (counter, "title", Some("a counter")),
        (counter, "expires_at", None),
        (Purpose::Claim, "title", None),
        (Purpose::Claim, "expires_at", Some("a claim")),
    ] {
        let entity = entity.with_purpose(purpose);
        let entities = [&entity];
        let table = TableShape::new("App").with_time_to_live("expires_at").with_entities(&entities);
        let changes = [set(attribute)];
        let update = UpdateShape { name: "Edit", entity: "Seen", changes: &changes, kind: UpdateKind::Plain };
        let found = rule::managed_attribute::check(&table, &update).map(|message| message.to_string());
        let expected = noun.map(|noun| {
            format!(
                "KW0320: `Edit` sets `{attribute}`, which the data layer keeps of `Seen` by itself: what is done to {noun} is a call \
                 of its own."
            )
        });
        assert_eq!(found, expected, "{purpose:?} {attribute}");
    }
}

#[test]
fn each_attribute_is_changed_once() {
    broken(
        &[set("title"), set("size"), set("title")],
        "KW0321: `Edit` sets `title`, which it changes already, and DynamoDB refuses that. Keep one of the two.",
    );
}

#[test]
fn the_new_value_of_a_component_is_known_before_the_write() {
    broken(
        &[change("points", ChangeAction::Add)],
        "KW0322: `Edit` adds to `points`, which the key in index `ByPoints` is rendered from, and the new value is not known before \
         the write. Set the value that it is to have.",
    );
    broken(
        &[change("status", ChangeAction::SetIfAbsent)],
        "KW0322: `Edit` sets `status` if it is absent, which the key in index `ByAssignee` is rendered from, and the new value is \
         not known before the write. Set the value that it is to have.",
    );
    // A key of attributes is not rendered: the index follows by itself.
    holds(&[change("size", ChangeAction::Subtract)]);
}

#[test]
fn what_every_item_has_is_not_removed() {
    broken(
        &[change("title", ChangeAction::Remove)],
        "KW0323: `Edit` removes `title`, but every `Task` has `title`: the item could not be read any more. Give it a value each \
         time, or make it an `Option` in the entity.",
    );
    let sometimes =
        |attribute, action| ChangeShape { presence: Presence::Sometimes, ..change(attribute, action) };
    broken(
        &[sometimes("title", ChangeAction::Set)],
        "KW0323: `Edit` sets `title` from an `Option`, whose `None` removes it, but every `Task` has `title`: the item could not be \
         read any more. Give it a value each time, or make it an `Option` in the entity.",
    );
    // Without a value nothing is added.
    holds(&[sometimes("size", ChangeAction::Add), sometimes("notes", ChangeAction::Set)]);
}

#[test]
fn an_attribute_is_changed_as_its_type_can_be() {
    let refused = [
        (
            "title",
            ChangeAction::Add,
            "adds to `title`, which is text, and only numbers and sets can be added to",
        ),
        (
            "title",
            ChangeAction::Subtract,
            "subtracts from `title`, which is text, and only numbers can be subtracted from",
        ),
        (
            "status",
            ChangeAction::Append,
            "appends to `status`, which is text, and only lists can be appended to",
        ),
        (
            "size",
            ChangeAction::DeleteFrom,
            "deletes from `size`, which is u64, and only sets can be deleted from",
        ),
    ];
    for (attribute, action, what) in refused {
        broken(&[change(attribute, action)], &format!("KW0324: `Edit` {what}. Set the attribute."));
    }
    holds(&[change("picture", ChangeAction::Append)]);
    // A type that nothing is known of may be stored as a list, and is taken for nothing else.
    holds(&[change("notes", ChangeAction::Append)]);
    let unknown = [
        (ChangeAction::Add, "adds to", "only numbers and sets can be added to"),
        (ChangeAction::Subtract, "subtracts from", "only numbers can be subtracted from"),
        (ChangeAction::DeleteFrom, "deletes from", "only sets can be deleted from"),
    ];
    for (action, does, needs) in unknown {
        broken(
            &[change("notes", action)],
            &format!(
                "KW0324: `Edit` {does} `notes`, which is of a type that nothing is known of, and {needs}. Give it a type that is known \
                 to be one: an integer, `f64`, or a `Set`, since a `BTreeSet` is stored as a list. What wraps an integer says so by \
                 `component_newtype!`."
            ),
        );
    }
    for (attribute, action) in [
        ("weight", ChangeAction::Add),
        ("weight", ChangeAction::Subtract),
        ("tags", ChangeAction::Add),
        ("tags", ChangeAction::DeleteFrom),
    ] {
        holds(&[change(attribute, action)]);
    }
    for (attribute, action, what) in [
        (
            "weight",
            ChangeAction::Append,
            "appends to `weight`, which is a number, and only lists can be appended to",
        ),
        (
            "weight",
            ChangeAction::DeleteFrom,
            "deletes from `weight`, which is a number, and only sets can be deleted from",
        ),
        (
            "tags",
            ChangeAction::Append,
            "appends to `tags`, which is a set, and only lists can be appended to",
        ),
        (
            "tags",
            ChangeAction::Subtract,
            "subtracts from `tags`, which is a set, and only numbers can be subtracted from",
        ),
    ] {
        broken(&[change(attribute, action)], &format!("KW0324: `Edit` {what}. Set the attribute."));
    }
}

#[test]
fn an_update_of_an_entity_that_the_table_does_not_list_is_reported_elsewhere() {
    assert_eq!(found("Nobody", &[set("title")]), [""; 0]);
}

/// Somebody with an address that nobody else has.
const USER: EntityShape<'static> = EntityShape::new(
    "User",
    "user",
    key("ORG#{organization_id}", "USER#{user_id}"),
    &[TENANT, text("user_id"), text("email"), AttributeShape::component("points", NUMBER), text("name")],
)
.with_unique(&["UserEmail"]);

const USER_EMAIL: EntityShape<'static> = EntityShape::new(
    "UserEmail",
    "user_email",
    key("ORG#{organization_id}", "EMAIL#{email}"),
    &[TENANT, text("user_id"), text("email"), AttributeShape::component("points", NUMBER)],
)
.with_reservation_of("User");

#[track_caller]
fn of_user(entity: &'static str, kind: UpdateKind, changes: &[ChangeShape<'_>], expected: &[&str]) {
    let update = UpdateShape { name: "Edit", entity, changes, kind };
    let table = APP.with_entities(&[&USER, &USER_EMAIL]);
    let found: Vec<String> =
        reservation_update::check(&table, &update).into_iter().map(|message| message.to_string()).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_update_of_what_a_reservation_holds_says_so() {
    of_user("User", UpdateKind::Plain, &[set("name")], &[]);
    of_user("User", UpdateKind::Unique, &[set("name"), set("email")], &[]);
    of_user("User", UpdateKind::Unique, &[change("email", ChangeAction::Remove)], &[]);
    of_user(
        "User",
        UpdateKind::Plain,
        &[set("name"), set("email")],
        &[
            "KW0325: `Edit` sets `email`, which `UserEmail` holds. Mark the update by `unique` and send it by `update_unique`, so \
             that the reservation changes with it.",
        ],
    );
    of_user(
        "User",
        UpdateKind::Unique,
        &[change("points", ChangeAction::Add)],
        &[
            "KW0325: `Edit` adds to `points`, which `UserEmail` holds: what it will be is not known before it is written. Set it, or \
             remove it.",
        ],
    );
    of_user(
        "User",
        UpdateKind::Unique,
        &[set("name")],
        &[
            "KW0325: `Edit` is marked `unique`, and changes nothing that a reservation of `User` holds. Leave `unique` out.",
        ],
    );
    of_user(
        "UserEmail",
        UpdateKind::Plain,
        &[set("points")],
        &[
            "KW0325: `Edit` sets `points` of a reservation of `User`. A reservation is what its holder is: update the holder.",
        ],
    );
}
