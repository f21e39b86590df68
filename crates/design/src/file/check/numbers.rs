//! Numbers: each within its range.

use std::ops::Range;

use toml::de::DeValue;

use super::Check;
use crate::file::form::Lowest;
use crate::file::number::{Whole, number, whole};
use crate::file::problem::ProblemKind;
use crate::file::said::shown;
use crate::model::PerSecond;

impl Check<'_> {
    pub(super) fn whole(&mut self, least: u64, most: u64, written: &DeValue<'_>, range: Range<usize>) {
        let fits = match whole(written) {
            Some(Whole::Number(number)) => (least..=most).contains(&number),
            Some(Whole::Below | Whole::Above) | None => false,
        };
        if !fits {
            let limits = match (most, whole(written)) {
                (u64::MAX, Some(Whole::Above)) => {
                    format!("a whole number from {least} up, of 64 bits at most")
                }
                (u64::MAX, _) => format!("a whole number from {least} up"),
                _ => format!("a whole number from {least} to {most}"),
            };
            self.out_of_range(written, &limits, range);
        }
    }

    pub(super) fn rate(&mut self, written: &DeValue<'_>, range: Range<usize>) {
        if number(written).and_then(PerSecond::new).is_none() {
            self.out_of_range(written, "a number from 0 to 1,000,000,000", range);
        }
    }

    pub(super) fn share(&mut self, lowest: Lowest, written: &DeValue<'_>, range: Range<usize>) {
        let (fits, limits): (fn(f64) -> bool, _) = match lowest {
            Lowest::Zero => (|share| (0.0..=1.0).contains(&share), "a share from 0 to 1, such as `0.2`"),
            Lowest::AboveZero => {
                (|share| share > 0.0 && share <= 1.0, "a share above 0 and up to 1, such as `0.2`")
            }
        };
        if !number(written).is_some_and(fits) {
            self.out_of_range(written, limits, range);
        }
    }

    fn out_of_range(&mut self, written: &DeValue<'_>, limits: &str, range: Range<usize>) {
        let wrong = format!("`{}` cannot be {}", self.called, shown(written));
        let is_number = |value: &str| value.starts_with(|first: char| first.is_ascii_digit());
        let instead = format!("write {limits}{}", self.or_another_form(is_number));
        self.problems.report(ProblemKind::OutOfRange, range, wrong, instead);
    }
}
