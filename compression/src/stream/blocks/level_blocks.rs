//! Quantised blocks of one level, column by column.

/// The kept blocks of the columns of one level, as integers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::stream) struct LevelBlocks {
    /// First block of each column, and the number of blocks.
    starts: Vec<usize>,
    /// Rows, counted from the first of the level.
    rows: Vec<u32>,
    /// The sum of the magnitudes of each block.
    weights: Vec<u32>,
    errors: Vec<u32>,
    /// `size²` numbers a block.
    values: Vec<i32>,
}

/// Those of one column.
#[derive(Debug, Clone, Copy)]
pub(in crate::stream) struct ColumnBlocks<'a> {
    pub rows: &'a [u32],
    pub weights: &'a [u32],
    pub errors: &'a [u32],
    pub values: &'a [i32],
}

impl LevelBlocks {
    pub fn columns(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub fn blocks(&self) -> usize {
        self.rows.len()
    }

    /// A block of the column that [`Self::end_column`] will close.
    pub fn push(&mut self, row: u32, values: &[i32], error: u32) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let weight = values.iter().map(|x| x.unsigned_abs());
        let weight = weight.fold(0_u32, u32::saturating_add);
        self.rows.push(row);
        self.weights.push(weight);
        self.errors.push(error);
        self.values.extend_from_slice(values);
    }

    pub fn end_column(&mut self) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.starts.push(self.rows.len());
    }

    /// A column; one that is not there has no blocks.
    pub fn column(&self, column: usize) -> ColumnBlocks<'_> {
        let bounds = (self.starts.get(column), self.starts.get(column + 1));
        let (begin, end) = match bounds {
            (Some(&begin), Some(&end)) => (begin, end),
            _ => (0, 0),
        };
        let size = self.values.len() / self.rows.len().max(1);
        ColumnBlocks {
            rows: &self.rows[begin..end],
            weights: &self.weights[begin..end],
            errors: &self.errors[begin..end],
            values: &self.values[size * begin..size * end],
        }
    }
}
