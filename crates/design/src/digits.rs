//! Numbers with their thousands apart.

/// A decimal number as text, the digits before its point in groups of three: `-1,234.5`.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let mut groups = String::from(sign);
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position).is_multiple_of(3) {
            groups.push(',');
        }
        groups.push(digit);
    }
    groups + fraction
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart_before_the_point_only() {
        let shown = ["0", "999", "1000", "-1000", "-999", "1234567.8912", "100000"].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "-1,000", "-999", "1,234,567.8912", "100,000"]);
    }
}
