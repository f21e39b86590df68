//! Transactions: up to 100 writes and checks of which either all have effect or none has.
//!
//! - An action is what is written alone, too: a put, an update or a delete with its conditions, or a check of an item that is not written.
//!   Keys, fences, versions, stamps, time to live and write ids are the same in both.
//! - Nothing is sent before everything that can be known is good: one tenant, one client, no item twice, 100 actions, 4 MB.
//! - Every send has a token, the same for all its tries, so that a try whose answer was lost has effect once. The write ids, the stamps and
//!   the present of conditions follow from the token: made again from it, the request is the same.
//!
//! Source: <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html>

mod action;
mod attempt;
mod canceled;
mod committed;
mod error;
mod name;
mod request;
mod snapshot;
mod token;

use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use keywright_key::EntityShape;
use keywright_key::declare::Table;
use tracing::Instrument;

pub use action::{ActionOf, TransactionAction};
pub use canceled::{Canceled, Cause, Reason, ReasonError};
pub use committed::{Committed, Transacted};
pub use error::TransactionError;
pub use name::{ActionKind, ActionName};
pub use snapshot::{Snapshot, SnapshotError, SnapshotItem, SnapshotRead};
pub use token::{InvalidToken, TransactionToken};

use action::TransactedAction;
use name::ActionRole;

use crate::error::WriteError;
use crate::retry::Deadline;
use crate::store::{Capability, Shared};
use crate::tenant::{Identity, Tenant};
use crate::trace;
use crate::write::{PreparedWrite, WriteMark};

/// Writes and checks that are about to be made together: [`Tenant::transaction`], [`Transaction::add`] for each, then [`Transaction::send`].
///
/// Either all of them have effect at one moment, or none has. It costs twice the units of the same writes alone: use one where two items
/// must agree, and a [condition](crate::Update::when) where one item must hold.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Reason, Transacted};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// acme.put(&Member { points: 8, ..member(1, "ada") }).send().await?;
/// acme.put(&member(1, "bob")).send().await?;
/// let of = |user_id: &str| MemberById { team_id: 1, user_id: user_id.to_owned() };
///
/// let mut gift = acme.transaction();
/// let spend = gift.add(acme.update(of("ada"), Spend { points: 10 }).when(&HasPoints { least: 10 }));
/// gift.add(acme.update(of("bob"), Award { points: 10 }));
/// match gift.send().await? {
///     Transacted::Done(done) => println!("given, for {:?} units", done.write_units()),
///     // By action, and the item in its own type.
///     Transacted::Canceled(canceled) => match canceled.reason(&spend)? {
///         Reason::ConditionFailed { current: Some(ada) } => assert_eq!(ada.points, 8),
///         _ => println!("{canceled}"),
///     },
/// }
/// let bob = acme.get(of("bob")).await?.ok_or("bob is a member")?;
/// assert_eq!(bob.points, 0); // nothing happened to him either
/// # Ok(())
/// # }
/// ```
///
/// A check without a condition would ask nothing, and is no action:
///
/// ```compile_fail,E0277
/// # use applications::teams::*;
/// fn ask_nothing(acme: &keywright::Tenant<App>) {
///     acme.transaction().add(acme.check(TeamById { team_id: 1 }));
/// }
/// # fn main() {}
/// ```
///
/// The reason of an action is of the action's entity, and of no other:
///
/// ```compile_fail,E0308
/// # use applications::teams::*;
/// # use keywright::{ActionOf, Canceled, Reason, ReasonError};
/// fn why(canceled: &Canceled, insert: ActionOf<App, Member>) -> Result<Reason<Team>, ReasonError> {
///     canceled.reason(&insert)
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing is written before it is sent"]
pub struct Transaction {
    shared: Arc<Shared>,
    /// Whose actions it has: the handle's through which it was begun, or of the first action where tenants do not share that table.
    identity: Arc<Identity>,
    token: TransactionToken,
    added: usize,
    actions: Vec<TransactedAction>,
    /// The first action that cannot be sent.
    problem: Option<TransactionError>,
}

