//! KW03: access patterns.

use keywright_key::{
    ComponentKind, Consistency, FilterShape, GivenShape, PatternShape, RangeShape, ReturnShape,
    SortKeyCondition, TableShape, rule,
};

use crate::application::{APP, MEMBER, NUMBER, TEAM, template};
use crate::{broken, holds};

const TEXT: ComponentKind<'static> = ComponentKind::Text;
const TEAM_ID: GivenShape<'static> = GivenShape::new("team_id", TEXT);
const TEAM_ONLY: &[ReturnShape<'static>] = &[ReturnShape::whole("Team")];
const MEMBER_ONLY: &[ReturnShape<'static>] = &[ReturnShape::whole("Member")];

/// The application with this one pattern.
#[track_caller]
pub(crate) fn broken_pattern(pattern: &PatternShape<'_>, message: &str) {
    broken(&TableShape { patterns: &[pattern], ..APP }, message);
}

#[track_caller]
pub(crate) fn sound_pattern(pattern: &PatternShape<'_>) {
    holds(&TableShape { patterns: &[pattern], ..APP });
}

pub(crate) fn starts_with(text: &'static str) -> SortKeyCondition<'static> {
    SortKeyCondition::StartsWith(template(text))
}

#[test]
fn the_partition_key_is_given() {
    let memberships = const { &[ReturnShape::only("Member", &["role"])] };
    broken_pattern(
        &PatternShape::query("EveryMember", memberships, &[]).with_index("ByUser"),
        "KW0301: `EveryMember` is not one Query: the partition key of `Member` in index `ByUser` is \
         \"ORG#{organization_id}#USER#{user_id}\", and `user_id` is not given. Add `user_id` to the pattern, or read an index whose \
         partition key the caller has.",
    );
}

#[test]
fn what_is_returned_from_an_index_is_in_it() {
    broken_pattern(
        &PatternShape::query("Teams", TEAM_ONLY, &[]).with_index("ByUser"),
        "KW0305: `Teams` returns `Team` from index `ByUser`, where it has no key. Add a key for this index to the entity, or read the \
         table.",
    );
}

#[test]
fn what_is_not_in_the_index_is_said_once() {
    // The filter was reported too, as if projecting its attribute would help.
    broken_pattern(
        &PatternShape::query("Teams", TEAM_ONLY, &[])
            .with_index("ByUser")
            .with_filter(FilterShape { attributes: &["name"], given: &[] }),
        "KW0305: `Teams` returns `Team` from index `ByUser`, where it has no key. Add a key for this index to the entity, or read the \
         table.",
    );
}

#[test]
fn what_is_returned_from_an_index_is_projected() {
    let tasks = const { &[ReturnShape::whole("Task")] };
    broken_pattern(
        &PatternShape::query("Tasks", tasks, const { &[GivenShape::untyped("assignee_id")] })
            .with_index("ByAssignee"),
        "KW0306: `Tasks` reads index `ByAssignee`, which does not hold `region` of `Task`, which the pattern returns. Project it, or \
         return a type that does not have it.",
    );
    let memberships = const { &[ReturnShape::only("Member", &["role", "joined_at", "team_id"])] };
    let pattern =
        PatternShape::query("Memberships", memberships, const { &[GivenShape::untyped("user_id")] })
            .with_index("ByUser");
    sound_pattern(&pattern);
    // What a key holds can be returned, since the key is read back, but a filter needs the attribute itself.
    broken_pattern(
        &pattern.with_filter(FilterShape { attributes: &["team_id"], given: &[] }),
        "KW0306: `Memberships` reads index `ByUser`, which does not hold `team_id`, which the pattern filters by. Project it, or leave \
         it out of the filter.",
    );
}

#[test]
fn a_global_index_is_not_read_consistently() {
    let memberships = const { &[ReturnShape::only("Member", &["role"])] };
    broken_pattern(
        &PatternShape::query("Memberships", memberships, const { &[GivenShape::untyped("user_id")] })
            .with_index("ByUser")
            .with_consistency(Consistency::Strong),
        "KW0307: `Memberships` asks for a consistent read, but `ByUser` is a global index, which is written after the table is. Leave \
         the consistency out, or read the table or a local index where a write must be seen at once.",
    );
}

#[test]
fn every_entity_in_the_range_is_named() {
    // A team with its members read that team's tasks too, and the code took them for members.
    broken_pattern(
        &PatternShape::query(
            "TeamWithMembers",
            const { &[TEAM_ONLY[0], MEMBER_ONLY[0]] },
            const { &[TEAM_ID] },
        )
        .with_sort_key(starts_with("TEAM#{team_id}")),
        "KW0308: `TeamWithMembers` also reads items of `Task`, which it neither returns nor skips: their keys lie in its range. \
         Return the entity, skip it by name, or narrow the condition on the sort key.",
    );
    sound_pattern(
        &PatternShape::query("Members", MEMBER_ONLY, const { &[TEAM_ID] })
            .with_sort_key(starts_with("TEAM#{team_id}#MEMBER")),
    );
}

#[test]
fn what_is_given_has_the_type_of_the_component() {
    broken_pattern(
        &PatternShape::query("Members", MEMBER_ONLY, const { &[GivenShape::new("team_id", NUMBER)] })
            .with_sort_key(starts_with("TEAM#{team_id}#MEMBER")),
        "KW0309: `team_id` is u64 in `Members`, but `team_id` of `Member` is text, which is written in another way. Give it the same \
         type.",
    );
    broken_pattern(
        &PatternShape::query("Joined", MEMBER_ONLY, const { &[GivenShape::new("since", TEXT)] })
            .with_index("ByDate")
            .with_sort_key(SortKeyCondition::Range {
                template: template("MEMBER#{joined_at}"),
                range: RangeShape::from("since"),
            }),
        "KW0309: `since` is text in `Joined`, but `joined_at` of `Member` is timestamp in milliseconds, which is written in another \
         way. Give it the same type.",
    );
}

#[test]
fn two_names_with_one_hash_do_not_stand_in_for_each_other() {
    let found = rule::component_type::check_name("team_id", "user_id").expect("another name");
    assert_eq!(
        found.as_str(),
        "KW0309: `team_id` and `user_id` have the same hash, so their types cannot be compared. Rename one of them."
    );
    assert_eq!(rule::component_type::check_name("team_id", "team_id"), None);
}

#[test]
fn what_is_returned_together_lies_together() {
    let found = rule::several_partitions::check(
        &APP,
        &PatternShape::query(
            "Both",
            const { &[ReturnShape::whole("Team"), ReturnShape::whole("Share")] },
            &[],
        ),
    )
    .expect("two partitions");
    assert_eq!(
        found.as_str(),
        "KW0311: `Both` is not one Query: `Team` lies under \"ORG#{organization_id}\", `Share` under \"SHARE#{token}\". Make two \
         patterns, or give the entities one partition key, in the table or in an index."
    );
}

#[test]
fn what_is_given_is_used() {
    broken_pattern(
        &PatternShape::query("Teams", TEAM_ONLY, const { &[TEAM_ID] }).with_skips(&["Member", "Task"]),
        "KW0312: `Teams` is given `team_id`, which is in neither the partition key, nor the condition on the sort key, nor the filter: \
         the answer would not depend on it. Use it in the condition, or leave it out.",
    );
}

#[test]
fn a_get_item_gives_the_whole_key() {
    broken_pattern(
        &PatternShape::get_item("Team", TEAM_ONLY, &[]),
        "KW0313: `Team` is a GetItem, but does not give the whole sort key of `Team`, \"TEAM#{team_id}\". Ask for the sort key that is \
         equal to it.",
    );
    broken_pattern(
        &PatternShape::get_item(
            "Memberships",
            const { &[ReturnShape::only("Member", &["role"])] },
            const { &[GivenShape::untyped("user_id")] },
        )
        .with_index("ByUser"),
        "KW0313: `Memberships` is a GetItem, but reads index `ByUser`, where several items may have one key. Make it a Query.",
    );
    broken_pattern(
        &PatternShape::query("Nothing", &[], &[]),
        "KW0313: `Nothing` returns nothing. Name the entities that it returns.",
    );
    let both = PatternShape::get_item("Both", const { &[TEAM_ONLY[0], MEMBER_ONLY[0]] }, &[]);
    assert_eq!(
        rule::whole_key::check(&APP, &both).expect("two entities").as_str(),
        "KW0313: `Both` is a GetItem and returns several entities, and one key is that of one item. Return one, or make it a Query."
    );
}

#[test]
fn a_filter_leaves_the_key_alone() {
    broken_pattern(
        &PatternShape::query("Teams", TEAM_ONLY, &[])
            .with_skips(&["Member", "Task"])
            .with_filter(FilterShape { attributes: &["sk"], given: &[] }),
        "KW0314: `Teams` filters by `sk`, which is in the key that it reads by, and DynamoDB refuses that. Put it into the condition on \
         the sort key.",
    );
}

#[test]
fn names_mean_something() {
    let teams = PatternShape::query("Teams", TEAM_ONLY, &[]).with_skips(&["Member", "Task"]);
    let declare = "has nothing of that name. Correct the name, or declare it.";
    let mean = |name: &str| format!("has nothing of that name. Did you mean `{name}`?");
    broken_pattern(
        &teams.with_index("ByUsers"),
        &format!("KW0315: `Teams` reads index `ByUsers`, and `App` {}", mean("ByUser")),
    );
    broken_pattern(
        &teams.with_index("Alphabetical"),
        &format!("KW0315: `Teams` reads index `Alphabetical`, and `App` {declare}"),
    );
    broken_pattern(
        &PatternShape::query("Teams", const { &[ReturnShape::whole("Teem")] }, &[]),
        &format!("KW0315: `Teams` returns `Teem`, and `App` {}", mean("Team")),
    );
    broken_pattern(
        &PatternShape::query("Teams", const { &[ReturnShape::only("Team", &["nmae"])] }, &[])
            .with_skips(&["Member", "Task"]),
        &format!("KW0315: `Teams` returns the attribute `nmae`, and `Team` {}", mean("name")),
    );
    broken_pattern(
        &teams.with_skips(&["Member", "Task", "Tusk"]),
        &format!("KW0315: `Teams` skips `Tusk`, and `App` {}", mean("Task")),
    );
    broken_pattern(
        &teams.with_skips(&["Member", "Task", "Team"]),
        "KW0315: `Teams` both returns and skips `Team`. Keep one of the two.",
    );
    broken_pattern(
        &teams.with_filter(FilterShape { attributes: &["nmae"], given: &[] }),
        &format!("KW0315: `Teams` filters by `nmae`, and what it returns {}", mean("name")),
    );
    broken_pattern(
        &teams.with_filter(FilterShape { attributes: &["name"], given: &["wanted"] }),
        &format!("KW0315: `Teams` filters with `wanted`, and it {declare}"),
    );
}

#[test]
fn entities_of_the_application_are_what_its_tests_think() {
    // The messages above quote these keys.
    assert_eq!(TEAM.key.sort_key.map(|template| template.text()), Some("TEAM#{team_id}"));
    assert_eq!(MEMBER.key.sort_key.map(|template| template.text()), Some("TEAM#{team_id}#MEMBER#{user_id}"));
}
