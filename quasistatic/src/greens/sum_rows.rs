//! Selective deformation: sums of columns at some nodes only, as contact, probes and visible patches need them.
//!
//! `u_D = Σ_j F_Dj f_j` costs its share of the whole field. Rows are read in blocks of a cache line and added by the same kernel in the same order as in
//! the whole field, so that a selected row has the same bits.

use pliant_core::math::Vec3;
use pliant_core::simd::arch;

use crate::greens::matrix::{Columns, GreensMatrix};
use crate::greens::sum::{BLOCK, ColumnNumber, sum_block};

impl GreensMatrix {
    /// Adds the displacements (m) of `nodes` under `forces` (node, N) to `out`, three numbers for each entry of `nodes`, in any order.
    ///
    /// The bits are those of [`GreensMatrix::add_columns`]. Cost: one or two cache lines for each node and force and axis.
    pub fn add_rows(&self, forces: &[(u32, Vec3)], nodes: &[u32], out: &mut [f64]) {
        match &self.values() {
            Columns::Single(v) => add_rows(v, 3 * self.nodes(), forces, nodes, out),
            Columns::Double(v) => add_rows(v, 3 * self.nodes(), forces, nodes, out),
            Columns::Compressed(v) => v.add_rows(forces, nodes, out),
        }
    }
}

fn add_rows<T: ColumnNumber>(
    values: &[T],
    rows: usize,
    forces: &[(u32, Vec3)],
    nodes: &[u32],
    out: &mut [f64],
) {
    let arch = arch();
    let mut sums = [T::ZERO; BLOCK];
    // the block in `sums`, which the next node often shares
    let mut at = usize::MAX;
    for (target, &node) in out.as_chunks_mut::<3>().0.iter_mut().zip(nodes) {
        for (axis, value) in target.iter_mut().enumerate() {
            let row = 3 * node as usize + axis;
            if at != row / BLOCK {
                at = row / BLOCK;
                sums = [T::ZERO; BLOCK];
                sum_block(arch, values, rows, at * BLOCK, forces, &mut sums);
            }
            *value += sums[row % BLOCK].to_f64();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::greens::matrix::tests::{entry, forces};
    use crate::greens::table::Table;

    #[test]
    fn selected_rows_have_the_bits_of_the_whole_field() {
        // one chunk and its end, several chunks, and fewer rows than a vector
        for n in [2, 211, 700] {
            let double: Vec<f64> = (0..9 * n * n).map(entry).collect();
            let single: Vec<f32> = double.iter().map(|x| *x as f32).collect();
            let tables = [
                Columns::Double(Table::copied(&double)),
                Columns::Single(Table::copied(&single)),
            ];
            for values in tables {
                let matrix = GreensMatrix::new(n, values).expect("right size");
                for count in [0, 1, 2, 37] {
                    let forces = forces(count, n);
                    let mut field: Vec<f64> = (0..3 * n).map(|k| entry(5 * k)).collect();
                    let nodes: Vec<u32> = (0..60).map(|k| (k * 37 % n) as u32).collect();
                    let at = |field: &[f64]| -> Vec<f64> {
                        let rows = nodes.iter().map(|&node| 3 * node as usize);
                        rows.flat_map(|k| field[k..k + 3].to_vec()).collect()
                    };
                    let mut selected = at(&field);
                    matrix.add_rows(&forces, &nodes, &mut selected);
                    matrix.add_columns(&forces, &mut field);
                    let same = at(&field)
                        .iter()
                        .zip(&selected)
                        .all(|(a, b)| a.to_bits() == b.to_bits());
                    assert!(same, "{n} nodes, {count} forces");
                }
            }
        }
    }
}
