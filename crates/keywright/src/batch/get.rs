//! BatchGetItem: any number of items by their whole keys.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
use keywright_key::Components;
use keywright_key::declare::{NamesItem, ReadItems, Table};

use super::asked::{Asked, LIMITS, read, request};
use super::budget::{BatchBudget, BatchProgress, Settings};
use super::call::Taken;
use super::error::{BatchError, BatchItemError, Fate, LeftMember, Unfinished};
use super::member::{BatchMember, check_keys};
use super::queue::Queue;
use super::run::run;
use crate::retry::CountedAs;
use crate::stored::Stored;
use crate::tenant::Tenant;
use crate::trace;

/// Items that are about to be read by their whole keys: any number.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(7, "Analysts")).send().await?;
///
/// let read = acme.batch_get((0..150).map(|team_id| TeamById { team_id })).send().await?;
/// let teams = read.into_items()?; // one for each key, in their order; none for a team that is not there
/// assert_eq!(teams.len(), 150);
/// assert_eq!(teams[7].as_ref().map(|team| team.name.as_str()), Some("Analysts"));
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is read before it is sent"]
pub struct BatchGet<'p, Pattern: ReadItems> {
    tenant: Tenant<Pattern::Table>,
    asked: Vec<Asked>,
    /// The first key that cannot be written.
    problem: Option<BatchError>,
    settings: Settings<'p>,
    pattern: PhantomData<fn() -> Pattern>,
}

/// What a batch read.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&team(2, "Analysts")).send().await?;
/// let read = acme.batch_get((1..=3).map(|team_id| TeamById { team_id })).send().await?;
/// assert!(read.unfinished().is_none());
/// assert_eq!((read.items.len(), read.calls), (3, 1));
/// let teams = read.into_items()?;
/// assert_eq!(teams.iter().flatten().count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct BatchRead<Item> {
    /// For each key, in the order in which they were given: the item, none if it is not there or its time is over, or why that is not
    /// known.
    pub items: Vec<Result<Option<Stored<Item>>, BatchItemError>>,
    /// How many calls it took.
    pub calls: u64,
    /// The read units that it took, as far as answers said so.
    pub read_units: f64,
    unfinished: Option<Unfinished>,
}

impl<Item> BatchRead<Item> {
    /// What is left after the last try, if something is.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchGetItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::{BatchBudget, BatchItemError};
    /// # let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchGetItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let once = BatchBudget { tries: NonZeroU32::MIN, ..BatchBudget::default() };
    /// let read = acme.batch_get((1..=30).map(|team_id| TeamById { team_id })).budget(once).send().await?;
    /// let unfinished = read.unfinished().ok_or("the service gave a key back")?;
    /// assert_eq!((unfinished.done(), unfinished.left().len()), (29, 1));
    /// let place = unfinished.left()[0].member.position();
    /// assert!(matches!(read.items[place], Err(BatchItemError::Left(_))));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn unfinished(&self) -> Option<&Unfinished> {
        self.unfinished.as_ref()
    }

    /// For each key the item, or none if it is not there.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchGetItem;
    /// # use keywright_embedded::engine::faults::{Fault, Rule, When};
    /// use std::num::NonZeroU32;
    ///
    /// use keywright::{BatchBudget, BatchError};
    /// # let rule = Rule::new(Fault::Unprocessed { share: 0.01 }).operation(BatchGetItem).when(When::First(1));
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let teams = || acme.batch_get((1..=30).map(|team_id| TeamById { team_id }));
    /// let once = BatchBudget { tries: NonZeroU32::MIN, ..BatchBudget::default() };
    /// let read = teams().budget(once).send().await?;
    /// assert!(matches!(read.into_items(), Err(BatchError::Unfinished(_)))); // not read is not the same as not there
    /// assert!(teams().send().await?.into_items()?.iter().all(Option::is_none));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Unfinished`] if something was not read, else [`BatchError::Item`] for the first item that is not what it should be.
    pub fn into_items(self) -> Result<Vec<Option<Stored<Item>>>, BatchError> {
        if let Some(unfinished) = self.unfinished {
            return Err(BatchError::Unfinished(unfinished));
        }
        self.items
            .into_iter()
            .map(|item| {
                item.map_err(|error| match error {
                    BatchItemError::Item(error) => BatchError::Item(error),
                    BatchItemError::Left(_) => unreachable!("nothing is left"),
                    BatchItemError::Key(..) => unreachable!("keys are looked at before anything is sent"),
                })
            })
            .collect()
    }
}

