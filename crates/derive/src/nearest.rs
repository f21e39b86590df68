//! What somebody may have meant who wrote a name that is not known.

/// The known name that takes the fewest changes to get to, if they are few.
pub(crate) fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let most = (written.chars().count() / 2).min(3);
    known
        .iter()
        .map(|name| (strsim::osa_distance(written, name), *name))
        .filter(|(changes, _)| *changes <= most)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const KNOWN: &[&str] = &["tenant", "entities", "patterns", "ttl"];

    #[test]
    fn a_slip_of_a_key_finds_what_was_meant() {
        assert_eq!(nearest("tenent", KNOWN), Some("tenant"));
        assert_eq!(nearest("entites", KNOWN), Some("entities"));
        assert_eq!(nearest("pattern", KNOWN), Some("patterns"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("billing", KNOWN), None);
        assert_eq!(nearest("x", KNOWN), None);
    }
}
