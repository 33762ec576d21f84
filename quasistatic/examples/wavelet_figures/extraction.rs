//! Table III: the time of single blocks, of the inverse transform, and of sums at a patch.

use std::hint::black_box;

use pliant_compression::transform::{MissingNeighbours, WaveletBasis};
use pliant_compression::wavelet::{BlockReader, CoefficientField, RegionSum, WaveletMatrix};
use pliant_core::math::Vec3;

use crate::body::{Body, Failure, linear_spec, wavelet_spec};
use crate::table::Table;
use crate::timing::{on_one_thread, pseudo_random_indices, shortest_time};

/// Blocks that are timed together.
const BLOCKS: usize = 10_000;
/// Nodes of a contact.
const NODES: usize = 40;
const EPSILON: f64 = 0.05;

/// Times of each body, on one thread.
pub fn write(bodies: &[Body], table: &mut Table) -> Result<(), Failure> {
    table.section("III: single blocks, epsilon 0.05, one thread");
    for body in bodies {
        let renormalise = MissingNeighbours::Renormalise;
        let (matrix, _) = body.compressed(&linear_spec(EPSILON, renormalise))?;
        let butterfly = wavelet_spec(WaveletBasis::Butterfly, true, renormalise, EPSILON);
        let (other, _) = body.compressed(&butterfly)?;
        let patch = body.patch(NODES);
        let [alone, inside, linear, butterfly] = on_one_thread(|| {
            Ok([
                block_alone(&matrix),
                block_in_capacitance(&matrix, &patch),
                inverse(&matrix),
                inverse(&other),
            ])
        })?;
        let name = format!("{} levels, {} nodes", body.levels, matrix.rows());
        let paper = match body.levels {
            2 => "8,000",
            3 => "20,000",
            4 => "36,000",
            _ => "",
        };
        table.row(
            &format!("{name}: ns a block alone"),
            format!("{:.0}", 1e9 * alone),
            paper,
        );
        let what = format!("{name}: ns a block in a capacitance of {NODES} nodes");
        table.row(&what, format!("{:.0}", 1e9 * inside), "");
        let paper = if body.levels == 3 {
            "380 linear; butterfly about twice"
        } else {
            ""
        };
        let ours = format!(
            "{:.2} linear, {:.2} butterfly",
            1e6 * linear,
            1e6 * butterfly
        );
        table.row(
            &format!("{name}: inverse transform of a field, µs"),
            ours,
            paper,
        );
        let [selection, region, whole] =
            on_one_thread(|| Ok(displacements_of_patch(&matrix, &patch)))?;
        let ours = format!(
            "{:.2} alone, {:.2} by the whole field; {:.2} to select them",
            1e6 * region,
            1e6 * whole,
            1e6 * selection
        );
        table.row(
            &format!("{name}: displacements of {NODES} nodes under forces on them, µs"),
            ours,
            "",
        );
    }
    Ok(())
}

/// Seconds of [`WaveletMatrix::block`], at places all over the matrix.
pub fn block_alone(matrix: &WaveletMatrix) -> f64 {
    let positions = pseudo_random_indices(2 * BLOCKS, matrix.rows());
    let read = || {
        for pair in positions.as_chunks::<2>().0 {
            black_box(matrix.block(pair[0], pair[1]));
        }
    };
    shortest_time(read) / BLOCKS as f64
}

/// Seconds of a block of a capacitance matrix, the selection of its rows included.
pub fn block_in_capacitance(matrix: &WaveletMatrix, patch: &[u32]) -> f64 {
    let (mut reader, mut blocks) = (BlockReader::default(), Vec::new());
    let read = || {
        reader.select(matrix.transform(), patch);
        for &column in patch {
            blocks.clear();
            blocks.extend(reader.read(matrix, column));
            black_box(&blocks);
        }
    };
    shortest_time(read) / (patch.len() * patch.len()) as f64
}

/// Seconds of the selection of the nodes of a patch, of their displacements under a force on each, and of those of the whole field.
fn displacements_of_patch(matrix: &WaveletMatrix, patch: &[u32]) -> [f64; 3] {
    let forces: Vec<(u32, Vec3)> = patch.iter().map(|&row| (row, Vec3::y())).collect();
    let mut region = RegionSum::<f32>::default();
    let selection = shortest_time(|| region.select(matrix.transform(), patch));
    let alone = shortest_time(|| {
        let sum: Vec3 = region.sum(matrix, &forces).sum();
        black_box(sum);
    });
    let mut field = CoefficientField::default();
    let whole = shortest_time(|| {
        matrix.sum_columns(&forces, &mut field);
        black_box(&field);
    });
    [selection, alone, whole]
}

/// Seconds of an inverse transform of three channels.
fn inverse(matrix: &WaveletMatrix) -> f64 {
    let finest = matrix.transform().domain().finest();
    let mut field = CoefficientField::default();
    field.clear(matrix.rows());
    matrix.add_columns(&[(0, Vec3::y())], finest, &mut field);
    shortest_time(|| {
        matrix.reconstruct(finest, &mut field);
        black_box(&field);
    })
}
