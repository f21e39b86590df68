//! What TransactGetItems and TransactWriteItems have in common: members that do not fit their tables cancel the whole.

use keywright_api::{CancellationReason, Error, IndexRefusal, Validation};

/// A member of a transaction costs twice what it costs alone: the service prepares it, and then commits it.
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>
pub(super) const UNITS_FACTOR: u64 = 2;

/// The members, if all of them fit their tables. A key value that is empty or too long refuses the request as such;
/// everything else is told of each member.
pub(super) fn all_valid<Member>(members: Vec<Result<Member, Validation>>) -> Result<Vec<Member>, Error> {
    let mut valid = Vec::with_capacity(members.len());
    let mut reasons = Vec::with_capacity(members.len());
    for member in members {
        match member {
            Ok(member) => {
                valid.push(member);
                reasons.push(CancellationReason::None);
            }
            Err(refusal) if is_of_key_value(&refusal) => return Err(refusal.into()),
            Err(refusal) => reasons.push(CancellationReason::Validation(refusal)),
        }
    }
    if valid.len() < reasons.len() { Err(Error::TransactionCanceled { reasons }) } else { Ok(valid) }
}

/// Whether it is about a key value, of the table or an index, that is empty or too long.
const fn is_of_key_value(refusal: &Validation) -> bool {
    matches!(
        refusal,
        Validation::EmptyKeyValue { .. }
            | Validation::KeyTooLong { .. }
            | Validation::Index(IndexRefusal::EmptyKey { .. } | IndexRefusal::UpdatedKeyEmpty { .. })
    )
}
