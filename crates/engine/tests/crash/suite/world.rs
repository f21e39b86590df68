//! All that the clients were told, held against what is in a store that was opened after a crash.

use std::collections::{BTreeMap, BTreeSet};

use super::client::{Client, Item, number, string};
use super::found::Found;
use super::log::{Change, Doubt, Log, Place};
use super::schema::{ACCOUNTS, BANK, OPENING_BALANCE, RECEIPTS, THINGS};
use super::verdict::{Kind, Violation};

/// The logs of all clients, and the counter as it was when the last check ended.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) logs: Vec<Log>,
    pub(crate) count: i64,
}

/// Which doubts are over, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) happened: usize,
    pub(crate) did_not_happen: usize,
}

impl World {
    pub(crate) fn new(clients: usize) -> World {
        World { logs: (0..clients).map(Log::new).collect(), count: 0 }
    }

    /// Checks everything but figures and tokens. What was in doubt is taken from the store; a sent transaction of a doubt that
    /// did not happen stays unanswered.
    pub(crate) fn check(&mut self, client: &mut dyn Client) -> Result<Settled, Violation> {
        let found = Found::read(client)?;
        let mut settled = Settled::default();
        let doubts_of_count = self.logs.iter().filter(|log| matches!(log.doubt, Some(Doubt::Count))).count();
        for log in &mut self.logs {
            settle(log, &found, &mut settled)?;
        }
        check_owners(&self.logs, &found)?;
        check_balances(&found)?;
        self.check_count(&found, doubts_of_count, &mut settled)?;
        found.check_indexes(client)?;
        Ok(settled)
    }

    /// Checks the figures of tables and indexes, on a store whose clock has moved so far that they are new.
    pub(crate) fn check_statistics(&self, client: &mut dyn Client) -> Result<(), Violation> {
        Found::read(client)?.check_statistics(client)
    }

    fn check_count(&mut self, found: &Found, doubts: usize, settled: &mut Settled) -> Result<(), Violation> {
        let place = Place { table: THINGS.to_owned(), pk: "counter".to_owned(), sk: 0 };
        let count = found.items.get(&place).and_then(|item| number(item, "n"));
        let told = self.count + self.logs.iter().map(|log| log.counted).sum::<i64>();
        let highest = self.logs.iter().map(|log| log.highest_count).max().unwrap_or(0);
        let lowest = told.max(highest);
        match count {
            Some(count) if (lowest..=told + doubts as i64).contains(&count) => {
                settled.happened += usize::try_from(count - told).unwrap_or(0);
                self.count = count;
                self.logs.iter_mut().for_each(|log| log.counted = 0);
                Ok(())
            }
            count => {
                let what = format!(
                    "the counter is {count:?}; {told} were added and {doubts} more may have been; a reader has seen {highest}"
                );
                Err(Violation::new(Kind::Counter, what))
            }
        }
    }
}

/// Holds one client's items and tables against what is there.
fn settle(log: &mut Log, found: &Found, settled: &mut Settled) -> Result<(), Violation> {
    let items: BTreeMap<Place, Item> = found
        .items
        .iter()
        .filter(|(place, _)| log.owns(place))
        .map(|(place, item)| (place.clone(), item.clone()))
        .collect();
    let tables: BTreeSet<String> = found.tables.iter().filter(|name| log.owns_table(name)).cloned().collect();
    let doubt = log.doubt.take();
    let has_happened = match &doubt {
        None | Some(Doubt::Count) => {
            compare(&log.items, &items)?;
            None
        }
        Some(Doubt::Each(changes)) => {
            compare(&without(&log.items, changes), &without(&items, changes))?;
            let after = log.items_after(changes);
            for Change { place, .. } in changes {
                let there = items.get(place);
                if there != log.items.get(place) && there != after.get(place) {
                    let what = format!("{place:?} of a batch without an answer is {there:?}");
                    return Err(Violation::new(Kind::Foreign, what));
                }
            }
            None
        }
        Some(Doubt::Whole(changes)) => {
            compare(&without(&log.items, changes), &without(&items, changes))?;
            let after = log.items_after(changes);
            if items != log.items && items != after {
                let there: Vec<_> = changes.iter().map(|change| items.get(&change.place)).collect();
                let what = format!("of {changes:?} there is {there:?}");
                return Err(Violation::new(Kind::Half, what));
            }
            (log.items != after).then_some(items == after)
        }
        Some(Doubt::Create(table)) => {
            compare(&log.items, &items)?;
            let has_happened = tables.contains(table);
            if has_happened {
                log.tables.insert(table.clone());
            }
            Some(has_happened)
        }
        Some(Doubt::Delete(table)) => {
            let has_happened = !tables.contains(table);
            if has_happened {
                log.tables.remove(table);
                log.items.retain(|place, _| place.table != *table);
            }
            compare(&log.items, &items)?;
            Some(has_happened)
        }
    };
    if tables != log.tables {
        let what = format!("{} has the tables {:?}, and there are {tables:?}", log.partition(), log.tables);
        return Err(Violation::new(Kind::Table, what));
    }
    match has_happened {
        Some(true) => settled.happened += 1,
        Some(false) => settled.did_not_happen += 1,
        None => {}
    }
    if has_happened == Some(true)
        && let Some(sent) = log.sent.last_mut()
    {
        sent.is_answered = true;
    }
    log.items = items;
    Ok(())
}

