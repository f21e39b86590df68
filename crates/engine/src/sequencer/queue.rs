//! The writes that wait, and who decides next.
//!
//! Invariants: one leads at a time; a write that is queued while somebody leads is decided by that one, or by the thread, which is woken
//! for what is left when leadership is given back; a leader who is ended by a panic closes the queue, and what waits is answered so.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A group ends at this many writes, so that the first of them does not wait for ever.
const GROUP_WRITES: usize = 1024;

#[derive(Debug)]
pub(super) struct Queue<Job> {
    pending: Mutex<Pending<Job>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Pending<Job> {
    jobs: VecDeque<Job>,
    is_led: bool,
    /// The thread waits for who leads: no caller leads before it.
    is_threads_turn: bool,
    has_background: bool,
    closed: bool,
}

/// What became of a write that was to be queued.
#[derive(Debug)]
pub(super) enum Pushed<'queue, Job> {
    /// The queue is closed.
    Refused,
    /// Another one decides it.
    Waits,
    /// Who queued it decides it, in this group.
    Leads(Leadership<'queue, Job>, Vec<Job>),
}

/// What the thread does next.
#[derive(Debug)]
pub(super) enum Work<Job> {
    Group(Vec<Job>),
    /// No write waits, and something else does.
    Background,
}

/// Whether somebody should go on after leadership was given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Rest {
    Waits,
    Nothing,
}

impl<Job> Queue<Job> {
    pub(super) fn new(has_background: bool) -> Queue<Job> {
        let pending = Pending {
            jobs: VecDeque::new(),
            is_led: false,
            is_threads_turn: false,
            has_background,
            closed: false,
        };
        Queue { pending: Mutex::new(pending), changed: Condvar::new() }
    }

    /// Queues a write. Who may lead does so if nobody else does, and it is not the thread's turn.
    pub(super) fn push(&self, job: Job, may_lead: bool) -> Pushed<'_, Job> {
        let mut pending = self.lock();
        if pending.closed {
            return Pushed::Refused;
        }
        pending.jobs.push_back(job);
        if pending.is_led {
            return Pushed::Waits;
        }
        if may_lead && !pending.is_threads_turn {
            let (leadership, jobs) = self.take_group(&mut pending);
            return Pushed::Leads(leadership, jobs);
        }
        drop(pending);
        self.wake();
        Pushed::Waits
    }

    /// What the thread does next, once there is something to do and nobody leads; `None` when the queue is closed and empty.
    pub(super) fn next(&self) -> Option<(Leadership<'_, Job>, Work<Job>)> {
        let mut pending = self.lock();
        loop {
            // Callers who lead one after the other would leave it no room for what is done in the background.
            pending.is_threads_turn = pending.is_led && pending.has_background;
            if !pending.is_led {
                if !pending.jobs.is_empty() {
                    let (leadership, jobs) = self.take_group(&mut pending);
                    return Some((leadership, Work::Group(jobs)));
                }
                if pending.closed {
                    return None;
                }
                if pending.has_background {
                    pending.is_led = true;
                    return Some((Leadership { queue: self, is_given_back: false }, Work::Background));
                }
            }
            pending = self.changed.wait(pending).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Refuses what comes from now on.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.wake();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Wakes the thread, which may have something to do.
    pub(super) fn wake(&self) {
        self.changed.notify_one();
    }

    fn take_group(&self, pending: &mut Pending<Job>) -> (Leadership<'_, Job>, Vec<Job>) {
        pending.is_led = true;
        (Leadership { queue: self, is_given_back: false }, pending.take_group())
    }

    fn lock(&self) -> MutexGuard<'_, Pending<Job>> {
        // The jobs are whole at every point where the lock can be lost.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Job> Pending<Job> {
    fn take_group(&mut self) -> Vec<Job> {
        let count = self.jobs.len().min(GROUP_WRITES);
        self.jobs.drain(..count).collect()
    }
}

/// Held by who decides.
#[derive(Debug)]
#[must_use]
pub(super) struct Leadership<'queue, Job> {
    queue: &'queue Queue<Job>,
    is_given_back: bool,
}

impl<Job> Leadership<'_, Job> {
    /// What queued up meanwhile, if anything did.
    pub(super) fn next_group(&self) -> Option<Vec<Job>> {
        let mut pending = self.queue.lock();
        (!pending.jobs.is_empty()).then(|| pending.take_group())
    }

    /// Lets others lead, and says whether something is left for them.
    pub(super) fn give_back(mut self, has_background: bool) -> Rest {
        self.is_given_back = true;
        let mut pending = self.queue.lock();
        pending.is_led = false;
        pending.has_background = has_background;
        match pending.jobs.is_empty() && !pending.closed && !has_background {
            true => Rest::Nothing,
            false => Rest::Waits,
        }
    }
}

