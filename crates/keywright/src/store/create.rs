//! CreateTable, for development: the table that the shape describes.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::operation::create_table::CreateTableInput;
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, LocalSecondaryIndex,
    Projection as SdkProjection, ProjectionType, ScalarAttributeType, StreamSpecification, StreamViewType,
    TimeToLiveSpecification,
};
use keywright_key::declare::Table;
use keywright_key::{
    AttributeType, IndexKeys, IndexReach, IndexShape, KeyAttribute, Projection, StreamView, TableShape,
};

use super::capability::Capability;
use super::{OpenError, StoreBuilder};
use crate::error::{ServiceError, ServiceProblem};

impl<TableType: Table> StoreBuilder<TableType> {
    /// Creates the table if it does not exist, with its time to live and its stream where the engine can, and waits until it is active, for
    /// five minutes at most; by a client that cannot sleep it does not wait. On-demand; for development and tests.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::{CursorKey, CursorKeys};
    /// use keywright::{Capabilities, Store};
    /// # let first = store().await?;
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// let builder = Store::<App>::builder(first.client().clone(), keys).table_name("app-test");
    /// let builder = builder.capabilities(Capabilities::EMBEDDED);
    /// builder.create_table().await?;
    /// builder.create_table().await?; // it is there, and that is no error
    /// let store = builder.open().await?;
    /// assert_eq!(store.table_name(), "app-test");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`OpenError::Service`] when the service refuses, and [`OpenError::Differs`] when the table is not active at the end. A table that exists
    /// is no error; [`StoreBuilder::open`] says how it differs.
    pub async fn create_table(&self) -> Result<(), OpenError> {
        match self.prepare_create().send().await {
            Ok(_) => {}
            Err(error) => {
                let error = ServiceError::new(error);
                if error.code() != Some("ResourceInUseException") {
                    return Err(error.into());
                }
            }
        }
        self.wait_until_active().await?;
        Ok(self.set_time_to_live().await?)
    }

