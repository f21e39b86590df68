//! One page over several shards.

use std::num::NonZeroU32;

use futures_util::{StreamExt, TryStreamExt, stream};
use keywright_key::Components;
use keywright_key::declare::{ReadItems, Table};
use tracing::Instrument;

use super::FannedOut;
use super::merge::{Shard, Step, position, read_up_to, step};
use super::plan::Plan;
use super::position::MergePosition;
use crate::cursor::CursorError;
use crate::error::{ReadError, ServiceError};
use crate::item::{Decoded, Decoder, Origin};
use crate::query::Page;
use crate::query::filled::Filled;
use crate::query::partition::global_index;
use crate::retry::{self, CountedAs, Deadline};
use crate::stored::Stored;
use crate::trace;

impl<TableType, Pattern> FannedOut<Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + Components,
{
    /// One page, in the order of the sort key over all shards: up to the limit, if there is one, else as far as one request to each
    /// shard reads.
    ///
    /// With a limit, requests are made until so many items are found or none are left, as for [`Query::page`](crate::Query::page). What
    /// was read and does not fit the page is read again for the next one.
    ///
    /// As there, a page ends earlier, with a cursor, where the store's [`RetryPolicy::overall`](crate::RetryPolicy::overall) is over, and where
    /// a request fails for a while after each shard was asked once. It ends where all shards were read up to, so nothing is left out.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=5 { acme.put(&event("news", number)).send().await?; }
    /// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
    /// let page = acme.query_sharded(EventsOfTopic { topic: "news".to_owned() }).limit(TWO).page().await?;
    /// assert_eq!((page.read_units, page.has_more()), (2.0, true)); // half a unit in each of four shards
    /// let numbers: Vec<u64> = page.into_items()?.iter().map(|event| event.number).collect();
    /// assert_eq!(numbers, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] when a key cannot be written, when the cursor is refused, and when the service refuses, throttles or does not answer
    /// the first request to one of the shards: the others alone would be a page with holes.
    pub async fn page(&self) -> Result<Page<Pattern::Item>, ReadError> {
        self.page_of(|item, _| item.into_item()).await
    }

    /// All items, if there are at most so many: nothing is left out silently, and no answer fills the memory.
    ///
    /// ```
    /// # use applications::feed::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::num::NonZeroU32;
    /// use keywright::ReadError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # for number in 1..=5 { acme.put(&event("news", number)).send().await?; }
    /// const HUNDRED: NonZeroU32 = NonZeroU32::new(100).unwrap();
    /// let news = || acme.query_sharded(EventsOfTopic { topic: "news".to_owned() });
    /// assert_eq!(news().all(HUNDRED).await?.len(), 5);
    /// let refused = news().all(NonZeroU32::MIN).await;
    /// assert!(matches!(refused, Err(ReadError::TooMany { pattern: "EventsOfTopic", at_most: 1 })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ReadError::TooMany`] if there are more; [`ReadError::OutOfTime`] if the store's
    /// [`RetryPolicy::overall`](crate::RetryPolicy::overall) was over first; [`ReadError`] as for [`FannedOut::page`], for a request that failed
    /// whatever was read before, and for an item that does not decode.
    pub async fn all(mut self, at_most: NonZeroU32) -> Result<Vec<Pattern::Item>, ReadError> {
        // One more tells whether there are more.
        self.query.limit = Some(at_most.saturating_add(1));
        let Some(plan) = Plan::of(&self.query)? else { return Ok(Vec::new()) };
        let start = self.start(&plan)?;
        let filled = self.page_from(&plan, start.as_ref(), |item, _| item.into_item()).await?;
        filled.all::<Pattern>(at_most)
    }

    /// One page of what `give` makes of each item and of where it is from.
    async fn page_of<Given>(
        &self,
        give: impl Fn(Stored<Pattern::Item>, Origin) -> Given,
    ) -> Result<Page<Given>, ReadError> {
        let Some(plan) = Plan::of(&self.query)? else { return Ok(Page::empty()) };
        let start = self.start(&plan)?;
        let filled = self.page_from(&plan, start.as_ref(), give).await?;
        Ok(self.sealed(&plan, filled)?.0)
    }

    /// Where the cursor that was given says that the page begins.
    pub(super) fn start(&self, plan: &Plan) -> Result<Option<MergePosition>, ReadError> {
        let Some(cursor) = &self.query.after else { return Ok(None) };
        let position = self.query.open_cursor(&self.query.context(&plan.prepared), cursor)?;
        Ok(Some(MergePosition::read(&position, plan)?))
    }

    /// A page with the cursor of the next one, and where that begins.
    pub(super) fn sealed<Given>(
        &self,
        plan: &Plan,
        mut filled: Filled<Given, MergePosition>,
    ) -> Result<(Page<Given>, Option<MergePosition>), ReadError> {
        let context = self.query.context(&plan.prepared);
        let seal = |next: &MergePosition| self.query.seal_cursor(&context, &next.write(plan));
        let sealed = filled.next.as_ref().map(seal).transpose();
        if let Err(CursorError::TooLong) = sealed
            && let Some(ended_by) = filled.ended_by.take()
        {
            // It ended where too many shards are in the middle of equal sort keys, and would at each repetition: more time is what helps.
            return Err(ended_by);
        }
        let (mut page, next) = filled.page(Pattern::SHAPE.name);
        page.next = sealed?;
        Ok((page, next))
    }

