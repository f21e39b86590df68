//! What a transaction is made of: the writes of one item each, and checks.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use keywright_key::declare::{self, Entity, GivenValues, NamesItem, ReadItems, Table};
use keywright_key::{Components, EntityShape};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::name::{ActionKind, ActionName, ActionRole};
use super::token::TransactionToken;
use crate::claim::ClaimMark;
use crate::counter::Add;
use crate::item::ItemKey;
use crate::lock::LockCheck;
use crate::store::Shared;
use crate::tenant::{Identity, Tenant};
use crate::write::{ConditionalCheck, ConditionalDelete, ConditionalPut, Delete, PreparedWrite, Put, Update};

/// An action of a transaction: a put, an update or a delete, with its conditions or without, and a check with its condition.
///
/// It is implemented by what [`Tenant::put`], [`Tenant::update`], [`Tenant::delete`], [`Tenant::check`], [`Tenant::add`],
/// [`Tenant::mark_done`] and [`HeldLock::check`](crate::HeldLock::check) give, and by nothing else.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{Transaction, TransactionAction};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// /// Adds all of these, whatever they do.
/// fn add_all<Action: TransactionAction>(to: &mut Transaction, actions: Vec<Action>) {
///     for action in actions {
///         to.add(action);
///     }
/// }
/// let award = |user_id: &str| acme.update(MemberById { team_id: 1, user_id: user_id.to_owned() }, Award { points: 5 });
/// let mut both = acme.transaction();
/// add_all(&mut both, vec![award("ada"), award("bob")]);
/// assert_eq!(both.request()?.transact_items().len(), 2);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an action of a transaction",
    label = "neither a write nor a check with a condition",
    note = "actions are `tenant.put(..)`, `tenant.update(..)` and `tenant.delete(..)`, and `tenant.check(..)` with what it asks: \
            `tenant.check(..).if_present()`"
)]
pub trait TransactionAction: sealed::Prepare<Self::Table> {
    /// The table that it writes or asks.
    type Table: Table;
    /// The entity that it writes or asks.
    type Entity;
}

/// An action of one transaction, by which its reason and its tag are asked for.
///
/// ```
/// # use applications::teams::*;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use keywright::{ActionOf, Committed};
/// # let store = store().await?;
/// # let acme = acme(&store)?;
/// /// The header `ETag` of what an action left, of whatever entity.
/// fn header<Of>(committed: &Committed, action: &ActionOf<App, Of>) -> Option<String> {
///     committed.etag(action).map(|tag| tag.to_string())
/// }
/// # acme.put(&team(1, "Analysts")).send().await?;
/// let mut join = acme.transaction();
/// let team = join.add(acme.check(TeamById { team_id: 1 }).if_present());
/// let ada = join.add(acme.put(&member(1, "ada")).if_absent());
/// let committed = join.send().await?.done().ok_or("the team is there, and ada is not")?;
/// assert!(header(&committed, &ada).is_some() && header(&committed, &team).is_none()); // a check leaves nothing
/// # Ok(())
/// # }
/// ```
pub struct ActionOf<TableType, EntityType> {
    token: TransactionToken,
    position: usize,
    types: PhantomData<fn() -> (TableType, EntityType)>,
}

/// An action with everything that it needs.
pub(super) struct TransactedAction {
    pub(super) name: ActionName,
    pub(super) shared: Arc<Shared>,
    pub(super) identity: Arc<Identity>,
    pub(super) key: ItemKey,
    pub(super) write: PreparedWrite,
}

pub(super) mod sealed {
    use keywright_key::EntityShape;

    use super::ActionKind;
    use crate::error::WriteError;
    use crate::tenant::Tenant;
    use crate::write::{PreparedWrite, WriteMark};

    /// What a transaction asks of its actions.
    ///
    /// ```compile_fail,E0277
    /// struct Fireworks;
    ///
    /// fn light(transaction: &mut keywright::Transaction) {
    ///     transaction.add(Fireworks); // not an action, and nobody can make it one
    /// }
    /// # fn main() {}
    /// ```
    pub trait Prepare<TableType> {
        /// What it does.
        const KIND: ActionKind;
        /// The entity that it writes or asks.
        const ENTITY: EntityShape<'static>;

        /// Through whose handle it was made.
        fn tenant(&self) -> &Tenant<TableType>;
        /// The write that it is.
        #[expect(private_interfaces, reason = "the trait is sealed: nobody else calls or implements it")]
        fn prepare(self, mark: WriteMark) -> Result<PreparedWrite, WriteError>;
    }
}

impl<TableType, EntityType> ActionOf<TableType, EntityType> {
    pub(super) const fn new(token: TransactionToken, position: usize) -> ActionOf<TableType, EntityType> {
        ActionOf { token, position, types: PhantomData }
    }

