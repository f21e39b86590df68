//! Tables.

use keywright_key::{AttributeType, Delimiter, KeyFormat};

use super::{billing, index};
use crate::file::members::{Entry, Members, Part};
use crate::file::problem::Problems;
use crate::file::texts::DEFAULT_DISCRIMINATOR;
use crate::model::{
    AttributeName, Backup, Decision, KeyAttribute, Replication, ReplicationConsistency, Table, TableName,
};
use crate::words;

/// A table: `[table.NAME]`.
pub(super) fn read(entry: &Entry<'_>, problems: &mut Problems) -> Option<Table> {
    let members = entry.part.members()?;
    let partition_key = key_attribute(members.part("partition_key"));
    let indexes = members
        .entries("index")
        .iter()
        .filter_map(|index| index::read(index, partition_key.as_ref(), problems))
        .collect();
    let billing = billing::read(&members, problems);
    Some(Table {
        name: TableName::new(entry.name).ok()?,
        partition_key: partition_key?,
        sort_key: key_attribute(members.part("sort_key")),
        format: format(&members),
        discriminator: members
            .name("discriminator", AttributeName::new)
            .or_else(|| AttributeName::new(DEFAULT_DISCRIMINATOR).ok())?,
        time_to_live: decision(members.part("time_to_live"), |part| AttributeName::new(part.text()?).ok()),
        stream: decision(members.part("stream"), |part| part.word(&words::STREAM_VIEWS)),
        backup: backup(&members),
        billing,
        deletion_protection: decision(members.part("deletion_protection"), |_| Some(())),
        alarms: decision(members.part("alarms"), |part| {
            part.elements().into_iter().map(|alarm| alarm.word(&words::ALARMS)).collect()
        }),
        class: members.word("class", &words::TABLE_CLASSES).unwrap_or_default(),
        tags: members
            .entries("tags")
            .into_iter()
            .filter_map(|tag| Some((tag.name.to_owned(), tag.part.text()?.to_owned())))
            .collect(),
        replication: members.members("replication").map(|members| Replication {
            regions: members
                .elements("regions")
                .into_iter()
                .filter_map(|region| region.text().map(str::to_owned))
                .collect(),
            consistency: members
                .word("consistency", &words::REPLICATION)
                .unwrap_or(ReplicationConsistency::Eventual),
        }),
        indexes,
    })
}

/// A key attribute: a name, or a name and a type.
pub(super) fn key_attribute(part: Option<Part<'_>>) -> Option<KeyAttribute> {
    let part = part?;
    let Some(members) = part.members() else {
        let name = AttributeName::new(part.text()?).ok()?;
        return Some(KeyAttribute { name, attribute_type: AttributeType::String });
    };
    Some(KeyAttribute {
        name: members.name("name", AttributeName::new)?,
        attribute_type: members.word("type", &words::KEY_TYPES).unwrap_or(AttributeType::String),
    })
}

/// A choice that may be `false`.
fn decision<'t, Choice>(
    part: Option<Part<'t>>,
    choice: impl FnOnce(Part<'t>) -> Option<Choice>,
) -> Decision<Choice> {
    match part {
        None => Decision::Undecided,
        Some(part) if part.boolean() == Some(false) => Decision::No,
        Some(part) => choice(part).map_or(Decision::Undecided, Decision::Yes),
    }
}

fn format(members: &Members<'_>) -> KeyFormat {
    let delimiter = members
        .text("delimiter")
        .and_then(|text| text.chars().next())
        .and_then(|character| Delimiter::new(character).ok());
    KeyFormat {
        delimiter: delimiter.unwrap_or(Delimiter::NUMBER_SIGN),
        timestamp: members.word("timestamps", &words::TIMESTAMP_FORMATS),
        letter_case: members.word("letter_case", &words::LETTER_CASES),
    }
}

/// Point-in-time recovery counts before backups on a schedule.
fn backup(members: &Members<'_>) -> Decision<Backup> {
    const MOST_DAYS: u8 = 35;
    let recovery = decision(members.part("point_in_time_recovery"), |part| {
        let days = part.whole().or_else(|| part.boolean().map(|_| MOST_DAYS))?;
        Some(Backup::PointInTime { days })
    });
    let schedule = members.members("backup").and_then(|backup| backup.owned_text("schedule"));
    match (recovery, schedule) {
        (Decision::Yes(recovery), _) => Decision::Yes(recovery),
        (_, Some(schedule)) => Decision::Yes(Backup::Scheduled { schedule }),
        (undecided, None) => undecided,
    }
}
