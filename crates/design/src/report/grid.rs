//! Rows of cells in aligned columns, with what does not fit into a column in lines below its row.

use super::paragraph::wrap;

/// How far lines below a row are indented.
const INDENT: usize = 4;

/// Rows under headings.
#[derive(Debug)]
pub(super) struct Grid {
    headings: Vec<(&'static str, Side)>,
    rows: Vec<Row>,
}

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Words.
    Left,
    /// Figures.
    Right,
}

#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    below: Vec<String>,
}

impl Grid {
    /// No rows yet.
    pub(super) fn new(headings: &[(&'static str, Side)]) -> Grid {
        Grid { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row; each text of `below` begins a line of its own under it.
    pub(super) fn row(
        &mut self,
        cells: impl IntoIterator<Item = String>,
        below: impl IntoIterator<Item = String>,
    ) {
        self.rows.push(Row { cells: cells.into_iter().collect(), below: below.into_iter().collect() });
    }

    /// Whether it has no row.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines. Columns are as wide as their widest cell; lines below a row are wrapped at `width`.
    pub(super) fn render(&self, width: usize) -> String {
        let widths: Vec<usize> = (0..self.headings.len()).map(|column| self.width_of(column)).collect();
        let headings: Vec<&str> = self.headings.iter().map(|(heading, _)| *heading).collect();
        let mut lines = vec![self.line(&headings, &widths)];
        for row in &self.rows {
            let cells: Vec<&str> = row.cells.iter().map(String::as_str).collect();
            lines.push(self.line(&cells, &widths));
            lines.extend(row.below.iter().map(|text| wrap(text, width, INDENT)));
        }
        lines.join("\n")
    }

    fn width_of(&self, column: usize) -> usize {
        let heading = self.headings.get(column).map_or(0, |(heading, _)| heading.chars().count());
        let cells = self.rows.iter().filter_map(|row| row.cells.get(column));
        cells.map(|cell| cell.chars().count()).fold(heading, usize::max)
    }

    fn line(&self, cells: &[&str], widths: &[usize]) -> String {
        let cells: Vec<String> = cells
            .iter()
            .zip(&self.headings)
            .zip(widths)
            .map(|((cell, (_, side)), width)| match side {
                Side::Left => format!("{cell:<width$}"),
                Side::Right => format!("{cell:>width$}"),
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Side};

    #[test]
    fn columns_are_as_wide_as_their_widest_cell_and_the_rest_is_below() {
        let mut grid = Grid::new(&[("name", Side::Left), ("units", Side::Right)]);
        grid.row(["team".to_owned(), "1.5".to_owned()], ["one two three".to_owned()]);
        grid.row(["organization".to_owned(), "12000".to_owned()], []);
        let expected =
            "name          units\nteam            1.5\n    one two\n    three\norganization  12000";
        assert_eq!(grid.render(12), expected);
    }
}
