//! Files that are read, and the designs that they are.

use keywright_design::model::{
    Backup, Billing, CapacityUnits, Decision, Design, EntityName, ItemCount, Once, OwnedShards, PatternName,
    Presence, SortKeyCondition, TableName, ValueType, WriteCondition,
};
use keywright_design::{DesignFile, Place};
use keywright_key::Shards;

fn read(text: &str) -> Design {
    DesignFile::parse(text).unwrap_or_else(|problems| panic!("{problems:#?}")).design().clone()
}

/// The whole design is in a snapshot beside this file: every key of the format is in the file that it is read from.
#[test]
fn every_key_in_every_form_is_read() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("valid");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
        .bind(|| insta::assert_debug_snapshot!("every-form", read(include_str!("valid/every-form.toml"))));
}

#[test]
fn a_small_file_means_what_it_leaves_out() {
    let design = read(
        "[table.app]\npartition_key = \"pk\"\n[entity.user]\npartition_key = \"USER#{user_id}\"\n[pattern.p]\nreturns = [\"user\"]\n",
    );
    let [table] = design.tables.as_slice() else { panic!("{design:#?}") };
    assert_eq!(table.discriminator.as_str(), "entity");
    assert!(table.time_to_live.is_undecided() && table.stream.is_undecided() && table.backup.is_undecided());
    assert!(
        table.billing.is_undecided()
            && table.alarms.is_undecided()
            && table.deletion_protection.is_undecided()
    );
    assert!(design.tenancy.is_undecided());
    let [user] = design.entities.as_slice() else { panic!("{design:#?}") };
    assert_eq!((user.table.as_str(), user.discriminator.as_str()), ("app", "user"));
    assert_eq!(user.shards, OwnedShards::new(&Shards::NONE));
    assert_eq!(user.count, ItemCount::default());
    let [attribute] = user.attributes.as_slice() else { panic!("{user:#?}") };
    assert_eq!((attribute.name.as_str(), &attribute.value_type), ("user_id", &ValueType::Text));
    assert_eq!(attribute.presence, Presence::Always);
    let [pattern] = design.patterns.as_slice() else { panic!("{design:#?}") };
    assert_eq!((pattern.table.as_str(), &pattern.sort_key), ("app", &SortKeyCondition::Any));
}

#[test]
fn decisions_for_against_and_open_are_told_apart() {
    let backup =
        |line: &str| read(&format!("[table.app]\npartition_key = \"pk\"\n{line}\n")).tables.remove(0).backup;
    let recovery = |days| Decision::Yes(Backup::PointInTime { days });
    let scheduled = || Decision::Yes(Backup::Scheduled { schedule: "nightly".to_owned() });
    assert_eq!(backup(""), Decision::Undecided);
    assert_eq!(backup("point_in_time_recovery = false"), Decision::No);
    assert_eq!(backup("point_in_time_recovery = true"), recovery(35));
    assert_eq!(backup("point_in_time_recovery = 7"), recovery(7));
    assert_eq!(backup("backup = { schedule = \"nightly\" }"), scheduled());
    assert_eq!(backup("point_in_time_recovery = false\nbackup = { schedule = \"nightly\" }"), scheduled());
    assert_eq!(backup("point_in_time_recovery = true\nbackup = { schedule = \"nightly\" }"), recovery(35));
}

#[test]
fn billing_is_on_demand_with_a_ceiling_or_without_or_provisioned() {
    let billing = |value: &str| {
        read(&format!("[table.app]\npartition_key = \"pk\"\nbilling = {value}\n")).tables.remove(0).billing
    };
    let units = CapacityUnits { read: 4, write: 2 };
    assert_eq!(billing("\"on-demand\""), Decision::Yes(Billing::OnDemand { maximum: None }));
    assert_eq!(
        billing("{ on_demand = { read = 4, write = 2 } }"),
        Decision::Yes(Billing::OnDemand { maximum: Some(units) })
    );
    let Decision::Yes(Billing::Provisioned(provisioned)) = billing("{ read = 4, write = 2 }") else {
        panic!()
    };
    assert_eq!((provisioned.units, provisioned.autoscaling), (units, None));
}

