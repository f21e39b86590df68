//! How messages write names and numbers.

use crate::digits::grouped;

/// Names in backquotes: `` `role`, `state` and `city` ``.
pub(super) fn names<Name: AsRef<str>>(names: impl IntoIterator<Item = Name>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A whole number with its thousands apart: `12,000`.
pub(super) fn number(value: u64) -> String {
    grouped(&value.to_string())
}

/// A rate or share, rounded to at most two decimals, with its thousands apart: `1,200`, `0.05`.
pub(super) fn decimal(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    grouped(text)
}

/// A share from 0 to 1 in percent: `5 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", decimal(share * 100.0))
}

/// An amount of the price list's currency, dollars, with its thousands apart: `$1,234.50`.
pub(super) fn money(amount: f64) -> String {
    format!("${}", grouped(&format!("{amount:.2}")))
}
