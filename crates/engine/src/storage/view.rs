//! What readers see: three layers, the newest of which that knows a key decides.
//!
//! `active` holds what was committed lately, `frozen` what is being applied to the tree, `base` the tree as of the last
//! apply. Invariants: a view never changes; a key that a newer layer holds as removed is hidden in older ones; the view
//! of a moment holds every commit of before that moment, in whatever layer, and nothing of later ones; a reader takes no
//! lock and, but for the snapshot itself, allocates nothing.

mod base;
mod layers;
#[cfg(test)]
mod tests;

pub(super) use self::base::Base;
use self::layers::Layers;
use super::health::Health;
use super::overlay::{Held, Overlay};
use super::{Direction, KeyRange, ScanVisitor, Snapshot, Space, StorageError};
use arc_swap::{ArcSwap, Guard};
use std::fmt::{self, Debug, Formatter};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The layers as of one moment. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    /// `None` where the overlay is all there is.
    pub(super) base: Option<Arc<Base>>,
    pub(super) frozen: Option<Overlay>,
    pub(super) active: Overlay,
}

/// The latest view, and how it is read.
#[derive(Debug)]
pub(super) struct Views {
    latest: ArcSwap<View>,
    health: Health,
}

impl Views {
    pub(super) fn new(view: View, health: Health) -> Views {
        Views { latest: ArcSwap::from_pointee(view), health }
    }

    /// The latest view.
    pub(super) fn load(&self) -> Guard<Arc<View>> {
        self.latest.load()
    }

    /// Makes a view the latest. Who derives one from the latest keeps others from doing so at the same time.
    pub(super) fn store(&self, view: View) {
        self.latest.store(Arc::new(view));
    }

    /// A snapshot of the latest view.
    ///
    /// # Errors
    /// [`StorageError::Stopped`] after a failure; so do the snapshot's reads.
    pub(super) fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, StorageError> {
        self.health.check()?;
        Ok(Box::new(ViewSnapshot { view: self.load(), health: &self.health }))
    }
}

struct ViewSnapshot<'views> {
    view: Guard<Arc<View>>,
    health: &'views Health,
}

impl Snapshot for ViewSnapshot<'_> {
    fn get(&self, space: Space, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageError> {
        self.health.check()?;
        let View { base, frozen, active } = self.view.as_ref();
        let held = active.get(space, key);
        match held.or_else(|| frozen.as_ref().and_then(|frozen| frozen.get(space, key))) {
            Some(Held::Value(value)) => {
                visit(value);
                Ok(true)
            }
            Some(Held::Tombstone) => Ok(false),
            None => base.as_ref().map_or(Ok(false), |base| base.get(space, key, visit, self.health)),
        }
    }

    fn scan(
        &self,
        space: Space,
        range: KeyRange<'_>,
        direction: Direction,
        visit: &mut ScanVisitor<'_>,
    ) -> Result<(), StorageError> {
        self.health.check()?;
        let View { base, frozen, active } = self.view.as_ref();
        let frozen = frozen.as_ref().map(|frozen| frozen.range(space, range, direction));
        let mut layers = Layers::new(active.range(space, range, direction), frozen, direction);
        let mut flow = ControlFlow::Continue(());
        if let Some(base) = base {
            base.scan(space, range, direction, self.health, &mut |key, value| {
                flow = layers.show_with(key, value, visit);
                flow
            })?;
        }
        if flow.is_continue() {
            // Where it breaks, nothing is left to do.
            let _ = layers.show_rest(visit);
        }
        Ok(())
    }
}

impl Debug for ViewSnapshot<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ViewSnapshot").field("view", &self.view).finish_non_exhaustive()
    }
}
