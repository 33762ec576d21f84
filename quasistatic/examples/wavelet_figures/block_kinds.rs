//! Blocks of Green's functions between free and held vertices (James and Pai 2003, section 3): each by the wavelets of its rows, at the same epsilon.
//!
//! Rows of free vertices are displacements, rows of held ones tractions. Columns of free vertices are unit tractions, columns of held ones unit displacements. A model stores
//! displacements of free vertices under tractions alone.

use std::sync::Arc;

use pliant_compression::transform::{TransformSpec, WaveletTransform};
use pliant_compression::wavelet::{Columns, ThresholdSpec, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_quasistatic::benchmark::rabbit::SubdividedRabbit;
use pliant_quasistatic::boundary_elements::{
    BoundarySystem, Kelvin, acting_tractions, assemble_linear,
};
use pliant_quasistatic::capacitance::dense_lu::DenseLu;

use crate::body::Failure;
use crate::table::Table;

/// 642 vertices: the whole solution is dense.
const LEVELS: usize = 3;
const EPSILONS: [f64; 3] = [0.01, 0.05, 0.2];

/// Compression and errors of the four kinds of blocks.
pub fn write(table: &mut Table) -> Result<(), Failure> {
    table.section("blocks of free and held vertices, 642 vertices");
    let rabbit = SubdividedRabbit::new(LEVELS)?;
    let skin = &rabbit.geometry.skin;
    let free = &rabbit.free;
    let vertices = |is_free: bool| -> Vec<usize> {
        let all = free.iter().enumerate();
        all.filter(|(_, free)| **free == is_free)
            .map(|(v, _)| v)
            .collect()
    };
    let solution = whole_solution(&rabbit)?;
    let size = 3 * free.len();
    let areas = skin.nodal_areas();
    let kinds = [(true, true), (true, false), (false, true), (false, false)];
    for (rows_free, columns_free) in kinds {
        let (rows, columns) = (vertices(rows_free), vertices(columns_free));
        let inside: Vec<bool> = free.iter().map(|free| *free == rows_free).collect();
        let spec = TransformSpec::default();
        let transform = WaveletTransform::new(&rabbit.hierarchy, &inside, Some(&areas), &spec)?;
        let transform = Arc::new(transform);
        let fill = |column: usize, out: &mut [f64]| {
            for (row, block) in rows.iter().zip(out.as_chunks_mut::<9>().0) {
                for (k, value) in block.iter_mut().enumerate() {
                    let (r, c) = (3 * row + k % 3, 3 * columns[column] + k / 3);
                    *value = solution[c * size + r];
                }
            }
        };
        for epsilon in EPSILONS {
            let source = Columns::new(columns.len(), 3, &fill);
            let threshold = ThresholdSpec::new(epsilon);
            let (_, report) =
                WaveletMatrix::<f32>::compress(&transform, &source, &threshold, &Progress::new())?;
            let ours = format!(
                "{:.2}; RMS {:.4}, MAX {:.4}",
                report.compression, report.rms_error, report.max_error
            );
            let what = format!(
                "{} rows of {} for {} columns of {}, epsilon {epsilon}: compression",
                rows.len(),
                name(rows_free, ["displacements", "tractions"]),
                columns.len(),
                name(columns_free, ["tractions", "displacements"]),
            );
            table.row(&what, ours, "");
        }
    }
    Ok(())
}

fn name(is_free: bool, [of_free, of_held]: [&'static str; 2]) -> &'static str {
    if is_free { of_free } else { of_held }
}

/// Displacements of free and tractions of held vertices, for unit tractions of free and unit displacements of held ones, column by column. Tractions are divided by the shear modulus over
/// half the diagonal, so that all have units of length.
fn whole_solution(rabbit: &SubdividedRabbit) -> Result<Vec<f64>, Failure> {
    let (skin, free) = (&rabbit.geometry.skin, &rabbit.free);
    let acting = acting_tractions(&skin.triangles, |v| !free[v as usize]);
    let has_traction = |t: usize, corner: usize| acting[t][corner];
    let kelvin = Kelvin {
        poisson: rabbit.geometry.material.elastic.poisson,
    };
    let system: BoundarySystem = assemble_linear(skin, kelvin, has_traction, &Progress::new())?;
    let size = 3 * system.nodes;
    let length = 0.5 * skin.bounds().diagonal();
    let (h, g) = (&system.h, &system.g);
    let mut factor = DenseLu::default();
    let left = |row: usize, column: usize| {
        if free[column / 3] {
            h[row * size + column]
        } else {
            -g[row * size + column] / length
        }
    };
    factor
        .factor(size, left)
        .map_err(|pivot| format!("the boundary elements are singular at row {}", pivot.row))?;
    let mut solution = vec![0.0; size * size];
    for (column, right) in solution.chunks_exact_mut(size).enumerate() {
        for (row, value) in right.iter_mut().enumerate() {
            *value = if free[column / 3] {
                g[row * size + column] / length
            } else {
                -h[row * size + column]
            };
        }
    }
    factor.solve_columns(&mut solution, size, size);
    Ok(solution)
}