impl Transaction {
    /// Adds an action. What is given back is by what its reason is asked for if the transaction is canceled.
    ///
    /// Actions may be of another table, of the same tenant or of a table that tenants do not share, whose store was opened with
    /// [`Store::client`](crate::Store::client) of this one.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::TransactionError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let globex = store.tenant(&OrganizationId("globex".to_owned()))?;
    ///
    /// let mut found = acme.transaction();
    /// let team = found.add(acme.put(&team(1, "Analysts")).if_absent());
    /// let ada = found.add(acme.put(&member(1, "ada")));
    /// assert_eq!((team.position(), ada.position()), (0, 1));
    ///
    /// // A transaction is one tenant's: what is wrong with an action is said when it is sent.
    /// found.add(globex.delete(TeamById { team_id: 1 }));
    /// assert!(matches!(found.send().await, Err(TransactionError::AnotherTenant(action)) if action.position() == 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn add<Action: TransactionAction>(
        &mut self,
        action: Action,
    ) -> ActionOf<Action::Table, Action::Entity> {
        let position = self.added;
        self.added += 1;
        let tenant = action.tenant().clone();
        let (kind, entity) = (Action::KIND, Action::ENTITY.name);
        let placed =
            self.place(position, &tenant, kind, entity, ActionRole::OfCaller, |mark| action.prepare(mark));
        if let Err(problem) = placed {
            self.refuse(problem);
        }
        ActionOf::new(self.token, position)
    }

    /// The token of this transaction: kept where a later process finds it, [`Tenant::resume_transaction`] sends the transaction again
    /// without a second effect.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut found = acme.transaction();
    /// found.add(acme.put(&team(1, "Analysts")).if_absent());
    /// let token = found.token().to_string(); // of 30 characters, for the message that asked for it
    /// assert_eq!(found.request()?.client_request_token(), Some(token.as_str()));
    /// assert_ne!(acme.transaction().token().to_string(), token);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn token(&self) -> TransactionToken {
        self.token
    }

    /// Makes all of it happen, or nothing. A transaction without actions is done, and nothing is sent.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// let ada = MemberById { team_id: 1, user_id: "ada".to_owned() };
    ///
    /// let mut close = acme.transaction();
    /// close.add(acme.delete(ada.clone()));
    /// close.add(acme.delete(TeamById { team_id: 1 }).if_present());
    /// assert!(!close.send().await?.is_done()); // there is no such team
    /// assert!(acme.get(ada).await?.is_some()); // so ada was not deleted either
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing was written, or when that is not known. A transaction that was canceled is no error.
    pub async fn send(self) -> Result<Transacted, TransactionError> {
        let deadline = Deadline::of_call(&self.shared);
        self.send_until(deadline).await
    }

    /// The same as a part of a call that ends then.
    pub(crate) async fn send_until(self, deadline: Deadline) -> Result<Transacted, TransactionError> {
        self.check()?;
        if self.actions.is_empty() {
            return Ok(Transacted::Done(Committed::nothing(self.token)));
        }
        let span = trace::transaction(&self.shared, "write", self.actions.len());
        self.until_known(deadline).instrument(span).await
    }

    /// The request that would be sent, for a look at it.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::TransactionError;
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let mut found = acme.transaction();
    /// found.add(acme.put(&team(1, "Analysts")).if_absent());
    /// found.add(acme.put(&member(1, "ada")));
    /// let request = found.request()?;
    /// let first = request.transact_items().first().and_then(|action| action.put()).ok_or("a put is the first")?;
    /// assert_eq!(first.condition_expression(), Some("attribute_not_exists(#c_key)"));
    ///
    /// found.add(acme.delete(TeamById { team_id: 1 })); // the team that is put
    /// assert!(matches!(found.request(), Err(TransactionError::SameItem(pairs)) if pairs.len() == 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionError`] when nothing would be sent.
    pub fn request(&self) -> Result<TransactWriteItemsInput, TransactionError> {
        self.check()?;
        match self.builder().as_input().clone().build() {
            Ok(input) => Ok(input),
            Err(_) => unreachable!("`builder` gives what TransactWriteItems needs"),
        }
    }

    /// Adds a write of this crate's own that belongs to one of the caller's; at which position.
    pub(crate) fn add_prepared<TableType: Table>(
        &mut self,
        tenant: &Tenant<TableType>,
        kind: ActionKind,
        entity: &'static str,
        prepare: impl FnOnce(WriteMark) -> Result<PreparedWrite, WriteError>,
    ) -> usize {
        let position = self.added;
        self.added += 1;
        let role = match TableType::SHAPE.entity(entity) {
            Some(EntityShape { reservation_of: Some(_), .. }) => ActionRole::OfReservation,
            _ => ActionRole::OfCaller,
        };
        if let Err(problem) = self.place(position, tenant, kind, entity, role, prepare) {
            self.refuse(problem);
        }
        position
    }

    /// Keeps why nothing will be sent. Later actions are not looked at for more.
    pub(crate) fn refuse(&mut self, problem: TransactionError) {
        self.problem.get_or_insert(problem);
    }

    fn place<TableType: Table>(
        &mut self,
        position: usize,
        tenant: &Tenant<TableType>,
        kind: ActionKind,
        entity: &'static str,
        role: ActionRole,
        prepare: impl FnOnce(WriteMark) -> Result<PreparedWrite, WriteError>,
    ) -> Result<(), TransactionError> {
        let unnamed = || ActionName::new(position, kind, entity, None);
        if matches!(*self.identity, Identity::Unshared) {
            self.identity = Arc::clone(tenant.identity_handle());
        } else if !self.identity.is_or_unshared(tenant.identity()) {
            return Err(TransactionError::AnotherTenant(unnamed()));
        }
        if !self.shared.has_client_of(tenant.shared()) {
            return Err(TransactionError::AnotherClient(unnamed()));
        }
        let write = prepare(self.token.mark(position))
            .map_err(|source| TransactionError::of_action(position, kind, entity, source))?;
        self.actions.push(TransactedAction::new::<TableType>(tenant, position, kind, role, write));
        Ok(())
    }
}

