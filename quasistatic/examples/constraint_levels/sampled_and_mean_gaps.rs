//! Two methods to constrain a patch by coarse hats: gaps sampled at coarse vertices, as in the paper, and mean gaps over the hats. The patch is moved rigidly, so that all differences come from
//! the methods.

use std::hint::black_box;
use std::time::Instant;

use pliant_compression::transform::TransformSpec;
use pliant_compression::wavelet::{BlockReader, WaveletMatrix};
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_quasistatic::Precision;
use pliant_quasistatic::capacitance::compressed::{CompressedCapacitance, HierarchicalConstraint};
use pliant_quasistatic::capacitance::dense_lu::DenseLu;
use pliant_quasistatic::greens::wavelets::{Threshold, WaveletSpec, combine_hats};

use crate::press::baked_rabbit;

/// Nodes of the patch.
const PATCH_NODES: usize = 400;
const REPETITIONS: usize = 25;

/// Prints force and distance from the target for both methods, and the time of a new set of 400 fine nodes and of one level coarser.
pub fn write(levels: usize) {
    let (rabbit, asset) = baked_rabbit(levels, Precision::default());
    let skin = &rabbit.geometry.skin;
    let progress = Progress::new();
    let boundary = rabbit.boundary();
    let spec = WaveletSpec {
        threshold: Threshold::Epsilon(0.05),
        ..WaveletSpec::default()
    };
    let hats = boundary.transform(&TransformSpec::HATS).expect("hats");
    let domain = hats.domain();
    let finest = domain.finest();
    let columns = (0..=finest).map(|level| {
        let combined = combine_hats(&asset.matrix, level, &boundary, &spec, &progress);
        combined.expect("compressed").0
    });
    let columns: Vec<WaveletMatrix> = columns.collect();
    let position = |row: u32| skin.positions[domain.vertices()[row as usize] as usize];
    let centre = Vec3::new(-0.03, 0.1, 0.0);
    let mut by_distance: Vec<u32> = (0..domain.rows() as u32).collect();
    by_distance.sort_by(|&a, &b| {
        let distance = |row: u32| (position(row) - centre).norm();
        distance(a).total_cmp(&distance(b))
    });
    let areas = boundary.free_areas();
    println!(
        "way | levels coarser | constraints | force N | largest and RMS distance from the target, share of the move"
    );
    let displacement = Vec3::new(3e-3, -8e-3, 0.0);
    let patch: Vec<u32> = by_distance
        .iter()
        .copied()
        .take(PATCH_NODES.min(domain.rows() / 4))
        .collect();
    for coarser in 0..finest {
        let level = finest - coarser;
        let constraints = constraints_of(&patch, level, domain.rows_to(level));
        let mut solver = CompressedCapacitance::default();
        let targets = vec![displacement; constraints.len()];
        let tractions = solver.solve(&columns, &constraints, &targets, &[]);
        let pairs = constraints.iter().zip(tractions.expect("regular"));
        let force = pairs
            .map(|(c, traction)| traction * hats.integrals(level)[c.row as usize])
            .sum();
        let errors = patch.iter().map(|&row| {
            (solver.displacements().value(row as usize) - displacement).norm() / displacement.norm()
        });
        report("sampled", coarser, constraints.len(), force, errors);
        // mean gaps: hats cut to the patch, dense columns between all of its nodes
        let mut weights: Vec<Vec<(u32, f64)>> = Vec::new();
        for (hat, parts) in hats.hats(level).into_iter().enumerate() {
            let inside = parts.into_iter().filter(|(row, _)| patch.contains(row));
            let parts: Vec<(u32, f64)> = inside
                .map(|(row, h)| (row, h * areas[row as usize]))
                .collect();
            let sum: f64 = parts.iter().map(|p| p.1).sum();
            if sum > 0.5 * hats.integrals(level)[hat] || patch.contains(&(hat as u32)) {
                weights.push(parts.into_iter().map(|(row, w)| (row, w / sum)).collect());
            }
        }
        let matrix = &asset.matrix;
        let block_between = |r: usize, c: usize| {
            let mut sum = pliant_core::math::Mat3::zeros();
            for &(i, a) in &weights[r] {
                for &(j, b) in &weights[c] {
                    sum += matrix.block(i as usize, j as usize) * (a * b);
                }
            }
            sum
        };
        let count = weights.len();
        let blocks: Vec<_> = (0..count * count)
            .map(|k| block_between(k / count, k % count))
            .collect();
        let mut factor = DenseLu::default();
        factor
            .factor(3 * count, |r, c| {
                blocks[r / 3 * count + c / 3][(r % 3, c % 3)]
            })
            .expect("regular");
        let mut forces: Vec<f64> = (0..count).flat_map(|_| &displacement).copied().collect();
        factor.solve(&mut forces);
        let forces = forces.as_chunks::<3>().0.iter();
        let forces: Vec<Vec3> = forces.map(|f| Vec3::from(*f)).collect();
        let nodal: Vec<(u32, Vec3)> = weights
            .iter()
            .zip(&forces)
            .flat_map(|(parts, f)| parts.iter().map(move |(row, w)| (*row, f * *w)))
            .collect();
        let mut field = vec![0.0; 3 * matrix.nodes()];
        matrix.add_columns(&nodal, &mut field);
        let errors = patch.iter().map(|&row| {
            let at = 3 * row as usize;
            (Vec3::new(field[at], field[at + 1], field[at + 2]) - displacement).norm()
                / displacement.norm()
        });
        report("mean", coarser, count, forces.iter().sum(), errors);
    }
    blocks(&columns[finest], &by_distance);
    let mut previous_time = 0.0;
    for coarser in 0..2.min(finest) {
        let level = finest - coarser;
        let constraints = constraints_of(&patch, level, domain.rows_to(level));
        let mut shortest = f64::INFINITY;
        let mut solver = CompressedCapacitance::default();
        for _ in 0..REPETITIONS << (4 * coarser) {
            let start = Instant::now();
            let prepared = solver.prepare(&columns, &constraints);
            prepared.expect("regular");
            shortest = shortest.min(start.elapsed().as_secs_f64());
            black_box(&solver);
        }
        let gain = if previous_time > 0.0 {
            format!(", {:.1} times cheaper", previous_time / shortest)
        } else {
            String::new()
        };
        println!(
            "new set of {} constraints, {coarser} levels coarser: {:.3} ms{gain}",
            constraints.len(),
            1e3 * shortest
        );
        previous_time = shortest;
    }
}

