//! Where something is in a design: the path of a section or of a member.

use std::fmt;

use crate::model::{ConsumerName, EntityName, IndexName, PatternName, TableName, WriteName};

/// The path of a part of the design, as the file writes it: `pattern.team_with_members.sort_key`.
///
/// ```
/// use keywright_design::Place;
/// use keywright_design::model::TableName;
///
/// let place = Place::table(&TableName::new("app").unwrap()).member("billing");
/// assert_eq!(place.to_string(), "table.app.billing");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(Vec<String>);

impl Place {
    /// The design as a whole.
    pub const fn design() -> Place {
        Place(Vec::new())
    }

    /// A table.
    pub fn table(name: &TableName) -> Place {
        Place::design().member("table").member(name.as_str())
    }

    /// An index of a table.
    pub fn index(table: &TableName, index: &IndexName) -> Place {
        Place::table(table).member("index").member(index.as_str())
    }

    /// An entity.
    pub fn entity(name: &EntityName) -> Place {
        Place::design().member("entity").member(name.as_str())
    }

    /// An access pattern.
    pub fn pattern(name: &PatternName) -> Place {
        Place::design().member("pattern").member(name.as_str())
    }

    /// A write.
    pub fn write(name: &WriteName) -> Place {
        Place::design().member("write").member(name.as_str())
    }

    /// A stream's consumer.
    pub fn consumer(name: &ConsumerName) -> Place {
        Place::design().member("consumer").member(name.as_str())
    }

    /// The tenancy.
    pub fn tenancy() -> Place {
        Place::design().member("tenancy")
    }

    /// A member of this part.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>) -> Place {
        self.0.push(name.into());
        self
    }

    /// An element of this list, counted from 0.
    #[must_use]
    pub fn element(self, position: usize) -> Place {
        self.member(position.to_string())
    }

    /// What holds this part; nothing holds the design.
    pub fn parent(&self) -> Option<Place> {
        let (_, rest) = self.0.split_last()?;
        Some(Place(rest.to_vec()))
    }

    /// The names on the path.
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    /// Whether this is `outer` or a part of it.
    pub fn is_within(&self, outer: &Place) -> bool {
        self.0.starts_with(&outer.0)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join("."))
    }
}
