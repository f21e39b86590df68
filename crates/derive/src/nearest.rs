//! What somebody may have meant who wrote a name that is not known.

/// The known name that takes the fewest changes to get to, if they are few.
pub(crate) fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let most = (written.chars().count() / 2).min(3);
    known
        .iter()
        .map(|name| (changes(written, name), *name))
        .filter(|(changes, _)| *changes <= most)
        .min()
        .map(|(_, name)| name)
}

/// How many characters must be added, removed or replaced to get from one text to the other.
fn changes(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (line, character) in from.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(line + 1);
        let mut left = line + 1;
        for ((above_left, above), wanted) in row.iter().zip(row.iter().skip(1)).zip(&to) {
            let replaced = above_left + usize::from(character != *wanted);
            left = replaced.min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
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
