//! The bench `adaptive-poke`: a cut under a tool against the finest level of the same body, with the same kernels, lanes and threads.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress, SupportRegion};
use pliant_core::bench::{BenchCase, Work};
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint, Friction,
};
use pliant_core::material::{Damping, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::model::{DeformableModel, FrameRequest, StepError, WorkBudget};
use pliant_core::scene::Selection;

use crate::bake::bake_with;
use crate::params::{AdaptiveParams, DampingRule, LevelChoice, Precision, Resolution, units_for};
use crate::{AdaptiveModel, LodHierarchy};

/// Sides of the pad, m, and depth of the poke and radius of the touched disc.
const SIDES: [f64; 3] = [0.2, 0.1, 0.2];
const DEPTH: f64 = 0.004;
const DISC: f64 = 0.012;
/// A frame, s; frames in which the tool goes down, and all frames until both bodies rest.
const FRAME: f64 = 1.0 / 60.0;
const PRESS: u32 = 30;
const ALL: u32 = 75;
/// Budget of the cut, ms.
const BUDGET_MS: f64 = 8.0;
/// Nodes of the largest pad.
const MOST: usize = 300_000;
/// Largest difference of the held forces.
const FORCE: f64 = 0.05;

/// One held frame of the cut; the reference is one of the finest level of about `nodes` nodes.
pub(crate) fn poke(nodes: usize) -> Result<BenchCase, String> {
    if nodes > MOST {
        return Err(format!("{nodes} nodes are too many; at most {MOST}"));
    }
    // twice as many cells along the long sides as along the short one
    let cells = ((nodes as f64 / 4.0).cbrt().round() as usize / 4 * 4).clamp(8, 40);
    let asset = Arc::new(pad(cells)?);
    let mut cut = body(&asset, Resolution::Cut)?;
    let mut finest = body(&asset, Resolution::Level)?;
    let mut force = [0.0; 2];
    for (k, model) in [&mut cut, &mut finest].into_iter().enumerate() {
        for frame in 0..ALL {
            let depth = DEPTH * (f64::from(frame) / f64::from(PRESS)).min(1.0);
            step(model, depth).map_err(|e| e.to_string())?;
        }
        force[k] = model.reactions().iter().map(|r| r.y).sum::<f64>();
    }
    let off = force[0] / force[1] - 1.0;
    if off.is_nan() || off.abs() > FORCE {
        return Err(format!(
            "the cut pushes with {:.4} N, the finest level with {:.4} N",
            force[0], force[1]
        ));
    }
    let size = asset.levels.last().map_or(0, |l| l.node_count());
    let hold = |model: &mut AdaptiveModel| {
        // both rest: a frame that fails would have failed before
        let _ = step(model, DEPTH);
    };
    let none = Work::default();
    let case = BenchCase::new(size, 1.0, none, move || hold(&mut cut));
    Ok(case.with_reference(1.0, move || hold(&mut finest)))
}

fn pad(cells: usize) -> Result<LodHierarchy, String> {
    let size = Vec3::from(SIDES);
    let at = |part: usize| [cells / part, (cells / part / 2).max(1), cells / part];
    let skin = Arc::new(box_surface(size, at(1), CellStyle::Alternating));
    let foot = Selection::HalfSpace {
        point: [0.0, -0.499 * SIDES[1], 0.0],
        normal: [0.0, -1.0, 0.0],
    };
    let geometry = BodyGeometry {
        supports: vec![SupportRegion::new("foot", foot, &skin)],
        skin,
        material: Material {
            elastic: YoungPoisson {
                young: 2e4,
                poisson: 0.0,
            },
            density: 1000.0,
            damping: Damping::Ratio(0.1),
            law: MaterialLaw::Green,
        },
        levels: [8, 4, 2, 1]
            .map(|part| Arc::new(box_tets(size, at(part), CellStyle::Alternating)))
            .to_vec(),
        greens_level: None,
        voxels: None,
    };
    bake_with(&geometry, true, &Progress::new()).map_err(|e| e.to_string())
}

fn body(asset: &Arc<LodHierarchy>, resolution: Resolution) -> Result<AdaptiveModel, String> {
    let params = AdaptiveParams {
        resolution,
        level: LevelChoice::Index(asset.levels.len() - 1),
        budget_units: units_for(BUDGET_MS, Precision::F32, resolution),
        damping_rule: DampingRule::Rayleigh,
        precision: Precision::F32,
        mass_scaling: 0.04,
        ..AdaptiveParams::default()
    };
    AdaptiveModel::new(asset.clone(), params).map_err(|e| e.to_string())
}

/// A frame with the tool `depth` deep; returns the tetrahedra evaluated, or what a cut's work is worth in them.
fn step(model: &mut AdaptiveModel, depth: f64) -> Result<u64, StepError> {
    let skin = model.surface().clone();
    let touched = (0..skin.vertex_count() as u32).filter_map(|vertex| {
        let x = skin.positions[vertex as usize];
        let distance = x.x.hypot(x.z);
        (x.y > 0.499 * SIDES[1] && distance < DISC).then(|| DisplacementConstraint {
            vertex,
            target: x - Vec3::y() * (depth * (1.0 - 0.25 * (distance / DISC).powi(2))),
            velocity: Vec3::zeros(),
            directions: ConstrainedDirections::Along(-Vec3::y()),
            kind: ConstraintKind::Bilateral,
            friction: Friction::None,
        })
    });
    let mut boundary = BoundaryConditions::default();
    // vertices come once and in order
    let _ = boundary.set_displacements(touched);
    let report = model.advance(FrameRequest {
        duration: FRAME,
        boundary: &boundary,
        budget: WorkBudget::UNLIMITED,
        force_tap: None,
    })?;
    Ok(report.work_used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_pad_is_poked_by_both_with_the_same_force() {
        let asset = Arc::new(pad(16).expect("bakes"));
        let force = |resolution| {
            let mut b = body(&asset, resolution).expect("fits");
            for frame in 0..60 {
                step(&mut b, DEPTH * (f64::from(frame) / 20.0).min(1.0)).expect("advances");
            }
            b.reactions().iter().map(|r| r.y).sum::<f64>()
        };
        let (cut, level) = (force(Resolution::Cut), force(Resolution::Level));
        assert!(
            level < 0.0 && (cut / level - 1.0).abs() < FORCE,
            "{cut} {level}"
        );
    }
}
