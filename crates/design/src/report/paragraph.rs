//! Text in lines of a given width.

/// Words in lines of at most `width` columns, each behind `indent` spaces. A word that is longer stands alone in its line.
///
/// What is between two newlines is a paragraph of its own; the result ends without a newline.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::wrap;

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
