//! Quantised blocks of one level, column by column.

/// The kept blocks of the columns of one level, as integers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::stream) struct LevelBlocks {
    /// First block behind each column.
    ends: Vec<usize>,
    sizes: Vec<BlockSize>,
    /// `size²` numbers a block.
    values: Vec<i32>,
}

/// Row, weight and prediction error of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BlockSize {
    row: u32,
    weight: u32,
    error: u32,
}

/// One block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::stream) struct Block<'a> {
    /// Its row, counted from the first of the level.
    pub row: u32,
    /// The sum of the magnitudes of its numbers.
    pub weight: u32,
    /// The sum of the absolute differences of its numbers from their predictions.
    pub error: u32,
    /// Multiples of the step.
    pub values: &'a [i32],
}

/// The blocks of a column, by row.
#[derive(Debug, Clone)]
pub(in crate::stream) struct Column<'a> {
    sizes: &'a [BlockSize],
    values: &'a [i32],
}

/// The sum of the magnitudes of the numbers of a block.
pub(super) fn weight_of(values: &[i32]) -> u32 {
    let magnitudes = values.iter().map(|x| x.unsigned_abs());
    magnitudes.fold(0, u32::saturating_add)
}

impl LevelBlocks {
    /// Number of complete columns.
    pub fn columns(&self) -> usize {
        self.ends.len()
    }

    /// Number of blocks of all columns.
    pub fn blocks(&self) -> usize {
        self.sizes.len()
    }

    /// Appends a block to the column that [`Self::end_column`] completes.
    pub fn push(&mut self, row: u32, values: &[i32], error: u32) {
        let weight = weight_of(values);
        self.sizes.push(BlockSize { row, weight, error });
        self.values.extend_from_slice(values);
    }

    /// Completes a column.
    pub fn end_column(&mut self) {
        self.ends.push(self.sizes.len());
    }

    /// Removes all but the first `columns`.
    pub fn truncate(&mut self, columns: usize) {
        let block = self.values.len() / self.sizes.len().max(1);
        let blocks = columns.checked_sub(1).and_then(|last| self.ends.get(last));
        let blocks = blocks.copied().unwrap_or(0);
        self.ends.truncate(columns);
        self.sizes.truncate(blocks);
        self.values.truncate(blocks * block);
    }

    /// A column; without blocks where it does not exist.
    pub fn column(&self, column: usize) -> Column<'_> {
        let Some(&end) = self.ends.get(column) else {
            return Column::empty();
        };
        let begin = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        let block = self.values.len() / self.sizes.len().max(1);
        Column {
            sizes: &self.sizes[begin..end],
            values: &self.values[block * begin..block * end],
        }
    }
}

impl Column<'_> {
    /// A column without blocks.
    pub fn empty() -> Self {
        Self {
            sizes: &[],
            values: &[],
        }
    }
}

impl<'a> Iterator for Column<'a> {
    type Item = Block<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Block<'a>> {
        let block = self.values.len() / self.sizes.len().max(1);
        let (&BlockSize { row, weight, error }, sizes) = self.sizes.split_first()?;
        let (values, rest) = self.values.split_at(block);
        (self.sizes, self.values) = (sizes, rest);
        Some(Block {
            row,
            weight,
            error,
            values,
        })
    }
}
