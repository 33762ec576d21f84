//! The source of dense columns.

use std::ops::Range;

/// Dense block columns, computed on demand.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    /// Number of block columns.
    pub count: usize,
    /// Rows and columns of a block: 3 for displacements under forces, 1 for scalar fields.
    pub size: usize,
    /// Weight of each column in the mean error; without weights all count equally. With areas, columns of nodal forces count like columns of tractions.
    pub weights: Option<&'a [f64]>,
    /// Writes columns.
    pub fill: Fill<'a>,
}

/// Writes columns: for each row of the transform `size²` numbers, block column by block column.
#[derive(Clone, Copy)]
pub enum Fill<'a> {
    /// One column.
    One(&'a (dyn Fn(usize, &mut [f64]) + Sync)),
    /// Consecutive columns, one after the other: solvers are faster with several right-hand sides.
    Several {
        /// Largest number of columns of a call.
        max_columns: usize,
        /// Writes them.
        fill: &'a (dyn Fn(Range<usize>, &mut [f64]) + Sync),
    },
}

impl<'a> Columns<'a> {
    /// Columns that are written one by one and count equally.
    pub fn new(count: usize, size: usize, fill: &'a (dyn Fn(usize, &mut [f64]) + Sync)) -> Self {
        Self {
            count,
            size,
            weights: None,
            fill: Fill::One(fill),
        }
    }

    /// Largest number of columns that are written together.
    pub(super) fn max_columns(&self) -> usize {
        match self.fill {
            Fill::One(_) => 1,
            Fill::Several { max_columns, .. } => max_columns.max(1),
        }
    }

    /// Writes the columns of `range`, at most [`Self::max_columns`].
    pub(super) fn write(&self, range: Range<usize>, out: &mut [f64]) {
        match self.fill {
            Fill::One(fill) => {
                let length = out.len() / range.len().max(1);
                for (column, out) in range.zip(out.chunks_mut(length.max(1))) {
                    fill(column, out);
                }
            }
            Fill::Several { fill, .. } => fill(range, out),
        }
    }
}

impl std::fmt::Debug for Columns<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Columns({} of blocks of {})", self.count, self.size)
    }
}

/// Frobenius norm of each block of a column.
pub(super) fn block_norms(column: &[f64], block: usize) -> impl Iterator<Item = f64> + '_ {
    let squares = column
        .chunks_exact(block)
        .map(|b| b.iter().map(|x| x * x).sum::<f64>());
    squares.map(f64::sqrt)
}
