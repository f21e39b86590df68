//! Whether a rule can fire at all, and says what it means.

use std::fmt::{self, Display, Formatter};

use keywright_api::{IndexName, Operation, TableName};

use super::rule::{Fault, Rule, When};

/// A rule that can fire: its operations are all to which it applies, never none; its names are names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CheckedRule {
    pub(super) rule: Rule,
    pub(super) operations: Vec<Operation>,
    pub(super) table: Option<TableName>,
    pub(super) index: Option<IndexName>,
}

/// Why a rule is refused. `Display` says what to write instead.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RuleError {
    /// The service never does this to the operation.
    NotBefalling {
        /// What the rule wants to happen.
        fault: Fault,
        /// To which operation.
        operation: Operation,
    },
    /// The operation has none of what the rule looks at.
    NothingToSee {
        /// The operation.
        operation: Operation,
        /// `table`, `index` or `partition key`.
        what: &'static str,
    },
    /// Not the name of a table.
    Table(String),
    /// Not the name of an index.
    Index(String),
    /// Not above 0 and up to 1.
    Share(f64),
    /// A count or number of a call that is zero, or no number at all.
    Count,
    /// A lag or delay of no time, or more than a hundred years.
    Time,
}

impl Display for RuleError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            RuleError::NotBefalling { fault, operation } => {
                let names: Vec<&str> = fault.operations().iter().map(|operation| operation.name()).collect();
                let (operation, names) = (operation.name(), names.join(", "));
                write!(formatter, "`{fault}` never happens to {operation}, only to {names}")
            }
            RuleError::NothingToSee { operation, what } => {
                let operation = operation.name();
                write!(formatter, "{operation} names no {what}, so that the rule never fires")
            }
            RuleError::Table(name) => {
                write!(
                    formatter,
                    "{name:?} is not the name of a table: 1 to 255 of a-z, A-Z, 0-9, `_`, `-`, `.`"
                )
            }
            RuleError::Index(name) => {
                write!(
                    formatter,
                    "{name:?} is not the name of an index: 3 to 255 of a-z, A-Z, 0-9, `_`, `-`, `.`"
                )
            }
            RuleError::Share(share) => {
                write!(formatter, "{share} is not a share: above 0 and up to 1, such as 0.1 for a tenth")
            }
            RuleError::Count => {
                formatter.write_str("calls are counted from 1, and at least one must be named")
            }
            RuleError::Time => {
                formatter.write_str("a time is at least 1 millisecond, and at most a hundred years")
            }
        }
    }
}

impl std::error::Error for RuleError {}

/// The longest lag or delay, in milliseconds.
const LONGEST_MS: u128 = 100 * 366 * 24 * 60 * 60 * 1000;

impl CheckedRule {
    pub(super) fn check(rule: Rule) -> Result<CheckedRule, RuleError> {
        check_fault(rule.fault)?;
        check_when(&rule.when)?;
        let table = rule
            .table
            .as_deref()
            .map(|name| TableName::new(name).ok_or_else(|| RuleError::Table(name.to_owned())))
            .transpose()?;
        let index = rule
            .index
            .as_deref()
            .map(|name| IndexName::new(name).ok_or_else(|| RuleError::Index(name.to_owned())))
            .transpose()?;
        let operations = operations(&rule)?;
        Ok(CheckedRule { rule, operations, table, index })
    }
}

/// The operations of the rule; one that is named must be one of them.
fn operations(rule: &Rule) -> Result<Vec<Operation>, RuleError> {
    let befallen = rule.fault.operations();
    if let Some(operation) = rule.operations.iter().find(|operation| !befallen.contains(operation)) {
        return Err(RuleError::NotBefalling { fault: rule.fault, operation: *operation });
    }
    let named = if rule.operations.is_empty() { befallen } else { rule.operations.as_slice() };
    let unseen = |operation: &Operation| lacking(rule, *operation);
    if let Some((operation, what)) =
        rule.operations.iter().find_map(|operation| Some((*operation, unseen(operation)?)))
    {
        return Err(RuleError::NothingToSee { operation, what });
    }
    let operations: Vec<Operation> =
        named.iter().copied().filter(|operation| unseen(operation).is_none()).collect();
    match (operations.is_empty(), named.first()) {
        (true, Some(operation)) => {
            Err(RuleError::NothingToSee { operation: *operation, what: unseen(operation).unwrap_or("table") })
        }
        _ => Ok(operations),
    }
}

/// What the rule looks at and the operation does not have.
fn lacking(rule: &Rule, operation: Operation) -> Option<&'static str> {
    use Operation::{
        BatchGetItem, CreateTable, DeleteTable, DescribeTable, GetItem, ListTables, Scan, TransactGetItems,
        UpdateTable,
    };
    let is_of_tables =
        matches!(operation, CreateTable | DeleteTable | DescribeTable | ListTables | UpdateTable);
    let reads_by_key = matches!(operation, GetItem | BatchGetItem | TransactGetItems);
    let wants_key = rule.key_prefix.is_some() || matches!(rule.when, When::ShareOfKeys(_));
    if rule.table.is_some() && operation == ListTables {
        Some("table")
    } else if rule.index.is_some() && (is_of_tables || reads_by_key) {
        Some("index")
    } else if wants_key && (is_of_tables || operation == Scan) {
        Some("partition key")
    } else {
        None
    }
}

fn check_fault(fault: Fault) -> Result<(), RuleError> {
    match fault {
        Fault::Unprocessed { share } => check_share(share),
        Fault::IndexLag(time) | Fault::Delay(_, time) => match (1..=LONGEST_MS).contains(&time.as_millis()) {
            true => Ok(()),
            false => Err(RuleError::Time),
        },
        Fault::Throttle(_)
        | Fault::TransactionConflict
        | Fault::TransactionInProgress
        | Fault::InternalServerError(_)
        | Fault::CutConnection(_) => Ok(()),
    }
}

fn check_when(when: &When) -> Result<(), RuleError> {
    let counts = match when {
        When::Always => return Ok(()),
        When::Share(share) | When::ShareOfKeys(share) => return check_share(*share),
        When::Calls(calls) => calls.as_slice(),
        When::Every(count) | When::First(count) => std::slice::from_ref(count),
    };
    if counts.is_empty() || counts.contains(&0) { Err(RuleError::Count) } else { Ok(()) }
}

fn check_share(share: f64) -> Result<(), RuleError> {
    if share > 0.0 && share <= 1.0 { Ok(()) } else { Err(RuleError::Share(share)) }
}
