//! Sets as DynamoDB has them: of texts, of numbers or of bytes, each member once.
//!
//! DynamoDB has no empty set. One without members is not stored, and an attribute that is not there is read as one without members.

#[cfg(feature = "serde")]
mod with_serde;

use std::collections::{BTreeSet, btree_set};
use std::ops::{Deref, DerefMut};

use crate::bytes::Bytes;

/// A set that is stored as one: of texts (`SS`), of whole numbers (`NS`) or of [`Bytes`] (`BS`).
///
/// A `BTreeSet` is stored as a list, which can be neither added to nor deleted from.
///
/// In an attribute, a set without members is left out of the item, and read back from there. Inside of other values, where it cannot be
/// left out, `NULL` stands for it. A list in its place, which an older version of a program may have stored, is read too.
///
/// ```
/// use keywright_key::Set;
///
/// let mut tags: Set<String> = ["urgent", "late"].into_iter().map(str::to_owned).collect();
/// tags.insert("urgent".to_owned());
/// assert_eq!((tags.len(), tags.contains("late")), (2, true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<Member>(pub BTreeSet<Member>);

/// What a [`Set`] can have in it: texts, whole numbers, and [`Bytes`].
///
/// ```
/// use keywright_key::{Bytes, Set, SetMember};
///
/// fn count<Member: SetMember>(set: &Set<Member>) -> usize {
///     set.len()
/// }
/// assert_eq!(count(&Set::from([1_u64, 2])) + count(&Set::from([Bytes(vec![1])])), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "DynamoDB has no set of `{Self}`",
    label = "not text, a whole number or `Bytes`",
    note = "store a list, by a `BTreeSet` or a `Vec`, if members are nothing that DynamoDB is to add or to delete"
)]
pub trait SetMember: Ord + sealed::Stored {}

mod sealed {
    /// How a set of the type is stored.
    pub trait Stored {
        /// Which of the three kinds of sets it is.
        #[cfg(feature = "serde")]
        const KIND: super::with_serde::Kind;
    }
}

macro_rules! members {
    ($($member:ty: $kind:ident),+) => {
        $(
            impl sealed::Stored for $member {
                #[cfg(feature = "serde")]
                const KIND: with_serde::Kind = with_serde::Kind::$kind;
            }
            impl SetMember for $member {}
        )+
    };
}

members!(
    String: Texts, Bytes: Binaries,
    u8: Numbers, u16: Numbers, u32: Numbers, u64: Numbers, i8: Numbers, i16: Numbers, i32: Numbers, i64: Numbers
);

impl<Member> Default for Set<Member> {
    fn default() -> Set<Member> {
        Set(BTreeSet::new())
    }
}

impl<Member> Deref for Set<Member> {
    type Target = BTreeSet<Member>;

    fn deref(&self) -> &BTreeSet<Member> {
        &self.0
    }
}

impl<Member> DerefMut for Set<Member> {
    fn deref_mut(&mut self) -> &mut BTreeSet<Member> {
        &mut self.0
    }
}

impl<Member: Ord, const COUNT: usize> From<[Member; COUNT]> for Set<Member> {
    fn from(members: [Member; COUNT]) -> Set<Member> {
        Set(BTreeSet::from(members))
    }
}

impl<Member: Ord> FromIterator<Member> for Set<Member> {
    fn from_iter<Members: IntoIterator<Item = Member>>(members: Members) -> Set<Member> {
        Set(members.into_iter().collect())
    }
}

impl<Member> IntoIterator for Set<Member> {
    type Item = Member;
    type IntoIter = btree_set::IntoIter<Member>;

    fn into_iter(self) -> btree_set::IntoIter<Member> {
        self.0.into_iter()
    }
}

impl<'a, Member> IntoIterator for &'a Set<Member> {
    type Item = &'a Member;
    type IntoIter = btree_set::Iter<'a, Member>;

    fn into_iter(self) -> btree_set::Iter<'a, Member> {
        self.0.iter()
    }
}
