//! The types of this crate and `keywright.toml` say the same.
//!
//! The file has loads, settings and consumers beside, which types do not have. The types have patterns that name an item to write,
//! which a file does not need.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what fails shows itself")]

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::types::StreamViewType;
use aws_smithy_async::rt::sleep::TokioSleep;
use bumpalo::Bump;
use keywright::key::declare::Table;
use keywright::key::{
    EntityShape, IndexEntryShape, IndexKey, IndexShape, KeyShape, PatternShape, Purpose, Returned,
    SortKeyCondition, StreamView, TableShape,
};
use keywright::{CursorKey, CursorKeys, Store};
use keywright_design::model::Purpose as OfFile;
use keywright_design::{DesignFile, Shapes};
use saas::app::App;
use saas::audit::Audit;
use saas::billing::Billing;
use saas::live::Live;

/// What the code calls a pattern, and what the file calls it. `None`: it names an item that is updated or deleted.
const PATTERNS: &[(&str, Option<&str>)] = &[
    ("OrganizationById", Some("organization")),
    ("UserById", Some("user")),
    ("UsersOfOrganization", Some("users_of_organization")),
    ("OrganizationsOfAddress", Some("organizations_of_address")),
    ("HolderOfAddress", Some("holder_of_address")),
    ("TeamWithMembers", Some("team_with_members")),
    ("TeamsOfUser", Some("teams_of_user")),
    ("MemberById", None),
    ("PendingInvitations", Some("pending_invitations")),
    ("InvitationOfLink", Some("invitation_of_link")),
    ("InvitationById", None),
    ("Projects", Some("projects")),
    ("TaskById", Some("task")),
    ("NewestTasksOfProject", Some("newest_tasks_of_project")),
    ("OpenTasksDue", Some("open_tasks_due")),
    ("DiagramById", Some("diagram")),
    ("PublishedDiagrams", Some("published_diagrams")),
    ("ShareTokenByToken", Some("share_token")),
    ("OrganizationOfSlackWorkspace", Some("organization_of_slack_workspace")),
    ("OneTimeCodeById", Some("one_time_code")),
    ("Notifications", Some("notifications")),
    ("SessionByToken", Some("session")),
    ("ConfirmationByToken", Some("confirmation")),
    ("ConnectionById", Some("connection")),
    ("ConnectionsOfOrganization", Some("connections_of_organization")),
    ("VisitsOfDiagram", Some("visits_of_diagram")),
    ("ChargesOfPeriod", Some("charges_of_period")),
    ("ChargesOfKind", Some("charges_of_kind")),
    ("AuditTrail", Some("audit_trail")),
];

/// What the file reads and the types do not declare: counts, which `Tenant::count` reads by their entity, and the one scan of a whole table.
const READ_OTHERWISE: &[&str] = &["page_views", "usage", "balance", "verify_audit_chain"];

/// Calls `compare` with each table of the types and the table of its name in the file.
fn with_both(compare: impl Fn(&TableShape<'_>, &TableShape<'_>)) {
    let text = include_str!("../keywright.toml");
    let file = DesignFile::parse(text).unwrap();
    let arena = Bump::new();
    let shapes = Shapes::new(file.design(), &arena);
    for of_types in [App::SHAPE, Live::SHAPE, Billing::SHAPE, Audit::SHAPE] {
        let name = snake_case(of_types.name);
        let of_file = shapes.tables().iter().find(|table| table.name == name);
        compare(&of_types, of_file.unwrap_or_else(|| panic!("the file has no table `{name}`")));
    }
}

#[test]
fn tables_have_the_same_keys_tenants_time_to_live_and_stream() {
    with_both(|types, file| {
        let said = |table: &TableShape<'_>| {
            format!(
                "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
                table.partition_key,
                table.sort_key,
                table.format,
                table.discriminator,
                table.tenancy,
                table.time_to_live,
                table.stream
            )
        };
        assert_eq!(said(types), said(file), "{}", types.name);
    });
}

#[test]
fn entities_have_the_same_keys_everywhere() {
    with_both(|types, file| {
        for entity in types.entities {
            let of_file = file.entities.iter().find(|of_file| of_file.discriminator == entity.discriminator);
            let of_file =
                of_file.unwrap_or_else(|| panic!("the file has no entity `{}`", entity.discriminator));
            assert_eq!(said_of_entity(entity), said_of_entity(of_file), "{}", entity.name);
        }
    });
}

