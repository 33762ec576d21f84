//! The time of the capacitance matrix of a new set of constraints: of 400 fine nodes, and of those among them that are one level coarser.

use std::hint::black_box;
use std::time::Instant;

use pliant_compression::transform::TransformSpec;
use pliant_compression::wavelet::WaveletMatrix;
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_quasistatic::Precision;
use pliant_quasistatic::capacitance::compressed::{CompressedCapacitance, HierarchicalConstraint};
use pliant_quasistatic::greens::wavelets::{WaveletSpec, combine_hats};

use crate::press::baked_rabbit;

/// Nodes of the patch.
const PATCH_NODES: usize = 400;
const REPETITIONS: usize = 25;

/// Prints the times.
pub fn write(levels: usize) {
    let (rabbit, asset) = baked_rabbit(levels, Precision::default());
    let (boundary, progress) = (rabbit.boundary(), Progress::new());
    let hats = boundary.transform(&TransformSpec::HATS).expect("hats");
    let domain = hats.domain();
    let finest = domain.finest();
    let spec = WaveletSpec::default();
    let columns = (0..=finest).map(|level| {
        let combined = combine_hats(&asset.matrix, level, &boundary, &spec, &progress);
        combined.expect("compressed").0
    });
    let columns: Vec<WaveletMatrix> = columns.collect();
    let centre = Vec3::new(-0.03, 0.1, 0.0);
    let distance = |row: u32| {
        let vertex = domain.vertices()[row as usize] as usize;
        (rabbit.geometry.skin.positions[vertex] - centre).norm()
    };
    let mut patch: Vec<u32> = (0..domain.rows() as u32).collect();
    patch.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    patch.truncate(PATCH_NODES.min(domain.rows() / 4));
    patch.sort_unstable();
    let mut previous_time = 0.0;
    for coarser in 0..2.min(finest) {
        let level = finest - coarser;
        let rows = patch.iter().copied();
        let rows = rows.filter(|row| (*row as usize) < domain.rows_to(level));
        let level = level as u32;
        let constraints = rows.map(|row| HierarchicalConstraint { level, row });
        let constraints: Vec<HierarchicalConstraint> = constraints.collect();
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
