//! The capacitance matrix algorithm on compressed columns (James and Pai 2003, fast summation and hierarchical constraints).

use pliant_compression::Number;
use pliant_compression::wavelet::{BlockReader, CoefficientField, WaveletMatrix};
use pliant_core::math::Vec3;

use crate::capacitance::dense_lu::{DenseLu, SingularPivot};

/// A constrained row, and the level whose column acts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HierarchicalConstraint {
    /// Index among the matrices of the levels.
    pub level: u32,
    /// Row of the vertex; it belongs to the level or a coarser one.
    pub row: u32,
}

/// Solves for the multiples of columns that move rows to prescribed displacements. Factor and memory are kept while the constraints stay the same. A solver belongs to the columns of
/// one body: one matrix, or one for each level, see [`combine_hats`](crate::greens::wavelets::combine_hats).
///
/// 1. Known loads are summed as wavelet coefficients. 2. Their displacements at the constrained rows are read without a reconstruction. 3. The capacitance
///    matrix, made of the same thresholded columns, gives the multiples. 4. Their columns are added. 5. One inverse transform gives the displacements of all
///    rows; those of constrained rows are the prescribed ones up to rounding.
///
/// Thresholded columns are not reciprocal, so that the capacitance matrix is not symmetric. Between constraints of a coarse level the load is interpolated. Levels may be mixed, as
/// long as no row is constrained twice.
#[derive(Debug)]
pub struct CompressedCapacitance<T = f32> {
    constraints: Vec<HierarchicalConstraint>,
    rows: Vec<u32>,
    factor: DenseLu,
    reader: BlockReader<T>,
    field: CoefficientField<T>,
    right: Vec<f64>,
    multiples: Vec<Vec3>,
    factored: bool,
}

impl<T: Number> Default for CompressedCapacitance<T> {
    fn default() -> Self {
        Self {
            constraints: Vec::new(),
            rows: Vec::new(),
            factor: DenseLu::default(),
            reader: BlockReader::default(),
            field: CoefficientField::default(),
            right: Vec::new(),
            multiples: Vec::new(),
            factored: false,
        }
    }
}

impl<T: Number> CompressedCapacitance<T> {
    /// Multiples of the columns that hold each constraint at its target displacement (m) under `loads` (row, multiple of its column of the finest level) elsewhere, in the order of the
    /// constraints: N for columns of unit forces, Pa for columns of unit tractions. `levels` has the matrices of the levels, the finest one last.
    ///
    /// Cost with `s` constraints and `r` kept blocks a column: that of [`Self::prepare`] for a new set; then `18 (s + loads) r` and `18 s²` flops, and one inverse transform.
    ///
    /// # Errors
    /// As [`Self::prepare`].
    ///
    /// # Panics
    /// As [`Self::prepare`], and where there are not as many targets as constraints.
    pub fn solve(
        &mut self,
        levels: &[WaveletMatrix<T>],
        constraints: &[HierarchicalConstraint],
        targets: &[Vec3],
        loads: &[(u32, Vec3)],
    ) -> Result<&[Vec3], SingularPivot> {
        assert_eq!(
            targets.len(),
            constraints.len(),
            "a target for each constraint"
        );
        if !self.factored || self.constraints != constraints {
            self.prepare(levels, constraints)?;
        }
        let matrix = &levels[levels.len() - 1];
        let finest = matrix.transform().domain().finest();
        self.field.clear(matrix.rows());
        matrix.add_columns(loads, finest, &mut self.field);
        self.right.clear();
        for (constraint, target) in constraints.iter().zip(targets) {
            let gap = if loads.is_empty() {
                *target
            } else {
                target - matrix.value_at(constraint.row as usize, &self.field)
            };
            self.right.extend(gap.iter());
        }
        self.factor.solve(&mut self.right);
        self.multiples.clear();
        let multiples = self.right.as_chunks::<3>().0.iter();
        self.multiples.extend(multiples.map(|x| Vec3::from(*x)));
        for (constraint, multiple) in constraints.iter().zip(&self.multiples) {
            let factors = [(constraint.row, *multiple)];
            levels[constraint.level as usize].add_columns(&factors, finest, &mut self.field);
        }
        matrix.reconstruct(finest, &mut self.field);
        Ok(&self.multiples)
    }

    /// Displacement of every row of the last solution, m.
    pub fn displacements(&self) -> &CoefficientField<T> {
        &self.field
    }

    /// Assembles and factors the capacitance matrix of a set, as [`Self::solve`] does for a new one. Cost for `s` constraints: `s²` blocks and `18 s³` flops.
    ///
    /// # Errors
    /// [`SingularPivot`] where a row is constrained twice; its row is three times the constraint.
    ///
    /// # Panics
    /// For a level or a row that does not exist.
    pub fn prepare(
        &mut self,
        levels: &[WaveletMatrix<T>],
        constraints: &[HierarchicalConstraint],
    ) -> Result<(), SingularPivot> {
        self.factored = false;
        self.constraints.clear();
        self.constraints.extend_from_slice(constraints);
        self.rows.clear();
        self.rows.extend(constraints.iter().map(|c| c.row));
        let size = 3 * constraints.len();
        // the rows of all levels have the same transform
        if let Some(matrix) = levels.last() {
            self.reader.select(matrix.transform(), &self.rows);
        }
        let reader = &mut self.reader;
        self.factor.factor_filled(size, |entries| {
            let columns = entries.chunks_exact_mut((3 * size).max(1));
            for (constraint, columns) in constraints.iter().zip(columns) {
                let matrix = &levels[constraint.level as usize];
                let (x, others) = columns.split_at_mut(size);
                let (y, z) = others.split_at_mut(size);
                let [x, y, z] = [x, y, z].map(|column| column.as_chunks_mut::<3>().0);
                let places = x.iter_mut().zip(y).zip(z);
                let blocks = reader.read(matrix, constraint.row);
                for (((x, y), z), block) in places.zip(blocks) {
                    [*x, *y, *z] = <[[f64; 3]; 3]>::from(block);
                }
            }
        })?;
        self.factored = true;
        Ok(())
    }
}
