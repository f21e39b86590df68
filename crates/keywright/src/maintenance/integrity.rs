//! A walk over a table: every item decodes, and everything that is rendered from its fields is what they render to.

use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use keywright_key::declare::{Entity, Table};
use keywright_key::{
    Components, EntityShape, IndexEntryShape, IndexKey, IndexKeys, KeyShape, Purpose, TableShape, Tenancy,
};
use serde::de::DeserializeOwned;

use super::error::MaintenanceError;
use super::finding::{Finding, FindingProblem};
use super::pages::{ScanEnd, ScanPages};
use super::position::ScanPosition;
use super::row::Row;
use super::scan::Scan;
use crate::item::{Attributes, ItemKeys, index_attribute_names, index_key_attributes, table_keys};

/// A walk over the whole table that is about to be made: [`Maintenance::integrity`](crate::Maintenance::integrity), the entities that it
/// checks, then [`Integrity::pages`].
///
/// It finds rows that do not decode, that lie under another key than their fields render to, whose keys in indexes are of an earlier
/// state, that are in one tenant's key and another tenant's attribute, and rows of nobody. It changes nothing.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::{NonZeroU32, NonZeroU64};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// # let (event_id, page) = ("evt_1".to_owned(), "prices".to_owned());
/// # let event = PaymentEvent { organization_id: OrganizationId("acme".to_owned()), event_id };
/// # let lease = std::time::Duration::from_secs(30);
/// # let keywright::Claimed::New(held) = acme.claim(&event, lease, lease).send::<u64>().await? else { return Ok(()) };
/// # drop(held);
/// # let views = PageViews { organization_id: OrganizationId("acme".to_owned()), page };
/// # for _ in 0..20 { let _ = acme.add(&views, 1).send().await?; }
/// const MOST: NonZeroU64 = NonZeroU64::new(5_000_000).unwrap();
/// let mut pages = store
///     .maintenance("the walk of the night")
///     .integrity(MOST)
///     .checking::<Team>()
///     .checking::<Member>()
///     .checking::<Task>()
///     .checking::<Invitation>()
///     .checking::<ShareToken>()
///     .checking::<PaymentEvent>()
///     .checking::<PageViews>()
///     .checking::<Seats>()
///     .checking::<Balance>()
///     .checking::<JobLock>()
///     .checking::<CallLimit>()
///     .checking::<PasswordReset>()
///     .with(|scan| scan.units_per_second(const { NonZeroU32::new(200).unwrap() }))
///     .pages()?;
/// let mut findings = Vec::new();
/// while let Some(page) = pages.next().await? {
///     findings.extend(page.findings);
/// }
/// assert_eq!((findings, pages.end()), (Vec::new(), Some(keywright::ScanEnd::Complete)));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct Integrity<'p, TableType> {
    scan: Scan<'p, TableType>,
    checks: Checks<TableType>,
}

/// What a walk found, page by page. See [`Integrity`].
///
/// ```
/// # use applications::teams::*;
/// async fn count(pages: &mut keywright::IntegrityPages<'_, App>) -> Result<usize, keywright::MaintenanceError> {
///     let mut findings = 0;
///     while let Some(page) = pages.next().await? {
///         findings += page.findings.len();
///     }
///     Ok(findings)
/// }
/// # fn main() { let _ = count; }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct IntegrityPages<'p, TableType> {
    pages: ScanPages<'p, TableType>,
    checks: Checks<TableType>,
}

/// What was found in one page of rows.
///
/// ```
/// fn log(page: &keywright::IntegrityPage) {
///     println!("{} rows, {} findings", page.rows, page.findings.len());
/// }
/// # let _ = log;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrityPage {
    /// What is not as the types say; several findings for one row if several things are wrong with it.
    pub findings: Vec<Finding>,
    /// The rows that were looked at.
    pub rows: usize,
    /// Where the walk is after them.
    pub position: ScanPosition,
}

/// The check of one entity's rows.
struct Check<TableType> {
    entity: &'static EntityShape<'static>,
    check: fn(&Row<TableType>) -> Vec<FindingProblem>,
}

type Checks<TableType> = Vec<Check<TableType>>;

