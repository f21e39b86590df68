//! Persons who want the same few addresses and handles, at once and through faults: nobody has what somebody else has, and everybody has
//! what the item says.

use std::collections::BTreeMap;

use keywright::{Conditional, TransactionError, UniqueWrite};
use keywright_api::Operation::TransactWriteItems;
use keywright_api::ThrottlingLimit::KeyRangeThroughput;
use keywright_embedded::engine::faults::{Fault, Faults, Moment, Rule, When};

use super::*;
use crate::arm::{in_process_alone, with_faults};

const PERSONS: [&str; 4] = ["ada", "bob", "eve", "joe"];
const VALUES: [&str; 4] = ["a", "b", "c", "d"];

/// Numbers from a seed.
#[derive(Clone, Copy)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((bits ^ (bits >> 31)) % count as u64).unwrap()
    }

    fn of<'v>(&mut self, values: &[&'v str]) -> &'v str {
        values[self.below(values.len())]
    }
}

/// What a person has: address and handle.
type Has = (String, Option<String>);

/// What was done, and what became of it.
#[derive(Debug)]
enum Became {
    Has(Has),
    Absent,
    Taken,
    Failed,
    /// Nobody knows, or nothing happened for want of capacity.
    Unsaid,
}

fn of_write<Done>(
    outcome: Result<UniqueWrite<Done, Person>, TransactionError>,
    has: Has,
    place: &str,
) -> Became {
    match outcome {
        Ok(UniqueWrite::Done(_)) => Became::Has(has),
        Ok(UniqueWrite::Failed { .. }) => Became::Failed,
        Ok(UniqueWrite::Taken { .. }) => Became::Taken,
        Err(error) => unsaid(&error, place),
    }
}

fn unsaid(error: &TransactionError, place: &str) -> Became {
    match error {
        TransactionError::Unknown { .. }
        | TransactionError::Service(_)
        | TransactionError::Canceled(_)
        | TransactionError::Contended { .. } => Became::Unsaid,
        error => panic!("{place}: {error}"),
    }
}

/// One write, drawn: of whom, and what became of it.
async fn write(
    acme: &Tenant<Directory>,
    dice: &mut Dice,
    before: &BTreeMap<&str, Has>,
) -> (&'static str, Became) {
    let (who, email) = (dice.of(&PERSONS), dice.of(&VALUES).to_owned());
    let handle = (dice.below(2) == 0).then(|| dice.of(&VALUES).to_owned());
    let (had_email, had_handle) = before.get(who).cloned().unwrap_or_default();
    let whole = Person { handle: handle.clone(), ..person("acme", who, &email) };
    let kind = dice.below(6);
    let place = format!("{who} {kind} {email} {handle:?}");
    let became = match kind {
        0 => of_write(acme.insert_unique(&whole).send().await, (email, handle), &place),
        1 => of_write(acme.put_unique(&whole).send().await, (email, handle), &place),
        2 => {
            let update = acme.update_unique(by_id(who), ChangeEmail { email: email.clone() });
            of_write(update.send().await, (email, had_handle), &place)
        }
        3 | 4 => {
            let update = acme.update_unique(by_id(who), ChangeHandle { handle: handle.clone() });
            of_write(update.send().await, (had_email, handle), &place)
        }
        _ => match acme.delete_unique(by_id(who)).send().await {
            Ok(Conditional::Done(_)) => Became::Absent,
            Ok(Conditional::Failed { .. }) => panic!("{place}: nothing was asked"),
            Err(error) => unsaid(&error, &place),
        },
    };
    (who, became)
}

async fn persons(acme: &Tenant<Directory>) -> BTreeMap<&'static str, Has> {
    let mut persons = BTreeMap::new();
    for who in PERSONS {
        if let Some(person) = acme.get(by_id(who)).await.unwrap() {
            let person = person.into_item();
            persons.insert(who, (person.email, person.handle));
        }
    }
    persons
}

fn faults(seed: u64) -> Faults {
    let befall = [
        Fault::InternalServerError(Moment::AfterCommit),
        Fault::CutConnection(Moment::BeforeCommit),
        Fault::CutConnection(Moment::AfterCommit),
        Fault::Throttle(KeyRangeThroughput),
        Fault::TransactionConflict,
    ];
    befall.into_iter().fold(Faults::new(seed), |faults, fault| {
        faults.rule(Rule::new(fault).operation(TransactWriteItems).when(When::Share(0.08))).unwrap()
    })
}

/// One write after the other, against a map of who has what.
#[tokio::test]
async fn each_write_does_what_it_says_and_everybody_has_what_the_item_says() {
    let seeds = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 0..1_000 } else { 0..30 };
    let mut said = BTreeMap::new();
    for seed in seeds {
        let arm = with_faults(faults(seed));
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        let mut dice = Dice(seed);
        for round in 0..25 {
            let before = persons(&acme).await;
            let (who, became) = write(&acme, &mut dice, &before).await;
            let after = persons(&acme).await;
            let place = format!("seed {seed}, write {round} of {who}: {became:?}, {before:?} to {after:?}");
            *said.entry(format!("{became:?}").split('(').next().unwrap().to_owned()).or_insert(0) += 1;
            let mut expected = before.clone();
            match became {
                Became::Has(has) => {
                    let others = before.iter().filter(|(other, _)| **other != who);
                    let is_free = others.clone().all(|(_, (email, _))| *email != has.0)
                        && others.clone().all(|(_, (_, handle))| handle.is_none() || *handle != has.1);
                    assert!(is_free, "{place}");
                    expected.insert(who, has);
                }
                Became::Absent => {
                    expected.remove(who);
                }
                Became::Taken | Became::Failed => {}
                Became::Unsaid => {
                    expected.remove(who);
                    expected.extend(after.get(who).map(|has| (who, has.clone())));
                }
            }
            assert_eq!(after, expected, "{place}");
            assert_held(&arm, store.table_name(), &place).await;
        }
    }
    println!("{said:?}");
    assert!(said.len() == 5, "all of them happen: {said:?}");
}

/// Many at once, of the same persons too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_at_once_leave_everybody_with_what_the_item_says() {
    for seed in 0..10 {
        let arm = in_process_alone();
        let store = arm.store::<Directory>().await;
        let acme = tenant(&store, "acme");
        let clients: Vec<_> = (0..4)
            .map(|client| {
                let (acme, mut dice) = (acme.clone(), Dice(seed * 100 + client));
                tokio::spawn(async move {
                    for _ in 0..25 {
                        let _ = write(&acme, &mut dice, &BTreeMap::new()).await;
                    }
                })
            })
            .collect();
        for client in clients {
            client.await.unwrap();
        }
        assert_held(&arm, store.table_name(), &format!("seed {seed}")).await;
    }
}

/// Of a hundred who want one address one gets it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_want_one_value_at_once_one_gets_it() {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let acme = tenant(&store, "acme");
    let inserts: Vec<_> = (0..100)
        .map(|number| {
            let acme = acme.clone();
            tokio::spawn(async move {
                let wanted = person("acme", &format!("person-{number}"), "one@example.org");
                acme.insert_unique(&wanted).send().await.unwrap().is_done()
            })
        })
        .collect();
    let mut winners = 0;
    for insert in inserts {
        winners += usize::from(insert.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_held(&arm, store.table_name(), "at the end").await;
}
