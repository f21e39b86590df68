//! A sound application with one of everything, as constants: what derives write.

use keywright_key::{
    AttributeCondition, AttributeShape, AttributeTest, ComponentKind, Consistency, DeviationShape,
    EntityShape, FilterShape, GivenShape, IndexEntryShape, IndexKey, IndexShape, IntegerSize, KeyAttribute,
    KeyFormat, KeyPlace, KeyShape, PatternShape, Precision, Presence, Projection, RangeShape, ReturnShape,
    Shards, SortKeyCondition, TableShape, TemplateShape,
};

pub(crate) const fn template(text: &'static str) -> TemplateShape<'static> {
    TemplateShape::of(text, KeyFormat::STANDARD)
}

pub(crate) const fn text(name: &'static str) -> AttributeShape<'static> {
    AttributeShape::component(name, ComponentKind::Text)
}

pub(crate) const fn key(partition_key: &'static str, sort_key: &'static str) -> KeyShape<'static> {
    KeyShape::new(template(partition_key), template(sort_key))
}

pub(crate) const TENANT: AttributeShape<'static> = text("organization_id");
const JOINED_AT: AttributeShape<'static> =
    AttributeShape::component("joined_at", ComponentKind::Timestamp(Precision::Milliseconds));
pub(crate) const NUMBER: ComponentKind<'static> = ComponentKind::Unsigned(IntegerSize::Bits64);

pub(crate) const TEAM: EntityShape<'static> = EntityShape::new(
    "Team",
    "team",
    key("ORG#{organization_id}", "TEAM#{team_id}"),
    &[TENANT, text("team_id"), AttributeShape::opaque("name")],
);

pub(crate) const MEMBER: EntityShape<'static> = EntityShape::new(
    "Member",
    "member",
    key("ORG#{organization_id}", "TEAM#{team_id}#MEMBER#{user_id}"),
    &[TENANT, text("team_id"), text("user_id"), JOINED_AT, AttributeShape::opaque("role")],
)
.with_indexes(&[
    IndexEntryShape {
        index: "ByUser",
        key: IndexKey::Global(key("ORG#{organization_id}#USER#{user_id}", "{joined_at}")),
    },
    IndexEntryShape { index: "ByDate", key: IndexKey::Local { sort_key: template("MEMBER#{joined_at}") } },
]);

/// Assigned tasks are in a sparse index; tasks count their versions and expire.
pub(crate) const TASK: EntityShape<'static> = EntityShape::new(
    "Task",
    "task",
    key("ORG#{organization_id}", "TEAM#{team_id}#TASK#{task_id}"),
    &[
        TENANT,
        text("team_id"),
        AttributeShape::component("task_id", ComponentKind::Ulid),
        text("assignee_id").with_presence(Presence::Sometimes),
        AttributeShape::component("region", ComponentKind::Text),
        AttributeShape::component("city", ComponentKind::Text),
        AttributeShape::component("size", NUMBER),
        AttributeShape::component("version", NUMBER),
        AttributeShape::of::<u64>("expires_at"),
    ],
)
.with_indexes(&[
    IndexEntryShape {
        index: "ByAssignee",
        key: IndexKey::Global(key("ORG#{organization_id}#ASSIGNEE#{assignee_id}", "{task_id}")),
    },
    IndexEntryShape { index: "ByPlace", key: IndexKey::Attributes },
])
.with_version("version")
.with_time_to_live("expires_at");

/// Found by its token, whoever asks.
pub(crate) const SHARE: EntityShape<'static> =
    EntityShape::new("Share", "share", key("SHARE#{token}", "SHARE"), &[TENANT, text("token")])
        .with_deviations(&[DeviationShape { key: KeyPlace::Table, reason: "the token is the lookup value" }]);

/// Written by everyone at once.
pub(crate) const EVENT: EntityShape<'static> = EntityShape::new(
    "Event",
    "event",
    key("ORG#{organization_id}#EVENTS", "{event_id}").with_shards(Shards::of(8, &[1, 4])),
    &[TENANT, AttributeShape::component("event_id", ComponentKind::Ulid)],
);