    /// Switches on the time to live of the design, if it has one, the engine can, and it is not on already.
    async fn set_time_to_live(&self) -> Result<(), ServiceError> {
        let Some(attribute) = TableType::SHAPE.time_to_live else { return Ok(()) };
        if self.capabilities.time_to_live == Capability::Absent {
            return Ok(());
        }
        let specification =
            built(TimeToLiveSpecification::builder().attribute_name(attribute).enabled(true).build());
        let request = self.client.update_time_to_live().table_name(&self.table_name);
        match request.time_to_live_specification(specification).send().await.map_err(ServiceError::new) {
            // It is refused where it is on already: `open` says if it looks at something else.
            Err(error) if error.problem() != ServiceProblem::Refused => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// The request by which [`StoreBuilder::create_table`] creates the table.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{CursorKey, CursorKeys, Store};
    /// # let keys = CursorKeys::new(CursorKey::generate()?);
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let builder = Store::<App>::builder(store.client().clone(), keys).table_name("app-test");
    /// let request = builder.create_request();
    /// assert_eq!(request.table_name(), Some("app-test"));
    /// assert_eq!(request.global_secondary_indexes().len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn create_request(&self) -> CreateTableInput {
        match self.prepare_create().as_input().clone().build() {
            Ok(input) => input,
            Err(_) => unreachable!("`prepare_create` gives what CreateTable needs"),
        }
    }

    fn prepare_create(&self) -> CreateTableFluentBuilder {
        let table = TableType::SHAPE;
        let indexes = |reach| table.indexes.iter().filter(move |index| index.reach == reach);
        let global: Vec<GlobalSecondaryIndex> = indexes(IndexReach::Global).map(global_index).collect();
        let local: Vec<LocalSecondaryIndex> = indexes(IndexReach::Local).map(local_index).collect();
        self.client
            .create_table()
            .table_name(&self.table_name)
            .billing_mode(BillingMode::PayPerRequest)
            .set_attribute_definitions(Some(definitions(&table)))
            .set_key_schema(Some(schema(&[table.partition_key], table.sort_key.as_slice())))
            .set_global_secondary_indexes((!global.is_empty()).then_some(global))
            .set_local_secondary_indexes((!local.is_empty()).then_some(local))
            .set_stream_specification(self.stream().map(stream_specification))
    }
}

fn stream_specification(view: StreamView) -> StreamSpecification {
    built(StreamSpecification::builder().stream_enabled(true).stream_view_type(view_type(view)).build())
}

/// A view as the client names it.
pub(super) fn view_type(view: StreamView) -> StreamViewType {
    match view {
        StreamView::KeysOnly => StreamViewType::KeysOnly,
        StreamView::OldImage => StreamViewType::OldImage,
        StreamView::NewImage => StreamViewType::NewImage,
        StreamView::NewAndOldImages => StreamViewType::NewAndOldImages,
    }
}

/// The types of all attributes that are keys, each once.
fn definitions(table: &TableShape<'static>) -> Vec<AttributeDefinition> {
    let mut types: BTreeMap<&str, AttributeType> = BTreeMap::new();
    for attribute in std::iter::once(table.partition_key).chain(table.sort_key) {
        types.insert(attribute.name, attribute.attribute_type);
    }
    for index in table.indexes {
        let (partition_key, sort_key) = keys(index);
        for attribute in partition_key.into_iter().chain(sort_key) {
            types.insert(attribute.name, attribute.attribute_type);
        }
    }
    types
        .into_iter()
        .map(|(name, attribute_type)| {
            built(
                AttributeDefinition::builder()
                    .attribute_name(name)
                    .attribute_type(match attribute_type {
                        AttributeType::String => ScalarAttributeType::S,
                        AttributeType::Number => ScalarAttributeType::N,
                        AttributeType::Binary => ScalarAttributeType::B,
                    })
                    .build(),
            )
        })
        .collect()
}

pub(super) fn keys(index: &IndexShape<'static>) -> (Vec<KeyAttribute<'static>>, Vec<KeyAttribute<'static>>) {
    match index.keys {
        IndexKeys::Rendered { partition_key, sort_key } => {
            (vec![partition_key], sort_key.into_iter().collect())
        }
        IndexKeys::Attributes { partition_key, sort_key } => (partition_key.to_vec(), sort_key.to_vec()),
    }
}

fn schema(
    partition_key: &[KeyAttribute<'static>],
    sort_key: &[KeyAttribute<'static>],
) -> Vec<KeySchemaElement> {
    let element = |key_type: KeyType| {
        move |attribute: &KeyAttribute<'static>| {
            built(
                KeySchemaElement::builder().attribute_name(attribute.name).key_type(key_type.clone()).build(),
            )
        }
    };
    partition_key
        .iter()
        .map(element(KeyType::Hash))
        .chain(sort_key.iter().map(element(KeyType::Range)))
        .collect()
}

fn global_index(index: &IndexShape<'static>) -> GlobalSecondaryIndex {
    let (partition_key, sort_key) = keys(index);
    built(
        GlobalSecondaryIndex::builder()
            .index_name(index.name)
            .set_key_schema(Some(schema(&partition_key, &sort_key)))
            .projection(projection(index.projection))
            .build(),
    )
}

fn local_index(index: &IndexShape<'static>) -> LocalSecondaryIndex {
    let (partition_key, sort_key) = keys(index);
    built(
        LocalSecondaryIndex::builder()
            .index_name(index.name)
            .set_key_schema(Some(schema(&partition_key, &sort_key)))
            .projection(projection(index.projection))
            .build(),
    )
}

fn projection(projection: Projection<'static>) -> SdkProjection {
    let builder = SdkProjection::builder();
    match projection {
        Projection::KeysOnly => builder.projection_type(ProjectionType::KeysOnly),
        Projection::All { .. } => builder.projection_type(ProjectionType::All),
        Projection::Include(names) => builder
            .projection_type(ProjectionType::Include)
            .set_non_key_attributes(Some(names.iter().map(|name| (*name).to_owned()).collect())),
    }
    .build()
}

/// What a builder of the client gives when every member that it needs is there.
fn built<Built>(result: Result<Built, aws_sdk_dynamodb::error::BuildError>) -> Built {
    match result {
        Ok(built) => built,
        Err(_) => unreachable!("every member that the client's builder asks for is given just before"),
    }
}
