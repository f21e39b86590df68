//! The types that fill components: what they are written as, and that they come back.

#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use keywright_key::{
    ComponentKind, Components, Filling, InvalidTimestamp, KeyComponent, KeyField, KeyFormat, KeyRole,
    Presence, RenderProblem, TemplateShape, Timestamp, ValueRefusal, component_enum, component_newtype,
};

/// One field, `it`.
struct Holder<Field>(Field);

impl<Field: KeyField> Components for Holder<Field> {
    fn filling(&self, field: &str) -> Filling<'_> {
        match field {
            "it" => Filling::of(&self.0),
            _ => Filling::Unknown,
        }
    }
}

const IT: TemplateShape<'static> = TemplateShape::of("{it}", KeyFormat::STANDARD);

#[track_caller]
fn is_written_as<Type: KeyComponent + Debug + PartialEq>(value: Type, expected: &str) {
    let holder = Holder(value);
    let key = IT.render(KeyRole::Sort, &holder).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(key, expected);
    let read =
        IT.decode(&key).expect("one segment").get::<Type>("it").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read, holder.0);
    assert_eq!(holder.0.to_value().kind(), Type::KIND);
}

#[test]
fn types_of_the_standard_library_fill_components() {
    is_written_as("a b".to_owned(), "a$20b");
    is_written_as(Box::<str>::from("a"), "a");
    is_written_as(std::sync::Arc::<str>::from("a"), "a");
    is_written_as(7_u8, "007");
    is_written_as(7_u16, "00007");
    is_written_as(7_u32, "0000000007");
    is_written_as(7_u64, "00000000000000000007");
    is_written_as(-7_i8, "n993");
    is_written_as(7_i16, "p00007");
    is_written_as(i32::MIN, "n7852516352");
    is_written_as(i64::MIN, "n0776627963145224192");
    is_written_as(true, "true");
    is_written_as(vec![0_u8, 255], "00ff");
    is_written_as([1_u8, 2], "0102");
}

#[test]
fn types_of_other_crates_fill_components() {
    is_written_as(uuid::Uuid::from_u128(7), "00000000-0000-0000-0000-000000000007");
    is_written_as(ulid::Ulid::from(7_u128), "00000000000000000000000007");
    // These write the text that those crates write themselves.
    let uuid = uuid::Uuid::from_u128(0x550e_8400_e29b_41d4_a716_4466_5544_0000);
    is_written_as(uuid, &uuid.to_string());
    let ulid = ulid::Ulid::from(0x0156_3e3a_b5d3_d676_4c61_efb9_9302_bd5b_u128);
    is_written_as(ulid, &ulid.to_string());
}

#[test]
fn times_of_other_crates_fill_components() {
    let jiff = jiff::Timestamp::new(1_777_636_800, 5).expect("a time");
    is_written_as(jiff, "2026-05-01T12:00:00.000000005Z");
    is_written_as(jiff::Timestamp::new(-1, 0).expect("a time"), "1969-12-31T23:59:59.000000000Z");
    is_written_as(jiff::civil::date(2026, 5, 1), "2026-05-01");
    is_written_as(jiff::civil::date(1969, 12, 31), "1969-12-31");
    is_written_as(jiff::civil::date(0, 1, 1), "0000-01-01");
    let chrono = chrono::DateTime::from_timestamp(1_777_636_800, 5).expect("a time");
    is_written_as(chrono, "2026-05-01T12:00:00.000000005Z");
    is_written_as(chrono::NaiveDate::from_ymd_opt(2024, 2, 29).expect("a date"), "2024-02-29");
    let time = time::OffsetDateTime::from_unix_timestamp_nanos(1_777_636_800_000_000_005).expect("a time");
    is_written_as(time, "2026-05-01T12:00:00.000000005Z");
    is_written_as(
        time::UtcDateTime::from_unix_timestamp(-1).expect("a time"),
        "1969-12-31T23:59:59.000000000Z",
    );
    is_written_as(
        time::Date::from_calendar_date(2000, time::Month::February, 29).expect("a date"),
        "2000-02-29",
    );
    // Another offset is another text of the same time, and the same key.
    let offset = time::UtcOffset::from_hms(2, 0, 0).expect("an offset");
    is_written_as(time.to_offset(offset), "2026-05-01T12:00:00.000000005Z");
}

#[test]
fn a_time_that_no_key_can_hold_is_refused() {
    let problem = |holder: &dyn Components| IT.render(KeyRole::Sort, holder).map_err(|error| error.problem());
    let before_christ = jiff::civil::date(-1, 12, 31);
    assert_eq!(problem(&Holder(before_christ)), Err(RenderProblem::OutOfRange));
    let leap = chrono::NaiveDate::from_ymd_opt(2016, 12, 31)
        .and_then(|date| date.and_hms_nano_opt(23, 59, 59, 1_500_000_000))
        .expect("a leap second")
        .and_utc();
    assert_eq!(problem(&Holder(leap)), Err(RenderProblem::LeapSecond));
}

#[derive(Debug, PartialEq)]
struct TeamId(String);
component_newtype!(TeamId(String));

