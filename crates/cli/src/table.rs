//! Tables for people: columns as wide as their widest cell.

use core::fmt;

/// A table; a column whose title starts with `>` is aligned to the right.
pub(crate) struct Table<const N: usize> {
    right: [bool; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(titles: [&str; N]) -> Self {
        Table {
            right: titles.map(|title| title.starts_with('>')),
            rows: vec![titles.map(|title| title.trim_start_matches('>').to_owned())],
        }
    }

    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    fn width(&self, column: usize) -> usize {
        self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: [usize; N] = core::array::from_fn(|column| self.width(column));
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), right) in row.iter().zip(widths).zip(self.right) {
                line += &if right { format!("{cell:>width$}  ") } else { format!("{cell:<width$}  ") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