impl<'p, TableType, Pattern> BatchGet<'p, Pattern>
where
    TableType: Table,
    Pattern: ReadItems<Table = TableType> + NamesItem + Components,
{
    /// How long it is tried. By default as [`BatchBudget::default`] says.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use keywright_api::Operation::BatchGetItem;
    /// # use keywright_api::ThrottlingLimit;
    /// # use keywright_embedded::engine::faults::{Fault, Rule};
    /// use std::num::NonZeroU32;
    /// use std::time::Duration;
    ///
    /// use keywright::{BatchBudget, Unfinished, UnfinishedReason};
    /// # let rule = Rule::new(Fault::Throttle(ThrottlingLimit::AccountLimit)).operation(BatchGetItem);
    /// # let store = store_with_fault(rule).await?;
    /// # let acme = acme(&store)?;
    /// let hasty = BatchBudget { tries: NonZeroU32::MIN.saturating_add(1), overall: Duration::from_secs(2) };
    /// let read = acme.batch_get([TeamById { team_id: 1 }]).budget(hasty).send().await?;
    /// assert_eq!(read.unfinished().map(Unfinished::reason), Some(UnfinishedReason::Tries));
    /// assert_eq!(read.calls, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn budget(mut self, budget: BatchBudget) -> BatchGet<'p, Pattern> {
        self.settings.budget = budget;
        self
    }

    /// How many calls are made at once; four by default.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::num::NonZeroUsize;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut done = Vec::new();
    /// let teams = (1..=250).map(|team_id| TeamById { team_id });
    /// // One after the other, for a table that others need now.
    /// let read = acme.batch_get(teams).calls_in_flight(NonZeroUsize::MIN).on_progress(|progress| done.push(progress.done));
    /// assert_eq!(read.send().await?.calls, 3);
    /// assert_eq!(done, [100, 200, 250]);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn calls_in_flight(mut self, calls: NonZeroUsize) -> BatchGet<'p, Pattern> {
        self.settings.in_flight = calls;
        self
    }

    /// Tells how far it is, after every call.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut percent = 0;
    /// let teams = acme.batch_get((1..=250).map(|team_id| TeamById { team_id }));
    /// teams.on_progress(|progress| percent = progress.done * 100 / progress.total).send().await?;
    /// assert_eq!(percent, 100);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, tell: impl FnMut(BatchProgress) + Send + 'p) -> BatchGet<'p, Pattern> {
        self.settings.on_progress = Some(Mutex::new(Box::new(tell)));
        self
    }

    /// The requests that would be sent first, for a look at them: what comes back is sent again, in others.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let requests = acme.batch_get((1..=130).map(|team_id| TeamById { team_id })).requests()?;
    /// let keys = requests.iter().flat_map(|request| request.request_items()).flatten();
    /// assert_eq!(keys.map(|(_, of_table)| of_table.keys().len()).collect::<Vec<_>>(), [100, 30]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BatchError`] when nothing would be sent.
    pub fn requests(&self) -> Result<Vec<BatchGetItemInput>, BatchError> {
        self.check()?;
        let mut queue = Queue::new(self.wire_bytes(), self.settings.budget);
        let chunks = std::iter::from_fn(|| queue.take(LIMITS));
        Ok(chunks
            .map(|chunk| {
                let asked = chunk.members.iter().filter_map(|member| self.asked.get(member.position));
                let keys = asked.map(|asked| asked.now().clone()).collect();
                match request::<TableType, Pattern>(self.tenant.shared(), keys).as_input().clone().build() {
                    Ok(input) => input,
                    Err(_) => unreachable!("`request` gives what BatchGetItem needs"),
                }
            })
            .collect())
    }

    /// Reads everything, as far as it can be had: what is left after the last try is an error in its place.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::BatchError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.batch_put(&[team(1, "Analysts"), team(3, "Testers")]).send().await?;
    /// let read = acme.batch_get([3, 2, 1].map(|team_id| TeamById { team_id })).send().await?;
    /// let names: Vec<Option<&str>> =
    ///     read.items.iter().map(|team| team.as_ref().ok()?.as_ref().map(|team| team.name.as_str())).collect();
    /// assert_eq!(names, [Some("Testers"), None, Some("Analysts")]);
    ///
    /// let nobody = MemberById { team_id: 1, user_id: String::new() };
    /// assert!(matches!(acme.batch_get([nobody]).send().await, Err(BatchError::Member { .. }))); // and nothing was sent
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`BatchError`] when nothing was sent.
    pub async fn send(mut self) -> Result<BatchRead<Pattern::Item>, BatchError> {
        self.check()?;
        let settings = std::mem::take(&mut self.settings);
        let mut found = Vec::new();
        found.resize_with(self.asked.len(), || None);
        let (found, taken) = (Mutex::new(found), Taken::default());
        let send = async |positions: Vec<usize>| {
            let asked = positions.iter();
            let asked = asked.filter_map(|position| Some((*position, self.asked.get(*position)?))).collect();
            let answer = read::<TableType, Pattern>(&self.tenant, asked, &taken).await?;
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            for (position, item) in answer.found {
                if let Some(slot) = found.get_mut(position) {
                    *slot = Some(item);
                }
            }
            Ok(answer.left)
        };
        let shared = self.tenant.shared();
        let span = trace::batch(shared, "get", self.asked.len());
        let counted_as = |_: usize| CountedAs::Read(Pattern::SHAPE.name);
        let queue = run(shared, settings, LIMITS, span, self.wire_bytes(), counted_as, send).await;
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let items = found.into_iter().enumerate();
        let items = items
            .map(|(position, item)| item.unwrap_or_else(|| Err(BatchItemError::Left(self.name(position)))))
            .collect();
        let (more_calls, read_units) = taken.so_far();
        let calls = queue.calls + more_calls;
        let unfinished = (!queue.left.is_empty()).then(|| self.unfinished(queue, calls));
        Ok(BatchRead { items, calls, read_units, unfinished })
    }

    fn wire_bytes(&self) -> impl Iterator<Item = usize> {
        self.asked.iter().map(Asked::wire_bytes)
    }

    /// Everything that can be known before anything is sent.
    fn check(&self) -> Result<(), BatchError> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        check_keys(self.asked.iter().map(Asked::key), |position| self.name(position))
    }

    fn name(&self, position: usize) -> BatchMember {
        match self.asked.get(position) {
            Some(asked) => asked.name(position, self.tenant.shared().keys_in_errors),
            None => unreachable!("places are those of keys"),
        }
    }

    fn unfinished(&self, queue: Queue, calls: u64) -> Unfinished {
        let left = queue.left.iter().map(|left| LeftMember {
            member: self.name(left.position),
            // Reading changes nothing.
            fate: Fate::NoEffect,
        });
        Unfinished {
            done: queue.done,
            calls,
            reason: queue.reason(),
            left: left.collect(),
            source: queue.last_error,
        }
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// The items that these patterns name, any number.
    ///
    /// Patterns whose key does not hold the tenant can be among what is read; what they find of other tenants is an error in its place.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::BatchItemError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// # let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    /// # let link = |token: &str, organization: &str| ShareToken {
    /// #     token: token.to_owned(),
    /// #     organization_id: OrganizationId(organization.to_owned()),
    /// #     team_id: 1,
    /// #     expires_at: 4_000_000_000,
    /// # };
    /// acme.put(&link("t-1", "acme")).send().await?;
    /// globex.put(&link("t-2", "globex")).send().await?;
    /// let links = ["t-1", "t-2"].map(|token| ShareByToken { token: token.to_owned() });
    /// let read = acme.batch_get(links).send().await?;
    /// assert!(matches!(&read.items[..], [Ok(Some(_)), Err(BatchItemError::Item(_))])); // the second is another tenant's
    /// # Ok(())
    /// # }
    /// ```
    pub fn batch_get<'p, Pattern>(&self, patterns: impl IntoIterator<Item = Pattern>) -> BatchGet<'p, Pattern>
    where
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
    {
        let (mut asked, mut problem) = (Vec::new(), None);
        for (position, pattern) in patterns.into_iter().enumerate() {
            match Asked::of(self, &pattern) {
                Ok(item) => asked.push(item),
                Err(error) => {
                    let member = BatchMember::new(position, Pattern::SHAPE.name, None);
                    problem.get_or_insert(BatchError::Member { member, source: Box::new(error.into()) });
                }
            }
        }
        BatchGet { tenant: self.clone(), asked, problem, settings: Settings::default(), pattern: PhantomData }
    }
}

impl<Pattern: ReadItems> fmt::Debug for BatchGet<'_, Pattern> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BatchGet")
            .field("pattern", &Pattern::SHAPE.name)
            .field("keys", &self.asked.len())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