impl<'p, TableType: Table> Integrity<'p, TableType> {
    pub(super) fn new(scan: Scan<'p, TableType>) -> Integrity<'p, TableType> {
        Integrity { scan, checks: Vec::new() }
    }

    /// Checks the rows of this entity. Every entity of the table is to be named.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// # use std::num::NonZeroU64;
    /// use keywright::FindingProblem;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&event("news", 1)).send().await?;
    /// # let row = store.maintenance("to break it").scan(NonZeroU64::MIN).pages().next().await?;
    /// # let mut item = row.and_then(|page| page.rows.into_iter().next()).ok_or("it was just stored")?.into_attributes();
    /// // Another program changed the type of an attribute.
    /// item.insert("text".to_owned(), AttributeValue::N("7".to_owned()));
    /// store.client().put_item().table_name("Feed").set_item(Some(item)).send().await?;
    ///
    /// let walk = store.maintenance("the walk of the night").integrity(NonZeroU64::MIN);
    /// let mut pages = walk.checking::<Event>().checking::<Mention>().pages()?; // all entities of the table
    /// let findings = pages.next().await?.ok_or("there is a row")?.findings;
    /// assert!(matches!(findings.first().map(|finding| finding.problem()), Some(FindingProblem::Item(_))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn checking<EntityType>(mut self) -> Integrity<'p, TableType>
    where
        EntityType: Entity<TableType> + Components + DeserializeOwned,
    {
        let entity = const { &EntityType::SHAPE };
        self.checks.push(Check { entity, check: check::<TableType, EntityType> });
        self
    }

    /// The settings of the scan: `integrity.with(|scan| scan.segments(four).units_per_second(units))`.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=3 { acme.put(&event("news", number)).send().await?; }
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let walk = store.maintenance("the walk of the night").integrity(MOST);
    /// let walk = walk.checking::<Event>().checking::<Mention>().with(|scan| scan.rows_per_page(TWO).consistent());
    /// let mut pages = walk.pages()?;
    /// assert_eq!(pages.next().await?.map(|page| page.rows), Some(2));
    /// assert_eq!(pages.next().await?.map(|page| page.rows), Some(1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn with(
        self,
        settings: impl FnOnce(Scan<'p, TableType>) -> Scan<'p, TableType>,
    ) -> Integrity<'p, TableType> {
        Integrity { scan: settings(self.scan), ..self }
    }

    /// The walk, page by page.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # use keywright::{CursorKey, CursorKeys, Store};
    /// use keywright::MaintenanceError;
    ///
    /// # let store = Store::<App>::in_memory(CursorKeys::new(CursorKey::generate()?)).await?;
    /// let walk = store.maintenance("the walk of the night").integrity(NonZeroU64::MIN);
    /// match walk.checking::<User>().checking::<UserEmail>().pages() {
    ///     Err(MaintenanceError::Unchecked { entities }) => assert_eq!(entities, ["UserHandle", "Project", "ProjectName"]),
    ///     _ => return Err("a walk that leaves an entity out says nothing of the table".into()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`MaintenanceError::Unchecked`] if the table has an entity that is not checked.
    pub fn pages(self) -> Result<IntegrityPages<'p, TableType>, MaintenanceError> {
        let is_checked = |name: &str| self.checks.iter().any(|check| check.entity.name == name);
        let entities: Vec<&'static str> = TableType::SHAPE
            .entities
            .iter()
            .map(|entity| entity.name)
            .filter(|name| !is_checked(name))
            .collect();
        if !entities.is_empty() {
            return Err(MaintenanceError::Unchecked { entities });
        }
        Ok(IntegrityPages { pages: self.scan.pages(), checks: self.checks })
    }
}

impl<TableType: Table> IntegrityPages<'_, TableType> {
    /// What was found in the next page; none after the last one.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&event("news", 1)).send().await?;
    ///
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let walk = store.maintenance("the walk of the night").integrity(MOST);
    /// let mut pages = walk.checking::<Event>().checking::<Mention>().pages()?;
    /// let page = pages.next().await?.ok_or("there is a row")?;
    /// assert_eq!((page.rows, page.findings), (1, vec![])); // it was looked at, and is well
    /// assert_eq!(pages.next().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`MaintenanceError`]; the same page can be asked for again.
    pub async fn next(&mut self) -> Result<Option<IntegrityPage>, MaintenanceError> {
        let Some(page) = self.pages.next().await? else { return Ok(None) };
        let findings = page.rows.iter().flat_map(|row| self.findings(row)).collect();
        Ok(Some(IntegrityPage { findings, rows: page.rows.len(), position: page.position }))
    }

    /// How it ended; none as long as [`IntegrityPages::next`] gives pages.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use keywright::ScanEnd;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=3 { acme.put(&event("news", number)).send().await?; }
    /// const TWO: NonZeroU64 = NonZeroU64::new(2).unwrap();
    /// let walk = store.maintenance("the walk of the night").integrity(TWO);
    /// let mut pages = walk.checking::<Event>().checking::<Mention>().pages()?;
    /// while let Some(page) = pages.next().await? {
    ///     assert!(page.findings.is_empty());
    /// }
    /// assert_eq!(pages.end(), Some(ScanEnd::Cap)); // of the third row nobody knows
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn end(&self) -> Option<ScanEnd> {
        self.pages.end()
    }

    fn findings(&self, row: &Row<TableType>) -> Vec<Finding> {
        let problems = match row.entity() {
            None => vec![FindingProblem::NoDiscriminator { attribute: TableType::SHAPE.discriminator }],
            Some(entity) => match self.checks.iter().find(|check| check.entity.discriminator == entity) {
                None => vec![FindingProblem::UnknownEntity],
                Some(check) => (check.check)(row),
            },
        };
        let entity = row.entity().unwrap_or_default();
        problems.into_iter().map(|problem| Finding::new(entity, row.key(), problem)).collect()
    }
}

