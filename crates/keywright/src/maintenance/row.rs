//! One item of a scan, as it is stored.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::EntityShape;
use keywright_key::declare::{Entity, Table};
use serde::de::DeserializeOwned;

use crate::error::ItemError;
use crate::item::{Attributes, Decoder};
use crate::store::{KeysInErrors, Shared};
use crate::stored::Stored;
use crate::tenant::Identity;

/// An item as it is stored, whosever it is and whether or not its time is over.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU64;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// let mut pages = store.maintenance("an example").scan(NonZeroU64::MIN).pages();
/// let page = pages.next().await?.ok_or("there is a row")?;
/// for row in page.rows {
///     match row.decode::<Team>()? {
///         Some(team) => println!("{}", team.name),
///         None => println!("{:?} with {} attributes", row.entity(), row.attributes().len()),
///     }
///     let attributes = row.into_attributes(); // all of them, as the SDK has them
/// #   assert!(attributes.len() > 4);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Row<TableType> {
    shared: Arc<Shared>,
    attributes: Attributes,
    table: PhantomData<fn() -> TableType>,
}

impl<TableType: Table> Row<TableType> {
    pub(super) fn new(shared: &Arc<Shared>, attributes: Attributes) -> Row<TableType> {
        Row { shared: Arc::clone(shared), attributes, table: PhantomData }
    }

    /// What its discriminator says that it is; none if it says nothing.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&team(1, "Analysts")).send().await?;
    /// acme.put(&member(1, "ada")).send().await?;
    ///
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let page = store.maintenance("what is there").scan(MOST).pages().next().await?.ok_or("there are rows")?;
    /// assert_eq!(page.rows.iter().filter_map(|row| row.entity()).collect::<Vec<_>>(), ["team", "member"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn entity(&self) -> Option<&str> {
        self.attributes.get(TableType::SHAPE.discriminator)?.as_s().ok().map(String::as_str)
    }

    /// Its attributes, those of keys and of this layer included.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use aws_sdk_dynamodb::types::AttributeValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// let page = store.maintenance("what is there").scan(NonZeroU64::MIN).pages().next().await?.ok_or("there is a row")?;
    /// let row = page.rows.first().ok_or("there is one")?;
    /// assert_eq!(row.attributes().get("name"), Some(&AttributeValue::S("Analysts".to_owned())));
    /// assert_eq!(row.attributes().get("pk"), Some(&AttributeValue::S("ORG#acme".to_owned()))); // of the key, too
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn attributes(&self) -> &HashMap<String, AttributeValue> {
        &self.attributes
    }

    /// Its attributes, those of keys and of this layer included.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use aws_sdk_dynamodb::types::AttributeValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// let page = store.maintenance("a backfill").scan(NonZeroU64::MIN).pages().next().await?.ok_or("there is a row")?;
    /// for row in page.rows {
    ///     let mut item = row.into_attributes();
    ///     item.insert("name".to_owned(), AttributeValue::S("Testers".to_owned()));
    ///     store.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await?;
    /// }
    /// let team = acme.get(TeamById { team_id: 1 }).await?.ok_or("it is there")?;
    /// assert_eq!(team.name, "Testers");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn into_attributes(self) -> HashMap<String, AttributeValue> {
        self.attributes
    }

    /// The item as an entity; none if it is another one.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// let page = store.maintenance("what is there").scan(NonZeroU64::MIN).pages().next().await?.ok_or("there is a row")?;
    /// let row = page.rows.first().ok_or("there is one")?;
    /// let team = row.decode::<Team>()?.ok_or("it is a team")?;
    /// assert_eq!((team.name.as_str(), team.version), ("Analysts", 1));
    /// assert!(row.decode::<Member>()?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it is one and does not decode.
    pub fn decode<EntityType>(&self) -> Result<Option<Stored<EntityType>>, ItemError>
    where
        EntityType: Entity<TableType> + DeserializeOwned,
    {
        if self.entity() != Some(EntityType::SHAPE.discriminator) {
            return Ok(None);
        }
        let decoder = Decoder::<TableType>::new(&self.shared, &Identity::Anybody).of_write();
        Ok(decoder.entity::<EntityType>(&EntityType::SHAPE, self.attributes.clone())?.live())
    }

    /// The shape of the entity that it says it is, if the table has one.
    pub(super) fn shape(&self) -> Option<&'static EntityShape<'static>> {
        let discriminator = self.entity()?;
        TableType::SHAPE.entities.iter().copied().find(|entity| entity.discriminator == discriminator)
    }

    /// Its key as text, unless the store keeps keys out of errors.
    pub(super) fn key(&self) -> Option<String> {
        if self.shared.keys_in_errors == KeysInErrors::Redacted {
            return None;
        }
        let table = TableType::SHAPE;
        let names =
            std::iter::once(table.partition_key).chain(table.sort_key).map(|attribute| attribute.name);
        let texts: Vec<&str> =
            names.filter_map(|name| self.attributes.get(name)?.as_s().ok().map(String::as_str)).collect();
        Some(texts.join(" / "))
    }
}

impl<TableType: Table> fmt::Debug for Row<TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Anybody's values, which need not be in logs.
        formatter.debug_struct("Row").field("entity", &self.entity()).finish_non_exhaustive()
    }
}
