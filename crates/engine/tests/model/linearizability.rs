//! Whether a history of concurrent operations could have happened one operation at a time.
//!
//! An operation takes effect at one moment between its call and its answer. The search is that of Wing and Gong, with Lowe's
//! memory: no set of operations is tried twice from one state. It is exact, and fast as long as few operations overlap.

mod histories;

use std::collections::HashSet;
use std::fmt::{self, Debug};
use std::hash::Hash;

/// What an object does when nothing happens at the same time.
pub(crate) trait Specification {
    /// The object's state.
    type State: Clone + Eq + Hash;
    /// A call together with its answer.
    type Operation: Debug;

    /// The state afterwards, if the operation may answer as it did; `None` if it may not.
    fn apply(state: &Self::State, operation: &Self::Operation) -> Option<Self::State>;
}

/// An operation with its time; only the order of times counts, and no two are equal.
#[derive(Clone, Debug)]
pub(crate) struct Observed<Operation> {
    pub(crate) called: u64,
    /// `None` if nobody knows what became of it: it took effect at any time since, or never.
    pub(crate) answered: Option<u64>,
    pub(crate) operation: Operation,
}

/// A history that no sequence explains.
pub(crate) struct NotLinearizable {
    /// How many of the operations a sequence can begin with at most.
    pub(crate) longest: usize,
    /// What was left then, the first calls of it.
    pub(crate) left: String,
}

impl Debug for NotLinearizable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "after the best {} operations none fits of:\n{}", self.longest, self.left)
    }
}

/// Looks for a sequence of the operations that explains all answers and respects the order of those that did not overlap.
pub(crate) fn check<Object: Specification>(
    initial: Object::State,
    history: &[Observed<Object::Operation>],
) -> Result<(), NotLinearizable> {
    let mut events = Events::of(history);
    let mut state = initial;
    let mut done = Done::new(history.len());
    let mut tried = HashSet::new();
    let mut path: Vec<(usize, Object::State)> = Vec::new();
    let mut best = (0, done.clone());
    let mut place = events.first();
    while let Some(event) = events.at(place) {
        let next = match event {
            Event::Call(number) => Object::apply(&state, &history[number].operation).filter(|after| {
                done.insert(number);
                let is_new = tried.insert((done.clone(), after.clone()));
                if !is_new {
                    done.remove(number);
                }
                is_new
            }),
            // The operation ended, so that what comes after it cannot come before it: go back.
            Event::Answer => {
                let Some((number, before)) = path.pop() else {
                    return Err(NotLinearizable { longest: best.0, left: describe(history, &best.1) });
                };
                state = before;
                done.remove(number);
                events.put_back(number);
                place = events.after_call(number);
                continue;
            }
        };
        match (event, next) {
            (Event::Call(number), Some(after)) => {
                path.push((number, std::mem::replace(&mut state, after)));
                events.take(number);
                place = events.first();
                if path.len() > best.0 {
                    best = (path.len(), done.clone());
                }
            }
            _ => place = events.after(place),
        }
    }
    // Whatever is left has no answer, and need not have happened.
    Ok(())
}

fn describe<Operation: Debug>(history: &[Observed<Operation>], done: &Done) -> String {
    let mut left: Vec<_> = (0..history.len()).filter(|number| !done.contains(*number)).collect();
    left.sort_unstable_by_key(|number| history[*number].called);
    let line = |number: &usize| format!("  {:?}\n", history[*number]);
    left.iter().take(8).map(line).collect()
}

#[derive(Clone, Copy)]
enum Event {
    Call(usize),
    Answer,
}

/// Calls and answers in the order of time, as a list from which operations are taken and put back.
struct Events {
    /// `None` is the end of the list.
    events: Vec<Option<Event>>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Where each operation's call and answer are.
    places: Vec<(usize, Option<usize>)>,
}

impl Events {
    fn of<Operation>(history: &[Observed<Operation>]) -> Events {
        let calls =
            history.iter().enumerate().map(|(number, seen)| (seen.called, number, Event::Call(number)));
        let answers = history
            .iter()
            .enumerate()
            .filter_map(|(number, seen)| Some((seen.answered?, number, Event::Answer)));
        let mut sorted: Vec<_> = calls.chain(answers).collect();
        sorted.sort_unstable_by_key(|(time, ..)| *time);
        let count = sorted.len();
        let mut places = vec![(0, None); history.len()];
        for (place, (_, number, event)) in sorted.iter().enumerate() {
            match event {
                Event::Call(_) => places[*number].0 = place,
                Event::Answer => places[*number].1 = Some(place),
            }
        }
        let events = sorted.into_iter().map(|(.., event)| Some(event)).chain([None]).collect();
        // The end of the list is also what is before its first event.
        let next = (0..=count).map(|place| (place + 1) % (count + 1)).collect();
        let previous = (0..=count).map(|place| (place + count) % (count + 1)).collect();
        Events { events, next, previous, places }
    }

    fn first(&self) -> usize {
        self.next[self.events.len() - 1]
    }

    fn at(&self, place: usize) -> Option<Event> {
        self.events[place]
    }

    fn after(&self, place: usize) -> usize {
        self.next[place]
    }

    fn after_call(&self, number: usize) -> usize {
        self.next[self.places[number].0]
    }

    fn take(&mut self, number: usize) {
        let (call, answer) = self.places[number];
        self.unlink(call);
        if let Some(answer) = answer {
            self.unlink(answer);
        }
    }

    /// Undoes the last `take`.
    fn put_back(&mut self, number: usize) {
        let (call, answer) = self.places[number];
        if let Some(answer) = answer {
            self.link(answer);
        }
        self.link(call);
    }

    fn unlink(&mut self, place: usize) {
        let (previous, next) = (self.previous[place], self.next[place]);
        self.next[previous] = next;
        self.previous[next] = previous;
    }

    fn link(&mut self, place: usize) {
        let (previous, next) = (self.previous[place], self.next[place]);
        self.next[previous] = place;
        self.previous[next] = place;
    }
}

/// The operations that the sequence has so far.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Done(Vec<u64>);

impl Done {
    fn new(operations: usize) -> Done {
        Done(vec![0; operations.div_ceil(64)])
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    fn contains(&self, number: usize) -> bool {
        self.0[number / 64] & 1 << (number % 64) != 0
    }
}
