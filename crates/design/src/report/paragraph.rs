//! Text in lines of a given width, fit for a terminal.

/// Words in lines of at most `width` columns, each behind `indent` spaces. A word that is longer stands alone in its line.
///
/// What is between two newlines is a paragraph of its own; the result ends without a newline. Names and reasons come from
/// a file that somebody else may have written: what would move the cursor, change colours or turn text around is shown by
/// its number.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> String {
    let text = &visible(text);
    let mut wrapped = String::new();
    for (position, paragraph) in text.lines().enumerate() {
        if position > 0 {
            wrapped.push('\n');
        }
        let mut column = 0;
        for word in paragraph.split_whitespace() {
            let length = word.chars().count();
            if column == 0 {
                wrapped.push_str(&" ".repeat(indent));
                column = indent;
            } else if column + 1 + length > width {
                wrapped.push('\n');
                wrapped.push_str(&" ".repeat(indent));
                column = indent;
            } else {
                wrapped.push(' ');
                column += 1;
            }
            wrapped.push_str(word);
            column += length;
        }
    }
    wrapped
}

/// The text with `\u{1b}` and the like instead of characters that do something.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        let turns_around =
            matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns_around || character.is_control() && !character.is_whitespace() {
            visible.extend(character.escape_unicode());
        } else {
            visible.push(character);
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::wrap;

    /// A reason in a design of somebody else could hide the findings above it, or claim that there are none.
    #[test]
    fn what_would_move_the_cursor_is_shown_by_its_number() {
        assert_eq!(wrap("a\u{1b}[2Jb \u{202e}c\u{7}", 80, 0), "a\\u{1b}[2Jb \\u{202e}c\\u{7}");
    }

    #[test]
    fn words_fill_a_line_up_to_its_width() {
        assert_eq!(wrap("one two three", 9, 2), "  one two\n  three");
    }

    #[test]
    fn a_word_longer_than_the_line_stands_alone() {
        assert_eq!(wrap("a https://example.com/page b", 10, 0), "a\nhttps://example.com/page\nb");
    }

    #[test]
    fn paragraphs_stay_apart() {
        assert_eq!(wrap("one\n\ntwo", 80, 1), " one\n\n two");
    }
}
