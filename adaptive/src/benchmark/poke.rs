//! The bench `adaptive-poke`: a cut under a tool against the finest level of the same body, with the same kernels, lanes and threads.

use std::sync::Arc;
use std::time::Instant;

use pliant_core::bench::{BenchCase, Work};
use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections, DisplacementConstraint};
use pliant_core::inspect::Inspect;
use pliant_core::material::{Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{DeformableModel, FrameRequest, StepError};
use pliant_core::scene::Selection;

use crate::benchmark::baked_box::{FRAME, baked_box, check_size};
use crate::params::{AdaptiveParams, DampingRule, LevelChoice, Precision, Resolution, units_for};
use crate::{AdaptiveModel, LodHierarchy};

/// Sides of the pad, m, and depth of the poke and radius of the touched disc.
const SIDES: [f64; 3] = [0.2, 0.1, 0.2];
const DEPTH: f64 = 0.004;
const DISC_RADIUS: f64 = 0.012;
/// Frames in which the tool goes down, and all frames until both bodies rest.
const PRESS_FRAMES: u32 = 30;
const TOTAL_FRAMES: u32 = 75;
/// Budget of the cut, ms of the nominal machine, and its threshold (m), that of the scene `poke`.
const BUDGET_MS: f64 = 28.0;
const GAMMA_MAX: f64 = 2e-4;
/// Share of the bound that the finest level steps by: its largest stable step.
const STEP_SHARE: f64 = 0.95;
/// Where the skin is watched, m.
const PROBE: [f64; 3] = [0.05, 0.05, 0.0];

/// What a poke from the first touch to rest gave and took.
#[derive(Debug, Clone, Default)]
struct Curve {
    /// of the tool, N, one a frame
    forces: Vec<f64>,
    /// height of the observed point relative to rest, m, one a frame
    heights: Vec<f64>,
    /// tetrahedra evaluated in all, and work units
    evaluations: u64,
    units: u64,
    /// wall time in all, s
    seconds: f64,
}

impl Curve {
    /// Presses and holds.
    fn record(model: &mut AdaptiveModel) -> Result<Self, StepError> {
        let skin = model.surface().clone();
        let place = Vec3::from(PROBE);
        let far = |v: &usize| (skin.positions[*v] - place).norm();
        let probe = (0..skin.vertex_count()).min_by(|a, b| far(a).total_cmp(&far(b)));
        let probe = probe.unwrap_or(0);
        let mut curve = Self::default();
        let mut frame = SurfaceFrame::default();
        for k in 0..TOTAL_FRAMES {
            let depth = DEPTH * (f64::from(k) / f64::from(PRESS_FRAMES)).min(1.0);
            let started = Instant::now();
            let (evaluations, units) = step(model, depth)?;
            curve.seconds += started.elapsed().as_secs_f64();
            curve.evaluations += evaluations;
            curve.units += units;
            curve
                .forces
                .push(model.reactions().iter().map(|r| r.y).sum());
            model.write_surface(&mut frame);
            let height = f64::from(frame.positions[probe][1]);
            curve.heights.push(height - skin.positions[probe].y);
        }
        Ok(curve)
    }
}

/// Largest difference of two curves over the largest value of the second.
fn difference(found: &[f64], right: &[f64]) -> f64 {
    let off = found.iter().zip(right).map(|(a, b)| (a - b).abs());
    let scale = right.iter().map(|x| x.abs()).fold(0.0, f64::max);
    off.fold(0.0, f64::max) / scale
}

/// One held frame of the cut; the reference is a frame of the finest level with about `nodes` nodes. The facts have the ratios and differences of the whole poke.
pub(crate) fn poke(nodes: usize) -> Result<BenchCase, String> {
    check_size(nodes)?;
    // twice as many cells along the long sides as along the short one
    let cells = (((2 * nodes) as f64).cbrt() / 8.0).round() as usize * 8;
    let cells = cells.clamp(8, 40);
    let asset = Arc::new(pad(cells)?);
    let mut cut = body(&asset, Resolution::Cut)?;
    let mut finest = body(&asset, Resolution::Level)?;
    let [cut_curve, level_curve] = [&mut cut, &mut finest].map(Curve::record);
    let (cut_curve, level_curve) = match (cut_curve, level_curve) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(e), _) | (_, Err(e)) => return Err(e.to_string()),
    };
    let held = |c: &Curve| c.forces.last().copied().unwrap_or(f64::NAN);
    let ratio = |a: u64, b: u64| b as f64 / a.max(1) as f64;
    let facts = vec![
        (
            "fewer tetrahedron evaluations in the whole poke, times",
            ratio(cut_curve.evaluations, level_curve.evaluations),
        ),
        (
            "less work with what ghosts, contact and skin cost, times",
            ratio(cut_curve.units, level_curve.units),
        ),
        (
            "less wall time in the whole poke, times",
            level_curve.seconds / cut_curve.seconds,
        ),
        (
            "largest difference of the force while pressing and holding, of the largest",
            difference(&cut_curve.forces, &level_curve.forces),
        ),
        (
            "difference of the held force, of the finest level's",
            held(&cut_curve) / held(&level_curve) - 1.0,
        ),
        (
            "largest difference of the place beside the tool, of the largest",
            difference(&cut_curve.heights, &level_curve.heights),
        ),
        (
            "nodes of the cut that move",
            cut.stats().active_nodes as f64,
        ),
    ];
    let size = asset.levels.last().map_or(0, |l| l.node_count());
    let hold = |model: &mut AdaptiveModel| {
        // both rest: a frame that fails would have failed before
        let _ = step(model, DEPTH);
    };
    let mut case = BenchCase::new(size, 1.0, Work::default(), move || hold(&mut cut));
    case.facts = facts;
    Ok(case.with_reference(1.0, move || hold(&mut finest)))
}

