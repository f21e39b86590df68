//! What somebody may have meant who wrote a word that is not known.

/// The known word that takes the fewest changes to get to, if they are few. Case, `_` and `-` count for nothing.
pub(super) fn nearest<'w>(written: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let written = plain(written);
    let most = (written.chars().count() / 2).min(3);
    known
        .into_iter()
        .map(|word| (strsim::osa_distance(&written, &plain(word)), word))
        .filter(|(changes, _)| *changes <= most)
        .min_by_key(|(changes, _)| *changes)
        .map(|(_, word)| word)
}

/// Whether both are the same but for case, `_` and `-`.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    plain(one) == plain(other)
}

/// At most this many characters are compared: nothing longer is near a word that is known.
const LONGEST: usize = 64;

fn plain(word: &str) -> String {
    let characters = word.chars().filter(|character| !matches!(character, '_' | '-'));
    characters.take(LONGEST).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KNOWN: [&str; 4] = ["partition_key", "sort_key", "time_to_live", "stream"];

    #[test]
    fn a_slip_of_a_key_finds_what_was_meant() {
        assert_eq!(nearest("partiton_key", KNOWN), Some("partition_key"));
        assert_eq!(nearest("sortKey", KNOWN), Some("sort_key"));
        assert_eq!(nearest("time-to-live", KNOWN), Some("time_to_live"));
        assert_eq!(nearest("steram", KNOWN), Some("stream"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("billing", KNOWN), None);
        assert_eq!(nearest("x", KNOWN), None);
        assert_eq!(nearest("", KNOWN), None);
        assert_eq!(nearest(&"stream".repeat(100_000), KNOWN), None);
    }
}
