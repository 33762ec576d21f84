//! The matrix of Green's functions, and the sum of its columns, which takes most of a frame.

use pliant_compression::wavelet::WaveletMatrix;
use pliant_core::math::{Mat3, Vec3};
use rayon::prelude::*;

use super::compressed::{CompressedColumns, WaveletColumns};
use super::sum::{ColumnNumber, add_columns};
use super::table::Table;

/// Precision in which columns are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 4 bytes a number: half the memory traffic; rounding about 1e-7 of the largest displacement.
    #[default]
    Single,
    /// 8 bytes a number: for reference solutions.
    Double,
}

impl Precision {
    /// Bytes of one number.
    pub fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }
}

/// Force-to-displacement compliances `F_ij` (m/N) between the free boundary nodes, as `3n` dense columns.
///
/// In the terms of James and Pai (1999, 2003) `F_ij = Ξ_ij / a_j`: column `j` is the Green's function of a unit nodal force instead of
/// a unit traction. Nodal forces make it symmetric, `F_ij = F_jiᵀ` (reciprocity), on every mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct GreensMatrix {
    nodes: usize,
    values: Columns,
    /// nodes without columns, ascending; their entries are zero except those that reciprocity gives
    missing: Vec<u32>,
}

/// Column `3j + c` holds the displacements `(x, y, z)` of node 0, node 1, ... under a unit force on node `j` along axis `c`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Columns {
    Single(Table<f32>),
    Double(Table<f64>),
    /// Compressed columns of single precision.
    Compressed(Box<CompressedColumns>),
}

impl GreensMatrix {
    /// Takes `(3 nodes)²` values, column by column; `None` when their number is different.
    pub(crate) fn new(nodes: usize, values: Columns) -> Option<Self> {
        let count = match &values {
            Columns::Compressed(v) => 9 * v.nodes() * v.nodes(),
            Columns::Single(v) => v.len(),
            Columns::Double(v) => v.len(),
        };
        let expected = dense_count(nodes)?;
        (count == expected).then_some(Self {
            nodes,
            values,
            missing: Vec::new(),
        })
    }

