//! The capacitance matrix algorithm on compressed columns (James and Pai 2003, fast summation).

use pliant_compression::Number;
use pliant_compression::wavelet::{BlockReader, CoefficientField, WaveletMatrix};
use pliant_core::math::{Mat3, Vec3};

use crate::capacitance::dense_lu::{DenseLu, SingularPivot};

/// Solves for the forces that move nodes to prescribed displacements. Factor and memory are kept while the nodes stay the same. A solver belongs to one matrix.
///
/// 1. Known forces are summed as wavelet coefficients. 2. Their displacements at the constrained nodes are read without a reconstruction. 3. The capacitance
///    matrix, made of the same thresholded columns, gives the forces there. 4. Their columns are added. 5. One inverse transform gives the displacements of all
///    nodes; those of constrained nodes are the prescribed ones up to rounding.
///
/// Thresholded columns are not reciprocal, so that the capacitance matrix is not symmetric.
#[derive(Debug)]
pub struct CompressedCapacitance<T = f32> {
    nodes: Vec<u32>,
    factor: DenseLu,
    reader: BlockReader<T>,
    blocks: Vec<Mat3>,
    field: CoefficientField<T>,
    right: Vec<f64>,
    forces: Vec<(u32, Vec3)>,
    factored: bool,
}

impl<T: Number> Default for CompressedCapacitance<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            factor: DenseLu::default(),
            reader: BlockReader::default(),
            blocks: Vec::new(),
            field: CoefficientField::default(),
            right: Vec::new(),
            forces: Vec::new(),
            factored: false,
        }
    }
}

impl<T: Number> CompressedCapacitance<T> {
    /// Forces (N) that hold nodes at `targets` (node, displacement in m) under the forces `loads` (node, N) elsewhere, in the order of `targets`.
    ///
    /// Cost with `s` targets and `r` kept blocks a column: `s²` blocks and a factor of `18 s³` flops for a new set; then `18 (s + loads) r` and `18 s²` flops, and one inverse transform.
    ///
    /// # Errors
    /// [`SingularPivot`] where targets repeat each other; its row is three times the target.
    pub fn solve(
        &mut self,
        matrix: &WaveletMatrix<T>,
        targets: &[(u32, Vec3)],
        loads: &[(u32, Vec3)],
    ) -> Result<&[(u32, Vec3)], SingularPivot> {
        let finest = matrix.transform().domain().finest();
        if !self.factored || !self.nodes.iter().copied().eq(targets.iter().map(|t| t.0)) {
            self.factor(matrix, targets)?;
        }
        self.field.clear(matrix.rows());
        matrix.add_columns(loads, finest, &mut self.field);
        self.right.clear();
        for (node, target) in targets {
            let gap = if loads.is_empty() {
                *target
            } else {
                target - matrix.value_at(*node as usize, &self.field)
            };
            self.right.extend(gap.iter());
        }
        self.factor.solve(&mut self.right);
        self.forces.clear();
        for (&(node, _), force) in targets.iter().zip(self.right.as_chunks::<3>().0) {
            self.forces.push((node, Vec3::from(*force)));
        }
        matrix.add_columns(&self.forces, finest, &mut self.field);
        matrix.reconstruct(finest, &mut self.field);
        Ok(&self.forces)
    }

    /// Displacement of every node of the last solution, m.
    pub fn displacements(&self) -> &CoefficientField<T> {
        &self.field
    }

    fn factor(
        &mut self,
        matrix: &WaveletMatrix<T>,
        targets: &[(u32, Vec3)],
    ) -> Result<(), SingularPivot> {
        self.factored = false;
        self.nodes.clear();
        self.nodes.extend(targets.iter().map(|(node, _)| *node));
        let size = 3 * targets.len();
        let (nodes, reader, blocks) = (&self.nodes, &mut self.reader, &mut self.blocks);
        self.factor.factor_filled(size, |entries| {
            let columns = entries.chunks_exact_mut((3 * size).max(1));
            for (&column, out) in nodes.iter().zip(columns) {
                reader.open(matrix, column);
                reader.blocks(matrix, nodes, blocks);
                write_column(blocks, out);
            }
        })?;
        self.factored = true;
        Ok(())
    }
}

/// Writes the blocks of a column of a capacitance matrix as three columns of numbers.
pub(super) fn write_column(blocks: &[Mat3], out: &mut [f64]) {
    for (axis, out) in out.chunks_exact_mut((3 * blocks.len()).max(1)).enumerate() {
        for (block, out) in blocks.iter().zip(out.as_chunks_mut::<3>().0) {
            out.copy_from_slice(block.column(axis).as_slice());
        }
    }
}
