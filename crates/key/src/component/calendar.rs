//! Days and dates of the proleptic Gregorian calendar, from the year 0 to the year 9999.
//!
//! Years begin in March here, so that the leap day is the last day of a year.

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
}

const DAYS_OF_400_YEARS: i64 = 146_097;
/// From the first of March of the year 0 to the first of January 1970.
const DAYS_BEFORE_1970: i64 = 719_468;

impl Date {
    /// The date that is so many days after the first of January 1970.
    pub(super) fn of_days(days: i64) -> Date {
        let days = days + DAYS_BEFORE_1970;
        let era = days.div_euclid(DAYS_OF_400_YEARS);
        let day_of_era = days.rem_euclid(DAYS_OF_400_YEARS);
        // Leaves the leap days out: one every 4 years, but not every 100, but every 400.
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // Five months from March on always have 153 days.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Date { year, month, day }
    }

    /// How many days it is after the first of January 1970.
    pub(super) fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month_from_march = (self.month + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * DAYS_OF_400_YEARS + day_of_era - DAYS_BEFORE_1970
    }

    /// Whether there is such a day.
    pub(super) fn exists(self) -> bool {
        (1..=12).contains(&self.month) && self.day >= 1 && Date::of_days(self.days()) == self
    }
}
