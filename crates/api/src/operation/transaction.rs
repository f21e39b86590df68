//! What TransactGetItems and TransactWriteItems have in common: a list of up to 100 members.
//!
//! Invariant: no more members are kept than a transaction can have; the rest is counted.

use keywright_item::json::{ListType, ObjectType, Reader, SerializationError};

use crate::constraint::{Constraints, shown_list};

/// The most members of a transaction.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>
const MOST_MEMBERS: usize = 100;

/// The most bytes of all items of a transaction together. Source: as above.
pub const MAX_TRANSACTION_BYTES: usize = 4 * 1024 * 1024;

/// `TransactItems` as it was sent; a member that is `None` is null.
#[derive(Debug)]
pub(super) struct Members<Member> {
    members: Vec<Option<Member>>,
    count: usize,
}

impl<Member: Default> Members<Member> {
    /// Reads the list; `read` reads a member of a structure of this name.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        type_name: &'static str,
        mut read: impl FnMut(&mut Member, &str, &mut Reader<'_>) -> Result<(), SerializationError>,
    ) -> Result<Option<Self>, SerializationError> {
        reader.optional(|reader| {
            let mut list = Self { members: Vec::new(), count: 0 };
            reader.array(ListType::Member, |reader| {
                let member = reader.optional(|reader| {
                    let mut member = Member::default();
                    reader.object(ObjectType::Element(type_name), |name, reader| {
                        read(&mut member, name, reader)
                    })?;
                    Ok::<Member, SerializationError>(member)
                })?;
                list.count += 1;
                if list.members.len() < MOST_MEMBERS {
                    list.members.push(member);
                }
                Ok::<(), SerializationError>(())
            })?;
            Ok(list)
        })
    }
}

/// Checks the list, and each of its members, whose path is given, by `check`. Complete where the constraints are satisfied.
pub(super) fn check_members<Member, Checked>(
    list: Option<Members<Member>>,
    type_name: &str,
    constraints: &mut Constraints,
    mut check: impl FnMut(Member, &str, &mut Constraints) -> Option<Checked>,
) -> Vec<Checked> {
    const PATH: &str = "transactItems";
    let Some(list) = constraints.required(PATH, list) else { return Vec::new() };
    constraints.length(PATH, list.count, 1, MOST_MEMBERS, || shown_list(type_name, list.count));
    let mut checked = Vec::with_capacity(list.members.len());
    for (place, member) in list.members.into_iter().enumerate() {
        let path = format!("{PATH}.{}.member", place + 1);
        if let Some(member) = constraints.required(&path, member) {
            checked.extend(check(member, &path, constraints));
        }
    }
    checked
}