fn without(items: &BTreeMap<Place, Item>, changes: &[Change]) -> BTreeMap<Place, Item> {
    let mut rest = items.clone();
    changes.iter().for_each(|change| drop(rest.remove(&change.place)));
    rest
}

fn compare(expected: &BTreeMap<Place, Item>, there: &BTreeMap<Place, Item>) -> Result<(), Violation> {
    for (place, item) in expected {
        if there.get(place) != Some(item) {
            let what = format!("{place:?} was answered as {item:?} and is {:?}", there.get(place));
            return Err(Violation::new(Kind::Lost, what));
        }
    }
    match there.iter().find(|(place, _)| !expected.contains_key(place)) {
        Some((place, item)) => Err(Violation::new(Kind::Foreign, format!("{place:?} is there: {item:?}"))),
        None => Ok(()),
    }
}

/// Everything belongs to a client, or is what they share.
fn check_owners(logs: &[Log], found: &Found) -> Result<(), Violation> {
    for table in [THINGS, BANK, RECEIPTS] {
        if !found.tables.contains(table) {
            return Err(Violation::new(Kind::Table, format!("{table} is gone")));
        }
    }
    let is_shared = |place: &Place| {
        matches!((place.table.as_str(), place.pk.as_str()), (BANK, "account") | (THINGS, "counter"))
    };
    let foreign =
        found.items.keys().find(|place| !is_shared(place) && !logs.iter().any(|log| log.owns(place)));
    let foreign_table = found.tables.iter().find(|name| {
        ![THINGS, BANK, RECEIPTS].contains(&name.as_str()) && !logs.iter().any(|log| log.owns_table(name))
    });
    match (foreign, foreign_table) {
        (Some(place), _) => Err(Violation::new(Kind::Foreign, format!("{place:?} is nobody's"))),
        (None, Some(table)) => Err(Violation::new(Kind::Table, format!("{table} is nobody's"))),
        (None, None) => Ok(()),
    }
}

/// Each account has what it had and what the receipts say, whoever wrote them.
fn check_balances(found: &Found) -> Result<(), Violation> {
    let mut balances = [OPENING_BALANCE; ACCOUNTS];
    for (place, receipt) in found.items.iter().filter(|(place, _)| place.table == RECEIPTS) {
        let moves =
            string(receipt, "moves").and_then(|moves| serde_json::from_str::<Vec<(usize, i64)>>(moves).ok());
        let Some(moves) = moves else {
            return Err(Violation::new(Kind::Foreign, format!("{place:?} is no receipt: {receipt:?}")));
        };
        moves.into_iter().for_each(|(account, amount)| balances[account] += amount);
    }
    let there: Vec<Option<i64>> = (0..ACCOUNTS as i64)
        .map(|sk| Place { table: BANK.to_owned(), pk: "account".to_owned(), sk })
        .map(|place| found.items.get(&place).and_then(|item| number(item, "balance")))
        .collect();
    if there.iter().copied().eq(balances.map(Some)) {
        return Ok(());
    }
    Err(Violation::new(
        Kind::Balance,
        format!("the receipts make {balances:?}, and the accounts are {there:?}"),
    ))
}
