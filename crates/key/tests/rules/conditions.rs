//! KW03: conditions on the sort key.

use keywright_key::{
    AttributeCondition, AttributeShape, AttributeTest, BoundShape, ComponentKind, Delimiter, EntityShape,
    GivenShape, IntegerSize, KeyFormat, KeyShape, PatternShape, RangeShape, ReturnShape, SortKeyCondition,
    TableShape, TemplateShape, rule,
};

use crate::application::{APP, NUMBER, key, template, text};
use crate::patterns::{broken_pattern, sound_pattern, starts_with};

const TEXT: ComponentKind<'static> = ComponentKind::Text;
const TEAM_ID: GivenShape<'static> = GivenShape::new("team_id", TEXT);
const TEAM_ONLY: &[ReturnShape<'static>] = &[ReturnShape::whole("Team")];
const MEMBER_ONLY: &[ReturnShape<'static>] = &[ReturnShape::whole("Member")];

#[test]
fn what_the_condition_names_is_given() {
    broken_pattern(
        &PatternShape::query("Members", MEMBER_ONLY, &[]).with_sort_key(starts_with("TEAM#{team_id}#MEMBER")),
        "KW0302: the condition on the sort key of `Members` names `team_id`, which the pattern does not give. Add `team_id` to the \
         pattern.",
    );
    broken_pattern(
        &PatternShape::query("Joined", MEMBER_ONLY, &[]).with_index("ByDate").with_sort_key(
            SortKeyCondition::Range {
                template: template("MEMBER#{joined_at}"),
                range: RangeShape::from("since"),
            },
        ),
        "KW0302: the condition on the sort key of `Joined` names `since`, which the pattern does not give. Add `since` to the \
         pattern.",
    );
}

#[track_caller]
fn misfit(returns: &[ReturnShape<'static>], condition: SortKeyCondition<'static>, message: &str) {
    let pattern = PatternShape::query("Pattern", returns, const { &[TEAM_ID] }).with_sort_key(condition);
    let found = rule::sort_key_boundary::check(&APP, &pattern).expect("a misfit");
    assert_eq!(found.as_str(), format!("KW0303: `Pattern` asks for the sort key {message}"));
}

#[test]
fn a_condition_ends_where_a_segment_ends() {
    misfit(
        MEMBER_ONLY,
        starts_with("TEAM#{team_id}#MEM"),
        "\"TEAM#{team_id}#MEM\" of `Member`, whose sort key is \"TEAM#{team_id}#MEMBER#{user_id}\": that ends inside a segment, \
         since \"MEM\" is only the beginning of \"MEMBER\". Write the segment to its end, or leave it out.",
    );
    misfit(
        const { &[ReturnShape::whole("Team"), ReturnShape::whole("Member")] },
        starts_with("TEAM#{team_id}#MEMBER"),
        "\"TEAM#{team_id}#MEMBER\" of `Team`, whose sort key is \"TEAM#{team_id}\": that is longer than the key. End it where the \
         key ends, or before.",
    );
    misfit(
        TEAM_ONLY,
        starts_with("TEAM#{team_id}#"),
        "\"TEAM#{team_id}#\" of `Team`, whose sort key is \"TEAM#{team_id}\": with the delimiter at its end it finds what lies below \
         this key, and not the key itself. Leave the delimiter at the end out.",
    );
    misfit(
        TEAM_ONLY,
        starts_with("GROUP"),
        "\"GROUP\" of `Team`, whose sort key is \"TEAM#{team_id}\": it has \"GROUP\" where the key has \"TEAM\". Write the segments \
         of the key.",
    );
    misfit(
        TEAM_ONLY,
        starts_with("{team_id}"),
        "\"{team_id}\" of `Team`, whose sort key is \"TEAM#{team_id}\": it has the component `team_id` where the key has \"TEAM\". \
         Write the segments of the key.",
    );
    misfit(
        TEAM_ONLY,
        starts_with("TEAM#{team_id:raw}"),
        "\"TEAM#{team_id:raw}\" of `Team`, whose sort key is \"TEAM#{team_id}\": it has `team_id` where the key has `team_id`, or \
         writes it differently. Write the component as the key does, with the text before it and the modifier.",
    );
    misfit(
        MEMBER_ONLY,
        SortKeyCondition::Equals(template("TEAM#{team_id}")),
        "\"TEAM#{team_id}\" of `Member`, whose sort key is \"TEAM#{team_id}#MEMBER#{user_id}\": that is not the whole key, so nothing \
         is equal to it. Write the whole key, or ask for what starts with it.",
    );
    broken_pattern(
        &PatternShape::query("Teams", TEAM_ONLY, &[])
            .with_skips(&["Member", "Task"])
            .with_sort_key(starts_with("TE")),
        "KW0303: `Teams` asks for the sort key \"TE\" of `Team`, whose sort key is \"TEAM#{team_id}\": that ends inside a segment, \
         since \"TE\" is only the beginning of \"TEAM\". Write the segment to its end, or leave it out.",
    );
}

#[test]
fn a_fixed_value_of_a_component_is_written_as_the_key_has_it() {
    let attributes = [
        AttributeShape::component("status", ComponentKind::Enum(&["closed", "open"])),
        AttributeShape::component("n", NUMBER),
    ];
    let order = EntityShape::new("Order", "order", key("P", "{status}#{n}"), &attributes);
    let returns = [ReturnShape::whole("Order")];
    let entities = [&order];
    let check = |text| {
        let pattern = PatternShape::query("Orders", &returns, &[]).with_sort_key(starts_with(text));
        rule::sort_key_boundary::check(&TableShape::new("App").with_entities(&entities), &pattern)
    };
    assert_eq!(check("open"), None);
    assert_eq!(check("open#00000000000000000007"), None);
    assert_eq!(
        check("opened").expect("no word").as_str(),
        "KW0303: `Orders` asks for the sort key \"opened\" of `Order`, whose sort key is \"{status}#{n}\": \"opened\" is nothing that \
         `status` can be written as. Name the component, or write the value as the key has it, with its full width."
    );
    assert!(check("open#7").is_some());
}

fn log(format: KeyFormat, sort_key: &'static str, kind: ComponentKind<'static>) -> EntityShape<'static> {
    let key = KeyShape::new(TemplateShape::of("P", format), TemplateShape::of(sort_key, format));
    let attributes = vec![AttributeShape::component("at", kind), text("name")].leak();
    EntityShape::new("Log", "log", key, attributes)
}

#[track_caller]
fn ranged(
    format: KeyFormat,
    sort_key: &'static str,
    kind: ComponentKind<'static>,
    range: RangeShape<'static>,
) -> Option<String> {
    let entity = log(format, sort_key, kind);
    let returns = [ReturnShape::whole("Log")];
    let given = [GivenShape::untyped("from"), GivenShape::untyped("to"), GivenShape::untyped("name")];
    let template = TemplateShape::of(sort_key, format);
    let pattern = PatternShape::query("Logs", &returns, &given)
        .with_sort_key(SortKeyCondition::Range { template, range });
    let entities = [&entity];
    rule::sort_key_range::check(
        &TableShape::new("App").with_format(format).with_entities(&entities),
        &pattern,
    )
    .map(|message| message.to_string())
}

#[test]
fn a_range_is_exact_or_refused() {
    let standard = KeyFormat::STANDARD;
    let until = RangeShape::until("to");
    let number = ComponentKind::Unsigned(IntegerSize::Bits32);
    assert_eq!(ranged(standard, "LOG#{at}", number, until), None);
    let exact = |text: &str| Some(format!("KW0304: the range of `Logs` over \"LOG#{{at{text}"));
    assert_eq!(
        ranged(standard, "LOG#{at:raw}", number, until),
        exact(
            ":raw}\" is not exact: `at` is written without leading zeros, so 10 sorts before 5. Write it with a width, such as \
             `{points:10}`, or as its type is written without a modifier."
        )
    );
    assert_eq!(
        ranged(standard, "LOG#{at}", ComponentKind::Enum(&["low", "high"]), until),
        exact(
            "}\" is not exact: `at` is an enum whose words do not sort as its values do. Order the values by their words, or choose \
             words that sort."
        )
    );
    assert_eq!(
        ranged(standard, "LOG#{at}", TEXT, until),
        exact(
            "}\" is not exact: `at` is text or bytes, which have no value just before another, so the end cannot be left out. \
             Include the end, or range over a kind that has one before: integers, timestamps, ULIDs, UUIDs."
        )
    );
    assert_eq!(ranged(standard, "LOG#{at}", TEXT, RangeShape::through("to")), None);
    assert_eq!(ranged(standard, "LOG#{at}", TEXT, RangeShape::after("from")), None);
    assert_eq!(
        ranged(standard, "LOG#L-{at}", TEXT, RangeShape::from("from")),
        Some(
            "KW0304: the range of `Logs` over \"LOG#L-{at}\" is not exact: `at` is text or bytes with literal text before it in its \
             segment, and there is no largest value to end at. Give the range an end, or put the delimiter before the component."
                .to_owned()
        )
    );
    let bar = standard.with_delimiter(Delimiter::of('|'));
    assert_eq!(
        ranged(bar, "LOG|{at:raw}", TEXT, RangeShape::from("from")),
        Some(
            "KW0304: the range of `Logs` over \"LOG|{at:raw}\" is not exact: `at` has no fixed width, and under this delimiter longer \
             values do not sort beside what lies below shorter ones. Range over an integer with a width, a timestamp, a ULID or a \
             UUID."
                .to_owned()
        )
    );
    assert_eq!(ranged(bar, "LOG|{at}", number, RangeShape::from("from")), None);
    let open = RangeShape { from: BoundShape::Open, to: BoundShape::Open };
    assert_eq!(
        ranged(standard, "LOG#{at}", number, open),
        Some(
            "KW0304: the range of `Logs` over \"LOG#{at}\" has no bound. Give it a beginning or an end, or ask for what starts with the \
             text before the component."
                .to_owned()
        )
    );
    assert_eq!(
        ranged(standard, "LOG", number, until),
        Some(
            "KW0304: the range of `Logs` over \"LOG\" does not end with a component. Write the key up to the component that is ranged \
             over, such as `LOG#{at}`."
                .to_owned()
        )
    );
}

#[test]
fn under_a_delimiter_that_separates_a_prefix_ends_with_it() {
    let bar = KeyFormat::STANDARD.with_delimiter(Delimiter::of('|'));
    let entity = log(bar, "LOG|{name:raw}|{at}", NUMBER);
    let returns = [ReturnShape::whole("Log")];
    let given = [GivenShape::untyped("name")];
    let check = |text| {
        let condition = SortKeyCondition::StartsWith(TemplateShape::of(text, bar));
        let pattern = PatternShape::query("Logs", &returns, &given).with_sort_key(condition);
        let entities = [&entity];
        rule::sort_key_boundary::check(
            &TableShape::new("App").with_format(bar).with_entities(&entities),
            &pattern,
        )
    };
    assert_eq!(check("LOG|{name:raw}|"), None);
    assert_eq!(
        check("LOG|{name:raw}").expect("no single range").as_str(),
        "KW0303: `Logs` asks for the sort key \"LOG|{name:raw}\" of `Log`, whose sort key is \"LOG|{name:raw}|{at}\": under this \
         delimiter a longer value sorts between a key and what lies below it, so no single range holds both and nothing else. End it \
         with the delimiter, which finds what lies below it, and read the item itself with a GetItem."
    );
}

#[test]
fn a_range_over_dates_does_not_reach_words() {
    let at = ComponentKind::Timestamp(keywright_key::Precision::Milliseconds);
    let entity = log(KeyFormat::STANDARD, "{at}", at);
    let profile = EntityShape::new("Profile", "profile", key("P", "PROFILE"), &[]);
    let year = EntityShape::new("Year", "year", key("P", "2026"), &[]);
    let returns = [ReturnShape::whole("Log")];
    let pattern =
        PatternShape::query("Logs", &returns, const { &[GivenShape::untyped("from")] }).with_sort_key(
            SortKeyCondition::Range { template: template("{at}"), range: RangeShape::from("from") },
        );
    let check = |entities: &[&EntityShape<'_>]| {
        rule::entity_not_named::check(&TableShape { entities, ..TableShape::new("App") }, &pattern).is_some()
    };
    assert!(!check(&[&entity, &profile]));
    assert!(check(&[&entity, &year]));
}

#[test]
fn attributes_are_given_from_left_to_right() {
    let tasks = const { &[ReturnShape::only("Task", &["size"])] };
    let equal = |attribute| AttributeCondition { attribute, test: AttributeTest::Equal };
    let given = [GivenShape::new("region", TEXT), GivenShape::new("city", TEXT)];
    let pattern = PatternShape::query("Tasks", tasks, &given).with_index("ByPlace");
    let sound = [equal("region"), equal("city")];
    sound_pattern(&PatternShape { sort_key: SortKeyCondition::Attributes(&sound), ..pattern });
    let gap = [equal("city")];
    broken_pattern(
        &PatternShape { sort_key: SortKeyCondition::Attributes(&gap), given: &given[1..], ..pattern },
        "KW0310: `Tasks` has a condition on `city` where index `ByPlace` has `region`. Give the attributes from left to right, without \
         a gap.",
    );
    let goes_on = [
        AttributeCondition { attribute: "region", test: AttributeTest::BeginsWith("region") },
        equal("city"),
    ];
    broken_pattern(
        &PatternShape { sort_key: SortKeyCondition::Attributes(&goes_on), ..pattern },
        "KW0310: `Tasks` has a condition on `region` that is no equality, and goes on after it. A range can only be on the last \
         attribute that is given.",
    );
    let too_many = [equal("region"), equal("city"), equal("size"), equal("region")];
    let all = [given[0], given[1], GivenShape::new("size", NUMBER)];
    broken_pattern(
        &PatternShape { sort_key: SortKeyCondition::Attributes(&too_many), given: &all, ..pattern },
        "KW0310: `Tasks` has a condition on `region`, but the sort key of index `ByPlace` has 3 attributes. Leave the condition out.",
    );
    let found = rule::attributes_left_to_right::check(&APP, &pattern.with_sort_key(starts_with("TEAM")))
        .expect("a template");
    assert_eq!(
        found.as_str(),
        "KW0310: `Tasks` has a template as its condition, but index `ByPlace` is keyed by attributes. Write a condition for each \
         attribute, from left to right."
    );
    let on_table = PatternShape { index: None, sort_key: SortKeyCondition::Attributes(&sound), ..pattern };
    let found = rule::attributes_left_to_right::check(&APP, &on_table).expect("attributes on a table");
    assert_eq!(
        found.as_str(),
        "KW0310: `Tasks` has conditions on attributes, but the sort key of a table is one attribute. Write the condition as a template."
    );
    let rendered = PatternShape { index: Some("ByUser"), ..on_table };
    let found = rule::attributes_left_to_right::check(&APP, &rendered).expect("attributes on a rendered key");
    assert_eq!(
        found.as_str(),
        "KW0310: `Tasks` has conditions on attributes, but index `ByUser` has a rendered sort key. Write the condition as a template."
    );
}