pub(crate) const INDEXES: &[IndexShape<'static>] = &[
    IndexShape::global("ByUser", KeyAttribute::string("gsi1pk"), Some(KeyAttribute::string("gsi1sk")))
        .with_projection(Projection::Include(&["role"])),
    IndexShape::local("ByDate", KeyAttribute::string("pk"), KeyAttribute::string("lsi1sk"))
        .with_projection(Projection::All { reason: "the list shows every attribute" }),
    IndexShape::global("ByAssignee", KeyAttribute::string("gsi2pk"), Some(KeyAttribute::string("gsi2sk"))),
    IndexShape::multi_attribute(
        "ByPlace",
        &[KeyAttribute::string("organization_id")],
        &[KeyAttribute::string("region"), KeyAttribute::string("city"), KeyAttribute::number("size")],
    ),
];

const TEXT: ComponentKind<'static> = ComponentKind::Text;
const TIME: ComponentKind<'static> = ComponentKind::Timestamp(Precision::Milliseconds);

const PATTERNS: &[&PatternShape<'static>] = &[
    &PatternShape::get_item("TeamById", &[ReturnShape::whole("Team")], &[GivenShape::new("team_id", TEXT)])
        .with_sort_key(SortKeyCondition::Equals(template("TEAM#{team_id}")))
        .with_consistency(Consistency::Strong),
    &PatternShape::query(
        "TeamWithMembers",
        &[ReturnShape::whole("Team"), ReturnShape::whole("Member")],
        &[GivenShape::new("team_id", TEXT)],
    )
    .with_sort_key(SortKeyCondition::StartsWith(template("TEAM#{team_id}")))
    .with_skips(&["Task"]),
    &PatternShape::query(
        "MembersWithRole",
        &[ReturnShape::whole("Member")],
        &[GivenShape::new("team_id", TEXT), GivenShape::untyped("role")],
    )
    .with_sort_key(SortKeyCondition::StartsWith(template("TEAM#{team_id}#MEMBER#")))
    .with_filter(FilterShape { attributes: &["role"], given: &["role"] }),
    &PatternShape::query(
        "Memberships",
        &[ReturnShape::only("Member", &["team_id", "role"])],
        &[GivenShape::new("user_id", TEXT)],
    )
    .with_index("ByUser"),
    &PatternShape::query(
        "JoinedIn",
        &[ReturnShape::whole("Member")],
        &[GivenShape::new("since", TIME), GivenShape::new("before", TIME)],
    )
    .with_index("ByDate")
    .with_consistency(Consistency::Strong)
    .with_sort_key(SortKeyCondition::Range {
        template: template("MEMBER#{joined_at}"),
        range: RangeShape::half_open("since", "before"),
    }),
    &PatternShape::query(
        "TasksOf",
        &[ReturnShape::only("Task", &["task_id"])],
        &[GivenShape::new("assignee_id", TEXT)],
    )
    .with_index("ByAssignee"),
    &PatternShape::query(
        "TasksIn",
        &[ReturnShape::only("Task", &["region", "size"])],
        &[GivenShape::new("region", TEXT), GivenShape::new("city", TEXT), GivenShape::new("least", NUMBER)],
    )
    .with_index("ByPlace")
    .with_sort_key(SortKeyCondition::Attributes(&[
        AttributeCondition { attribute: "region", test: AttributeTest::Equal },
        AttributeCondition { attribute: "city", test: AttributeTest::Equal },
        AttributeCondition { attribute: "size", test: AttributeTest::Range(RangeShape::from("least")) },
    ])),
    &PatternShape::get_item(
        "ShareByToken",
        &[ReturnShape::whole("Share")],
        &[GivenShape::new("token", TEXT)],
    )
    .with_sort_key(SortKeyCondition::Equals(template("SHARE"))),
    &PatternShape::query("Events", &[ReturnShape::whole("Event")], &[]),
];

pub(crate) const APP: TableShape<'static> = TableShape::new("App")
    .with_tenant("organization_id")
    .with_time_to_live("expires_at")
    .with_indexes(INDEXES)
    .with_entities(&[&TEAM, &MEMBER, &TASK, &SHARE, &EVENT])
    .with_patterns(PATTERNS);
