//! The secondary indexes of a CreateTable request as they are sent.

use keywright_item::json::{ObjectType, Reader, SerializationError};

use super::wire::KeySchemaElement;
use crate::throughput::SentThroughput;
use crate::unsupported::UsedUnsupported;
use crate::wire::Few;

/// One of both lists of indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexList {
    Local,
    Global,
}

/// An index as it was sent.
#[derive(Default)]
pub(super) struct Index {
    pub(super) name: Option<String>,
    pub(super) key_schema: Option<Few<KeySchemaElement>>,
    pub(super) projection: Option<Projection>,
    pub(super) throughput: Option<SentThroughput>,
}

#[derive(Default)]
pub(super) struct Projection {
    pub(super) kind: Option<String>,
    pub(super) non_key_attributes: Option<Few<Option<String>>>,
}

/// The members that the service knows of a global index, and this version does not.
const UNSUPPORTED: [&str; 2] = ["OnDemandThroughput", "WarmThroughput"];

impl IndexList {
    /// The member of the request.
    pub(super) const fn member(self) -> &'static str {
        match self {
            Self::Local => "LocalSecondaryIndexes",
            Self::Global => "GlobalSecondaryIndexes",
        }
    }

    /// The type of an element, in the service's words.
    const fn element(self) -> &'static str {
        match self {
            Self::Local => "LocalSecondaryIndex",
            Self::Global => "GlobalSecondaryIndex",
        }
    }
}

impl Index {
    pub(super) fn read_list(
        list: IndexList,
        reader: &mut Reader<'_>,
        unsupported: &mut UsedUnsupported,
    ) -> Result<Option<Few<Self>>, SerializationError> {
        reader.optional(|reader| Few::read(reader, |reader| Self::read(list, reader, unsupported)))
    }

    fn read(
        list: IndexList,
        reader: &mut Reader<'_>,
        unsupported: &mut UsedUnsupported,
    ) -> Result<Self, SerializationError> {
        let mut index = Self::default();
        reader.object(ObjectType::Element(list.element()), |name, reader| {
            match name {
                "IndexName" => index.name = reader.optional(Reader::string)?,
                "KeySchema" => {
                    index.key_schema = reader.optional(|reader| Few::read(reader, KeySchemaElement::read))?;
                }
                "Projection" => index.projection = reader.optional(Projection::read)?,
                "ProvisionedThroughput" if list == IndexList::Global => {
                    index.throughput = reader.optional(SentThroughput::read)?;
                }
                other => {
                    let used = reader.optional(Reader::skip)?.is_some() && list == IndexList::Global;
                    if let Some(member) = UNSUPPORTED.into_iter().find(|member| used && *member == other) {
                        unsupported.use_member(member);
                    }
                }
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(index)
    }
}

impl Projection {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut projection = Self::default();
        reader.object(ObjectType::Structure("Projection"), |name, reader| {
            match name {
                "ProjectionType" => projection.kind = reader.optional(Reader::string)?,
                "NonKeyAttributes" => {
                    projection.non_key_attributes =
                        reader.optional(|reader| Few::read(reader, |reader| reader.string().map(Some)))?;
                }
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(projection)
    }
}
