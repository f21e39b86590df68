//! Projections: which parts of an item a read returns.

use keywright_item::{AttributeMap, AttributeValue, Item, StoredItemRef};

use crate::bind::bind_path;
use crate::document::{Attributes, Value};
use crate::overlap::check_paths;
use crate::parser::parse_projection;
use crate::path::{Path, Step};
use crate::placeholders::Placeholders;
use crate::refusal::Refusal;
use crate::syntax::ParsedPath;

const MEMBER: &str = "ProjectionExpression";

/// The text of a `ProjectionExpression`, parsed.
///
/// ```
/// use keywright_expression::{DeclaredPlaceholders, ProjectionExpression};
/// use keywright_item::{AttributeValue, Item, StoredItem};
///
/// let placeholders = DeclaredPlaceholders::default().check()?;
/// let projection = ProjectionExpression::parse("pk, tags[1]")?.bind(&placeholders)?;
///
/// let tags = ["a", "b", "c"].map(|tag| AttributeValue::S(tag.to_owned())).to_vec();
/// let item: Item = [("tags".to_owned(), AttributeValue::L(tags))].into_iter().collect();
/// let part = projection.apply(StoredItem::encode(&item).as_ref());
/// assert_eq!(part.get("tags"), Some(&AttributeValue::L(vec![AttributeValue::S("b".to_owned())])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectionExpression<'text> {
    paths: Vec<ParsedPath<'text>>,
}

/// Document paths with every placeholder replaced, none within another.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// Sorted by name.
    attributes: Vec<(String, Part)>,
}

/// What is wanted of a value.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Whole,
    /// Each with its step, in the order of the steps, which all are names or all are indexes.
    Within(Vec<(Step, Part)>),
}

impl<'text> ProjectionExpression<'text> {
    /// Parses the text and checks all of it that needs no placeholders.
    pub fn parse(text: &'text str) -> Result<Self, Refusal> {
        let paths = parse_projection(text).map_err(|fault| Refusal::new(MEMBER, fault))?;
        Ok(Self { paths })
    }

    /// Replaces the placeholders; refuses paths that overlap.
    pub fn bind(&self, placeholders: &Placeholders) -> Result<Projection, Refusal> {
        let paths = self
            .paths
            .iter()
            .map(|path| bind_path(path, placeholders))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| Refusal::new(MEMBER, fault))?;
        let paths: Vec<&Path> = paths.iter().collect();
        check_paths(&paths).map_err(|fault| Refusal::new(MEMBER, fault))?;
        Ok(Projection::of(&paths))
    }
}

impl Projection {
    /// The projection to these paths, none of which lies within another.
    pub(crate) fn of(paths: &[&Path]) -> Self {
        let mut paths = paths.to_vec();
        paths.sort_unstable();
        let attributes = paths
            .chunk_by(|one, other| one.attribute == other.attribute)
            .filter_map(|paths| Some((paths.first()?.attribute.clone(), Part::of(paths, 0))))
            .collect();
        Self { attributes }
    }

    /// The parts of the item that the paths name, in maps and lists that hold nothing else; so the elements of a
    /// list move together. What does not exist is left out, and so are maps and lists in which nothing exists.
    #[must_use]
    pub fn apply(&self, item: StoredItemRef<'_>) -> Item {
        self.take(Attributes::Stored(item.attributes()))
    }

    /// The names of the attributes that the paths start with, each once, in the order of their bytes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|(name, _)| name.as_str())
    }

    /// Those of [`attributes`](Projection::attributes) of which only parts are wanted.
    pub fn nested_attributes(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().filter(|(_, part)| *part != Part::Whole).map(|(name, _)| name.as_str())
    }

    pub(crate) fn take(&self, item: Attributes<'_>) -> Item {
        self.attributes
            .iter()
            .filter_map(|(name, part)| Some((name.clone(), part.take(item.get(name)?)?)))
            .collect()
    }
}

impl Part {
    /// What sorted paths, alike in all steps before `depth`, want of the value there.
    fn of(paths: &[&Path], depth: usize) -> Self {
        let step = |path: &Path| path.steps.get(depth).cloned();
        let parts: Vec<(Step, Self)> = paths
            .chunk_by(|one, other| one.steps.get(depth) == other.steps.get(depth))
            .filter_map(|paths| Some((step(paths.first()?)?, Self::of(paths, depth + 1))))
            .collect();
        // A path that ends here is the only one: none lies within another.
        if parts.is_empty() { Self::Whole } else { Self::Within(parts) }
    }

    fn take(&self, value: Value<'_>) -> Option<AttributeValue> {
        let Self::Within(parts) = self else { return Some(value.to_value()) };
        let mut found =
            parts.iter().filter_map(|(step, part)| Some((step, part.take(value.at(step)?)?))).peekable();
        match found.peek()?.0 {
            Step::Name(_) => {
                let attributes: AttributeMap = found
                    .filter_map(|(step, value)| match step {
                        Step::Name(name) => Some((name.clone(), value)),
                        Step::Index(_) => None,
                    })
                    .collect();
                Some(AttributeValue::M(attributes))
            }
            Step::Index(_) => Some(AttributeValue::L(found.map(|(_, value)| value).collect())),
        }
    }
}