#[derive(Debug, PartialEq)]
enum Status {
    Open,
    Closed,
}
component_enum!(Status { Closed = "closed", Open = "open" });

#[test]
fn types_of_an_application_fill_components() {
    is_written_as(TeamId("1".to_owned()), "1");
    is_written_as(Status::Open, "open");
    is_written_as(Status::Closed, "closed");
    assert_eq!(Status::KIND, ComponentKind::Enum(&["closed", "open"]));
    assert!(IT.decode("opened").expect("one segment").get::<Status>("it").is_err());
}

/// An id of 26 characters.
#[derive(Debug, PartialEq)]
struct OrganizationId(String);

impl KeyComponent for OrganizationId {
    const KIND: ComponentKind<'static> = ComponentKind::Text;

    fn to_value(&self) -> keywright_key::ComponentValue<'_> {
        self.0.to_value()
    }

    fn from_value(value: keywright_key::ComponentValue<'_>) -> Result<OrganizationId, ValueRefusal> {
        let text = String::from_value(value)?;
        if text.len() == 26 {
            Ok(OrganizationId(text))
        } else {
            Err(ValueRefusal::new("an organization id has 26 characters"))
        }
    }
}

#[test]
fn a_type_refuses_what_it_does_not_hold() {
    let template = TemplateShape::of("ORG#{it}", KeyFormat::STANDARD);
    let error =
        template.decode("ORG#1").expect("two segments").get::<OrganizationId>("it").expect_err("too short");
    assert_eq!(
        error.to_string(),
        "the key is not a \"ORG#{it}\": at byte 4, in `it`, an organization id has 26 characters"
    );
    assert_eq!(String::from_value(7_u8.to_value()), Err(ValueRefusal::new("the type holds text, not u8")));
}

#[test]
fn an_option_leaves_the_key_of_a_sparse_index_out() {
    assert_eq!(<Option<String> as KeyField>::PRESENCE, Presence::Sometimes);
    let none: Holder<Option<String>> = Holder(None);
    assert_eq!(IT.render_sparse(KeyRole::Sort, &none), Ok(None));
    assert_eq!(IT.render_sparse(KeyRole::Sort, &Holder(Some("a".to_owned()))), Ok(Some("a".to_owned())));
    let error = IT.render(KeyRole::Sort, &none).expect_err("no value");
    assert_eq!(
        error.to_string(),
        "no key from \"{it}\": `it` has no value, which only the key of a sparse index allows"
    );
}

#[test]
fn a_pair_asks_the_first_then_the_second() {
    // The tenant beside a pattern.
    let template = TemplateShape::of("ORG#{tenant}#TEAM#{it}", KeyFormat::STANDARD);
    let tenant: &[(&str, keywright_key::ComponentValue<'_>)] =
        &[("tenant", keywright_key::ComponentValue::Text("o".into()))];
    let key = template.render(KeyRole::Partition, &(tenant, Holder(7_u8)));
    assert_eq!(key.as_deref(), Ok("ORG#o#TEAM#007"));
}

#[test]
fn a_timestamp_is_what_a_clock_says_in_milliseconds() {
    is_written_as(Timestamp::UNIX_EPOCH, "1970-01-01T00:00:00.000Z");
    let time = SystemTime::UNIX_EPOCH + Duration::new(1_777_636_800, 250_999_999);
    let timestamp = Timestamp::from_system_time(time).expect("a time");
    is_written_as(timestamp, "2026-05-01T12:00:00.250Z");
    assert_eq!(
        timestamp.to_system_time(),
        Some(SystemTime::UNIX_EPOCH + Duration::from_millis(1_777_636_800_250))
    );
    let before = SystemTime::UNIX_EPOCH - Duration::from_micros(1);
    let before = Timestamp::from_system_time(before).expect("a time");
    is_written_as(before, "1969-12-31T23:59:59.999Z");
    assert_eq!(before.unix_milliseconds(), -1);
    assert_eq!(before.to_system_time(), Some(SystemTime::UNIX_EPOCH - Duration::from_millis(1)));
    assert_eq!(Timestamp::from_unix_milliseconds(253_402_300_800_000), Err(InvalidTimestamp::OutOfRange));
    for text in
        ["", "2026-05-01", "2026-05-01T12:00:00Z", "2026-13-01T12:00:00.000Z", "2026-02-29T12:00:00.000Z"]
    {
        assert_eq!(text.parse::<Timestamp>(), Err(InvalidTimestamp::Text), "{text}");
    }
}

#[test]
fn a_timestamp_travels_as_its_text() {
    let timestamp = Timestamp::from_unix_milliseconds(1_777_636_800_250).expect("a time");
    let json = serde_json::to_string(&timestamp).expect("text");
    assert_eq!(json, "\"2026-05-01T12:00:00.250Z\"");
    assert_eq!(serde_json::from_str::<Timestamp>(&json).expect("a timestamp"), timestamp);
    assert!(serde_json::from_str::<Timestamp>("\"yesterday\"").is_err());
}