    /// Dense columns: `fill` writes the three columns of a node, one after the other, into zeros. `None` when the numbers cannot be counted.
    pub(crate) fn from_columns(
        nodes: usize,
        precision: Precision,
        fill: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Option<Self> {
        dense_count(nodes)?;
        let values = match precision {
            Precision::Single => Columns::Single(filled(nodes, fill)),
            Precision::Double => Columns::Double(filled(nodes, fill)),
        };
        Self::new(nodes, values)
    }

    /// Columns that are stored compressed.
    pub fn compressed(columns: CompressedColumns) -> Self {
        Self {
            nodes: columns.nodes(),
            values: Columns::Compressed(Box::new(columns)),
            missing: Vec::new(),
        }
    }

    /// The columns as wavelet coefficients; none in other forms.
    pub fn wavelets(&self) -> Option<&WaveletMatrix> {
        self.wavelet_columns().map(|columns| &columns.matrix)
    }

    /// The columns as wavelet coefficients, with the source of their transform.
    pub fn wavelet_columns(&self) -> Option<&WaveletColumns> {
        match &self.values {
            Columns::Compressed(columns) => match &**columns {
                CompressedColumns::Wavelets(columns, _) => Some(columns),
                CompressedColumns::Hierarchical(..) => None,
            },
            Columns::Single(_) | Columns::Double(_) => None,
        }
    }

    /// The same columns, dense in single precision.
    pub fn expanded(&self) -> Self {
        let rows = 3 * self.nodes;
        let mut values = Table::zeroed(rows * rows);
        let mut column = vec![0.0; 3 * rows];
        for (node, out) in values.chunks_exact_mut((3 * rows).max(1)).enumerate() {
            self.write_column(node, &mut column);
            for (k, x) in column.iter().enumerate() {
                let (block, axis, row) = (k / 9, k % 9 / 3, k % 3);
                out[axis * rows + 3 * block + row] = *x as f32;
            }
        }
        Self {
            nodes: self.nodes,
            values: Columns::Single(values),
            missing: self.missing.clone(),
        }
    }

    /// Whether columns satisfy reciprocity, `F_ij = F_jiᵀ`: all except those compressed by wavelets.
    pub fn is_reciprocal(&self) -> bool {
        match &self.values {
            Columns::Compressed(columns) => columns.is_reciprocal(),
            Columns::Single(_) | Columns::Double(_) => true,
        }
    }

    /// A matrix without any column; `None` when the numbers cannot be counted.
    pub(crate) fn empty(nodes: usize, precision: Precision) -> Option<Self> {
        let count = dense_count(nodes)?;
        let values = match precision {
            Precision::Single => Columns::Single(Table::zeroed(count)),
            Precision::Double => Columns::Double(Table::zeroed(count)),
        };
        let mut empty = Self::new(nodes, values)?;
        empty.missing = (0..nodes as u32).collect();
        Some(empty)
    }

    /// The nodes without columns, ascending. They cannot be constrained or loaded.
    pub fn missing(&self) -> &[u32] {
        &self.missing
    }

    /// Whether `node` has columns.
    pub fn has_column(&self, node: u32) -> bool {
        self.missing.is_empty() || self.missing.binary_search(&node).is_err()
    }

    /// Marks columns as missing; `false`, without any change, where the nodes do not exist or are not ascending.
    pub(crate) fn set_missing(&mut self, missing: Vec<u32>) -> bool {
        let is_valid = missing.is_sorted_by(|a, b| a < b)
            && missing.last().is_none_or(|&n| (n as usize) < self.nodes);
        if is_valid {
            self.missing = missing;
        }
        is_valid
    }

    /// Stores the columns of the nodes from `first` on, three of `3n` numbers each (m/N). Between two nodes with columns the mean of both entries is
    /// stored; between a node with a column and one without, the only entry known.
    ///
    /// `false`, and no change, where the numbers do not fit. Cost: each entry once, half of them a column apart.
    pub fn insert(&mut self, first: u32, columns: &[f64]) -> bool {
        let rows = 3 * self.nodes;
        let (begin, count) = (3 * first as usize, columns.len() / rows.max(1));
        let is_compressed = matches!(self.values, Columns::Compressed(_));
        if is_compressed
            || count * rows != columns.len()
            || begin + count > rows
            || !count.is_multiple_of(3)
        {
            return false;
        }
        let end = begin + count;
        let is_new = |r: usize| (begin..end).contains(&r);
        let new_entry = |r: usize, c: usize| columns[(c - begin) * rows + r];
        for r in 0..rows {
            let has_column = is_new(r) || self.has_column((r / 3) as u32);
            for c in begin..end {
                let value = match (is_new(r), has_column) {
                    (true, _) => 0.5 * (new_entry(r, c) + new_entry(c, r)),
                    (false, true) => 0.5 * (new_entry(r, c) + self.get(c, r)),
                    (false, false) => new_entry(r, c),
                };
                self.set(r, c, value);
                if !is_new(r) {
                    self.set(c, r, value);
                }
            }
        }
        let nodes = first..first + (count / 3) as u32;
        self.missing.retain(|n| !nodes.contains(n));
        true
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        let at = column * 3 * self.nodes + row;
        match &self.values {
            Columns::Single(v) => f64::from(v[at]),
            Columns::Double(v) => v[at],
            Columns::Compressed(v) => v.block(row / 3, column / 3)[(row % 3, column % 3)],
        }
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        let at = column * 3 * self.nodes + row;
        match &mut self.values {
            Columns::Single(v) => v[at] = value as f32,
            Columns::Double(v) => v[at] = value,
            // compressed columns are never inserted into
            Columns::Compressed(_) => {}
        }
    }

    /// Number of free boundary nodes `n`.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How numbers are stored.
    pub fn precision(&self) -> Precision {
        match self.values {
            Columns::Single(_) | Columns::Compressed(_) => Precision::Single,
            Columns::Double(_) => Precision::Double,
        }
    }

    /// Bytes of all columns.
    pub fn bytes(&self) -> usize {
        if let Columns::Compressed(columns) = &self.values {
            return columns.bytes();
        }
        9 * self.nodes * self.nodes * self.precision().bytes()
    }

    pub(crate) fn values(&self) -> &Columns {
        &self.values
    }

    /// `F_ij`: displacement of node `i` (m) for a unit force (N) on node `j`.
    pub fn block(&self, i: usize, j: usize) -> Mat3 {
        let rows = 3 * self.nodes;
        let entry = |r: usize, c: usize| (3 * j + c) * rows + 3 * i + r;
        match &self.values {
            Columns::Single(v) => Mat3::from_fn(|r, c| f64::from(v[entry(r, c)])),
            Columns::Double(v) => Mat3::from_fn(|r, c| v[entry(r, c)]),
            Columns::Compressed(v) => v.block(i, j),
        }
    }

    /// Writes the block column of node `j` (m/N): for each node nine numbers, the displacement under a unit force along x, then along y and z.
    ///
    /// `out` has `9n` numbers.
    pub fn write_column(&self, j: usize, out: &mut [f64]) {
        let rows = 3 * self.nodes;
        for axis in 0..3 {
            let begin = (3 * j + axis) * rows;
            let nodes = out
                .chunks_exact_mut(9)
                .map(|block| &mut block[3 * axis..3 * axis + 3]);
            match &self.values {
                Columns::Single(v) => {
                    for (out, x) in nodes.zip(v[begin..begin + rows].chunks_exact(3)) {
                        for (out, x) in out.iter_mut().zip(x) {
                            *out = f64::from(*x);
                        }
                    }
                }
                Columns::Double(v) => {
                    for (out, x) in nodes.zip(v[begin..begin + rows].chunks_exact(3)) {
                        out.copy_from_slice(x);
                    }
                }
                Columns::Compressed(v) => {
                    for (i, out) in nodes.enumerate() {
                        out.copy_from_slice(v.block(i, j).column(axis).as_slice());
                    }
                }
            }
        }
    }

    /// Adds the displacements (m) under `forces` (node, N) to `field`, three numbers a node.
    ///
    /// `field` has `3n` numbers. Each result is one sum in the order of `forces`, whatever the number of threads. Cost: `n` block products
    /// a force, limited by memory: 36 bytes each in single precision.
    pub fn add_columns(&self, forces: &[(u32, Vec3)], field: &mut [f64]) {
        match &self.values {
            Columns::Single(v) => add_columns(v, 3 * self.nodes, forces, field),
            Columns::Double(v) => add_columns(v, 3 * self.nodes, forces, field),
            Columns::Compressed(v) => v.add_columns(forces, field),
        }
    }
}

/// How many numbers dense columns of `nodes` nodes have; `None` when they cannot be counted.
pub(crate) fn dense_count(nodes: usize) -> Option<usize> {
    nodes.checked_mul(3)?.checked_pow(2)
}

/// The numbers that `fill` writes, the nodes in parallel.
fn filled<T: ColumnNumber>(nodes: usize, fill: impl Fn(usize, &mut [f64]) + Sync) -> Table<T> {
    let length = 9 * nodes;
    let mut values = Table::zeroed(length * nodes);
    let of_nodes = values.par_chunks_mut(length.max(1)).enumerate();
    of_nodes.for_each(|(node, out): (usize, &mut [T])| {
        let mut columns = vec![0.0; length];
        fill(node, &mut columns);
        for (out, x) in out.iter_mut().zip(columns) {
            *out = T::from_f64(x);
        }
    });
    values
}

#[cfg(test)]
pub(super) mod tests {
    use pliant_fuzzing::on_threads;

