//! One snapshot, tried until it is read: a read has no effect, and may always be made again.

use std::error::Error as _;
use std::sync::Arc;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::transact_get_items::builders::TransactGetItemsFluentBuilder;
use aws_sdk_dynamodb::operation::transact_get_items::{TransactGetItemsError, TransactGetItemsOutput};
use aws_sdk_dynamodb::types::{Get, ReturnConsumedCapacity, TransactGetItem};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use keywright_key::declare::Table;

use super::{PreparedRead, ReadItem, Snapshot, SnapshotError, SnapshotRead};
use crate::error::ServiceError;
use crate::item::size_bytes;
use crate::retry::{self, CountedAs, Deadline};
use crate::trace;
use crate::transaction::canceled::Cause;
use crate::transaction::name::ActionName;

impl<TableType: Table> Snapshot<TableType> {
    pub(super) fn builder(&self) -> TransactGetItemsFluentBuilder {
        self.tenant
            .shared()
            .calls
            .transact_get_items()
            .set_transact_items(Some(self.reads.iter().map(PreparedRead::request).collect()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
    }

    pub(super) async fn read_all(self) -> Result<SnapshotRead, SnapshotError> {
        if self.reads.is_empty() {
            return Ok(SnapshotRead { mark: self.mark, items: Vec::new(), read_units: 0.0 });
        }
        let counted_as = CountedAs::Read(self.reads.first().map_or("", |read| read.name.entity()));
        let mut sent = 0;
        let send = || {
            sent += 1;
            self.builder().send()
        };
        let shared = self.tenant.shared();
        let result = retry::read(shared, counted_as, Deadline::of_call(shared), send).await;
        trace::record_outcome(sent, if result.is_ok() { "read" } else { "not read" });
        match result {
            Ok(output) => Ok(self.read(output)),
            Err(error) => Err(match self.causes(&error) {
                Some(causes) => SnapshotError::Canceled(causes),
                None => SnapshotError::Service(error),
            }),
        }
    }

    /// Why the service canceled the snapshot, by read, if it did.
    fn causes(&self, error: &ServiceError) -> Option<Vec<(ActionName, Cause)>> {
        let error: &SdkError<TransactGetItemsError, HttpResponse> = error.source()?.downcast_ref()?;
        let TransactGetItemsError::TransactionCanceledException(canceled) = error.as_service_error()? else {
            return None;
        };
        let reasons = canceled.cancellation_reasons().iter().zip(&self.reads);
        let causes: Vec<(ActionName, Cause)> = reasons
            .filter_map(|(reason, read)| {
                Some((read.name.clone(), Cause::of(reason.code().unwrap_or_default())?))
            })
            .collect();
        (!causes.is_empty()).then_some(causes)
    }

    fn read(self, output: TransactGetItemsOutput) -> SnapshotRead {
        let consumed = output.consumed_capacity.unwrap_or_default();
        let read_units: f64 = consumed.iter().filter_map(|table| table.capacity_units).sum();
        let found = output.responses.unwrap_or_default().into_iter().map(|response| response.item);
        let items: Vec<ReadItem> = self
            .reads
            .iter()
            .zip(found.chain(std::iter::repeat_with(|| None)))
            .map(|(read, attributes)| ReadItem {
                shared: Arc::clone(&read.shared),
                identity: Arc::clone(&read.identity),
                attributes,
            })
            .collect();
        self.count(&items, read_units);
        SnapshotRead { mark: self.mark, items, read_units }
    }

    /// Counts the answer, by pattern. Its units are shared out by size, since the service says them of a table as a whole.
    fn count(&self, items: &[ReadItem], units: f64) {
        let pages = |item: &ReadItem| {
            let size_bytes = item.attributes.as_ref().map_or(0, size_bytes);
            f64::from(u32::try_from(size_bytes.div_ceil(4096)).unwrap_or(u32::MAX)).max(1.0)
        };
        let all: f64 = items.iter().map(pages).sum();
        let mut counted: Vec<&'static str> = Vec::new();
        for (read, item) in self.reads.iter().zip(items) {
            let pattern = read.name.entity();
            let is_first = !counted.contains(&pattern);
            if is_first {
                counted.push(pattern);
            }
            let items_read = u64::from(item.attributes.is_some());
            read.shared.count_key(&read.key, units * pages(item) / all);
            read.shared.counters.read(pattern, |usage| {
                usage.requests += u64::from(is_first);
                usage.units += units * pages(item) / all;
                usage.items_read += items_read;
                usage.items_given += items_read;
            });
        }
        trace::record_units(Some(units));
    }
}

impl PreparedRead {
    fn request(&self) -> TransactGetItem {
        let get = Get::builder()
            .table_name(&self.shared.table_name)
            .set_key(Some(self.key.clone()))
            .set_projection_expression(self.projection.clone())
            .set_expression_attribute_names(self.placeholders.clone().take_names())
            .build();
        match get {
            Ok(get) => TransactGetItem::builder().get(get).build(),
            Err(_) => unreachable!("every member that the client's builder asks for is given just before"),
        }
    }
}
