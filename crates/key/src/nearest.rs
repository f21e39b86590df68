//! The name that was probably meant: the nearest of those that there are.

/// The longest name that is compared, in bytes; longer ones are nobody's misspelling.
const LONGEST: usize = 64;

/// A search for the name that was meant, among those that there are.
///
/// Names are near when one becomes the other by few insertions, deletions, replacements and swaps of neighbours: one for
/// every three letters, at least one. Of equally near names the first is taken.
///
/// ```
/// use keywright_key::Nearest;
///
/// const FOUND: Option<&str> = Nearest::to("membre").or("team").or("member").found();
/// assert_eq!(FOUND, Some("member"));
/// assert_eq!(Nearest::to("invoice").or("team").found(), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'a> {
    asked: &'a str,
    found: Option<&'a str>,
    below: usize,
}

impl<'a> Nearest<'a> {
    /// A search for what `asked` was meant to be.
    #[must_use]
    pub const fn to(asked: &'a str) -> Nearest<'a> {
        let allowed = if asked.len() < 6 { 1 } else { asked.len() / 3 };
        Nearest { asked, found: None, below: allowed + 1 }
    }

    /// The search with one more name that there is.
    #[must_use]
    pub const fn or(self, name: &'a str) -> Nearest<'a> {
        let edits = edits(self.asked, name);
        if edits < self.below { Nearest { found: Some(name), below: edits, ..self } } else { self }
    }

    /// The nearest of the names, if one is near.
    #[must_use]
    pub const fn found(self) -> Option<&'a str> {
        self.found
    }
}

/// How many insertions, deletions, replacements and swaps of neighbouring bytes make one text of the other, upper and lower
/// case being one; as many as can be if one is too long to compare.
#[expect(clippy::indexing_slicing, reason = "places go up to the lengths, which are at most `LONGEST`")]
const fn edits(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() > LONGEST || other.len() > LONGEST {
        return usize::MAX;
    }
    // The row of `place` bytes of `one`, and the two before it.
    let mut rows = [[0_usize; LONGEST + 1]; 3];
    let mut column = 0;
    while column <= other.len() {
        rows[0][column] = column;
        column += 1;
    }
    let mut place = 1;
    while place <= one.len() {
        let (now, before, earlier) = (place % 3, (place + 2) % 3, (place + 1) % 3);
        rows[now][0] = place;
        let mut column = 1;
        while column <= other.len() {
            let is_equal = one[place - 1].eq_ignore_ascii_case(&other[column - 1]);
            let replaced = rows[before][column - 1] + !is_equal as usize;
            let mut least = least(replaced, least(rows[before][column], rows[now][column - 1]) + 1);
            if place > 1
                && column > 1
                && one[place - 1].eq_ignore_ascii_case(&other[column - 2])
                && one[place - 2].eq_ignore_ascii_case(&other[column - 1])
            {
                least = self::least(least, rows[earlier][column - 2] + 1);
            }
            rows[now][column] = least;
            column += 1;
        }
        place += 1;
    }
    rows[one.len() % 3][other.len()]
}

const fn least(one: usize, other: usize) -> usize {
    if one < other { one } else { other }
}
