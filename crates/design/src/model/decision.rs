//! A choice that a team must have made, even if it is against something.

/// Whether something was decided, and how.
///
/// What nobody decided is found in an incident: backups, alarms, retention. So the absence of a member in the file is not
/// the same as a "no".
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Decision<Choice> {
    /// The file does not say.
    #[default]
    Undecided,
    /// Decided against it.
    No,
    /// Decided for it, like this.
    Yes(Choice),
}

impl<Choice> Decision<Choice> {
    /// What was chosen, if something was.
    pub const fn chosen(&self) -> Option<&Choice> {
        match self {
            Decision::Yes(choice) => Some(choice),
            Decision::Undecided | Decision::No => None,
        }
    }

    /// Whether the file says nothing.
    pub const fn is_undecided(&self) -> bool {
        matches!(self, Decision::Undecided)
    }
}
