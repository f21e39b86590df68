//! What is to happen to one call: the faults of all rules that befall it, put together.
//!
//! Delays add up, the longest lag counts, every member that some rule leaves is left, and of several refusals on one side of
//! the commit that of the first rule is answered. What is refused before the commit meets nothing after it.

use std::collections::BTreeMap;
use std::time::Duration;

use keywright_api::{
    BillingMode, CancellationReason, CapacityKind, Error, IndexKind, Operation, ThrottledResource,
    Throttling, ThrottlingLimit, ThrottlingReason,
};

use super::call::{Call, Member};
use super::check::CheckedRule;
use super::rule::{Fault, Moment};

/// What is to happen to a call.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) delay_before: Duration,
    /// Nothing is carried out.
    pub(crate) refusal: Option<Loss>,
    /// The members of a batch that are not processed, by their place, and why.
    pub(crate) left: BTreeMap<usize, ThrottlingReason>,
    /// How far behind the index is that is read.
    pub(crate) index_lag: Duration,
    /// Everything is carried out, and not told.
    pub(crate) loss: Option<Loss>,
    pub(crate) delay_after: Duration,
}

/// What a client gets instead of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Loss {
    Error(Error),
    Cut,
}

/// A rule that befalls a call.
pub(super) struct Hit<'rules> {
    pub(super) rule: &'rules CheckedRule,
    /// Counted from 1.
    pub(super) number: usize,
    /// The places of the members that it befalls; all of a rule that looks at no members.
    pub(super) members: Vec<usize>,
}

impl Plan {
    pub(super) fn of(call: &Call, hits: Vec<Hit<'_>>) -> Plan {
        let mut plan = Plan::default();
        for hit in hits {
            plan.add(call, &hit);
        }
        if plan.left.len() == call.members.len() && plan.refusal.is_none() {
            plan.refusal = whole_batch(&plan).map(Loss::Error);
        }
        plan
    }

    /// Whether nothing happens.
    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
            && self.refusal.is_none()
            && self.loss.is_none()
            && [self.delay_before, self.index_lag, self.delay_after].iter().all(Duration::is_zero)
    }

    fn add(&mut self, call: &Call, hit: &Hit<'_>) {
        match hit.rule.rule.fault {
            Fault::Unprocessed { .. } => self.leave(call, hit, None),
            Fault::Throttle(limit) => match call.operation {
                Operation::BatchGetItem | Operation::BatchWriteItem => self.leave(call, hit, Some(limit)),
                Operation::TransactGetItems | Operation::TransactWriteItems => {
                    let reasons = cancelled(call, hit, |member| {
                        CancellationReason::Throttled(reason(call, member, hit, Some(limit)))
                    });
                    self.refuse(Loss::Error(reasons));
                }
                _ => {
                    if let Some(member) = call.members.first() {
                        let reason = reason(call, member, hit, Some(limit));
                        self.refuse(Loss::Error(Error::Throttled(Throttling::of_request(reason))));
                    }
                }
            },
            Fault::TransactionConflict => self.refuse(Loss::Error(match call.operation {
                Operation::TransactGetItems | Operation::TransactWriteItems => {
                    cancelled(call, hit, |_| CancellationReason::TransactionConflict)
                }
                _ => Error::TransactionConflict,
            })),
            Fault::TransactionInProgress => self.refuse(Loss::Error(Error::TransactionInProgress)),
            Fault::IndexLag(lag) => self.index_lag = self.index_lag.max(lag),
            Fault::InternalServerError(moment) => {
                self.lose(moment, Loss::Error(internal_server_error(moment, hit.number)));
            }
            Fault::CutConnection(moment) => self.lose(moment, Loss::Cut),
            Fault::Delay(Moment::BeforeCommit, delay) => {
                self.delay_before = self.delay_before.saturating_add(delay);
            }
            Fault::Delay(Moment::AfterCommit, delay) => {
                self.delay_after = self.delay_after.saturating_add(delay);
            }
        }
    }

    fn leave(&mut self, call: &Call, hit: &Hit<'_>, limit: Option<ThrottlingLimit>) {
        for place in &hit.members {
            if let Some(member) = call.members.get(*place) {
                self.left.entry(*place).or_insert_with(|| reason(call, member, hit, limit));
            }
        }
    }

    fn refuse(&mut self, loss: Loss) {
        self.refusal.get_or_insert(loss);
    }

    fn lose(&mut self, moment: Moment, loss: Loss) {
        match moment {
            Moment::BeforeCommit => self.refuse(loss),
            Moment::AfterCommit => {
                self.loss.get_or_insert(loss);
            }
        }
    }
}

/// The refusal of a batch of which every member is left; `None` when none is.
fn whole_batch(plan: &Plan) -> Option<Error> {
    let mut reasons: Vec<ThrottlingReason> = Vec::new();
    for reason in plan.left.values() {
        if !reasons.contains(reason) {
            reasons.push(reason.clone());
        }
    }
    Throttling::of_batch(reasons).map(Error::Throttled)
}

/// A transaction cancelled by the members that a rule befalls.
fn cancelled(call: &Call, hit: &Hit<'_>, why: impl Fn(&Member) -> CancellationReason) -> Error {
    let members = call.members.iter().enumerate();
    let reasons = members.map(|(place, member)| match hit.members.contains(&place) {
        true => why(member),
        false => CancellationReason::None,
    });
    Error::TransactionCanceled { reasons: reasons.collect() }
}

fn internal_server_error(moment: Moment, number: usize) -> Error {
    let reason = match moment {
        Moment::BeforeCommit => format!("rule {number} of the faults; nothing was carried out"),
        Moment::AfterCommit => format!("rule {number} of the faults; the call was carried out"),
    };
    Error::InternalServerError { reason }
}

/// Which limit a member exceeds: of the rule's index, or of the one that is read, if it is a global one; else of the table.
/// Without a limit, one that fits how capacity is paid for.
fn reason(call: &Call, member: &Member, hit: &Hit<'_>, limit: Option<ThrottlingLimit>) -> ThrottlingReason {
    let index = match &hit.rule.index {
        Some(name) => member.index_named(name),
        None => member.read_index(),
    };
    let arn = member.table.as_ref().map(|table| table.arn.clone()).unwrap_or_default();
    let (resource, billing_mode) = match index.map(|index| (index, index.definition.kind)) {
        Some((index, IndexKind::Global(billing_mode))) => {
            (ThrottledResource::Index(format!("{arn}/index/{}", index.definition.name)), billing_mode)
        }
        _ => {
            let billing_mode =
                member.table.as_ref().map_or(BillingMode::OnDemand, |table| table.billing_mode);
            (ThrottledResource::Table(arn), billing_mode)
        }
    };
    let limit = limit.unwrap_or(match billing_mode {
        BillingMode::OnDemand => ThrottlingLimit::KeyRangeThroughput,
        BillingMode::Provisioned { .. } => ThrottlingLimit::ProvisionedThroughput,
    });
    ThrottlingReason { resource, capacity: capacity(call.operation), limit, billing_mode }
}

const fn capacity(operation: Operation) -> CapacityKind {
    match operation {
        Operation::GetItem
        | Operation::Query
        | Operation::Scan
        | Operation::BatchGetItem
        | Operation::TransactGetItems
        | Operation::DescribeTable
        | Operation::ListTables => CapacityKind::Read,
        Operation::PutItem
        | Operation::UpdateItem
        | Operation::DeleteItem
        | Operation::BatchWriteItem
        | Operation::TransactWriteItems
        | Operation::CreateTable
        | Operation::UpdateTable
        | Operation::DeleteTable => CapacityKind::Write,
    }
}
