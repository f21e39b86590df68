//! Indexes.

use keywright_key::IndexReach;

use super::billing;
use super::table::key_attribute;
use crate::file::members::{Entry, Members};
use crate::file::problem::{ProblemKind, Problems};
use crate::model::{AttributeName, Index, IndexKeys, IndexName, KeyAttribute, Projection};
use crate::words::{self, ProjectionWord};

/// An index: `[table.NAME.index.NAME]`. A local one has the table's partition key.
pub(super) fn read(
    entry: &Entry<'_>,
    partition_key: Option<&KeyAttribute>,
    problems: &mut Problems,
) -> Option<Index> {
    let members = entry.part.members()?;
    let (reach, keys) = if members.boolean("local") == Some(true) {
        (IndexReach::Local, local_keys(&members, partition_key, problems))
    } else {
        (IndexReach::Global, global_keys(&members, problems))
    };
    let capacity = members.members("capacity").and_then(|capacity| billing::provisioned(&capacity, problems));
    if let (IndexReach::Local, Some(part)) = (reach, members.part("capacity")) {
        problems.report(
            ProblemKind::Conflict,
            part.range(),
            "a local index has no `capacity` of its own",
            "leave it out: the table's capacity serves it",
        );
    }
    let projection = projection(&members)?;
    Some(Index { name: IndexName::new(entry.name).ok()?, reach, keys: keys?, projection, capacity })
}

fn local_keys(
    members: &Members<'_>,
    partition_key: Option<&KeyAttribute>,
    problems: &mut Problems,
) -> Option<IndexKeys> {
    if let Some(part) = members.part("partition_key") {
        problems.report(
            ProblemKind::Conflict,
            part.range(),
            "a local index has no `partition_key` of its own",
            "leave it out, since it is the table's; or leave `local` out for a global index",
        );
    }
    let Some(part) = members.part("sort_key") else {
        problems.report(
            ProblemKind::MissingKey,
            members.range(),
            "a local index must have `sort_key`",
            "write `sort_key = \"lsi1sk\"`",
        );
        return None;
    };
    if part.is_list() {
        problems.report(
            ProblemKind::Conflict,
            part.range(),
            "the `sort_key` of a local index is one attribute",
            "write the name of one attribute, `sort_key = \"lsi1sk\"`; or leave `local` out for a global index",
        );
    }
    let sort_key = key_attribute(Some(part))?;
    Some(IndexKeys::Rendered { partition_key: partition_key?.clone(), sort_key: Some(sort_key) })
}

fn global_keys(members: &Members<'_>, problems: &mut Problems) -> Option<IndexKeys> {
    let Some(partition_key) = members.part("partition_key") else {
        problems.report(
            ProblemKind::MissingKey,
            members.range(),
            "a global index must have `partition_key`",
            "write `partition_key = \"gsi1pk\"`, or a list of attributes that items have anyway; or `local = true`",
        );
        return None;
    };
    let sort_key = members.part("sort_key");
    if let Some(sort_key) = sort_key.filter(|sort_key| sort_key.is_list() != partition_key.is_list()) {
        let instead = if partition_key.is_list() {
            "write a list, `sort_key = [\"city\"]`, since the partition key is one"
        } else {
            "write a name, `sort_key = \"gsi1sk\"`, since the partition key is one; or write both as lists of attributes \
             that items have anyway"
        };
        let wrong = "the keys of an index are both names or both lists";
        problems.report(ProblemKind::Conflict, sort_key.range(), wrong, instead);
        return None;
    }
    if partition_key.is_list() {
        let attributes =
            |key| members.elements(key).into_iter().filter_map(|part| key_attribute(Some(part))).collect();
        return Some(IndexKeys::Attributes {
            partition_key: attributes("partition_key"),
            sort_key: attributes("sort_key"),
        });
    }
    Some(IndexKeys::Rendered {
        partition_key: key_attribute(Some(partition_key))?,
        sort_key: key_attribute(sort_key),
    })
}

fn projection(members: &Members<'_>) -> Option<Projection> {
    let Some(part) = members.part("project") else { return Some(Projection::KeysOnly) };
    if part.is_list() {
        return Some(Projection::Include(members.names("project", AttributeName::new)));
    }
    if let Some(all) = part.members() {
        return Some(Projection::All { reason: all.owned_text("all")? });
    }
    Some(match part.word(&words::PROJECTIONS)? {
        ProjectionWord::KeysOnly => Projection::KeysOnly,
        ProjectionWord::All => Projection::All { reason: String::new() },
    })
}