fn pad(cells: usize) -> Result<LodHierarchy, String> {
    let size = Vec3::from(SIDES);
    let at = |part: usize| [cells / part, (cells / part / 2).max(1), cells / part];
    let foot = Selection::HalfSpace {
        point: [0.0, -0.499 * SIDES[1], 0.0],
        normal: [0.0, -1.0, 0.0],
    };
    let material = Material::isotropic(2e4, 0.0)
        .with_density(1000.0)
        .with_damping_ratio(0.1)
        .with_law(MaterialLaw::Green);
    baked_box(size, &[8, 4, 2, 1].map(at), material, foot)
}

fn body(asset: &Arc<LodHierarchy>, resolution: Resolution) -> Result<AdaptiveModel, String> {
    let params = AdaptiveParams {
        resolution,
        level: LevelChoice::Index(asset.levels.len() - 1),
        gamma_max: Some(GAMMA_MAX),
        budget_units: units_for(BUDGET_MS, Precision::F32, resolution),
        damping_rule: DampingRule::Rayleigh,
        precision: Precision::F32,
        mass_scaling: 0.04,
        // a single rate keeps its energy up to the stable step, many do not
        safety: match resolution {
            Resolution::Level => STEP_SHARE,
            Resolution::Cut => AdaptiveParams::default().safety,
        },
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(asset.clone(), params).map_err(|e| e.to_string())
}

/// A frame with the tool `depth` deep: tetrahedra evaluated, and work units.
fn step(model: &mut AdaptiveModel, depth: f64) -> Result<(u64, u64), StepError> {
    let skin = model.surface().clone();
    let below = |distance: f64| depth * (1.0 - 0.25 * (distance / DISC_RADIUS).powi(2));
    let touched = (0..skin.vertex_count() as u32).filter_map(|vertex| {
        let x = skin.positions[vertex as usize];
        let distance = x.x.hypot(x.z);
        (x.y > 0.499 * SIDES[1] && distance < DISC_RADIUS).then(|| DisplacementConstraint {
            directions: ConstrainedDirections::Along(-Vec3::y()),
            ..DisplacementConstraint::held(vertex, x - Vec3::y() * below(distance))
        })
    });
    let mut boundary = BoundaryConditions::default();
    // vertices come once and in order
    let _ = boundary.set_displacements(touched);
    let report = model.advance(FrameRequest::new(FRAME, &boundary))?;
    let evaluations = match &model.cut {
        // without what ghosts, contact and skin cost
        Some(body) => body.frame_totals.evaluations,
        None => report.work_used,
    };
    Ok((evaluations, report.work_used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_pad_is_poked_by_both_with_the_same_force() {
        let asset = Arc::new(pad(16).expect("bakes"));
        let curve = |resolution| {
            let mut b = body(&asset, resolution).expect("fits");
            Curve::record(&mut b).expect("advances")
        };
        let (cut, level) = (curve(Resolution::Cut), curve(Resolution::Level));
        let held = |c: &Curve| c.forces.last().copied().expect("frames");
        assert!(
            held(&level) < 0.0 && (held(&cut) / held(&level) - 1.0).abs() < 0.05,
            "{} {}",
            held(&cut),
            held(&level)
        );
        // what ghosts, contact and skin cost is counted beside the tetrahedra
        assert!(cut.evaluations < cut.units && level.evaluations == level.units);
    }
}
