//! One tenant cannot reach another: whatever their ids are, whatever is asked.
//!
//! Two tenants with hostile ids store items under the same hostile names. Then one of them uses every public operation with names
//! that were made to fit the other's keys. Nothing of the other's is read, written, counted or revealed: not in what is given, not in errors and
//! what is behind them, not in events and spans.
//!
//! That every operation is here, `tests/isolation.rs` holds.

mod items;
mod lookups;
mod reads;
mod stored_form;
mod together;
mod writes;

use std::error::Error;
use std::fmt::Debug;

use keywright::{Store, Tenant};

use crate::application::*;
use crate::arm::{Arm, in_process_alone};
use crate::hostile::{Names, SECRET, stored_items, with_hostile_names};
use crate::told::Told;

/// A part of the other tenant's id, where it has one that is to be known again.
const MARK: &str = "~theirs~";
/// The number of an invitation that only the other tenant has, as it is in values and in keys.
const NUMBER: u64 = 4_711_004_711;

/// Two tenants of one store, and who listens to what is told.
struct Both {
    arm: Arm,
    store: Store<App>,
    mine: Tenant<App>,
    theirs: Tenant<App>,
    names: Names,
    /// In a moment of the future.
    later: u64,
    told: Told,
}

impl Both {
    /// What an operation gave, once nothing of the other tenant was found in it, nor in what was told meanwhile.
    fn hear<Given: Debug, Problem: Error>(
        &self,
        operation: &str,
        result: Result<Given, Problem>,
    ) -> Result<Given, Problem> {
        let mut told = Vec::new();
        match &result {
            Ok(given) => told.push(format!("{given:?}")),
            Err(error) => {
                let mut error: Option<&dyn Error> = Some(error);
                while let Some(cause) = error {
                    told.push(format!("{cause} {cause:?}"));
                    error = cause.source();
                }
            }
        }
        told.extend(self.told.take_events().into_iter().map(|(_, event)| event));
        told.extend(self.told.take_spans());
        self.conceals(operation, &told.join("\n"));
        result
    }

    fn conceals(&self, operation: &str, told: &str) {
        for secret in [SECRET, MARK, &NUMBER.to_string()] {
            assert!(!told.contains(secret), "{operation} reveals {secret:?}: {told}");
        }
    }

    fn by_token(&self) -> ShareByToken {
        ShareByToken { token: self.names.token.clone() }
    }

    fn by_id(&self) -> MemberById {
        MemberById { team_id: self.names.team.clone(), user_id: self.names.user.clone() }
    }

    fn by_address(&self) -> InvitationsByAddress {
        InvitationsByAddress { address: self.names.user.clone() }
    }
}

async fn nothing_crosses(mut names: Names) {
    // Half of them: that one id begins with the other must be tried, too.
    if names.team.len().is_multiple_of(2) {
        names.theirs.push_str(MARK);
    }
    let arm = in_process_alone();
    let store = arm.store::<App>().await;
    let (mine, theirs) = (tenant(&store, &names.mine), tenant(&store, &names.theirs));
    let later = arm.now_seconds() + 1000;
    items::put(&theirs, &names, later).await;
    let cursors = items::cursors(&theirs, &names).await;
    let before = stored_items(&arm, store.table_name(), &names.theirs).await;
    let (told, _guard) = Told::listen();
    let both = Both { arm, store, mine, theirs, names, later, told };

    reads::find_nothing(&both, &cursors).await;
    lookups::reveal_nothing(&both, &cursors).await;
    together::reach_nothing(&both).await;
    writes::touch_nothing(&both).await;
    let after = stored_items(&both.arm, both.store.table_name(), &both.names.theirs).await;
    assert_eq!(before, after, "what is theirs has changed");

    lookups::reveal_nothing_of_what_does_not_decode(&both).await;
    writes::reveal_nothing_of_what_is_over(&both).await;
    both.conceals(
        "the handles and what is counted",
        &format!("{:?} {:?} {:?}", both.store, both.mine, both.store.usage()),
    );
}

#[test]
fn nothing_of_one_tenant_is_reached_by_another_whatever_the_ids_are() {
    with_hostile_names(50, nothing_crosses);
}
