//! `x-amzn-RequestId`: 52 characters of `0-9A-V`, as the service's ids look.

use hyper::header::HeaderValue;
use keywright_engine::random::{Random, SeededRandom};

const LENGTH: usize = 52;
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";

/// A new id. One number is drawn from `random` (a system call, usually) and stretched to the id's length.
#[expect(clippy::expect_used, reason = "every byte comes from an alphabet of ASCII letters and digits")]
#[expect(clippy::indexing_slicing, reason = "five bits index 32 letters")]
pub(crate) fn new_request_id(random: &dyn Random) -> HeaderValue {
    const LETTERS_A_WORD: usize = 12;
    let stretched = SeededRandom::new(random.next_u64());
    let mut id = [0_u8; LENGTH];
    for letters in id.chunks_mut(LETTERS_A_WORD) {
        let mut word = stretched.next_u64();
        for letter in letters {
            *letter = ALPHABET[usize::from(word as u8 & 31)];
            word >>= 5;
        }
    }
    HeaderValue::from_bytes(&id).expect("ASCII letters and digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_id_is_52_letters_and_digits_and_does_not_repeat() {
        let random = SeededRandom::new(1);
        let first = new_request_id(&random);
        let second = new_request_id(&random);
        assert_ne!(first, second);
        for id in [first, second] {
            assert_eq!(id.len(), 52);
            assert!(id.as_bytes().iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
        }
    }
}
