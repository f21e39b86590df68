//! The service's list of constraints on the members of a request, which it reports together.
//!
//! Invariants: a violated constraint is kept as text, at most ten of them; whoever asked for a checked member gets
//! `None` when it is absent or violates its constraint, and [`Constraints::check`] refuses the request before that
//! `None` can be taken for an absence.

use std::fmt;

use crate::{IndexName, TableName, Validation};

/// Violations found so far.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    violations: Vec<Violation>,
}

/// A member that does not satisfy a constraint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    value: Echo,
    path: String,
    constraint: String,
}

/// How the message shows the value of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Echo {
    Null,
    Text(String),
    /// Some constraints are reported without the value.
    Omitted,
}

/// The service lists no more violations than this.
const MOST_LISTED: usize = 10;

/// A longer value is cut off in the message, which must not grow with a hostile request.
const LONGEST_ECHO_BYTES: usize = 1024;

impl Constraints {
    /// Refuses the request if a constraint was violated.
    pub(crate) fn check(self) -> Result<(), Validation> {
        if self.violations.is_empty() { Ok(()) } else { Err(Validation::Constraints(self.violations)) }
    }

    /// The member must be there.
    pub(crate) fn required<Member>(&mut self, path: &str, member: Option<Member>) -> Option<Member> {
        if member.is_none() {
            self.add(Echo::Null, path, "Member must not be null".to_owned());
        }
        member
    }

    /// The member, where it is there, must be one of the names; returns what the name stands for.
    pub(crate) fn one_of<Choice: Copy>(
        &mut self,
        path: &str,
        member: Option<&str>,
        choices: &[(&str, Choice)],
    ) -> Option<Choice> {
        let member = member?;
        let found = choices.iter().find(|(name, _)| *name == member).map(|(_, choice)| *choice);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let constraint = format!("Member must satisfy enum value set: [{}]", names.join(", "));
            self.add(Echo::text(member), path, constraint);
        }
        found
    }

    /// The number must be at least `least`.
    pub(crate) fn at_least(&mut self, path: &str, number: i64, least: i64) {
        if number < least {
            self.add(Echo::text(&number.to_string()), path, at_least(least));
        }
    }

    /// As [`at_least`](Self::at_least), in the form of the message that has no value.
    pub(crate) fn at_least_without_value(&mut self, path: &str, number: i64, least: i64) {
        if number < least {
            self.add(Echo::Omitted, path, at_least(least));
        }
    }

    /// The number must be at most `most`.
    pub(crate) fn at_most(&mut self, path: &str, number: i64, most: i64) {
        if number > most {
            let constraint = format!("Member must have value less than or equal to {most}");
            self.add(Echo::text(&number.to_string()), path, constraint);
        }
    }

    /// The text must have this many characters.
    pub(crate) fn text_length(&mut self, path: &str, text: &str, shortest: usize, longest: usize) {
        let length = text.chars().count();
        self.length(path, length, shortest, longest, || text.to_owned());
    }

    /// The collection must have this many elements; `shown` prints it for the message.
    pub(crate) fn length(
        &mut self,
        path: &str,
        length: usize,
        shortest: usize,
        longest: usize,
        shown: impl FnOnce() -> String,
    ) {
        if let Some(constraint) = length_constraint(length, shortest, longest) {
            self.add(Echo::text(&shown()), path, constraint);
        }
    }

    /// The name of an existing table, or its Amazon Resource Name.
    pub(crate) fn table_name(&mut self, member: Option<String>) -> Option<TableName> {
        self.table_name_at("tableName", member)
    }

    /// As [`table_name`](Self::table_name), of a table that a member of the request names.
    pub(crate) fn table_name_at(&mut self, path: &str, member: Option<String>) -> Option<TableName> {
        let name = self.required(path, member)?;
        TableName::from_arn(&name).or_else(|| self.name(path, &name, 1))
    }

    /// The names of existing tables, or their Amazon Resource Names, as the keys of a map; `shown` prints the map.
    pub(crate) fn table_names(
        &mut self,
        path: &str,
        names: &[&str],
        shown: impl FnOnce() -> String,
    ) -> Vec<TableName> {
        const SHORTEST: usize = 3;
        let tables: Vec<TableName> = names
            .iter()
            .filter_map(|name| {
                let long_enough = name.len() >= SHORTEST;
                TableName::from_arn(name).or_else(|| TableName::new(name).filter(|_| long_enough))
            })
            .collect();
        if tables.len() < names.len() {
            let constraint = format!(
                "Map keys must satisfy constraint: [Member must have length less than or equal to {}, Member must have \
                 length greater than or equal to {SHORTEST}, Member must satisfy regular expression pattern: {}]",
                TableName::LONGEST,
                TableName::PATTERN
            );
            self.add(Echo::text(&shown()), path, constraint);
        }
        tables
    }

    /// The lists that are the values of a map must have this many elements; `shown` prints the map.
    pub(crate) fn list_lengths(
        &mut self,
        path: &str,
        mut lengths: impl Iterator<Item = usize>,
        (shortest, longest): (usize, usize),
        shown: impl FnOnce() -> String,
    ) {
        if lengths.any(|length| !(shortest..=longest).contains(&length)) {
            let constraint = format!(
                "Map value must satisfy constraint: [Member must have length less than or equal to {longest}, Member must \
                 have length greater than or equal to {shortest}]"
            );
            self.add(Echo::text(&shown()), path, constraint);
        }
    }

    /// As [`length`](Self::length), in the form of the message that has no value.
    pub(crate) fn length_without_value(
        &mut self,
        path: &str,
        length: usize,
        shortest: usize,
        longest: usize,
    ) {
        if let Some(constraint) = length_constraint(length, shortest, longest) {
            self.add(Echo::Omitted, path, constraint);
        }
    }

    /// A name of at least `shortest` characters that a table may have.
    pub(crate) fn name(&mut self, path: &str, name: &str, shortest: usize) -> Option<TableName> {
        self.text_length(path, name, shortest, TableName::LONGEST);
        if !TableName::has_only_allowed(name) {
            self.add_pattern(path, name);
        }
        TableName::new(name)
    }

    /// The name of an index; unlike a table's, an empty one violates the pattern as well.
    pub(crate) fn index_name(&mut self, path: &str, name: &str) -> Option<IndexName> {
        if name.is_empty() || !TableName::has_only_allowed(name) {
            self.add_pattern(path, name);
        }
        self.text_length(path, name, IndexName::SHORTEST, TableName::LONGEST);
        IndexName::new(name)
    }

    fn add_pattern(&mut self, path: &str, name: &str) {
        let constraint = format!("Member must satisfy regular expression pattern: {}", TableName::PATTERN);
        self.add(Echo::text(name), path, constraint);
    }

    fn add(&mut self, value: Echo, path: &str, constraint: String) {
        if self.violations.len() < MOST_LISTED {
            self.violations.push(Violation { value, path: path.to_owned(), constraint });
        }
    }
}

