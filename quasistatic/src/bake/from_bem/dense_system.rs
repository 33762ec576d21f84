//! The dense system of boundary elements, factored once and solved for each column.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::lu::partial_pivoting::solve::{
    solve_transpose_in_place, solve_transpose_in_place_scratch,
};
use faer::perm::PermRef;
use faer::{MatMut, MatRef, Par};
use pliant_core::math::{Mat3, Vec3};

use crate::bake::column_tasks::{BakeTask, ColumnPlan, all_columns};
use crate::bake::from_bem::incompressible::VolumeProjection;
use crate::boundary_elements::BoundarySystem;
use crate::error::BakeError;
use crate::greens::table::Table;
use crate::greens::{GreensMatrix, Precision};

/// Size of a system from which on several threads factor it.
const MIN_PARALLEL_SIZE: usize = 600;
/// A pivot below this share of the largest pivot counts as zero.
const MIN_PIVOT_RATIO: f64 = 1e-13;

/// Columns that one task solves together, always for whole nodes. Fewer columns make the matrix products too narrow; more columns leave too few tasks for the threads.
fn right_hand_sides(columns: usize) -> usize {
    (columns / 24).min(192).next_multiple_of(48).max(48)
}

/// Solutions of the system: three columns for each load case, of `height` numbers each.
pub(super) struct Solutions {
    height: usize,
    values: Table<f64>,
}

impl Solutions {
    /// Values at the nodes `free`, column after column.
    pub fn values_at(&self, free: &[u32]) -> Vec<f64> {
        let columns = self.values.chunks(self.height.max(1));
        let at = |column: &[f64], v: u32| [0, 1, 2].map(|r| column[3 * v as usize + r]);
        columns
            .flat_map(|column| free.iter().flat_map(move |&v| at(column, v)))
            .collect()
    }

    /// Number of load cases.
    pub fn cases(&self) -> usize {
        self.values.len() / (3 * self.height).max(1)
    }

    pub fn block(&self, node: u32, case: usize) -> Mat3 {
        Mat3::from_fn(|r, c| self.values[(3 * case + c) * self.height + 3 * node as usize + r])
    }
}

/// The factored system of one set of held nodes. The unknown of a held node is its traction times `length / μ`.
pub(super) struct DenseSystem {
    nodes: usize,
    length: f64,
    /// transposed rows of the system: L and U of the transpose
    factors: Table<f64>,
    permutation: Vec<usize>,
    inverse_permutation: Vec<usize>,
    body_force: Vec<f64>,
    areas: Vec<f64>,
}

impl DenseSystem {
    /// The solver, and the columns of `G`: the right-hand sides for unit tractions.
    pub fn new(
        system: BoundarySystem,
        is_held: &impl Fn(u32) -> bool,
        length: f64,
    ) -> Result<(Self, Table<f64>), BakeError> {
        let size = 3 * system.nodes;
        let BoundarySystem {
            nodes,
            h: mut factors,
            mut g,
            body_force,
            areas,
        } = system;
        // the rows are contiguous: as columns they make the transpose
        for (row, traction) in factors.chunks_mut(size.max(1)).zip(g.chunks(size.max(1))) {
            for v in (0..nodes as u32).filter(|&v| is_held(v)) {
                for k in 3 * v as usize..3 * v as usize + 3 {
                    row[k] = -traction[k] / length;
                }
            }
        }
        transpose(&mut g, size);
        let (mut permutation, mut inverse_permutation) = (vec![0; size], vec![0; size]);
        let par = parallel(size);
        let request = lu_in_place_scratch::<usize, f64>(size, size, par, Default::default());
        lu_in_place(
            MatMut::from_column_major_slice_mut(&mut factors, size, size),
            &mut permutation,
            &mut inverse_permutation,
            par,
            MemStack::new(&mut MemBuffer::new(request)),
            Default::default(),
        );
        let pivot = |k: usize| factors[k * size + k].abs();
        let largest = (0..size).map(pivot).fold(0.0, f64::max);
        if let Some(k) =
            (0..size).find(|&k| pivot(k).is_nan() || pivot(k) <= MIN_PIVOT_RATIO * largest)
        {
            return Err(BakeError::SingularSystem {
                node: (permutation[k] / 3) as u32,
            });
        }
        let solver = Self {
            nodes,
            length,
            factors,
            permutation,
            inverse_permutation,
            body_force,
            areas,
        };
        Ok((solver, g))
    }