impl<Job> Drop for Leadership<'_, Job> {
    /// Closes the queue where leadership was not given back: a panic ended it.
    fn drop(&mut self) {
        if self.is_given_back {
            return;
        }
        let mut pending = self.queue.lock();
        pending.closed = true;
        pending.is_led = false;
        let unanswered = std::mem::take(&mut pending.jobs);
        drop(pending);
        self.queue.wake();
        // Their callers wake up, which is not for the lock.
        drop(unanswered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(pushed: Pushed<'_, u32>) -> (Leadership<'_, u32>, Vec<u32>) {
        match pushed {
            Pushed::Leads(leadership, jobs) => (leadership, jobs),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn who_may_lead_leads_while_nobody_does_and_others_wait_for_that_one() {
        let queue = Queue::new(false);
        let (leadership, jobs) = leads(queue.push(1, true));
        assert_eq!(jobs, [1]);
        assert!(matches!(queue.push(2, true), Pushed::Waits));
        assert!(matches!(queue.push(3, true), Pushed::Waits));
        assert_eq!(leadership.next_group(), Some(vec![2, 3]));
        assert_eq!(leadership.next_group(), None);
        assert_eq!(leadership.give_back(false), Rest::Nothing);
        assert_eq!(leads(queue.push(4, true)).1, [4]);
    }

    #[test]
    fn what_is_left_when_leadership_is_given_back_is_the_threads() {
        let queue = Queue::new(false);
        let (leadership, _) = leads(queue.push(1, true));
        assert!(matches!(queue.push(2, true), Pushed::Waits));
        assert_eq!(leadership.give_back(true), Rest::Waits);
        let (leadership, work) = queue.next().unwrap();
        assert!(matches!(work, Work::Group(jobs) if jobs == [2]));
        let _ = leadership.give_back(true);
        let (leadership, work) = queue.next().unwrap();
        assert!(matches!(work, Work::Background));
        assert!(matches!(queue.push(3, true), Pushed::Waits), "the thread leads");
        let _ = leadership.give_back(false);
        let (leadership, _) = queue.next().unwrap();
        queue.close();
        assert_eq!(leadership.give_back(false), Rest::Waits);
        assert!(queue.next().is_none());
    }

    /// Callers who write without a pause led one after the other, and dropped tables were emptied by chance.
    #[test]
    fn the_thread_has_its_turn_when_something_waits_in_the_background() {
        let queue = Queue::new(true);
        let (leadership, work) = queue.next().unwrap();
        assert!(matches!(work, Work::Background));
        let _ = leadership.give_back(true);
        let (leadership, _) = leads(queue.push(1, true));
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let (leadership, work) = queue.next().unwrap();
                let _ = leadership.give_back(false);
                matches!(work, Work::Group(jobs) if jobs == [2])
            });
            while !queue.lock().is_threads_turn {
                std::thread::yield_now();
            }
            assert_eq!(leadership.give_back(true), Rest::Waits);
            assert!(matches!(queue.push(2, true), Pushed::Waits), "it is the thread's turn");
            assert!(thread.join().unwrap());
        });
        assert_eq!(leads(queue.push(3, true)).1, [3]);
    }

    #[test]
    fn the_thread_waits_until_a_caller_who_leads_gives_that_back() {
        let queue = Queue::new(false);
        let (leadership, _) = leads(queue.push(1, true));
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| match queue.next().unwrap() {
                (leadership, Work::Group(jobs)) => {
                    let _ = leadership.give_back(false);
                    jobs
                }
                other => panic!("{other:?}"),
            });
            assert!(matches!(queue.push(2, true), Pushed::Waits));
            assert_eq!(leadership.give_back(false), Rest::Waits);
            queue.wake();
            assert_eq!(thread.join().unwrap(), [2]);
        });
    }

    #[test]
    fn a_leader_who_panics_closes_the_queue_and_lets_go_of_what_waits() {
        let queue = Queue::new(false);
        let waiting = std::sync::Arc::new(());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _leads = queue.push(std::sync::Arc::clone(&waiting), true);
            let _waits = queue.push(std::sync::Arc::clone(&waiting), true);
            panic!("the leader's");
        }));
        assert!(panicked.is_err());
        assert_eq!(std::sync::Arc::strong_count(&waiting), 1);
        assert!(matches!(queue.push(waiting, true), Pushed::Refused));
        assert!(queue.is_closed() && queue.next().is_none());
    }

    #[test]
    fn a_group_ends_at_its_limit_and_the_rest_is_the_next() {
        let queue = Queue::new(false);
        let (leadership, _) = leads(queue.push(0, true));
        for number in 1..=GROUP_WRITES as u32 + 1 {
            assert!(matches!(queue.push(number, false), Pushed::Waits));
        }
        assert_eq!(leadership.next_group().unwrap().len(), GROUP_WRITES);
        assert_eq!(leadership.next_group(), Some(vec![GROUP_WRITES as u32 + 1]));
        let _ = leadership.give_back(false);
    }
}