fn at_least(least: i64) -> String {
    format!("Member must have value greater than or equal to {least}")
}

fn length_constraint(length: usize, shortest: usize, longest: usize) -> Option<String> {
    if length < shortest {
        Some(format!("Member must have length greater than or equal to {shortest}"))
    } else if length > longest {
        Some(format!("Member must have length less than or equal to {longest}"))
    } else {
        None
    }
}

/// A list of structures as the message shows it: their type, for the first few of them.
pub(crate) fn shown_list(type_name: &str, length: usize) -> String {
    const MOST_SHOWN: usize = 10;
    let mut shown = vec![type_name; length.min(MOST_SHOWN)];
    if length > MOST_SHOWN {
        shown.push("...");
    }
    format!("[{}]", shown.join(", "))
}

impl Violation {
    /// A collection that is too long, where the service reports that apart from the other constraints.
    pub(crate) fn too_long(path: &str, shown: &str, longest: usize) -> Self {
        let constraint = format!("Member must have length less than or equal to {longest}");
        Self { value: Echo::text(shown), path: path.to_owned(), constraint }
    }
}

impl Echo {
    fn text(text: &str) -> Self {
        let end = text.floor_char_boundary(LONGEST_ECHO_BYTES);
        Self::Text(text.get(..end).unwrap_or_default().to_owned())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, path, constraint } = self;
        match value {
            Echo::Null => formatter.write_str("Value null")?,
            Echo::Text(text) => write!(formatter, "Value '{text}'")?,
            Echo::Omitted => formatter.write_str("Value")?,
        }
        write!(formatter, " at '{path}' failed to satisfy constraint: {constraint}")
    }
}
