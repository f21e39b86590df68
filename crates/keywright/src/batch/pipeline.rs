//! Members of a stream on their way: a window of them is in memory, the oldest first.
//!
//! A member is taken only while it is less than a window behind the oldest that is not finished, so that a stream is read no faster than
//! its members are accounted for. What comes back is gathered into full calls, as for a batch; whether two members with one key are
//! too close depends on their places in the stream, and never on how fast calls are.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use keywright_key::declare::Table;

use super::asked::Asked;
use super::budget::{BatchBudget, BatchProgress};
use super::change::Change;
use super::error::{Fate, UnfinishedReason};
use super::queue::{CameBack, Chunk, ChunkLimits, Queue};
use super::run::{Drawn, each_once};
use crate::error::ServiceError;
use crate::item::ItemKey;
use crate::retry::CountedAs;
use crate::tenant::Tenant;

/// What goes through a pipeline.
pub(super) trait Member: Send + Sync + 'static {
    fn key(&self) -> &ItemKey;
    fn wire_bytes(&self) -> usize;
    /// In whose name a call about it is counted.
    fn counted_as(&self) -> CountedAs;
}

/// What a call gave: for each finished member what it gave, and those that came back.
pub(super) struct Sent<Output> {
    pub(super) finished: Vec<(usize, Output)>,
    pub(super) left: CameBack,
}

/// Sends the members of one call.
pub(super) type Sender<Passing, Output> =
    Box<dyn Fn(Vec<(usize, Arc<Passing>)>) -> Sending<Result<Sent<Output>, ServiceError>> + Send>;
/// A call that is under way.
pub(super) type Sending<Answer> = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// How a stream goes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub(super) budget: BatchBudget,
    pub(super) in_flight: usize,
    pub(super) window: usize,
    pub(super) limits: ChunkLimits,
}

/// Members on their way.
pub(super) struct Pipeline<TableType, Passing, Output> {
    tenant: Tenant<TableType>,
    course: Course,
    send: Sender<Passing, Output>,
    queue: Queue,
    /// The members from the oldest that is not given out on.
    slots: VecDeque<Slot<Passing, Output>>,
    /// The place of the first of them.
    first: usize,
    /// The last place of each key of the last window.
    recent: HashMap<ItemKey, usize>,
    /// The keys of the last window with their places, in their order.
    recent_keys: VecDeque<(usize, ItemKey)>,
    calls: FuturesUnordered<Sending<Ended<Output>>>,
    /// Calls in a row that got nothing done.
    in_vain: u32,
    drawn: Drawn,
}

/// A call that has ended.
struct Ended<Output> {
    chunk: Chunk,
    names: Vec<CountedAs>,
    answer: Result<Sent<Output>, ServiceError>,
}

struct Slot<Passing, Output> {
    /// None for what was known before anything was sent.
    member: Option<Arc<Passing>>,
    state: State<Output>,
}

/// How far a member is.
pub(super) enum State<Output> {
    /// It waits, or is sent.
    UnderWay,
    /// The service answered for it.
    Finished(Output),
    /// It is not sent any more.
    Left(Fate),
}

