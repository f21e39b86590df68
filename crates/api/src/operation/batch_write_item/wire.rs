//! The members of a BatchWriteItem as they were sent, and their checks.

use keywright_item::Item;
use keywright_item::json::{Checked, ListType, ObjectType, Reader, SerializationError, ValueRefusal};

use super::{BatchWriteItemInput, WriteRequest};
use crate::constraint::{Constraints, shown_list};
use crate::operation::batch::ByTable;
use crate::operation::put_item::check_size;
use crate::wire::{RETURN_CONSUMED_CAPACITY, RETURN_ITEM_COLLECTION_METRICS, read_body};
use crate::{TableName, Validation};

/// The most writes of one request.
///
/// Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>
const MOST_WRITES: usize = 25;

/// The members as they were sent.
#[derive(Default)]
pub(super) struct Wire {
    request_items: Option<ByTable<TableWire>>,
    return_consumed_capacity: Option<String>,
    return_item_collection_metrics: Option<String>,
}

/// The writes of one table as they were sent.
#[derive(Debug, Default)]
struct TableWire {
    /// At most [`MOST_WRITES`] of them; `None` is null.
    writes: Vec<Option<WriteWire>>,
    count: usize,
}

/// One write as it was sent.
#[derive(Debug, Default)]
struct WriteWire {
    put: Option<Content>,
    delete: Option<Content>,
}

/// A PutRequest or DeleteRequest: its item or key, where it is there.
type Content = Option<Checked<Item>>;

impl Wire {
    pub(super) fn read(body: &[u8]) -> Result<Self, SerializationError> {
        let mut wire = Self::default();
        read_body(body, |name, reader| {
            match name {
                "RequestItems" => {
                    let expected = ObjectType::MapToLists("WriteRequest");
                    wire.request_items = ByTable::read(reader, expected, MOST_WRITES, TableWire::read)?;
                }
                "ReturnConsumedCapacity" => {
                    wire.return_consumed_capacity = reader.optional(Reader::string)?;
                }
                "ReturnItemCollectionMetrics" => {
                    wire.return_item_collection_metrics = reader.optional(Reader::string)?;
                }
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(wire)
    }

    pub(super) fn check(self) -> Result<BatchWriteItemInput, Validation> {
        let mut constraints = Constraints::default();
        let return_consumed_capacity = constraints.one_of(
            "returnConsumedCapacity",
            self.return_consumed_capacity.as_deref(),
            &RETURN_CONSUMED_CAPACITY,
        );
        let return_item_collection_metrics = constraints.one_of(
            "returnItemCollectionMetrics",
            self.return_item_collection_metrics.as_deref(),
            &RETURN_ITEM_COLLECTION_METRICS,
        );
        let request_items = constraints.required("requestItems", self.request_items);
        let mut names = Vec::new();
        if let Some(items) = &request_items {
            names = items.names(&mut constraints, || shown(items));
            let lengths = items.iter().map(|(_, table)| table.count);
            constraints.list_lengths("requestItems", lengths, (1, MOST_WRITES), || shown(items));
            items.iter().for_each(|(name, table)| table.check_constraints(name, &mut constraints));
        }
        constraints.check()?;
        let Some(request_items) = request_items else { unreachable!("the constraints require it") };

        if request_items.is_empty() {
            return Err(Validation::NoRequestItems { operation: "BatchWriteItem" });
        }
        let too_many = Validation::TooManyRequests { operation: "BatchWriteItem" };
        if request_items.has_more() {
            return Err(too_many);
        }
        let tables = request_items
            .named(names)?
            .into_iter()
            .map(|(name, table)| Ok((name, table.check()?)))
            .collect::<Result<Vec<(TableName, Vec<WriteRequest>)>, Validation>>()?;
        if tables.iter().map(|(_, writes)| writes.len()).sum::<usize>() > MOST_WRITES {
            return Err(too_many);
        }
        Ok(BatchWriteItemInput {
            tables,
            return_consumed_capacity: return_consumed_capacity.unwrap_or_default(),
            return_item_collection_metrics: return_item_collection_metrics.unwrap_or_default(),
        })
    }
}

impl TableWire {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut table = Self::default();
        reader.array(ListType::Element, |reader| {
            let write = reader.optional(WriteWire::read)?;
            table.count += 1;
            if table.writes.len() < MOST_WRITES {
                table.writes.push(write);
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(table)
    }

    fn check_constraints(&self, table: &str, constraints: &mut Constraints) {
        for (place, write) in self.writes.iter().enumerate() {
            let path = format!("requestItems.{table}.member.{}.member", place + 1);
            let Some(WriteWire { put, delete }) = constraints.required(&path, write.as_ref()) else {
                continue;
            };
            if let Some(key) = delete {
                constraints.required(&format!("{path}.deleteRequest.key"), key.as_ref());
            }
            if let Some(item) = put {
                constraints.required(&format!("{path}.putRequest.item"), item.as_ref());
            }
        }
    }

    /// Checks what satisfies its constraints.
    fn check(self) -> Result<Vec<WriteRequest>, Validation> {
        self.writes.into_iter().flatten().map(WriteWire::check).collect()
    }
}

impl WriteWire {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SerializationError> {
        let mut write = Self::default();
        reader.object(ObjectType::Element("WriteRequest"), |name, reader| {
            match name {
                "PutRequest" => write.put = read_content(reader, "PutRequest", "Item")?,
                "DeleteRequest" => write.delete = read_content(reader, "DeleteRequest", "Key")?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(write)
    }

    fn check(self) -> Result<WriteRequest, Validation> {
        match (self.put.flatten(), self.delete.flatten()) {
            (Some(item), None) => {
                let item = item?;
                check_size(&item)?;
                Ok(WriteRequest::Put(item))
            }
            (None, Some(key)) => Ok(WriteRequest::Delete(key?)),
            // The service takes a write for a kind of value.
            _ => Err(Validation::Value(ValueRefusal::SeveralTypes)),
        }
    }
}

fn read_content(
    reader: &mut Reader<'_>,
    request: &'static str,
    member: &'static str,
) -> Result<Option<Content>, SerializationError> {
    reader.optional(|reader| {
        let mut content = None;
        reader.object(ObjectType::Structure(request), |name, reader| {
            match name {
                name if name == member => content = reader.optional(Reader::attribute_map)?,
                _ => reader.skip()?,
            }
            Ok::<(), SerializationError>(())
        })?;
        Ok(content)
    })
}

fn shown(items: &ByTable<TableWire>) -> String {
    let tables: Vec<String> = items
        .iter()
        .map(|(name, table)| format!("{name}={}", shown_list("WriteRequest", table.count)))
        .collect();
    format!("{{{}}}", tables.join(", "))
}
