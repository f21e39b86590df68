//! KW0714: a local index is there for consistent reads.

use keywright_key::{Consistency, IndexReach};

use crate::facts::Facts;
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0714",
    name: "local-index",
    title: "A local index without a consistent read",
    severity: Severity::Advice,
    finds: "A local index that patterns read, none of them consistently.",
    hurts: "A local index can only be created with its table and never removed. With it, the items of one partition key and \
            their index entries are at most 10 GB together and stay in one partition; the write that would exceed it is \
            refused: \
            [local indexes](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html). \
            A global index has none of these limits.",
    example: "[table.app.index.by_name]\nlocal = true\nsort_key = \"lsi1sk\"\n\n[pattern.members_by_name]\nindex = \"by_name\"",
    instead: "Take a global index with the same partition key, unless what is written must be found at once: then say so in \
              the pattern, `consistency = \"strong\"`.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for table in &facts.design().tables {
        for index in table.indexes.iter().filter(|index| index.reach == IndexReach::Local) {
            let readers = facts.readers_of(table, index);
            if readers.is_empty() || readers.iter().any(|one| one.consistency == Consistency::Strong) {
                continue;
            }
            findings.report(
                Place::index(&table.name, &index.name).member("local"),
                format!(
                    "index `{index}` of `{table}` is local, and no pattern reads it consistently. Make it global: a local one \
                     cannot be removed again, and holds the items of each partition key and their entries to 10 GB.",
                    index = index.name,
                    table = table.name
                ),
            );
        }
    }
}