#[test]
fn entities_are_there_for_the_same() {
    let file = DesignFile::parse(include_str!("../keywright.toml")).unwrap();
    with_both(|types, _| {
        for entity in types.entities {
            let of_file =
                file.design().entities.iter().find(|of_file| of_file.discriminator == entity.discriminator);
            let of_file =
                of_file.unwrap_or_else(|| panic!("the file has no entity `{}`", entity.discriminator));
            let is_same = matches!(
                (entity.purpose, of_file.purpose),
                (Purpose::Claim, OfFile::Claim)
                    | (Purpose::Lock, OfFile::Lock)
                    | (Purpose::ExactCounter { .. }, OfFile::ExactCounter)
                    | (Purpose::ApproximateCounter { .. }, OfFile::ApproximateCounter)
                    | (Purpose::RateLimit, OfFile::RateLimit)
                    | (Purpose::SingleUseToken, OfFile::SingleUseToken)
                    | (Purpose::Data, OfFile::Data | OfFile::Ephemeral | OfFile::Audit)
            );
            assert!(is_same, "{}: {:?}, {:?}", entity.name, entity.purpose, of_file.purpose);
            if let Some(count) = entity.purpose.count() {
                assert!(of_file.attribute(count).is_some(), "{} counts in `{count}`", entity.name);
            }
        }
    });
}

/// The engine of this project has no streams yet; where they are, `create_table` makes those of the design.
#[test]
fn tables_are_created_with_the_streams_of_the_file() {
    let created = [
        ("app", stream_that_is_created::<App>()),
        ("live", stream_that_is_created::<Live>()),
        ("billing", stream_that_is_created::<Billing>()),
        ("audit", stream_that_is_created::<Audit>()),
    ];
    let file = DesignFile::parse(include_str!("../keywright.toml")).unwrap();
    let arena = Bump::new();
    let shapes = Shapes::new(file.design(), &arena);
    for (name, created) in created {
        let of_file = shapes.tables().iter().find(|table| table.name == name).unwrap();
        let expected = of_file.stream.map(|view| match view {
            StreamView::NewAndOldImages => StreamViewType::NewAndOldImages,
            other => panic!("`{name}` of the file carries {other:?}"),
        });
        assert_eq!(created, expected, "{name}");
    }
}

/// What CreateTable asks for on Amazon DynamoDB.
fn stream_that_is_created<TableType: Table>() -> Option<StreamViewType> {
    let config = aws_sdk_dynamodb::config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .sleep_impl(TokioSleep::new());
    let keys = CursorKeys::new(CursorKey::generate().unwrap());
    let request = Store::<TableType>::builder(Client::from_conf(config.build()), keys).create_request();
    request.stream_specification().and_then(|stream| stream.stream_view_type().cloned())
}

#[test]
fn components_of_keys_have_the_same_kinds() {
    with_both(|types, file| {
        for entity in types.entities {
            let of_file =
                file.entities.iter().find(|of_file| of_file.discriminator == entity.discriminator).unwrap();
            for attribute in entity.attributes.iter().filter(|attribute| is_in_key(entity, attribute.name)) {
                let kind = |entity: &EntityShape<'_>| {
                    let attribute = entity.attributes.iter().find(|other| other.name == attribute.name);
                    // What only a template of the file names is a text there.
                    attribute
                        .map_or("Component(Text)".to_owned(), |attribute| format!("{:?}", attribute.kind))
                };
                assert_eq!(kind(entity), kind(of_file), "{} {}", entity.name, attribute.name);
            }
        }
    });
}

#[test]
fn indexes_have_the_same_keys_and_hold_the_same() {
    with_both(|types, file| {
        for index in types.indexes {
            let of_file = file.indexes.iter().find(|of_file| of_file.name == index.name);
            let of_file = of_file.unwrap_or_else(|| panic!("the file has no index `{}`", index.name));
            let said =
                |index: &IndexShape<'_>| format!("{:?} {:?} {:?}", index.reach, index.keys, index.projection);
            assert_eq!(said(index), said(of_file), "{}", index.name);
        }
    });
}