    /// Its place in the transaction, counted from 0.
    ///
    /// ```
    /// # use applications::directory::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let acme = acme().await?;
    /// let mut both = acme.transaction();
    /// let ada = both.add_unique(acme.insert_unique(&user("ada", "ada@example.org")));
    /// let bob = both.add_unique(acme.insert_unique(&user("bob", "bob@example.org")));
    /// assert_eq!((ada.position(), bob.position()), (0, 2)); // an address has a place of its own, behind its user
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Its place in the transaction of this token; none if it is another one's action.
    pub(super) fn position_in(&self, token: TransactionToken) -> Option<usize> {
        (self.token == token).then_some(self.position)
    }
}

impl TransactedAction {
    pub(super) fn new<TableType: Table>(
        tenant: &Tenant<TableType>,
        position: usize,
        kind: ActionKind,
        role: ActionRole,
        write: PreparedWrite,
    ) -> TransactedAction {
        let key_of = |attributes| match ItemKey::of(&TableType::SHAPE, attributes) {
            Some(key) => key,
            None => unreachable!("a rendered key is whole, and of texts"),
        };
        let key = key_of(write.of_one.as_ref().unwrap_or(&write.key));
        let shown = key_of(&write.key).text(tenant.shared().keys_in_errors);
        TransactedAction {
            name: ActionName::new(position, kind, write.entity, shown).with_role(role),
            shared: Arc::clone(tenant.shared_handle()),
            identity: Arc::clone(tenant.identity_handle()),
            key,
            write,
        }
    }
}

/// One kind of action: a builder, what it does, and how it is prepared.
macro_rules! action {
    ($builder:ty, $kind:ident, $entity:ty, [$($generics:tt)*], [$($bounds:tt)*]) => {
        impl<$($generics)*> TransactionAction for $builder
        where
            $($bounds)*
        {
            type Table = TableType;
            type Entity = $entity;
        }

        impl<$($generics)*> sealed::Prepare<TableType> for $builder
        where
            $($bounds)*
        {
            const KIND: ActionKind = ActionKind::$kind;
            const ENTITY: EntityShape<'static> = <$entity as Entity<TableType>>::SHAPE;

            fn tenant(&self) -> &Tenant<TableType> {
                self.handle()
            }

            #[expect(private_interfaces, reason = "the trait is sealed: nobody else calls or implements it")]
            fn prepare(
                self,
                mark: crate::write::WriteMark,
            ) -> Result<PreparedWrite, crate::error::WriteError> {
                self.action(mark)
            }
        }
    };
}

action!(
    Put<'_, TableType, EntityType>, Put, EntityType, [TableType, EntityType],
    [TableType: Table, EntityType: Entity<TableType> + Components + Serialize]
);
action!(
    ConditionalPut<'_, TableType, EntityType>, Put, EntityType, [TableType, EntityType],
    [TableType: Table, EntityType: Entity<TableType> + Components + Serialize]
);
action!(
    Update<Pattern, Changes>, Update, Pattern::Entity, [TableType, Pattern, Changes],
    [
        TableType: Table,
        Pattern: ReadItems<Table = TableType> + NamesItem + Components,
        Pattern::Entity: DeserializeOwned,
        Changes: declare::Update<Table = TableType, Entity = Pattern::Entity> + GivenValues + Components
    ]
);
action!(
    Delete<Pattern>, Delete, Pattern::Entity, [TableType, Pattern],
    [TableType: Table, Pattern: ReadItems<Table = TableType> + NamesItem + Components]
);
action!(
    ConditionalDelete<Pattern>, Delete, Pattern::Entity, [TableType, Pattern],
    [TableType: Table, Pattern: ReadItems<Table = TableType> + NamesItem + Components]
);
action!(
    ConditionalCheck<Pattern>, Check, Pattern::Entity, [TableType, Pattern],
    [TableType: Table, Pattern: ReadItems<Table = TableType> + NamesItem + Components]
);

action!(
    Add<'_, TableType, CounterType>, Update, CounterType, [TableType, CounterType],
    [TableType: Table, CounterType: declare::Counter<TableType> + Components + Serialize]
);
action!(
    ClaimMark<'_, TableType, ClaimType>, Put, ClaimType, [TableType, ClaimType],
    [TableType: Table, ClaimType: declare::Claim<TableType> + Components + Serialize]
);
action!(
    LockCheck<TableType, LockType>, Check, LockType, [TableType, LockType],
    [TableType: Table, LockType: declare::Lock<TableType>]
);

impl<TableType, EntityType> Clone for ActionOf<TableType, EntityType> {
    fn clone(&self) -> ActionOf<TableType, EntityType> {
        *self
    }
}

impl<TableType, EntityType> Copy for ActionOf<TableType, EntityType> {}

impl<TableType, EntityType> fmt::Debug for ActionOf<TableType, EntityType> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ActionOf").field("position", &self.position).finish_non_exhaustive()
    }
}
