//! Sets: members in their order, each once, never none.

use std::error::Error;
use std::fmt;

/// The members of a string, number or binary set: sorted, each once, at least one.
///
/// ```
/// use keywright_item::{Set, SetError};
///
/// let set = Set::new(vec!["b".to_owned(), "a".to_owned()])?;
/// assert_eq!(set.as_slice(), ["a", "b"]);
/// assert_eq!(Set::<u8>::new(vec![]), Err(SetError::Empty));
/// assert_eq!(Set::new(vec![1, 1]), Err(SetError::Duplicate));
/// let both = set.clone().union(Set::new(vec!["c".to_owned()])?);
/// assert_eq!(both.as_slice(), ["a", "b", "c"]);
/// assert_eq!(set.difference(&both), None);
/// # Ok::<(), SetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<Member>(Vec<Member>);

/// Why a list of members is not a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetError {
    /// There are no members.
    Empty,
    /// A member occurs twice.
    Duplicate,
}

impl<Member: Ord> Set<Member> {
    /// The set of these members, in whatever order they come.
    ///
    /// # Errors
    /// [`SetError`] when there is none, or one occurs twice.
    pub fn new(mut members: Vec<Member>) -> Result<Set<Member>, SetError> {
        if members.is_empty() {
            return Err(SetError::Empty);
        }
        if !members.is_sorted_by(|one, next| one < next) {
            members.sort_unstable();
            if !members.is_sorted_by(|one, next| one < next) {
                return Err(SetError::Duplicate);
            }
        }
        Ok(Set(members))
    }

    /// Whether `member` is in the set.
    pub fn contains<Borrowed: Ord + ?Sized>(&self, member: &Borrowed) -> bool
    where
        Member: std::borrow::Borrow<Borrowed>,
    {
        self.0.binary_search_by(|one| one.borrow().cmp(member)).is_ok()
    }

    /// The members of both sets.
    #[must_use]
    pub fn union(mut self, other: Set<Member>) -> Set<Member> {
        self.0.extend(other.0);
        self.0.sort_unstable();
        self.0.dedup();
        self
    }

    /// The members that are not in the other set; `None` when none is left.
    #[must_use]
    pub fn difference(mut self, other: &Set<Member>) -> Option<Set<Member>> {
        self.0.retain(|member| !other.contains(member));
        if self.0.is_empty() { None } else { Some(self) }
    }
}

#[expect(clippy::len_without_is_empty, reason = "a set is never empty")]
impl<Member> Set<Member> {
    /// How many members there are: at least 1.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The members in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member> {
        self.0.iter()
    }

    /// The members in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Member] {
        &self.0
    }

    /// The members in their order.
    #[must_use]
    pub fn into_vec(self) -> Vec<Member> {
        self.0
    }
}

impl<'a, Member> IntoIterator for &'a Set<Member> {
    type Item = &'a Member;
    type IntoIter = std::slice::Iter<'a, Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<Member> IntoIterator for Set<Member> {
    type Item = Member;
    type IntoIter = std::vec::IntoIter<Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for SetError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            SetError::Empty => "a set has at least one member",
            SetError::Duplicate => "a set has each member once",
        })
    }
}

impl Error for SetError {}