    use super::*;

    pub(crate) fn entry(k: usize) -> f64 {
        ((k * 7919) % 1009) as f64 / 1009.0 - 0.5
    }

    /// Forces on some of `nodes` nodes, N.
    pub(crate) fn forces(count: usize, nodes: usize) -> Vec<(u32, Vec3)> {
        let force = |k| Vec3::new(entry(k), entry(k + 3), entry(2 * k + 1));
        (0..count)
            .map(|k| ((k * 13 % nodes) as u32, force(k)))
            .collect()
    }

    #[test]
    fn sums_have_the_same_bits_on_any_number_of_threads() {
        let n = 600;
        let values: Vec<f32> = (0..9 * n * n).map(|k| entry(k) as f32).collect();
        let matrix =
            GreensMatrix::new(n, Columns::Single(Table::copied(&values))).expect("right size");
        let forces: Vec<(u32, Vec3)> = (0..251)
            .map(|k| (2 * k as u32, Vec3::new(entry(k), entry(3 * k), 0.1)))
            .collect();
        let bits = |threads: usize| -> Vec<u64> {
            let mut field = vec![0.0; 3 * n];
            on_threads(threads, || matrix.add_columns(&forces, &mut field));
            field.into_iter().map(f64::to_bits).collect()
        };
        let one = bits(1);
        for threads in [2, 8] {
            assert!(bits(threads) == one, "{threads} threads");
        }
    }

    #[test]
    fn sums_of_columns_equal_sums_of_blocks_in_both_precisions() {
        let n = 530;
        let count = 9 * n * n;
        let numbers: Vec<f64> = (0..count).map(entry).collect();
        let double =
            GreensMatrix::new(n, Columns::Double(Table::copied(&numbers))).expect("right size");
        let numbers: Vec<f32> = (0..count).map(|k| entry(k) as f32).collect();
        let single =
            GreensMatrix::new(n, Columns::Single(Table::copied(&numbers))).expect("right size");
        assert!(GreensMatrix::new(n, Columns::Double(Table::zeroed(7))).is_none());
        for count in [1, 2, 301] {
            let forces = forces(count, n);
            for (matrix, tolerance) in [(&double, 1e-13), (&single, 1e-5)] {
                let mut field = vec![1.0; 3 * n];
                matrix.add_columns(&forces, &mut field);
                for i in [0, 17, 511, 512, n - 1] {
                    let sum: Vec3 = forces
                        .iter()
                        .map(|(j, f)| double.block(i, *j as usize) * f)
                        .sum();
                    for axis in 0..3 {
                        let error = field[3 * i + axis] - 1.0 - sum[axis];
                        assert!(error.abs() < tolerance, "{i} {axis} {error}");
                    }
                }
            }
        }
    }
}
