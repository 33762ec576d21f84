//! Times of sums and of single blocks in each form, on the thread that calls.

use std::hint::black_box;

use pliant_compression::hierarchical_matrix::{HierarchicalMatrix, SumScratch};
use pliant_compression::wavelet::{CoefficientField, WaveletMatrix};
use pliant_core::math::Vec3;

use crate::body::Body;
use crate::extraction::{block_alone, block_in_capacitance};
use crate::timing::{pseudo_random_indices, shortest_time};

/// Nodes of contacts whose columns are summed.
pub const PATCHES: [usize; 2] = [10, 40];
/// Blocks all over the matrix that are timed together.
const BLOCKS: usize = 10_000;

/// What a form costs.
pub struct Times {
    /// Sums of the columns of [`PATCHES`], with the inverse transform where there is one, µs.
    pub sums: [f64; 2],
    /// A block anywhere, and one of a capacitance matrix of the larger patch, ns.
    pub blocks: [f64; 2],
}

/// Seconds of a block anywhere and within the larger patch.
fn block_times(body: &Body, read: impl Fn(usize, usize)) -> [f64; 2] {
    let positions = pseudo_random_indices(2 * BLOCKS, body.matrix.nodes());
    let anywhere = || {
        for pair in positions.as_chunks::<2>().0 {
            read(pair[0], pair[1]);
        }
    };
    let patch = body.patch(PATCHES[1]);
    let inside = || {
        for &j in &patch {
            for &i in &patch {
                read(i as usize, j as usize);
            }
        }
    };
    let count = (patch.len() * patch.len()) as f64;
    [
        shortest_time(anywhere) / BLOCKS as f64,
        shortest_time(inside) / count,
    ]
}

/// Times of `sum`, and of blocks in seconds.
fn times(body: &Body, mut sum: impl FnMut(&[(u32, Vec3)]), blocks: [f64; 2]) -> Times {
    let sums = PATCHES.map(|count| {
        let force = |node| (node, Vec3::new(0.1, -0.2, 0.3));
        let forces: Vec<(u32, Vec3)> = body.patch(count).into_iter().map(force).collect();
        1e6 * shortest_time(|| sum(&forces))
    });
    Times {
        sums,
        blocks: blocks.map(|seconds| 1e9 * seconds),
    }
}

pub fn dense(body: &Body) -> Times {
    let mut field = vec![0.0; 3 * body.matrix.nodes()];
    let sum = |forces: &[(u32, Vec3)]| body.matrix.add_columns(forces, &mut field);
    let blocks = block_times(body, |i, j| {
        black_box(body.matrix.block(i, j));
    });
    times(body, sum, blocks)
}

pub fn wavelets(body: &Body, matrix: &WaveletMatrix) -> Times {
    let mut field = CoefficientField::default();
    let sum = |forces: &[(u32, Vec3)]| matrix.sum_columns(forces, &mut field);
    let patch = body.patch(PATCHES[1]);
    let blocks = [block_alone(matrix), block_in_capacitance(matrix, &patch)];
    times(body, sum, blocks)
}

pub fn hierarchical(body: &Body, matrix: &HierarchicalMatrix) -> Times {
    let mut field = vec![0.0; 3 * matrix.nodes()];
    let mut scratch = SumScratch::default();
    let sum = |forces: &[(u32, Vec3)]| {
        matrix.add_columns_on_one_thread(forces, &mut field, &mut scratch);
    };
    let blocks = block_times(body, |i, j| {
        black_box(matrix.block(i, j));
    });
    times(body, sum, blocks)
}
