//! Where columns come from.

use std::ops::Range;

/// Dense block columns, made when they are needed.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    /// Number of block columns.
    pub count: usize,
    /// Rows and columns of a block: 3 for displacements under forces, 1 for scalar fields.
    pub size: usize,
    /// Weight of each column in the mean error; without weights all count alike. Areas turn columns of nodal forces into those of tractions.
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
        /// Most columns that are asked for together.
        most: usize,
        /// Writes them.
        fill: &'a (dyn Fn(Range<usize>, &mut [f64]) + Sync),
    },
}

impl Columns<'_> {
    /// Most columns that are written together.
    pub(super) fn most(&self) -> usize {
        match self.fill {
            Fill::One(_) => 1,
            Fill::Several { most, .. } => most.max(1),
        }
    }

    /// Writes the columns of `range`, at most [`Self::most`].
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