#[test]
fn patterns_ask_the_same() {
    with_both(|types, file| {
        for pattern in types.patterns {
            let pair = PATTERNS.iter().find(|(of_types, _)| *of_types == pattern.name);
            let (_, of_file) = pair.unwrap_or_else(|| panic!("`{}` is compared with nothing", pattern.name));
            let Some(name) = of_file else { continue };
            let of_file = file.patterns.iter().find(|of_file| of_file.name == *name);
            let of_file = of_file.unwrap_or_else(|| panic!("the file has no pattern `{name}`"));
            assert_eq!(said_of_pattern(types, pattern), said_of_pattern(file, of_file), "{}", pattern.name);
        }
    });
}

#[test]
fn nothing_of_the_file_is_missing() {
    with_both(|types, file| {
        for of_file in file.entities {
            let name = of_file.discriminator;
            assert!(types.entities.iter().any(|entity| entity.discriminator == name), "the entity `{name}`");
        }
        for of_file in file.patterns {
            let pair = PATTERNS.iter().find(|(_, name)| *name == Some(of_file.name));
            let is_declared =
                pair.is_some_and(|(name, _)| types.patterns.iter().any(|of_types| of_types.name == *name));
            assert!(is_declared || READ_OTHERWISE.contains(&of_file.name), "the pattern `{}`", of_file.name);
        }
    });
    let file = DesignFile::parse(include_str!("../keywright.toml")).unwrap();
    assert_eq!(file.design().tables.len(), 4);
}

fn said_of_entity(entity: &EntityShape<'_>) -> String {
    let mut indexes: Vec<String> = entity
        .indexes
        .iter()
        .map(|IndexEntryShape { index, key }| {
            let key = match key {
                IndexKey::Global(key) => said_of_key(key),
                IndexKey::Local { sort_key } => sort_key.text().to_owned(),
                IndexKey::Attributes => "its attributes".to_owned(),
            };
            format!("{index}: {key}")
        })
        .collect();
    indexes.sort();
    let mut deviations: Vec<String> = entity
        .deviations
        .iter()
        .map(|deviation| format!("{:?}: {}", deviation.key, deviation.reason))
        .collect();
    deviations.sort();
    format!(
        "{} {indexes:?} {deviations:?} {:?} {:?}",
        said_of_key(&entity.key),
        entity.time_to_live,
        entity.version
    )
}

fn said_of_key(key: &KeyShape<'_>) -> String {
    format!(
        "{} {:?} {:?}",
        key.partition_key.text(),
        key.sort_key.map(|template| template.text()),
        key.shards
    )
}

fn said_of_pattern(table: &TableShape<'_>, pattern: &PatternShape<'_>) -> String {
    let entity_name = |name: &str| {
        table
            .entities
            .iter()
            .find(|entity| entity.name == name)
            .map_or(name, |entity| entity.discriminator)
            .to_owned()
    };
    let mut returns: Vec<String> = pattern
        .returns
        .iter()
        .map(|returned| match returned.attributes {
            Returned::Whole => entity_name(returned.entity),
            Returned::Only(names) => {
                let mut names = names.to_vec();
                names.sort_unstable();
                format!("{} {names:?}", entity_name(returned.entity))
            }
        })
        .collect();
    returns.sort();
    let mut given: Vec<&str> = pattern.given.iter().map(|given| given.name).collect();
    given.sort_unstable();
    let sort_key = match pattern.sort_key {
        SortKeyCondition::Any => "any".to_owned(),
        SortKeyCondition::Equals(template) => format!("equals {}", template.text()),
        SortKeyCondition::StartsWith(template) => format!("starts with {}", template.text()),
        SortKeyCondition::Range { template, range } => format!("{} {range:?}", template.text()),
        SortKeyCondition::Attributes(conditions) => format!("{conditions:?}"),
    };
    format!(
        "{:?} {:?} {returns:?} {given:?} {sort_key} {:?} {:?}",
        pattern.operation, pattern.index, pattern.consistency, pattern.filter
    )
}

fn is_in_key(entity: &EntityShape<'_>, attribute: &str) -> bool {
    let names = |key: &KeyShape<'_>| {
        key.partition_key.fields().any(|field| field == attribute)
            || key.sort_key.is_some_and(|template| template.fields().any(|field| field == attribute))
    };
    names(&entity.key)
        || entity.indexes.iter().any(|entry| matches!(&entry.key, IndexKey::Global(key) if names(key)))
}

/// Table `App` is `app` in the file.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (place, character) in name.char_indices() {
        if character.is_uppercase() && place > 0 && name[..place].ends_with(char::is_lowercase) {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}
