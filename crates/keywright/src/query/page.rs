//! One page of a read.

use std::num::NonZeroU32;

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use keywright_key::Components;
use keywright_key::declare::{ReadItems, Table};
use tracing::Instrument;

use super::Query;
use super::excluded::ExcludedBounds;
use super::filled::Filled;
use super::partition::PartitionKeyRead;
use crate::cursor::Cursor;
use crate::error::{ItemError, ReadError};
use crate::item::{Decoded, Decoder, KeyAttributes, Origin};
use crate::retry::{self, CountedAs, Deadline};
use crate::stored::Stored;
use crate::trace;

/// Items of a read, and whether there are more.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// # acme.put(&team(1, "Analysts")).send().await?;
/// let page = acme.query(TeamWithMembers { team_id: 1 }).page().await?;
/// assert_eq!((page.items_read, page.read_units, page.has_more()), (1, 0.5, false));
/// let teams_and_members = page.into_items()?;
/// # assert_eq!(teams_and_members.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Page<Item> {
    /// The items, each on its own: one that does not decode does not hide the others.
    pub items: Vec<Result<Item, ItemError>>,
    /// Where the next page begins; none if this is the last one. It can be given to [`Query::after`], also by another process.
    pub next: Option<Cursor>,
    /// The read units that it took.
    pub read_units: f64,
    /// The items that were read for it, those that a filter left out included: they are paid for.
    pub items_read: u64,
}

impl<Item> Page<Item> {
    pub(super) const fn empty() -> Page<Item> {
        Page { items: Vec::new(), next: None, read_units: 0.0, items_read: 0 }
    }

    /// Whether there are more items after this page. It may turn out that none of them is the pattern's.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # acme.put(&member(1, "ada")).send().await?;
    /// let team = acme.query(TeamWithMembers { team_id: 1 });
    /// assert!(team.limit(NonZeroU32::MIN).page().await?.has_more());
    /// let team = acme.query(TeamWithMembers { team_id: 1 });
    /// assert!(!team.page().await?.has_more());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn has_more(&self) -> bool {
        self.next.is_some()
    }

    /// The items, or the first error among them.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use aws_sdk_dynamodb::types::AttributeValue;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # acme.put(&member(1, "ada")).send().await?;
    /// # let text = |text: &str| AttributeValue::S(text.to_owned());
    /// # store.client().update_item().table_name("App").key("pk", text("ORG#acme"))
    /// #     .key("sk", text("TEAM#00000000000000000001#MEMBER#ada"))
    /// #     .update_expression("SET points = :many").expression_attribute_values(":many", text("many"))
    /// #     .send().await?;
    /// // Another program stored a text as the points of ada.
    /// let page = acme.query(TeamWithMembers { team_id: 1 }).page().await?;
    /// assert_eq!(page.items.iter().filter(|item| item.is_ok()).count(), 1); // the team
    /// let error = page.into_items().err().ok_or("all or nothing")?;
    /// assert_eq!(error.entity(), "member");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When an item does not decode.
    pub fn into_items(self) -> Result<Vec<Item>, ItemError> {
        self.items.into_iter().collect()
    }
}

