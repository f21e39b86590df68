//! KW0813: the token of a transaction is remembered for ten minutes.

use crate::facts::Facts;
use crate::model::{Once, WriteOperation};
use crate::place::Place;
use crate::verify::finding::Findings;
use crate::verify::rule::{Check, Rule, Severity};

/// What the rule is.
pub(super) static RULE: Rule = Rule {
    code: "KW0813",
    name: "token-window",
    title: "A token that is forgotten after ten minutes",
    severity: Severity::Advice,
    finds: "A transaction that takes effect once by its token alone.",
    hurts: "DynamoDB knows a token for ten minutes after the first request with it is done. A queue that delivers again after an hour, \
            a webhook that is sent again for four days, or a person who comes back after lunch has effect twice \
            ([TransactWriteItems](https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html)). An \
            SDK's own token changes with each call, so that only its own tries are covered.",
    example: "[write.transfer]\noperation = \"transaction\"\nentities = [\"account\"]\nitems = 2\nonce = \"token\"",
    instead: "Where tries come later, put a claim into the transaction, `once = { claim = \"transfer_claim\" }`, which is kept as long as \
              you say. Where only the caller's own tries count, the token is enough: say so in an exception, and keep the token \
              across them.",
    check: Check::Design(check),
};

fn check(facts: &Facts<'_>, findings: &mut Findings<'_>) {
    for write in &facts.design().writes {
        // The token of anything else is reported by another rule.
        if write.once == Some(Once::Token) && write.operation == WriteOperation::Transaction {
            findings.report(
                Place::write(&write.name).member("once"),
                format!(
                    "the token of `{}` is forgotten ten minutes after it was used. If it can be tried again later, by a queue, a \
                     webhook or a person, put a claim into the transaction: `once = {{ claim = \"ENTITY\" }}`.",
                    write.name
                ),
            );
        }
    }
}