#[test]
fn a_table_in_one_line_and_a_section_are_the_same() {
    let lines = "\
tenancy = { attribute = \"organization_id\" }
table = { app = { partition_key = \"pk\", tags.team = \"a\", index = { by_user = { partition_key = \"gsi1pk\" } } } }
entity.user = { partition_key = \"USER#{user_id}\", index.by_user = { partition_key = \"{user_id}\" } }
pattern.users = { returns = [\"user\"], expected.per_second = 5 }
exception = [{ rule = \"KW0601\", at = \"pattern.users\", reason = \"measured\" }]
";
    let sections = "\
[tenancy]
attribute = \"organization_id\"
[table.app]
partition_key = \"pk\"
[table.app.tags]
team = \"a\"
[table.app.index.by_user]
partition_key = \"gsi1pk\"
[entity.user]
partition_key = \"USER#{user_id}\"
[entity.user.index.by_user]
partition_key = \"{user_id}\"
[pattern.users]
returns = [\"user\"]
[pattern.users.expected]
per_second = 5.0
[[exception]]
rule = \"KW0601\"
at = \"pattern.users\"
reason = \"measured\"
";
    assert_eq!(read(lines), read(sections));
}

#[test]
fn parts_keep_the_order_of_the_file() {
    let design = read(
        "[entity.zebra]\npartition_key = \"Z\"\n[entity.ant]\npartition_key = \"A\"\nattributes = { z = \"string\", a = \"u8\" }\n\
         [table.app.index.zzz]\npartition_key = \"zpk\"\n[table.app.index.aaa]\npartition_key = \"apk\"\n[table.app]\npartition_key = \"pk\"\n",
    );
    let entities: Vec<&str> = design.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(entities, ["zebra", "ant"]);
    let attributes: Vec<&str> =
        design.entities[1].attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    assert_eq!(attributes, ["z", "a"]);
    let indexes: Vec<&str> = design.tables[0].indexes.iter().map(|index| index.name.as_str()).collect();
    assert_eq!(indexes, ["zzz", "aaa"]);
}

#[test]
fn a_condition_is_a_word_or_an_expression_and_once_is_said_in_three_ways() {
    let write = |line: &str| {
        let text = format!(
            "[table.app]\npartition_key = \"pk\"\n[write.w]\noperation = \"put\"\nentities = [\"a\"]\n{line}\n"
        );
        read(&text).writes.remove(0)
    };
    assert_eq!(write("").condition, WriteCondition::None);
    assert_eq!(write("condition = \"if-absent\"").condition, WriteCondition::IfAbsent);
    for expression in ["attribute_exists(pk)", "balance >= :cost", "the balance covers it"] {
        let line = format!("condition = \"{expression}\"");
        assert_eq!(write(&line).condition, WriteCondition::Expression(expression.to_owned()));
    }
    assert_eq!(write("").once, None);
    assert_eq!(write("once = \"same-result\"").once, Some(Once::SameResult));
    assert_eq!(
        write("once = { claim = \"claim\" }").once,
        Some(Once::Claim(EntityName::new("claim").unwrap()))
    );
}

#[test]
fn places_are_found_and_else_what_is_around_them() {
    let text = "[table.app]\npartition_key = \"pk\"\n\n[pattern.feed]\nreturns = [\"a\", \"b\"]\nexpected = {\n  items = 5,\n}\n";
    let file = DesignFile::parse(text).unwrap();
    let shown = |place: &Place| &file.text()[file.range(place)];
    let feed = Place::pattern(&PatternName::new("feed").unwrap());
    let table = Place::table(&TableName::new("app").unwrap());
    assert_eq!(shown(&feed), "[pattern.feed]");
    assert_eq!(shown(&feed.clone().member("returns")), "[\"a\", \"b\"]");
    assert_eq!(shown(&feed.clone().member("returns").element(1)), "\"b\"");
    // Of a value on several lines the key is shown.
    assert_eq!(shown(&feed.clone().member("expected")), "expected");
    assert_eq!(shown(&feed.clone().member("sort_key")), "[pattern.feed]");
    assert_eq!(shown(&table.member("billing").member("read")), "[table.app]");
    assert_eq!(shown(&Place::tenancy()), "");
    assert_eq!(file.position(&Place::tenancy()).line, 1);
    assert!(file.has(&feed) && !file.has(&feed.member("limit")));
}