impl<TableType: Table> Tenant<TableType> {
    /// A transaction of this tenant's items, empty yet, with a new token.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// let (one, another) = (acme.transaction(), acme.transaction());
    /// assert_ne!(one.token(), another.token());
    /// let nothing = one.send().await?.done().ok_or("nothing is in its way")?;
    /// assert_eq!(nothing.write_units(), Some(0.0)); // no action, no request
    /// # Ok(())
    /// # }
    /// ```
    pub fn transaction(&self) -> Transaction {
        self.resume_transaction(TransactionToken::new(self.shared().clock.since_epoch()))
    }

    /// A transaction that was begun with this token, perhaps by a process that is gone: with the same actions in the same order it has its effect
    /// if it had none yet, and says that it is done if it had.
    ///
    /// That holds for [`TransactionToken::GOOD_FOR`]. Later it is refused before anything is sent, since the service forgets tokens, and
    /// nobody could tell whether it had effect.
    ///
    /// ```
    /// # use applications::teams::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use keywright::{Transaction, TransactionToken};
    /// # let store = store().await?;
    /// # let acme = acme(&store)?;
    /// acme.put(&member(1, "ada")).send().await?;
    /// acme.put(&member(1, "bob")).send().await?;
    /// let award_both = |mut transaction: Transaction| {
    ///     for user_id in ["ada", "bob"] {
    ///         let named = MemberById { team_id: 1, user_id: user_id.to_owned() };
    ///         transaction.add(acme.update(named, Award { points: 5 }));
    ///     }
    ///     transaction
    /// };
    ///
    /// let transaction = award_both(acme.transaction());
    /// let kept = transaction.token().to_string(); // stored with the message that asked for it
    /// assert!(transaction.send().await?.is_done());
    ///
    /// // The process is started again, and does not know how far the one before came.
    /// let token: TransactionToken = kept.parse()?;
    /// assert!(award_both(acme.resume_transaction(token)).send().await?.is_done());
    /// let ada = acme.get(MemberById { team_id: 1, user_id: "ada".to_owned() }).await?.ok_or("a member")?;
    /// assert_eq!(ada.points, 5); // once
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume_transaction(&self, token: TransactionToken) -> Transaction {
        let mut transaction = Transaction {
            shared: Arc::clone(self.shared_handle()),
            identity: Arc::clone(self.identity_handle()),
            token,
            added: 0,
            actions: Vec::new(),
            problem: None,
        };
        if self.shared().capabilities.transactions == Capability::Absent {
            transaction.problem = Some(TransactionError::Lacking);
        }
        transaction
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Transaction")
            .field("actions", &self.added)
            .field("token", &self.token)
            .finish_non_exhaustive()
    }
}
