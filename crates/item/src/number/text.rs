//! From a number to the text that the service returns: plain decimal, no exponent.

use std::fmt;

use super::Number;

/// A sign, `0.`, 64 pairs of zeros and 20 pairs of digits.
const LONGEST_TEXT: usize = 171;

impl Number {
    /// Appends the text that `Display` gives.
    pub fn write_text(&self, out: &mut Vec<u8>) {
        let mut text = [0_u8; LONGEST_TEXT];
        let length = self.render(&mut text);
        out.extend_from_slice(text.get(..length).unwrap_or_default());
    }

    fn render(&self, text: &mut [u8; LONGEST_TEXT]) -> usize {
        let mut writer = Writer { text, length: 0 };
        if self.is_zero() {
            writer.push(b'0');
            return writer.length;
        }
        if self.is_negative() {
            writer.push(b'-');
        }
        let mut exponent = self.exponent();
        if exponent <= 0 {
            writer.push(b'0');
            writer.push(b'.');
            for _ in exponent..0 {
                writer.push_pair(0);
            }
        }
        let mut last = 0;
        for (position, pair) in self.pairs().enumerate() {
            if position > 0 && exponent == 0 {
                writer.push(b'.');
            }
            if position == 0 && exponent > 0 && pair < 10 {
                writer.push(b'0' + pair);
            } else {
                writer.push_pair(pair);
            }
            exponent -= 1;
            last = pair;
        }
        for _ in 0..exponent {
            writer.push_pair(0);
        }
        // The last digit of a fraction may be the zero that fills its pair.
        writer.length - usize::from(exponent < 0 && last % 10 == 0)
    }
}

struct Writer<'a> {
    text: &'a mut [u8; LONGEST_TEXT],
    length: usize,
}

impl Writer<'_> {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.text.get_mut(self.length) {
            *place = byte;
        }
        self.length += 1;
    }

    fn push_pair(&mut self, pair: u8) {
        self.push(b'0' + pair / 10);
        self.push(b'0' + pair % 10);
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0_u8; LONGEST_TEXT];
        let length = self.render(&mut text);
        let text = text.get(..length).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
        formatter.pad(text)
    }
}
