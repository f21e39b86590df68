//! KW0812: what is said to make a write happen once does.

use super::written;
use crate::facts::Facts;
use crate::model::{Once, Purpose, Write, WriteCondition, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0812",
    name: "once-does-not-hold",
    title: "Something that does not make a write happen once",
    severity: Severity::Error,
    finds: "`once` that names a condition where there is none, or one that holds again; the token of what is no transaction; the same \
            result of an `add`; a claim that is no claim; and an exact counter that may be counted twice.",
    hurts: "The design says that a retry is harmless, and reviewers believe it. Only transactions have a token \
            ([TransactWriteItems](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html)), and \
            what exists before a write with `if-present` exists after it.",
    example: "[write.charge]\noperation = \"update\"\nentities = [\"account\"]\nchanges = [\"balance\"]\ncondition = \"balance >= \
              :cost\"\nonce = \"token\"",
    instead: "Take what holds: a condition that is false after the first time, a claim in the same transaction, or the token of a \
              transaction.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        if let Some(once) = &write.once
            && let Some(problem) = problem(facts, write, once)
        {
            findings.report(Place::write(&write.name).member("once"), format!("`{}` {problem}", write.name));
        }
    }
}

fn problem(facts: &Facts<'_>, write: &Write, once: &Once) -> Option<String> {
    match once {
        Once::Condition => match write.condition {
            WriteCondition::None => {
                Some("takes effect once by its condition, and has none. Add the condition.".to_owned())
            }
            WriteCondition::IfPresent if write.operation != WriteOperation::Delete => Some(
                "takes effect once by `if-present`, which holds the second time too. Compare what the write changes, or bring a \
                 claim."
                    .to_owned(),
            ),
            _ => None,
        },
        Once::Token if write.operation != WriteOperation::Transaction => Some(
            "takes effect once by a token, and only a transaction has one. Make it a transaction, or bring a condition or \
             a claim."
                .to_owned(),
        ),
        Once::Token => None,
        Once::SameResult if write.operation == WriteOperation::Add => Some(
            "is said to write the same again, and an `add` adds again. Bring a claim, or say why twice is \
             fine.".to_owned(),
        ),
        Once::SameResult => None,
        Once::Claim(claim) => {
            let entity = facts.entity(claim)?;
            (entity.purpose != Purpose::Claim).then(|| {
                format!(
                    "takes effect once by claiming `{claim}`, which is no claim. Say `purpose = \"claim\"` there, so that it is \
                     verified as one."
                )
            })
        }
        Once::NotNeeded { .. } => {
            let exact = written(facts, write).find(|entity| entity.purpose == Purpose::ExactCounter)?;
            (write.operation != WriteOperation::Delete).then(|| {
                format!(
                    "may have effect twice, and `{}` is an exact counter. Bring a claim or a token, or make it an \
                     `approximate-counter`.",
                    exact.name
                )
            })
        }
    }
}