/// Prints the time of a block within a patch of 40 nodes, one by one and side by side.
fn blocks(matrix: &WaveletMatrix, patch: &[u32]) {
    let patch = &patch[..40.min(patch.len())];
    let (mut reader, mut out) = (BlockReader::default(), Vec::new());
    let mut shortest = [f64::INFINITY; 2];
    for _ in 0..20_000 {
        for (method, shortest) in shortest.iter_mut().enumerate() {
            let start = Instant::now();
            for &column in patch {
                reader.open(matrix, column);
                if method == 1 {
                    reader.blocks(matrix, patch, &mut out);
                    black_box(&out);
                    continue;
                }
                for &row in patch {
                    black_box(reader.block(matrix, row as usize));
                }
            }
            *shortest = shortest.min(start.elapsed().as_secs_f64());
        }
    }
    let each = shortest.map(|seconds| 1e9 * seconds / (patch.len() * patch.len()) as f64);
    println!(
        "block in a capacitance of {} nodes: {:.1} ns one by one, {:.1} ns side by side",
        patch.len(),
        each[0],
        each[1]
    );
}

/// The rows of a patch that belong to a level.
fn constraints_of(patch: &[u32], level: usize, rows: usize) -> Vec<HierarchicalConstraint> {
    let mut rows: Vec<u32> = patch
        .iter()
        .copied()
        .filter(|row| (*row as usize) < rows)
        .collect();
    rows.sort_unstable();
    let constraint = |row| HierarchicalConstraint {
        level: level as u32,
        row,
    };
    rows.into_iter().map(constraint).collect()
}

fn report(
    method: &str,
    coarser: usize,
    count: usize,
    force: Vec3,
    errors: impl Iterator<Item = f64>,
) {
    let errors: Vec<f64> = errors.collect();
    let largest = errors.iter().copied().fold(0.0, f64::max);
    let square: f64 = errors.iter().map(|m| m * m).sum();
    println!(
        "{method} | {coarser} | {count} | {:.3} {:.3} {:.3} | {largest:.3} {:.3}",
        force.x,
        force.y,
        force.z,
        (square / errors.len().max(1) as f64).sqrt()
    );
}
