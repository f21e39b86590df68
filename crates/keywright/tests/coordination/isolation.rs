//! One tenant cannot reach another by what is coordinated: the same names, whatever they are, are two claims, counters, locks, limits
//! and tokens.

use std::time::Duration;

use keywright::{
    AddedOnce, ClaimError, Claimed, Consumed, Locked, Rate, Taken, Tenant, TokenSecret, TransactionError,
    WriteError,
};

use crate::application::*;
use crate::arm::in_process_alone;
use crate::hostile::{Names, SECRET, stored_items, with_hostile_names};

const HOUR: Duration = Duration::from_secs(3600);

/// What each of two tenants coordinates, by the same names.
struct Same<'n> {
    names: &'n Names,
    owner: &'n str,
}

impl Same<'_> {
    fn event(&self) -> Event {
        event(self.owner, &self.names.user)
    }

    fn counted(&self) -> Event {
        event(self.owner, &self.names.token)
    }

    fn views(&self) -> Views {
        views(self.owner, &self.names.team)
    }

    fn balance(&self) -> Balance {
        balance(self.owner, 1)
    }

    fn job(&self) -> JobLock {
        job(self.owner, &self.names.team)
    }

    fn limit(&self) -> CallLimit {
        call_limit(self.owner, &self.names.user)
    }

    fn pin(&self) -> PinReset {
        PinReset { organization_id: organization(self.owner), user_id: self.names.user.clone() }
    }

    fn reset(&self, secret: &TokenSecret) -> Reset {
        Reset {
            token: secret.hash(),
            organization_id: organization(self.owner),
            user_id: self.names.user.clone(),
        }
    }

    fn pin_of_user(&self) -> PinResetOfUser {
        PinResetOfUser { user_id: self.names.user.clone() }
    }
}

async fn nothing_crosses(names: Names) {
    let arm = in_process_alone();
    let store = arm.store::<Live>().await;
    let (mine, theirs) = (tenant(&store, &names.mine), tenant(&store, &names.theirs));
    let (my, their) =
        (Same { names: &names, owner: &names.mine }, Same { names: &names, owner: &names.theirs });
    let secret = TokenSecret::generate();
    let rate = Rate::new(5, HOUR).unwrap();

    let claimed = theirs.claim(&their.event(), HOUR, HOUR).send::<String>().await.unwrap();
    let Claimed::New(worker) = claimed else { panic!("it is theirs alone") };
    worker.complete(&SECRET.to_owned()).await.unwrap();
    let _ = theirs.add(&their.views(), 5).send().await.unwrap();
    let once = theirs.add_once(&their.counted(), HOUR).add(&their.balance(), 7).send().await.unwrap();
    assert_eq!(once, AddedOnce::Done);
    let Locked::Held(their_lock) = theirs.lock(&their.job(), HOUR).send().await.unwrap() else {
        panic!("nobody else has it")
    };
    assert_eq!(theirs.take(&their.limit(), rate, 5).await.unwrap(), Taken::Allowed { left: 0 });
    theirs.issue(&their.pin(), &secret, HOUR).await.unwrap();
    theirs.issue(&their.reset(&secret), &secret, HOUR).await.unwrap();
    theirs.put(&note(&names.theirs, SECRET, 1)).send().await.unwrap();
    let before = stored_items(&arm, store.table_name(), &names.theirs).await;

    // Nothing of theirs is there for me, by the same names.
    assert_eq!(mine.count(&my.views()).await.unwrap(), 0);
    assert_eq!(mine.count(&my.balance()).await.unwrap(), 0);
    assert_eq!(mine.consume(my.pin_of_user(), &secret).await.unwrap(), Consumed::Unknown);
    let found = mine.consume(ResetByToken { token: secret.hash() }, &secret).await.unwrap();
    assert_eq!(found, Consumed::Unknown, "a token of theirs is none of mine");
    theirs_is_refused(&mine, &their, &secret, rate).await;
    let mut transaction = mine.transaction();
    transaction.add(mine.put(&note(&names.mine, "mine", 1)));
    transaction.add(their_lock.check());
    let refused = transaction.send().await;
    assert!(matches!(refused, Err(TransactionError::AnotherTenant(_))), "{refused:?}");

    // What I do by those names is mine.
    let claimed = mine.claim(&my.event(), HOUR, HOUR).send::<String>().await.unwrap();
    let Claimed::New(worker) = claimed else { panic!("theirs is in the way") };
    worker.complete(&"mine".to_owned()).await.unwrap();
    let _ = mine.add(&my.views(), 1).send().await.unwrap();
    let once = mine.add_once(&my.counted(), HOUR).add(&my.balance(), 1).send().await.unwrap();
    assert_eq!(once, AddedOnce::Done, "their event is not mine");
    assert_eq!((mine.count(&my.views()).await.unwrap(), mine.count(&my.balance()).await.unwrap()), (1, 1));
    let Locked::Held(my_lock) = mine.lock(&my.job(), HOUR).send().await.unwrap() else {
        panic!("theirs is in the way")
    };
    assert_eq!(my_lock.token().number(), 1);
    my_lock.release().await.unwrap();
    assert_eq!(mine.take(&my.limit(), rate, 5).await.unwrap(), Taken::Allowed { left: 0 });
    mine.issue(&my.pin(), &secret, HOUR).await.unwrap();
    assert!(matches!(mine.consume(my.pin_of_user(), &secret).await.unwrap(), Consumed::Done(_)));

    let after = stored_items(&arm, store.table_name(), &names.theirs).await;
    assert_eq!(before, after, "what is theirs has changed");
}

/// What is theirs, given to my handle.
async fn theirs_is_refused(mine: &Tenant<Live>, their: &Same<'_>, secret: &TokenSecret, rate: Rate) {
    let is_refused = |error: WriteError| {
        assert!(matches!(error, WriteError::Foreign(_)), "{error}");
        assert!(!format!("{error} {error:?}").contains(SECRET));
    };
    match mine.claim(&their.event(), HOUR, HOUR).send::<String>().await.unwrap_err() {
        ClaimError::Write(error) => is_refused(error),
        error => panic!("{error}"),
    }
    is_refused(mine.add(&their.views(), 1).send().await.unwrap_err());
    let once = mine.add_once(&their.counted(), HOUR).add(&their.balance(), 1).send().await.unwrap_err();
    assert!(!format!("{once} {once:?}").contains(SECRET));
    match mine.lock(&their.job(), HOUR).send().await {
        Err(error) => is_refused(error),
        Ok(locked) => panic!("{locked:?}"),
    }
    is_refused(mine.take(&their.limit(), rate, 1).await.unwrap_err());
    is_refused(mine.issue(&their.pin(), secret, HOUR).await.unwrap_err());
    is_refused(mine.issue(&their.reset(secret), secret, HOUR).await.unwrap_err());
    let mut marked = mine.transaction();
    marked.add(mine.mark_done(&their.event(), HOUR));
    let marked = marked.send().await.unwrap_err();
    assert!(matches!(marked, TransactionError::Action { .. }), "{marked}");
}

#[test]
fn nothing_of_one_tenant_is_reached_by_what_another_coordinates_whatever_the_ids_are() {
    with_hostile_names(40, nothing_crosses);
}
