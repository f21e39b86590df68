//! Attributes by name: an item, or the contents of a map value.

use crate::AttributeValue;

/// An item: its attributes by name.
pub type Item = AttributeMap;

/// Attributes, each name once, in the order of the names' bytes.
///
/// ```
/// use keywright_item::{AttributeMap, AttributeValue};
///
/// let mut item = AttributeMap::new();
/// item.insert("pk".to_owned(), AttributeValue::S("ORG#1".to_owned()));
/// assert_eq!(item.get("pk"), Some(&AttributeValue::S("ORG#1".to_owned())));
/// assert_eq!(item.size_bytes(), 7);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributeMap {
    /// Sorted by name, each name once.
    attributes: Vec<(String, AttributeValue)>,
}

impl AttributeMap {
    /// No attributes.
    #[must_use]
    pub const fn new() -> AttributeMap {
        AttributeMap { attributes: Vec::new() }
    }

    /// The value of an attribute.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        let position = self.position(name).ok()?;
        self.attributes.get(position).map(|(_, value)| value)
    }

    /// The value of an attribute, to change it in place.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut AttributeValue> {
        let position = self.position(name).ok()?;
        self.attributes.get_mut(position).map(|(_, value)| value)
    }

    /// Sets an attribute, and returns the value that it had.
    pub fn insert(&mut self, name: String, value: AttributeValue) -> Option<AttributeValue> {
        match self.position(&name) {
            Ok(position) => {
                self.attributes.get_mut(position).map(|(_, present)| std::mem::replace(present, value))
            }
            Err(position) => {
                self.attributes.insert(position, (name, value));
                None
            }
        }
    }

    /// Removes an attribute, and returns the value that it had.
    pub fn remove(&mut self, name: &str) -> Option<AttributeValue> {
        let position = self.position(name).ok()?;
        Some(self.attributes.remove(position).1)
    }

    /// The attributes in the order of their names' bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &AttributeValue)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many attributes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.attributes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// The bytes that DynamoDB counts for the attributes: the UTF-8 bytes of each name, and each value's
    /// [`AttributeValue::size_bytes`]. For an item this is its size; a map value has overhead beyond it.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.attributes.iter().map(|(name, value)| name.len() + value.size_bytes()).sum()
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.attributes.binary_search_by(|(present, _)| present.as_str().cmp(name))
    }
}

/// Of a name that occurs twice, the last value counts.
impl FromIterator<(String, AttributeValue)> for AttributeMap {
    fn from_iter<Attributes: IntoIterator<Item = (String, AttributeValue)>>(
        attributes: Attributes,
    ) -> AttributeMap {
        let mut attributes: Vec<_> = attributes.into_iter().collect();
        if !attributes.is_sorted_by(|(one, _), (next, _)| one < next) {
            // Stable: of equal names the last stays last, and is the one that is kept.
            attributes.sort_by(|(one, _), (next, _)| one.cmp(next));
            attributes.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    std::mem::swap(&mut next.1, &mut kept.1);
                }
                same
            });
        }
        AttributeMap { attributes }
    }
}

impl IntoIterator for AttributeMap {
    type Item = (String, AttributeValue);
    type IntoIter = std::vec::IntoIter<(String, AttributeValue)>;

    fn into_iter(self) -> Self::IntoIter {
        self.attributes.into_iter()
    }
}
