//! The examples: designs without errors, and what the one for a SaaS application has to show.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use std::fs;
use std::path::Path;

use keywright_design::DesignFile;
use keywright_design::model::{
    Billing, Design, IndexKeys, Once, PatternOperation, Presence, Purpose, ReadTimeCheck, SortKeyCondition,
    WriteCondition, WriteOperation,
};
use keywright_design::verify::{Severity, verify};
use keywright_key::{Consistency, IndexReach};

fn example(name: &str) -> Design {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).join("keywright.toml");
    DesignFile::parse(&fs::read_to_string(path).unwrap()).unwrap().design().clone()
}

#[test]
fn every_warning_of_an_example_is_accepted_with_a_reason() {
    for name in ["saas", "blog"] {
        let findings = verify(&example(name));
        let open: Vec<String> = findings
            .iter()
            .filter(|finding| finding.accepted.is_none() && finding.rule.severity >= Severity::Warning)
            .map(|finding| format!("{} at {}", finding.rule.code, finding.place))
            .collect();
        assert_eq!(open, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn the_saas_example_shows_every_construct() {
    let Design { tables, entities, patterns, writes, consumers, tenancy, .. } = example("saas");
    assert!(patterns.len() >= 15);

    let indexes = || tables.iter().flat_map(|table| &table.indexes);
    assert!(indexes().any(|index| index.reach == IndexReach::Local));
    assert!(indexes().any(|index| matches!(index.keys, IndexKeys::Attributes { .. })));
    assert!(indexes().any(|index| matches!(index.keys, IndexKeys::Rendered { .. })));
    assert!(tables.iter().any(|table| matches!(table.billing.chosen(), Some(Billing::OnDemand { .. }))));
    assert!(tables.iter().any(|table| matches!(table.billing.chosen(), Some(Billing::Provisioned(_)))));

    for purpose in [
        Purpose::Data,
        Purpose::Claim,
        Purpose::ExactCounter,
        Purpose::ApproximateCounter,
        Purpose::Audit,
        Purpose::RateLimit,
        Purpose::SingleUseToken,
        Purpose::Ephemeral,
    ] {
        assert!(entities.iter().any(|entity| entity.purpose == purpose), "{purpose:?}");
    }
    assert!(entities.iter().any(|entity| entity.shards.shape().is_sharded()));
    assert!(entities.iter().any(|entity| entity.version().is_some()));
    let presences =
        || entities.iter().flat_map(|entity| &entity.attributes).map(|attribute| attribute.presence);
    assert!(presences().any(|presence| matches!(presence, Presence::Sometimes { share: Some(_) })));

    for operation in [
        WriteOperation::Put,
        WriteOperation::Update,
        WriteOperation::Add,
        WriteOperation::Delete,
        WriteOperation::Batch,
        WriteOperation::Transaction,
    ] {
        assert!(writes.iter().any(|write| write.operation == operation), "{operation:?}");
    }
    let conditions = || writes.iter().map(|write| &write.condition);
    assert!(conditions().any(|condition| matches!(condition, WriteCondition::Version)));
    assert!(conditions().any(|condition| matches!(condition, WriteCondition::Expression(_))));
    assert!(writes.iter().any(|write| matches!(write.once, Some(Once::Claim(_)))));
    assert!(writes.iter().any(|write| matches!(write.once, Some(Once::Token))));

    assert!(patterns.iter().any(|pattern| pattern.consistency == Consistency::Strong));
    assert!(patterns.iter().any(|pattern| pattern.filter.is_some()));
    assert!(patterns.iter().any(|pattern| matches!(pattern.sort_key, SortKeyCondition::StartsWith(_))));
    assert!(patterns.iter().any(|pattern| matches!(pattern.sort_key, SortKeyCondition::Range { .. })));
    assert!(patterns.iter().any(|pattern| matches!(pattern.sort_key, SortKeyCondition::Attributes(_))));
    let scans =
        || patterns.iter().filter(|pattern| matches!(pattern.operation, PatternOperation::Scan { .. }));
    assert!(
        scans()
            .all(|pattern| matches!(pattern.operation, PatternOperation::Scan { most_items: Some(_), .. }))
    );
    assert_eq!(scans().count(), 1);

    let deviations = &tenancy.chosen().unwrap().deviations;
    assert!(deviations.iter().any(|deviation| matches!(deviation.check, ReadTimeCheck::Bearer { .. })));
    assert!(deviations.iter().any(|deviation| deviation.check == ReadTimeCheck::TenantAttribute));
    assert!(
        consumers.iter().all(|consumer| consumer.idempotent_by.is_some() && consumer.dead_letters.is_some())
    );
}