    fn size(&self) -> usize {
        3 * self.nodes
    }

    /// Replaces right-hand sides by solutions, column by column.
    fn solve(&self, right: &mut [f64], memory: &mut MemBuffer) {
        let size = self.size();
        let width = right.len() / size;
        let factors = MatRef::from_column_major_slice(&self.factors, size, size);
        solve_transpose_in_place(
            factors,
            factors,
            PermRef::new_checked(&self.permutation, &self.inverse_permutation, size),
            MatMut::from_column_major_slice_mut(right, size, width),
            Par::Seq,
            MemStack::new(memory),
        );
    }

    fn memory(&self) -> MemBuffer {
        MemBuffer::new(solve_transpose_in_place_scratch::<usize, f64>(
            self.size(),
            right_hand_sides(usize::MAX),
            Par::Seq,
        ))
    }

    /// Solutions for a unit force (N) on each node of `free`, in the memory of the columns `g`. `publish` is given the first column and the solutions of each task.
    pub fn columns(
        &self,
        mut g: Table<f64>,
        free: &[u32],
        shear: f64,
        task: &BakeTask<'_>,
        publish: impl Fn(usize, &Solutions) + Sync,
    ) -> Result<Solutions, BakeError> {
        let height = self.size();
        for (k, &node) in free.iter().enumerate() {
            let begin = 3 * node as usize * height;
            g.copy_within(begin..begin + 3 * height, 3 * k * height);
        }
        g.truncate(3 * free.len() * height);
        let plan = ColumnPlan {
            columns: 3 * free.len(),
            height,
            columns_per_task: right_hand_sides(3 * free.len()),
            bake: task,
        };
        let solve = |first: usize, right: &mut [f64], memory: &mut MemBuffer| {
            for (k, out) in right.chunks_mut(height).enumerate() {
                let column = first + k;
                let node = free[column / 3] as usize;
                let scale = 1.0 / (self.areas[node] * shear);
                for value in out.iter_mut() {
                    *value *= scale;
                }
            }
            self.solve(right, memory);
        };
        let publish_task = |first: usize, solutions: &[f64]| {
            if task.control.publish.is_some() {
                let values = Table::copied(solutions);
                publish(first, &Solutions { height, values });
            }
        };
        all_columns(&plan, &mut g, || self.memory(), solve, publish_task)?;
        Ok(Solutions { height, values: g })
    }

    /// Solution for a body force of 1 N/m³ along each axis.
    pub fn body_force(&self, shear: f64) -> Solutions {
        let height = self.size();
        let mut values = Table::zeroed(3 * height);
        for axis in 0..3 {
            for row in 0..height {
                values[axis * height + row] = self.body_force[3 * row + axis] / shear;
            }
        }
        self.solve(&mut values, &mut self.memory());
        Solutions { height, values }
    }

    /// Solution for three right-hand sides, given as a block for each node.
    pub fn case(&self, right: &[Mat3]) -> Solutions {
        let height = self.size();
        let mut values = Table::zeroed(3 * height);
        for (node, block) in right.iter().enumerate() {
            for axis in 0..3 {
                for row in 0..3 {
                    values[axis * height + 3 * node + row] = block[(row, axis)];
                }
            }
        }
        self.solve(&mut values, &mut self.memory());
        Solutions { height, values }
    }

    /// Area that belongs to the traction of each node, m².
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// Sum of the forces on the nodes `held` in one load case, N on the body.
    pub fn total_force(&self, solved: &Solutions, case: usize, held: &[u32], shear: f64) -> Mat3 {
        let mut sum = Mat3::zeros();
        for &v in held {
            sum += solved.block(v, case) * (self.areas[v as usize] * shear / self.length);
        }
        sum
    }
}