    /// One page from a position, and the position of the next one.
    pub(super) async fn page_from<Given>(
        &self,
        plan: &Plan,
        start: Option<&MergePosition>,
        give: impl Fn(Stored<Pattern::Item>, Origin) -> Given,
    ) -> Result<Filled<Given, MergePosition>, ReadError> {
        let span = trace::query(self.query.tenant.shared(), Pattern::SHAPE.name);
        let mut shards = plan.shards(start, self.query.limit_of_items());
        self.fill_page(plan, &mut shards, give).instrument(span).await
    }

    async fn fill_page<Given>(
        &self,
        plan: &Plan,
        shards: &mut [Shard],
        give: impl Fn(Stored<Pattern::Item>, Origin) -> Given,
    ) -> Result<Filled<Given, MergePosition>, ReadError> {
        let tenant = &self.query.tenant;
        let decoder =
            Decoder::<TableType>::new(tenant.shared(), tenant.identity()).of_pattern(&Pattern::SHAPE);
        let limit = self.query.limit_of_items();
        let mut page = Page::empty();
        let mut requests = 0;
        let mut ended_by = None;
        let deadline = Deadline::of_call(tenant.shared());
        let end = loop {
            let attributes = match step(plan, shards) {
                Step::Give(attributes) => attributes,
                Step::End => break None,
                Step::Read(waiting) => {
                    // Every shard was read once, so all are read up to somewhere.
                    let can_end = requests > 0;
                    if can_end && ended_by.is_none() && limit.is_some() && deadline.is_over(tenant.shared()) {
                        ended_by = Some(ReadError::OutOfTime { pattern: Pattern::SHAPE.name });
                    }
                    if can_end && (limit.is_none() || ended_by.is_some()) {
                        break read_up_to(plan, shards).and_then(|read| position(plan, shards, read));
                    }
                    requests += waiting.len() as u64;
                    match self.read(plan, shards, waiting, &mut page, deadline).await {
                        Err(error) if can_end && error.problem().is_passing() => {
                            ended_by = Some(error.into())
                        }
                        read => read?,
                    }
                    continue;
                }
            };
            let at = limit.is_some_and(|limit| page.items.len() + 1 >= limit);
            let at = at.then(|| plan.sort_key_of(&attributes).to_owned());
            match decoder.decode(attributes, |discriminator, source| Pattern::read(discriminator, source)) {
                Ok(Decoded::Item(item, origin)) => page.items.push(Ok(give(item, origin))),
                Ok(Decoded::Skipped | Decoded::Expired) => continue,
                Err(error) => page.items.push(Err(error)),
            }
            if let Some(sort_key) = at {
                // It is full, whatever a request met meanwhile.
                ended_by = None;
                break position(plan, shards, &sort_key);
            }
        };
        let items_given = page.items.len() as u64;
        tenant.shared().counters.read(Pattern::SHAPE.name, |usage| usage.items_given += items_given);
        trace::record_read(requests, page.read_units, page.items_read, items_given);
        Ok(Filled { page, next: end, ended_by })
    }

    /// Reads these shards, a few at once, and counts what each took.
    async fn read<Given>(
        &self,
        plan: &Plan,
        shards: &mut [Shard],
        waiting: Vec<usize>,
        page: &mut Page<Given>,
        deadline: Deadline,
    ) -> Result<(), ServiceError> {
        let requests: Vec<_> = waiting
            .into_iter()
            .filter_map(|place| Some((place, shards.get(place)?.request(plan)?)))
            .collect();
        let shared = self.query.tenant.shared();
        let counted_as = CountedAs::Read(Pattern::SHAPE.name);
        let sent = stream::iter(requests).map(|(place, request)| async move {
            let output = retry::read(shared, counted_as, deadline, || request.clone().send()).await?;
            Ok::<_, ServiceError>((place, output))
        });
        let mut answers = sent.buffer_unordered(self.in_flight.get());
        while let Some((place, output)) = answers.try_next().await? {
            let units =
                output.consumed_capacity.as_ref().and_then(|units| units.capacity_units).unwrap_or(0.0);
            let items_read = u64::try_from(output.scanned_count).unwrap_or(0);
            page.read_units += units;
            page.items_read += items_read;
            let counters = &shared.counters;
            if let Some(shard) = shards.get(place) {
                counters.key(global_index::<Pattern>(), counters.hash(&[shard.key()]), units);
            }
            counters.read(Pattern::SHAPE.name, |usage| {
                usage.requests += 1;
                usage.units += units;
                usage.items_read += items_read;
            });
            if let Some(shard) = shards.get_mut(place) {
                shard.take_in(output);
            }
        }
        Ok(())
    }
}