impl<TableType, Passing, Output> Pipeline<TableType, Passing, Output>
where
    TableType: Table + 'static,
    Passing: Member,
    Output: Send + 'static,
{
    pub(super) fn new(
        tenant: Tenant<TableType>,
        course: Course,
        send: Sender<Passing, Output>,
    ) -> Pipeline<TableType, Passing, Output> {
        Pipeline {
            tenant,
            queue: Queue::empty(course.budget),
            course,
            send,
            slots: VecDeque::new(),
            first: 0,
            recent: HashMap::new(),
            recent_keys: VecDeque::new(),
            calls: FuturesUnordered::new(),
            in_vain: 0,
            drawn: Drawn::default(),
        }
    }

    /// The place of the next member.
    pub(super) fn next_position(&self) -> usize {
        self.first + self.slots.len()
    }

    /// Whether one more member can be taken.
    pub(super) fn has_room(&self) -> bool {
        !self.queue.is_ended() && self.slots.len() < self.course.window
    }

    /// Whether nothing is sent any more.
    pub(super) const fn is_ended(&self) -> bool {
        self.queue.is_ended()
    }

    /// Whether every member that was taken is given out.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The place of a member with this key that is less than a window before the next one.
    pub(super) fn close_by(&self, key: &ItemKey) -> Option<usize> {
        let last = self.recent.get(key).copied();
        last.filter(|last| last.saturating_add(self.course.window) > self.next_position())
    }

    /// Whether a member with this key is under way.
    pub(super) fn is_under_way(&self, key: &ItemKey) -> bool {
        let slot = self.close_by(key).and_then(|position| self.slots.get(position.checked_sub(self.first)?));
        slot.is_some_and(|slot| matches!(slot.state, State::UnderWay))
    }

    /// Takes one more member.
    pub(super) fn push(&mut self, member: Passing) {
        let position = self.next_position();
        while let Some((oldest, _)) = self.recent_keys.front()
            && oldest.saturating_add(self.course.window) <= position
            && let Some((oldest, key)) = self.recent_keys.pop_front()
        {
            if self.recent.get(&key) == Some(&oldest) {
                self.recent.remove(&key);
            }
        }
        self.recent.insert(member.key().clone(), position);
        self.recent_keys.push_back((position, member.key().clone()));
        self.queue.push(position, member.wire_bytes(), self.tenant.shared().clock.since_epoch());
        self.slots.push_back(Slot { member: Some(Arc::new(member)), state: State::UnderWay });
        self.start(Fullness::Full);
    }

    /// Takes a place for what is known to give this: nothing is sent for it.
    pub(super) fn push_finished(&mut self, output: Output) {
        self.slots.push_back(Slot { member: None, state: State::Finished(output) });
    }

    /// The oldest member, if it is not under way any more.
    pub(super) fn pop(&mut self) -> Option<(usize, Option<Arc<Passing>>, State<Output>)> {
        if matches!(self.slots.front()?.state, State::UnderWay) {
            return None;
        }
        let Slot { member, state } = self.slots.pop_front()?;
        let position = self.first;
        self.first += 1;
        Some((position, member, state))
    }

    /// Waits for a call to end; nothing more comes of what waits until it is sent in calls that are not full.
    pub(super) fn poll_call(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.start(Fullness::Any);
        match self.calls.poll_next_unpin(context) {
            Poll::Ready(Some(ended)) => {
                self.take_in(ended);
                Poll::Ready(())
            }
            // The chunks that were left without a call are given out.
            Poll::Ready(None) => match self.slots.front() {
                Some(Slot { state: State::UnderWay, .. }) | None => Poll::Pending,
                Some(_) => Poll::Ready(()),
            },
            Poll::Pending => Poll::Pending,
        }
    }

    pub(super) const fn progress(&self) -> BatchProgress {
        self.queue.progress()
    }

    /// Calls, why it ended, and the last error.
    pub(super) fn end(self) -> (usize, u64, UnfinishedReason, Option<ServiceError>) {
        (self.queue.done, self.queue.calls, self.queue.reason(), self.queue.last_error)
    }

    /// Starts calls, as many as may be under way.
    fn start(&mut self, fullness: Fullness) {
        while self.calls.len() < self.course.in_flight
            && (fullness == Fullness::Any || self.queue.waiting() >= self.course.limits.members)
        {
            let Some(chunk) = self.queue.take(self.course.limits) else { return };
            let pause = self.drawn.pause(self.tenant.shared(), chunk.tries().max(self.in_vain));
            let until = self.tenant.shared().clock.since_epoch().saturating_add(pause);
            if until > chunk.since().saturating_add(self.course.budget.overall) {
                self.queue.leave(chunk);
                self.mark_left();
                return;
            }
            let members: Vec<(usize, Arc<Passing>)> = chunk
                .members
                .iter()
                .filter_map(|member| {
                    let slot = self.slots.get(member.position.checked_sub(self.first)?)?;
                    Some((member.position, Arc::clone(slot.member.as_ref()?)))
                })
                .collect();
            let names = each_once(members.iter().map(|(_, member)| member.counted_as()));
            if chunk.tries() > 0 {
                names.iter().for_each(|name| self.tenant.shared().counters.retry(*name));
            }
            let (sent, tenant) = ((self.send)(members), self.tenant.clone());
            self.calls.push(Box::pin(async move {
                tenant.shared().sleep(pause).await;
                Ended { chunk, names, answer: sent.await }
            }));
        }
    }

    fn take_in(&mut self, Ended { chunk, names, answer }: Ended<Output>) {
        self.drawn.count(self.tenant.shared(), names, answer.as_ref().err());
        let answer = answer.map(|sent| {
            self.in_vain = if sent.finished.is_empty() { self.in_vain.saturating_add(1) } else { 0 };
            for (position, output) in sent.finished {
                let place = position.checked_sub(self.first);
                if let Some(slot) = place.and_then(|place| self.slots.get_mut(place)) {
                    slot.state = State::Finished(output);
                }
            }
            sent.left
        });
        if answer.is_err() {
            self.in_vain = self.in_vain.saturating_add(1);
        }
        self.queue.take_in(chunk, answer);
        self.mark_left();
    }

    /// Gives out what the queue leaves.
    fn mark_left(&mut self) {
        for left in self.queue.left.drain(..) {
            let place = left.position.checked_sub(self.first);
            if let Some(slot) = place.and_then(|place| self.slots.get_mut(place)) {
                slot.state = State::Left(left.fate());
            }
        }
    }
}

/// Which calls are started.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fullness {
    /// Those that are full.
    Full,
    /// Others, too.
    Any,
}

impl Member for Change {
    fn key(&self) -> &ItemKey {
        Change::key(self)
    }

    fn wire_bytes(&self) -> usize {
        Change::wire_bytes(self)
    }

    fn counted_as(&self) -> CountedAs {
        CountedAs::Write(self.entity)
    }
}

impl Member for Asked {
    fn key(&self) -> &ItemKey {
        Asked::key(self)
    }

    fn wire_bytes(&self) -> usize {
        Asked::wire_bytes(self)
    }

    fn counted_as(&self) -> CountedAs {
        CountedAs::Read(self.pattern())
    }
}
