//! Figures as people read them.

use crate::cost::Figure;
use crate::digits::grouped;

/// What stands where a figure is not known.
pub(super) const UNKNOWN: &str = "?";

/// Dollars and cents: `1,234.50`, and `< 0.01` for what is less than a cent and more than nothing.
pub(super) fn dollars(amount: f64) -> String {
    if amount > 0.0 && amount < 0.005 { "< 0.01".to_owned() } else { grouped(&format!("{amount:.2}")) }
}

/// A quantity with about three digits that matter: `12,345`, `45.2`, `0.5`, `0.013`.
pub(super) fn quantity(amount: f64) -> String {
    let decimals = match amount.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 0.1 => 2,
        _ => 4,
    };
    let text = format!("{amount:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    grouped(text)
}

/// A count: `1,234`.
pub(super) fn count(count: u64) -> String {
    grouped(&count.to_string())
}

/// Bytes in the largest unit that leaves a whole: `512 B`, `4.2 GB`; 1,024 of one unit make the next.
pub(super) fn bytes(amount: f64) -> String {
    let mut amount = amount;
    for unit in ["B", "KB", "MB", "GB"] {
        if amount < 1024.0 {
            return format!("{} {unit}", quantity(amount));
        }
        amount /= 1024.0;
    }
    format!("{} TB", quantity(amount))
}

/// A figure by `write`, or the sign that it is not known.
pub(super) fn figure(figure: &Figure, write: fn(f64) -> String) -> String {
    figure.known().map_or_else(|| UNKNOWN.to_owned(), |value| write(*value))
}

#[cfg(test)]
mod tests {
    use super::{bytes, dollars, quantity};

    #[test]
    fn dollars_have_cents_and_thousands() {
        let shown: Vec<String> = [0.0, 0.001, 0.005, 12.0, 1234.5, 1_234_567.891].map(dollars).into();
        assert_eq!(shown, ["0.00", "< 0.01", "0.01", "12.00", "1,234.50", "1,234,567.89"]);
    }

    #[test]
    fn bytes_have_a_unit() {
        let shown: Vec<String> = [0.0, 512.0, 1536.0, 5e9, 5e14].map(bytes).into();
        assert_eq!(shown, ["0 B", "512 B", "1.5 KB", "4.66 GB", "455 TB"]);
    }

    #[test]
    fn quantities_have_the_digits_that_matter() {
        let shown: Vec<String> = [0.0, 0.0125, 0.5, 2.0, 45.25, 160.0, 12_345.6, 1e6].map(quantity).into();
        assert_eq!(shown, ["0", "0.0125", "0.5", "2", "45.2", "160", "12,346", "1,000,000"]);
    }
}
