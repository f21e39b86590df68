//! Timestamps as text: one picture for each format, read and written alike.

use super::calendar::Date;
use super::kind::Precision;
use super::value::TimestampValue;
use crate::format::TimestampFormat;

/// Why a timestamp cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimestampProblem {
    /// It is finer than its format.
    TooFine,
    /// It is outside the years 0 to 9999 or, in a format that counts from 1970, before that or after 2286.
    OutOfRange,
    /// It is in a leap second.
    LeapSecond,
}

const SECONDS_OF_DAY: i64 = 86_400;
/// The first second of the year 0, counted from 1970.
const FIRST_SECOND: i64 = -62_167_219_200;
/// The last second of the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;

/// Adds `value` to `out`.
pub(super) fn write(
    value: TimestampValue,
    format: TimestampFormat,
    out: &mut String,
) -> Result<(), TimestampProblem> {
    if value.nanoseconds() > 999_999_999 {
        return Err(TimestampProblem::LeapSecond);
    }
    if !is_whole(nanoseconds_of(value), unit(format)) {
        return Err(TimestampProblem::TooFine);
    }
    match format {
        TimestampFormat::UnixSeconds | TimestampFormat::UnixMilliseconds => {
            let count = nanoseconds_of(value) / unit(format);
            let width = format.picture().len();
            let digits = format!("{count:0width$}");
            if count < 0 || digits.len() > width {
                return Err(TimestampProblem::OutOfRange);
            }
            out.push_str(&digits);
        }
        _ if !is_in_years(value) => return Err(TimestampProblem::OutOfRange),
        _ => write_date(value, format, out),
    }
    Ok(())
}

fn write_date(value: TimestampValue, format: TimestampFormat, out: &mut String) {
    let Date { year, month, day } = Date::of_days(value.seconds().div_euclid(SECONDS_OF_DAY));
    let second = value.seconds().rem_euclid(SECONDS_OF_DAY);
    let numbers = format!(
        "{year:04}{month:02}{day:02}{:02}{:02}{:02}{:09}",
        second / 3600,
        second / 60 % 60,
        second % 60,
        value.nanoseconds()
    );
    let mut digits = numbers.chars();
    out.extend(format.picture().chars().map(|sign| match sign {
        'd' => digits.next().unwrap_or('0'),
        other => other,
    }));
}

/// `value`, which a format of dates can write, as text.
pub(crate) fn to_text(value: TimestampValue, format: TimestampFormat) -> String {
    let mut text = String::new();
    write_date(value, format, &mut text);
    text
}

/// Whether it is in the years 0 to 9999.
pub(crate) fn is_in_years(value: TimestampValue) -> bool {
    (FIRST_SECOND..=LAST_SECOND).contains(&value.seconds())
}

/// The timestamp that `text` is in its format, for a type of this precision; nothing if it is none.
pub(crate) fn read(text: &str, format: TimestampFormat, precision: Precision) -> Option<TimestampValue> {
    let picture = format.picture();
    let fits = text.len() == picture.len()
        && text.bytes().zip(picture.bytes()).all(|(byte, sign)| match sign {
            b'd' => byte.is_ascii_digit(),
            other => byte == other,
        });
    if !fits {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let nanoseconds = match format {
        TimestampFormat::UnixSeconds | TimestampFormat::UnixMilliseconds => {
            digits.parse::<i128>().ok()? * unit(format)
        }
        _ => date_nanoseconds(&digits)?,
    };
    if !is_whole(nanoseconds, unit_of_precision(precision)) {
        return None;
    }
    of_nanoseconds(nanoseconds, precision)
}

/// Nanoseconds since 1970 of year, month, day, hour, minute, second and fraction, as far as there are digits.
fn date_nanoseconds(digits: &str) -> Option<i128> {
    let number = |from: usize, to: usize| match digits.get(from..to) {
        Some(part) => part.parse::<i64>().ok(),
        None => Some(0),
    };
    let date = Date { year: number(0, 4)?, month: number(4, 6)?, day: number(6, 8)? };
    let (hour, minute, second) = (number(8, 10)?, number(10, 12)?, number(12, 14)?);
    if !date.exists() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = digits.get(14..).unwrap_or("");
    let nanoseconds = format!("{fraction:0<9}").parse::<i128>().ok()?;
    let seconds = date.days() * SECONDS_OF_DAY + hour * 3600 + minute * 60 + second;
    Some(i128::from(seconds) * 1_000_000_000 + nanoseconds)
}

/// The timestamp one unit of the format after `value`, or before it for a negative `units`; nothing beyond the ends.
pub(super) fn moved(value: TimestampValue, format: TimestampFormat, units: i128) -> Option<TimestampValue> {
    of_nanoseconds(nanoseconds_of(value) + units * unit(format), value.precision())
}

fn nanoseconds_of(value: TimestampValue) -> i128 {
    i128::from(value.seconds()) * 1_000_000_000 + i128::from(value.nanoseconds())
}

fn of_nanoseconds(nanoseconds: i128, precision: Precision) -> Option<TimestampValue> {
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).ok()?;
    let rest = u32::try_from(nanoseconds.rem_euclid(1_000_000_000)).ok()?;
    TimestampValue::new(seconds, rest, precision)
}

/// The smallest difference that a format can write, in nanoseconds.
fn unit(format: TimestampFormat) -> i128 {
    unit_of_precision(match format {
        TimestampFormat::Date => Precision::Days,
        TimestampFormat::Seconds | TimestampFormat::UnixSeconds => Precision::Seconds,
        TimestampFormat::Milliseconds | TimestampFormat::UnixMilliseconds => Precision::Milliseconds,
        TimestampFormat::Microseconds => Precision::Microseconds,
        TimestampFormat::Nanoseconds => Precision::Nanoseconds,
    })
}

fn unit_of_precision(precision: Precision) -> i128 {
    match precision {
        Precision::Days => 86_400_000_000_000,
        Precision::Seconds => 1_000_000_000,
        Precision::Milliseconds => 1_000_000,
        Precision::Microseconds => 1000,
        Precision::Nanoseconds => 1,
    }
}

fn is_whole(nanoseconds: i128, unit: i128) -> bool {
    nanoseconds % unit == 0
}
