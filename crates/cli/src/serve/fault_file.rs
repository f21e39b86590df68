//! `--faults FILE`: rules written in TOML, read once into [`Faults`].
//!
//! Strict: an unknown key is an error, and every error names its line and what to write there.

mod keys;
mod values;

#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Formatter};

use keywright_engine::faults::{Fault, Faults, Rule, RuleError};
use toml::de::{DeTable, DeValue};

use self::keys::{FAULT_KEYS, FILE_KEYS, Key, WHEN_KEYS};
use self::values::Entry;

/// Why a text is no fault file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Counted from 1.
    line: usize,
    message: String,
}

/// Reads a fault file.
pub(crate) fn parse(text: &str) -> Result<Faults, Problem> {
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(text.len(), |span| span.start);
        Problem::at(text, at, error.message())
    })?;
    let entries = Entry::all(text, document.get_ref());
    keys::check_known(&entries, &FILE_KEYS)?;
    let last = || text.len().saturating_sub(1);
    let seed = Entry::find(&entries, "seed").ok_or_else(|| {
        Problem::at(text, 0, "the seed is missing, which the decisions follow from: write `seed = 7` first")
    })?;
    let written = Entry::find(&entries, "fault")
        .ok_or_else(|| Problem::at(text, last(), "no fault is here: each begins with `[[fault]]`"))?;
    let mut faults = Faults::new(seed.integer()?);
    for rule in written.tables()? {
        let entries = Entry::all(text, rule.table);
        let parsed = read_rule(&entries, &rule)?;
        faults = faults.rule(parsed).map_err(|error| {
            let at = culprit(&entries, &error).map_or(rule.at, |entry| entry.at);
            Problem::at(text, at, error.to_string())
        })?;
    }
    Ok(faults)
}

fn read_rule(entries: &[Entry<'_>], table: &RuleTable<'_>) -> Result<Rule, Problem> {
    keys::check_known(entries, &keys::rule_keys())?;
    let mut rule = Rule::new(read_fault(entries, table)?);
    for key in ["operation", "operations"] {
        if let Some(entry) = Entry::find(entries, key) {
            for operation in entry.operations()? {
                rule = rule.operation(operation);
            }
        }
    }
    if let Some(table) = Entry::find(entries, "table") {
        rule = rule.table(table.text()?);
    }
    if let Some(index) = Entry::find(entries, "index") {
        rule = rule.index(index.text()?);
    }
    if let Some(prefix) = Entry::find(entries, "key_prefix") {
        rule = rule.key_prefix(prefix.text()?);
    }
    match one_of(entries, &WHEN_KEYS)? {
        Some((entry, read)) => Ok(rule.when(read(entry)?)),
        None => Ok(rule),
    }
}

fn read_fault(entries: &[Entry<'_>], table: &RuleTable<'_>) -> Result<Fault, Problem> {
    let Some((entry, read)) = one_of(entries, &FAULT_KEYS)? else {
        let names: Vec<&str> = FAULT_KEYS.iter().map(|key| key.name).collect();
        let message = format!("the fault does not say what happens: write one of {}", names.join(", "));
        return Err(Problem::at(table.text, table.at, message));
    };
    read(entry)
}

/// The only one of these keys that is there, and how it is read.
fn one_of<'entries, 'text, Value>(
    entries: &'entries [Entry<'text>],
    keys: &[Key<Value>],
) -> Result<Option<(&'entries Entry<'text>, keys::Read<Value>)>, Problem> {
    let mut there = entries
        .iter()
        .filter_map(|entry| Some((entry, keys.iter().find(|key| key.name == entry.name)?.read)));
    let Some((first, read)) = there.next() else { return Ok(None) };
    match there.next() {
        None => Ok(Some((first, read))),
        Some((second, _)) => Err(second.problem(format!(
            "`{}` and `{}` exclude each other: write a [[fault]] for each",
            first.name, second.name
        ))),
    }
}

/// The entry that an error is about.
fn culprit<'entries, 'text>(
    entries: &'entries [Entry<'text>],
    error: &RuleError,
) -> Option<&'entries Entry<'text>> {
    let among = |names: &[&str]| entries.iter().find(|entry| names.contains(&entry.name));
    match error {
        RuleError::NotBefalling { .. } | RuleError::NothingToSee { .. } => {
            among(&["operation", "operations"])
        }
        RuleError::Table(_) => among(&["table"]),
        RuleError::Index(_) => among(&["index"]),
        RuleError::Share(share) => {
            let holds =
                |entry: &&Entry<'_>| entry.number().is_ok_and(|number| number.to_bits() == share.to_bits());
            let shares = ["unprocessed", "share", "share_of_keys"];
            entries.iter().filter(|entry| shares.contains(&entry.name)).find(holds)
        }
        RuleError::Count => among(&["call", "calls", "every", "first"]),
        RuleError::Time => among(&["index_lag_ms", "delay_before_commit_ms", "delay_after_commit_ms"]),
        _ => None,
    }
}

impl Problem {
    fn at(text: &str, byte: usize, message: impl Into<String>) -> Problem {
        let line = 1 + text.bytes().take(byte).filter(|byte| *byte == b'\n').count();
        Problem { line, message: message.into() }
    }
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

/// A `[[fault]]`.
struct RuleTable<'text> {
    text: &'text str,
    /// Where it begins, in bytes.
    at: usize,
    table: &'text DeTable<'text>,
}

impl<'text> Entry<'text> {
    /// The tables of an array of tables.
    fn tables(&self) -> Result<Vec<RuleTable<'text>>, Problem> {
        let wrong = || self.problem("faults are tables: begin each with `[[fault]]`");
        let DeValue::Array(elements) = self.value.get_ref() else { return Err(wrong()) };
        let tables = elements.iter().map(|element| match element.get_ref() {
            DeValue::Table(table) => Ok(RuleTable { text: self.text, at: element.span().start, table }),
            _ => Err(wrong()),
        });
        tables.collect()
    }
}