/// What is wrong with a row of an entity.
fn check<TableType, EntityType>(row: &Row<TableType>) -> Vec<FindingProblem>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components + DeserializeOwned,
{
    let (table, shape) = (TableType::SHAPE, EntityType::SHAPE);
    let mut problems = Vec::new();
    let stored = row.attributes();
    if let Tenancy::Attribute(attribute) = table.tenancy {
        match stored.get(attribute) {
            None => problems.push(FindingProblem::NoTenant { attribute }),
            Some(owner) if row.tenant_in_key().is_some_and(|of_key| of_key != *owner) => {
                problems.push(FindingProblem::Tenant);
            }
            Some(_) => {}
        }
    }
    if let Some(attribute) = shape.time_to_live
        && !matches!(stored.get(attribute), None | Some(AttributeValue::N(_)))
    {
        problems.push(FindingProblem::TimeToLive { attribute });
    }
    match row.decode::<EntityType>() {
        Ok(Some(entity)) => problems.extend(keys::<TableType, EntityType>(&shape, &entity, stored)),
        // Nobody's items are reported above; what else does not decode, here.
        Ok(None) => problems.push(FindingProblem::UnknownEntity),
        Err(error) if problems.is_empty() => problems.push(FindingProblem::Item(error)),
        Err(_) => {}
    }
    problems
}

/// The keys that are not what the fields render to.
fn keys<TableType, EntityType>(
    shape: &EntityShape<'static>,
    entity: &EntityType,
    stored: &Attributes,
) -> Vec<FindingProblem>
where
    TableType: Table,
    EntityType: Entity<TableType> + Components,
{
    let table = TableType::SHAPE;
    let mut problems = Vec::new();
    match table_keys(&table, shape, entity) {
        Ok(ItemKeys { now: mut rendered, .. }) => {
            let sort_key = table.sort_key.and_then(|attribute| {
                let rendered = rendered.remove(attribute.name);
                (rendered.as_ref() != stored.get(attribute.name)).then_some(attribute.name)
            });
            let lies_there =
                lies_at_its_key(&shape.key, shape.purpose, entity, stored.get(table.partition_key.name));
            let partition_key = (!lies_there).then_some(table.partition_key.name);
            let wrong = partition_key.into_iter().chain(sort_key);
            problems.extend(wrong.map(|attribute| FindingProblem::Key { attribute }));
        }
        Err(error) => problems.push(FindingProblem::CannotBeWritten(error)),
    }
    for entry in shape.indexes {
        let entry: [&'static IndexEntryShape<'static>; 1] = [entry];
        let mut rendered = Attributes::new();
        if let Err(error) = index_key_attributes(&table, shape, entity, &entry, &mut rendered) {
            problems.push(FindingProblem::CannotBeWritten(error));
            continue;
        }
        let of_shards = sharded_key(&table, entry[0]);
        let wrong = index_attribute_names(&table, &entry).into_iter().find(|attribute| {
            match (&of_shards, rendered.get(*attribute)) {
                (Some((key, name)), Some(_)) if name == attribute => {
                    !lies_at_its_key(key, Purpose::Data, entity, stored.get(*attribute))
                }
                (_, rendered) => rendered != stored.get(*attribute),
            }
        });
        problems.extend(wrong.map(|attribute| FindingProblem::IndexKey { index: entry[0].index, attribute }));
    }
    problems
}

/// The key of a global index that is spread over shards, and the attribute of its partition key.
fn sharded_key(
    table: &TableShape<'static>,
    entry: &'static IndexEntryShape<'static>,
) -> Option<(KeyShape<'static>, &'static str)> {
    let IndexKey::Global(key) = entry.key else { return None };
    let IndexKeys::Rendered { partition_key, .. } = table.index(entry.index)?.keys else { return None };
    key.shards.is_sharded().then_some((key, partition_key.name))
}

/// Whether the partition key is one at which the item may lie: of a sharded key also one of an earlier number of shards, and of a counter,
/// which has an item in each shard, any of them.
fn lies_at_its_key<EntityType: Components>(
    key: &KeyShape<'static>,
    purpose: Purpose<'static>,
    entity: &EntityType,
    stored: Option<&AttributeValue>,
) -> bool {
    let Some(AttributeValue::S(stored)) = stored else { return false };
    let Ok(unsharded) = key.render_partition_key(entity) else { return false };
    let Ok(sort_key) = key.render_sort_key(entity) else { return false };
    let (delimiter, shards) = (key.partition_key.format().delimiter, key.shards);
    match purpose {
        Purpose::Data => shards.keys_of_item(&unsharded, delimiter, sort_key.as_deref().unwrap_or("")),
        _ => shards.keys_to_read(&unsharded, delimiter),
    }
    .contains(stored)
}

impl<TableType: Table> fmt::Debug for Integrity<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Integrity").field("scan", &self.scan).finish_non_exhaustive()
    }
}

impl<TableType: Table> fmt::Debug for IntegrityPages<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("IntegrityPages").field("pages", &self.pages).finish_non_exhaustive()
    }
}
