//! Money: a balance that never goes below zero, and no change of it without its entry.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use futures_util::future::join_all;
use keywright::key::Timestamp;
use keywright::{Limits, Once, Reason, Transacted};

use super::moment::{Moment, random};
use super::{Story, Told};
use crate::billing::{Balance, Charge, ChargesOfKind, ChargesOfPeriod, Kind};
use crate::id::{ChargeId, EventId};
use crate::live::StripeEvent;
use crate::stores::Doors;

/// Longer than the work can take.
const LEASE: Duration = Duration::from_secs(30);
/// Stripe sends an event again for up to three days.
const FOUR_DAYS: Duration = Duration::from_secs(4 * 24 * 60 * 60);

/// What became of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charged {
    Now,
    /// The same charge was made before.
    Before,
    /// There is less than it costs; so much, in cents.
    NotEnough(i64),
}

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Money")?;
    let acme = story.acme.clone();
    let now = Moment::now()?;
    pay(story, &acme, now).await?;

    let seats = new_charge(&acme, now, Kind::Seats, 1500)?;
    let charged = charge(&acme, &seats).await?;
    story.say(format_args!("1500 cents for seats: {charged}"))?;
    // The meter heard no answer. It minted the id, so it asks again with that.
    let charged = charge(&acme, &seats).await?;
    story.say(format_args!("the meter asks again: {charged}"))?;
    let storage = new_charge(&acme, now, Kind::Storage, 600)?;
    let charged = charge(&acme, &storage).await?;
    story.say(format_args!("600 cents for storage: {charged}"))?;
    at_once(story, &acme, now).await?;

    let period =
        ChargesOfPeriod { since: now.plus_days(-1)?.timestamp(), until: now.plus_days(1)?.timestamp() };
    let charges = acme.billing.query(period).backward().page().await?.into_items()?;
    let sum = |paid: bool| -> u32 {
        let of_side = charges.iter().filter(|charge| (charge.kind == Kind::TopUp) == paid);
        of_side.map(|charge| charge.amount).sum()
    };
    let left = acme.billing.count(&balance(&acme)).await?;
    story.say(format_args!(
        "{} entries: {} cents paid, {} charged, and the balance is {left}",
        charges.len(),
        sum(true),
        sum(false)
    ))?;
    story.end()
}

impl fmt::Display for Charged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Charged::Now => formatter.write_str("charged"),
            Charged::Before => formatter.write_str("charged before, and not again"),
            Charged::NotEnough(left) => write!(formatter, "refused, there are {left}"),
        }
    }
}

/// Stripe says twice that somebody paid.
async fn pay(story: &mut Story<'_>, acme: &Doors, now: Moment) -> Told {
    let event = StripeEvent {
        event_id: EventId(format!("evt_{}", story.day)),
        organization_id: acme.id.clone(),
        claimed_at: None,
    };
    // The time and the id of the charge follow from the event, so that whoever works on it makes the same one.
    let paid = new_charge(acme, now, Kind::TopUp, 2000)?;
    for delivery in 1..=2 {
        let claim = acme.live.claim(&event, LEASE, FOUR_DAYS).of_request("2000 cents");
        let (what, balance) =
            match claim.run(|| top_up(acme, &paid)).await.map_err(|error| error.to_string())? {
                Once::Ran(balance) => ("the balance is", balance),
                Once::Replayed(balance) => ("done before: it is", balance),
            };
        story.say(format_args!("Stripe's event, delivery {delivery}: {what} {balance} cents"))?;
    }
    // A worker whose lease ran out does not know that another one did its work: the entry is in its way.
    let late = top_up(acme, &paid).await?;
    story
        .say(format_args!("a worker that lost its claim does it again: the balance is still {late} cents"))?;

    // Whoever paid wants to see it now, and a local index can be read consistently.
    let seen = acme.billing.query(ChargesOfKind { kind: Kind::TopUp }).backward().page().await?;
    story.say(format_args!("who paid sees {} payment at once", seen.items.len()))
}

/// More on the balance and its entry, together. Gives the balance.
async fn top_up(acme: &Doors, paid: &Charge) -> Result<i64, Box<dyn Error>> {
    let balance = balance(acme);
    let mut both = acme.billing.transaction();
    both.add(acme.billing.add(&balance, i64::from(paid.amount)));
    let entry = both.add(acme.billing.put(paid).if_absent());
    if let Transacted::Canceled(canceled) = both.send().await? {
        let Reason::ConditionFailed { .. } = canceled.reason(&entry)? else { return Err(canceled.into()) };
    }
    Ok(acme.billing.count(&balance).await?)
}

/// Less on the balance, only if there is enough, and its entry: together or not at all.
async fn charge(acme: &Doors, charge: &Charge) -> Result<Charged, Box<dyn Error>> {
    let balance = balance(acme);
    let mut both = acme.billing.transaction();
    // The condition and the change are one request: two charges at once cannot both see the last cent.
    let spend = acme.billing.add(&balance, -i64::from(charge.amount)).within(Limits::at_least(0));
    let spend = both.add(spend);
    let entry = both.add(acme.billing.put(charge).if_absent());
    let canceled = match both.send().await? {
        Transacted::Done(_) => return Ok(Charged::Now),
        Transacted::Canceled(canceled) => canceled,
    };
    if let Reason::ConditionFailed { .. } = canceled.reason(&entry)? {
        return Ok(Charged::Before);
    }
    match canceled.reason(&spend)? {
        Reason::ConditionFailed { .. } => Ok(Charged::NotEnough(acme.billing.count(&balance).await?)),
        _ => Err(canceled.into()),
    }
}

/// The counter itself is in the table; this names it.
fn balance(acme: &Doors) -> Balance {
    Balance { organization_id: acme.id.clone(), updated_at: Timestamp::UNIX_EPOCH }
}

/// Ten charges of 100 cents at once, of 500 that are left.
async fn at_once(story: &mut Story<'_>, acme: &Doors, now: Moment) -> Told {
    let mut charges = Vec::new();
    for _ in 0..10 {
        charges.push(new_charge(acme, now, Kind::Storage, 100)?);
    }
    let mut made = 0;
    let mut refused = 0;
    for outcome in join_all(charges.iter().map(|one| charge(acme, one))).await {
        match outcome? {
            Charged::Now => made += 1,
            Charged::NotEnough(_) => refused += 1,
            Charged::Before => return Err("two charges had one id".into()),
        }
    }
    story.say(format_args!("ten charges of 100 cents at once: {made} made, {refused} refused"))
}

fn new_charge(acme: &Doors, now: Moment, kind: Kind, amount: u32) -> Result<Charge, Box<dyn Error>> {
    Ok(Charge {
        organization_id: acme.id.clone(),
        charged_at: now.timestamp(),
        charge_id: ChargeId::new(now.timestamp(), random()?),
        kind,
        amount,
    })
}
