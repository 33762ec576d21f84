//! The bench `adaptive-frame`: how many nodes move in real time. A cube with elements of 3 cm (E = 2e4 Pa) wobbles on its foot, all of its nodes active.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::bench::{BenchCase, Work};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::Inspect;
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest, StepError};
use pliant_core::scene::Selection;

use crate::benchmark::baked_box::{FRAME, baked_box, check_size};
use crate::params::{AdaptiveParams, DampingRule, LevelChoice, Precision, Resolution};
use crate::{AdaptiveModel, LodHierarchy};

/// Edge of a cell, m.
const CELL: f64 = 0.03;
/// Frames that the facts are made from.
const FRAMES: usize = 60;

/// One frame of the finest level by itself. The facts tell its median in the first second, and that of a cut on which the same nodes move.
pub(crate) fn frame(nodes: usize) -> Result<BenchCase, String> {
    check_size(nodes)?;
    let cells = ((nodes as f64).cbrt().round() as usize).max(3) - 1;
    let asset = Arc::new(cube(cells)?);
    let mut level = body(&asset, Resolution::Level)?;
    let mut cut = body(&asset, Resolution::Cut)?;
    let of_level = median_ms(&mut level).map_err(|e| e.to_string())?;
    let of_cut = median_ms(&mut cut).map_err(|e| e.to_string())?;
    let count = level.stats().active_nodes;
    let on_cut = cut.stats().active_nodes;
    let most = |nodes: usize, ms: f64| nodes as f64 * FRAME * 1e3 / ms;
    let facts = vec![
        ("ms a frame, one level", of_level),
        (
            "nodes that a frame of 1/60 s has time for, one level",
            most(count, of_level),
        ),
        ("active nodes on the cut", on_cut as f64),
        ("ms a frame, the cut", of_cut),
        (
            "nodes that a frame of 1/60 s has time for, the cut",
            most(on_cut, of_cut),
        ),
    ];
    let run = move || {
        // it did not fail in its first second, when it moves most
        let _ = step(&mut level);
    };
    Ok(BenchCase {
        facts,
        ..BenchCase::new(count, 1.0, Work::default(), run)
    })
}

fn cube(cells: usize) -> Result<LodHierarchy, String> {
    let edge = CELL * cells as f64;
    let (size, coarse) = (Vec3::repeat(edge), (cells / 2).max(1));
    let foot = Selection::Lowest(0.1 * CELL);
    let material = Material::isotropic(2e4, 0.3)
        .with_density(1000.0)
        .with_damping_ratio(0.02)
        .with_law(MaterialLaw::StableNeoHookean);
    baked_box(size, &[[coarse; 3], [cells; 3]], material, foot)
}

fn body(asset: &Arc<LodHierarchy>, resolution: Resolution) -> Result<AdaptiveModel, String> {
    let params = AdaptiveParams {
        resolution,
        level: LevelChoice::Index(asset.levels.len() - 1),
        // all of it splits at once, and nothing merges
        gamma_max: Some(1e-12),
        gamma_min: Some(0.0),
        budget_units: u64::MAX,
        damping_rule: DampingRule::Rayleigh,
        precision: Precision::F32,
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(asset.clone(), params).map_err(|e| e.to_string())
}

fn step(model: &mut AdaptiveModel) -> Result<(), StepError> {
    let boundary = BoundaryConditions::with_gravity(Vec3::new(1.0, -2.0, 0.0));
    model.advance(FrameRequest::new(FRAME, &boundary))?;
    Ok(())
}

/// Median wall time of a frame in the second half of the first second, ms.
fn median_ms(model: &mut AdaptiveModel) -> Result<f64, StepError> {
    let mut times = Vec::with_capacity(FRAMES);
    for _ in 0..FRAMES {
        let started = Instant::now();
        step(model)?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let late = &mut times[FRAMES / 2..];
    late.sort_by(f64::total_cmp);
    Ok(late[late.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_all_nodes_of_the_cut_move_as_those_of_the_level() {
        let asset = Arc::new(cube(5).expect("bakes"));
        let [mut level, mut cut] =
            [Resolution::Level, Resolution::Cut].map(|r| body(&asset, r).expect("fits"));
        for _ in 0..30 {
            step(&mut level).expect("advances");
            step(&mut cut).expect("advances");
        }
        assert_eq!(level.stats().active_nodes, 216);
        // coarse nodes without a child stay whole
        assert!(cut.stats().active_nodes > 200);
    }
}