/// Threads for a factorisation, whose bits do not depend on their number. Threads wait for each other in every block, so that more threads than processors slow it down.
#[cfg(not(target_family = "wasm"))]
fn parallel(size: usize) -> Par {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    match rayon::current_num_threads().min(processors) {
        threads @ 2.. if size >= MIN_PARALLEL_SIZE => Par::rayon(threads),
        _ => Par::Seq,
    }
}

/// A browser has one thread.
#[cfg(target_family = "wasm")]
fn parallel(_: usize) -> Par {
    Par::Seq
}

/// Transposes a square matrix in place, in tiles that fit the first-level cache.
fn transpose(values: &mut [f64], size: usize) {
    const TILE: usize = 32;
    for begin in (0..size).step_by(TILE) {
        let end = (begin + TILE).min(size);
        for i in begin..end {
            for j in begin..i {
                values.swap(i * size + j, j * size + i);
            }
        }
        let (above, below) = values.split_at_mut(end * size);
        let above = &mut above[begin * size..];
        for (tile, rows) in below.chunks_mut(TILE * size).enumerate() {
            let first = end + tile * TILE;
            for (k, row) in rows.chunks_mut(size).enumerate() {
                for (i, value) in row[begin..end].iter_mut().enumerate() {
                    std::mem::swap(value, &mut above[i * size + first + k]);
                }
            }
        }
    }
}

/// The symmetric part of the compliances between the free nodes. With `areas` (m², a vector for each of them) it is projected to preserve the volume.
pub(super) fn symmetric_matrix(
    solved: &Solutions,
    free: &[u32],
    areas: Option<&[Vec3]>,
    precision: Precision,
) -> Option<GreensMatrix> {
    let solution = |row: usize, column: usize| {
        solved.values[column * solved.height + 3 * free[row / 3] as usize + row % 3]
    };
    let symmetric =
        |row: usize, column: usize| 0.5 * (solution(row, column) + solution(column, row));
    let projection = areas.map(|areas| VolumeProjection::new(areas, symmetric));
    let entry = |row: usize, column: usize| match &projection {
        Some(projection) => projection.projected(row, column, symmetric(row, column)),
        None => symmetric(row, column),
    };
    let height = 3 * free.len();
    GreensMatrix::from_columns(free.len(), precision, |node, columns| {
        for (k, value) in columns.iter_mut().enumerate() {
            *value = entry(k % height, 3 * node + k / height);
        }
    })
}

#[cfg(test)]
mod tests {
    use pliant_fuzzing::on_threads;

    use super::*;

    #[test]
    fn factors_have_the_same_bits_for_any_number_of_threads() {
        let nodes = MIN_PARALLEL_SIZE.div_ceil(3) + 1;
        let size = 3 * nodes;
        let bits = |threads: usize| -> Vec<u64> {
            let entry = |k: usize| ((k * 7919) % 1013) as f64 / 1013.0 - 0.5;
            let mut h = Table::zeroed(size * size);
            for (k, value) in h.iter_mut().enumerate() {
                *value = entry(k) + if k % (size + 1) == 0 { 9.0 } else { 0.0 };
            }
            let system = BoundarySystem {
                nodes,
                h,
                g: Table::zeroed(size * size),
                body_force: vec![0.0; 3 * size],
                areas: vec![1.0; nodes],
            };
            let made = on_threads(threads, || DenseSystem::new(system, &|_| false, 1.0));
            let (system, _) = made.expect("regular");
            system.factors.iter().map(|x| x.to_bits()).collect()
        };
        let one = bits(1);
        for threads in [2, 5] {
            assert!(bits(threads) == one, "{threads} threads");
        }
    }

    #[test]
    fn a_transposed_matrix_has_rows_for_columns() {
        for size in [1, 3, 31, 32, 33, 101] {
            let entry = |row: usize, column: usize| (row * 1000 + column) as f64;
            let mut values: Vec<f64> = (0..size * size)
                .map(|k| entry(k / size, k % size))
                .collect();
            transpose(&mut values, size);
            for (k, value) in values.iter().enumerate() {
                assert_eq!(*value, entry(k % size, k / size), "{size}");
            }
        }
    }
}
