//! Where columns come from.

/// Dense block columns, made one at a time.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    /// Number of block columns.
    pub count: usize,
    /// Rows and columns of a block: 3 for displacements under forces, 1 for scalar fields.
    pub size: usize,
    /// Weight of each column in the mean error; without weights all count alike. Areas turn columns of nodal forces into those of tractions.
    pub weights: Option<&'a [f64]>,
    /// Writes a column: for each row of the transform `size²` numbers, block column by block column.
    pub fill: &'a (dyn Fn(usize, &mut [f64]) + Sync),
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
