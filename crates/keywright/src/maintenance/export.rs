//! Everything of one tenant, as lines of DynamoDB JSON.

use std::fmt;

use keywright_key::declare::Table;

use super::dynamodb_json::add_line;
use super::error::MaintenanceError;
use super::ownership::Ownership;
use super::pages::{ScanEnd, ScanPages};
use super::position::ScanPosition;
use super::scan::Scan;
use crate::tenant::{Identity, Tenant};

/// The export of one tenant that is about to be made: [`Maintenance::export`](crate::Maintenance::export), then [`Export::pages`].
///
/// It reads the whole table, since keys of a tenant need not begin with it: items under deviations, such as share tokens, in every
/// partition of the tenant, and of entities that this program does not know are all in it.
///
/// ```
/// # use applications::teams::*;
/// # use std::num::NonZeroU64;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// const MOST: NonZeroU64 = NonZeroU64::new(5_000_000).unwrap();
/// let mut pages = store.maintenance("request 4711 of acme").export(&acme, MOST).pages();
/// let mut file = String::new();
/// while let Some(page) = pages.next().await? {
///     file.push_str(&page.lines); // then keep `page.position`, and an export that was cut off goes on from there
/// }
/// assert!(file.starts_with(r#"{"Item":{"entity":{"S":"team"},"#));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct Export<'p, TableType> {
    scan: Scan<'p, TableType>,
    tenant: Tenant<TableType>,
}

/// An export, page by page. See [`Export`].
///
/// ```
/// # use applications::teams::*;
/// /// Writes an export, and says how many items it has.
/// async fn write<File: std::io::Write>(
///     pages: &mut keywright::ExportPages<'_, App>,
///     file: &mut File,
/// ) -> Result<usize, Box<dyn std::error::Error>> {
///     let mut items = 0;
///     while let Some(page) = pages.next().await? {
///         file.write_all(page.lines.as_bytes())?;
///         items += page.items;
///     }
///     match pages.end() {
///         Some(keywright::ScanEnd::Complete) => Ok(items),
///         _ => Err("the table has more rows than the cap".into()),
///     }
/// }
/// # fn main() { let _ = write::<Vec<u8>>; }
/// ```
#[must_use = "nothing is read before a page is asked for"]
pub struct ExportPages<'p, TableType> {
    pages: ScanPages<'p, TableType>,
    tenant: Tenant<TableType>,
}

/// Some lines of an export.
///
/// ```
/// fn append(page: &keywright::ExportPage, file: &mut String) {
///     println!("{} items", page.items);
///     file.push_str(&page.lines);
/// }
/// # let _ = append;
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ExportPage {
    /// One line for each item: `{"Item":{..}}`, each with its line feed. Empty if none of the page is the tenant's.
    pub lines: String,
    /// The items.
    pub items: usize,
    /// Where the export is after them.
    pub position: ScanPosition,
}

impl<'p, TableType: Table> Export<'p, TableType> {
    pub(super) fn new(mut scan: Scan<'p, TableType>, tenant: &Tenant<TableType>) -> Export<'p, TableType> {
        if let Identity::Tenant { attribute, stored, .. } = tenant.identity() {
            scan.settings.of_tenant = Some((*attribute, stored.clone()));
        }
        Export { scan, tenant: tenant.clone() }
    }

    /// The settings of the scan: `export.with(|scan| scan.resume(position).units_per_second(units))`.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::{NonZeroU32, NonZeroU64};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let maintenance = store.maintenance("request 4711 of acme");
    /// let mut cut_off = maintenance.export(&acme, MOST).with(|scan| scan.rows_per_page(TWO)).pages();
    /// let first = cut_off.next().await?.ok_or("there are rows")?;
    ///
    /// let mut rest = maintenance.export(&acme, MOST).with(|scan| scan.resume(first.position)).pages();
    /// assert_eq!((first.items, rest.next().await?.map(|page| page.items)), (2, Some(1)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn with(
        self,
        settings: impl FnOnce(Scan<'p, TableType>) -> Scan<'p, TableType>,
    ) -> Export<'p, TableType> {
        Export { scan: settings(self.scan), ..self }
    }

    /// The export, page by page.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// let mut pages = store.maintenance("request 4711 of acme").export(&acme, MOST).pages();
    /// assert!(store.usage().reads.is_empty()); // nothing was read yet
    /// let mut items = 0;
    /// while let Some(page) = pages.next().await? {
    ///     items += page.items;
    /// }
    /// assert_eq!(items, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pages(self) -> ExportPages<'p, TableType> {
        ExportPages { pages: self.scan.pages(), tenant: self.tenant }
    }
}

impl<TableType: Table> ExportPages<'_, TableType> {
    /// The next lines; none after the last ones. A page without lines need not be the last.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # const MOST: NonZeroU64 = NonZeroU64::new(1_000_000).unwrap();
    /// // The table has a row, and it is not globex's.
    /// let mut pages = store.maintenance("request 4712 of globex").export(&globex, MOST).pages();
    /// let page = pages.next().await?.ok_or("a page was read")?;
    /// assert_eq!((page.lines.as_str(), page.items), ("", 0));
    /// assert_eq!(pages.next().await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`MaintenanceError`]; the same page can be asked for again.
    pub async fn next(&mut self) -> Result<Option<ExportPage>, MaintenanceError> {
        let Some(page) = self.pages.next().await? else { return Ok(None) };
        let mut exported = ExportPage { lines: String::new(), items: 0, position: page.position };
        for row in &page.rows {
            if row.ownership(self.tenant.identity()) != Ownership::None {
                add_line(row.attributes(), &mut exported.lines);
                exported.items += 1;
            }
        }
        Ok(Some(exported))
    }

    /// How it ended; none as long as [`ExportPages::next`] gives pages.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU64;
    /// use keywright::ScanEnd;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for team_id in 1..=3 { acme.put(&team(team_id, "Analysts")).send().await?; }
    /// const TWO: NonZeroU64 = NonZeroU64::new(2).unwrap();
    /// let mut pages = store.maintenance("request 4711 of acme").export(&acme, TWO).pages();
    /// while let Some(page) = pages.next().await? {
    ///     print!("{}", page.lines);
    /// }
    /// assert_eq!(pages.end(), Some(ScanEnd::Cap)); // there are three rows: the export is not whole
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn end(&self) -> Option<ScanEnd> {
        self.pages.end()
    }
}

impl<TableType: Table> fmt::Debug for Export<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Export").field("scan", &self.scan).finish_non_exhaustive()
    }
}

impl<TableType: Table> fmt::Debug for ExportPages<'_, TableType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ExportPages").field("pages", &self.pages).finish_non_exhaustive()
    }
}