impl<TableType, Pattern> Query<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// One page: up to the limit, if there is one, else what one request reads.
    ///
    /// With a limit, requests are made until so many items are found or none are left, since DynamoDB counts what it reads and not
    /// what a filter leaves. The next page begins right after the last item that was given, not after the last one that was read.
    ///
    /// A page ends earlier, with what it has and a cursor, where the store's [`RetryPolicy::overall`](crate::RetryPolicy::overall) is over, and
    /// where a request after its first one is throttled or not answered: what was read is not read again. So whether there are more is
    /// said by [`Page::has_more`] alone; a page without items may have them.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright::key::Timestamp;
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let due_at = Timestamp::UNIX_EPOCH;
    /// # let end = Timestamp::from_unix_milliseconds(86_400_000)?;
    /// let (organization_id, project_id) = (OrganizationId("acme".to_owned()), "apollo".to_owned());
    /// for (task_id, state) in [(1, "done"), (2, "done"), (3, "open")] {
    ///     let (title, state) = (format!("Task {task_id}"), state.to_owned());
    ///     let (organization_id, project_id) = (organization_id.clone(), project_id.clone());
    ///     acme.put(&Task { organization_id, project_id, due_at, task_id, title, state }).send().await?;
    /// }
    /// let open = TasksDue { project_id, since: due_at, end, state: "open".to_owned() };
    /// let page = acme.query(open).limit(NonZeroU32::MIN).page().await?;
    /// assert_eq!((page.items.len(), page.items_read), (1, 3)); // the filter dropped two, and it was read on
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] when a key cannot be written, when the cursor is refused, and when the service refuses.
    pub async fn page(&self) -> Result<Page<Pattern::Item>, ReadError> {
        self.page_of(|item, _| item.into_item()).await
    }

    /// All items, if there are at most so many: nothing is left out silently, and no answer fills the memory.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # use std::num::NonZeroU32;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::ReadError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # acme.put(&team(1, "Analysts")).send().await?;
    /// # acme.put(&member(1, "ada")).send().await?;
    /// const HUNDRED: NonZeroU32 = NonZeroU32::new(100).unwrap();
    /// assert_eq!(acme.query(TeamWithMembers { team_id: 1 }).all(HUNDRED).await?.len(), 2);
    ///
    /// let refused = acme.query(TeamWithMembers { team_id: 1 }).all(NonZeroU32::MIN).await;
    /// assert!(matches!(refused, Err(ReadError::TooMany { at_most: 1, .. })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError::TooMany`] if there are more; [`ReadError::OutOfTime`] if the store's
    /// [`RetryPolicy::overall`](crate::RetryPolicy::overall) was over first; [`ReadError`] as for [`Query::page`], for a request that failed
    /// whatever was read before, and for an item that does not decode.
    pub async fn all(mut self, at_most: NonZeroU32) -> Result<Vec<Pattern::Item>, ReadError> {
        // One more tells whether there are more.
        self.limit = Some(at_most.saturating_add(1));
        let Some(prepared) = self.prepare()? else { return Ok(Vec::new()) };
        let start = self
            .after
            .as_ref()
            .map(|cursor| self.open_cursor(&self.context(&prepared), cursor))
            .transpose()?;
        let filled = self.page_from(prepared, start, |item, _| item.into_item()).await?;
        filled.all::<Pattern>(at_most)
    }

    /// One page of what `give` makes of each item and of where it is from.
    pub(super) async fn page_of<Given>(
        &self,
        give: impl Fn(Stored<Pattern::Item>, Origin) -> Given,
    ) -> Result<Page<Given>, ReadError> {
        let Some(prepared) = self.prepare()? else { return Ok(Page::empty()) };
        let context = self.context(&prepared);
        let start = self.after.as_ref().map(|cursor| self.open_cursor(&context, cursor)).transpose()?;
        let (mut page, next) = self.page_from(prepared, start, give).await?.page(Pattern::SHAPE.name);
        page.next = next.map(|next| self.seal_cursor(&context, &next)).transpose()?;
        Ok(page)
    }

    /// One page from a start key, and the start key of the next one.
    pub(super) async fn page_from<Given>(
        &self,
        prepared: QueryFluentBuilder,
        start: Option<KeyAttributes>,
        give: impl Fn(Stored<Pattern::Item>, Origin) -> Given,
    ) -> Result<Filled<Given, KeyAttributes>, ReadError> {
        let span = trace::query(self.tenant.shared(), Pattern::SHAPE.name);
        self.fill_page(prepared, start, give).instrument(span).await
    }

    /// What was prepared before, once more.
    fn prepare_again(&self) -> Result<QueryFluentBuilder, ReadError> {
        match self.prepare()? {
            Some(prepared) => Ok(prepared),
            None => unreachable!("there is something in the range of a pattern, or there is not"),
        }
    }

    async fn fill_page<Given>(
        &self,
        prepared: QueryFluentBuilder,
        start: Option<KeyAttributes>,
        give: impl Fn(Stored<Pattern::Item>, Origin) -> Given,
    ) -> Result<Filled<Given, KeyAttributes>, ReadError> {
        let decoder = Decoder::<TableType>::new(self.tenant.shared(), self.tenant.identity())
            .of_pattern(&Pattern::SHAPE);
        let limit = self.limit_of_items();
        let excluded = ExcludedBounds::of(&self.pattern)?;
        let key = PartitionKeyRead::of::<Pattern>(&prepared, &self.tenant.shared().counters);
        // Nearly all pages take one request: others are made when they are needed.
        let mut prepared = Some(prepared);
        let mut page = Page::empty();
        let mut next = start;
        // What a filter drops is not known beforehand: each further request reads twice as much.
        let mut reads = limit;
        let mut requests = 0;
        let deadline = Deadline::of_call(self.tenant.shared());
        loop {
            let start = next.take();
            let send = || {
                let (prepared, start) =
                    (prepared.take().map_or_else(|| self.prepare_again(), Ok), start.clone());
                async move {
                    request(prepared.map_err(SdkError::construction_failure)?, start, reads).send().await
                }
            };
            let counted_as = CountedAs::Read(Pattern::SHAPE.name);
            let output = match retry::read(self.tenant.shared(), counted_as, deadline, send).await {
                Ok(output) => output,
                Err(error) if requests > 0 && error.problem().is_passing() => {
                    return Ok(Filled { page, next: start, ended_by: Some(error.into()) });
                }
                Err(error) => return Err(error.into()),
            };
            let units =
                output.consumed_capacity.as_ref().and_then(|units| units.capacity_units).unwrap_or(0.0);
            let items_read = u64::try_from(output.scanned_count).unwrap_or(0);
            let given_before = page.items.len();
            page.read_units += units;
            page.items_read += items_read;
            next = output.last_evaluated_key.filter(|key| !key.is_empty());
            let mut items = output.items.unwrap_or_default().into_iter();
            page.items.reserve(
                limit.map_or(items.len(), |limit| items.len().min(limit.saturating_sub(given_before))),
            );
            let mut end = None;
            while let Some(attributes) = items.next() {
                if excluded.has(&attributes) {
                    continue;
                }
                // Where the next page begins if this item fills this one, and there are more in the answer.
                let may_be_last = limit.is_some_and(|limit| page.items.len() + 1 >= limit);
                let place =
                    (may_be_last && !items.as_slice().is_empty()).then(|| self.start_key_at(&attributes));
                match decoder.decode(attributes, |discriminator, source| Pattern::read(discriminator, source))
                {
                    Ok(Decoded::Item(item, origin)) => page.items.push(Ok(give(item, origin))),
                    Ok(Decoded::Skipped | Decoded::Expired) => {}
                    Err(error) => page.items.push(Err(error)),
                }
                if limit.is_some_and(|limit| page.items.len() >= limit) {
                    end = Some(place.unwrap_or_else(|| next.take()));
                    break;
                }
            }
            let items_given = (page.items.len() - given_before) as u64;
            key.count(&self.tenant.shared().counters, units);
            self.tenant.shared().counters.read(Pattern::SHAPE.name, |usage| {
                usage.requests += 1;
                usage.units += units;
                usage.items_read += items_read;
                usage.items_given += items_given;
            });
            requests += 1;
            trace::record_read(requests, page.read_units, page.items_read, page.items.len() as u64);
            if let Some(end) = end {
                return Ok(Filled { page, next: end, ended_by: None });
            }
            if limit.is_none() || next.is_none() {
                return Ok(Filled { page, next, ended_by: None });
            }
            if deadline.is_over(self.tenant.shared()) {
                let ended_by = Some(ReadError::OutOfTime { pattern: Pattern::SHAPE.name });
                return Ok(Filled { page, next, ended_by });
            }
            reads = reads.map(|reads| reads.saturating_mul(2));
        }
    }
}

/// One request of a page: from a start key, reading at most so many items.
pub(super) fn request(
    prepared: QueryFluentBuilder,
    start: Option<KeyAttributes>,
    reads: Option<usize>,
) -> QueryFluentBuilder {
    prepared
        .set_exclusive_start_key(start)
        .set_limit(reads.map(|reads| i32::try_from(reads).unwrap_or(i32::MAX)))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
}
