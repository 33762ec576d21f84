//! The oscillation study on two levels: the half at the free end is one level finer, and each element has its own step, as in a body on a cut.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::scene::Selection;

use crate::asset::LodHierarchy;
use crate::bake::{AdaptiveBakeError, bake_with};
use crate::params::{AdaptiveParams, Calibration, ElementModel};
use crate::step::multirate::{CutDynamics, FrameConstraints, FrameTotals, Group};
use crate::study::half_refined::HalfRefinedBox;
use crate::study::oscillation::{
    Curve, OscillationError, OscillationRun, SCAN_INTERVAL, check_duration, corner_node,
};

/// Part of the stable step at rest that a frame is divided by, so that elements may be stretched a little before they need half the step.
const STEP_SHARE: f64 = 0.8;
/// Largest step level of the fastest elements at rest: a frame has eight of their steps.
const MAX_LEVEL: f64 = 3.0;

/// [`oscillate`](super::oscillate) on the cut of `block` whose half at the free end is one level finer. Both halves are linked as in any body on a cut, with the conservative
/// interface. That of springs is the same, since each is a sum over tetrahedra. Steps only become shorter during the run.
///
/// Energies are taken between frames, when all nodes are at one time; a frame is at most 1/120 s. Cost: the bake of both levels, and steps times tetrahedra.
///
/// # Errors
/// See [`OscillationError`]. A run that blows up is no error: it has [`OscillationRun::diverged`].
pub fn oscillate_mixed(
    block: &HalfRefinedBox,
    material: &Material,
    gravity: f64,
    model: ElementModel,
    duration: f64,
    progress: &Progress,
) -> Result<OscillationRun, OscillationError> {
    check_duration(duration)?;
    let corner = corner_node(&block.levels[1].nodes, block.size)?;
    let undamped = material.with_damping_ratio(0.0);
    let asset = Arc::new(baked(block, undamped, progress)?);
    let params = AdaptiveParams::default();
    let mut body = CutDynamics::new(asset, model, undamped.damping, &params);
    body.change_cut(|cut| {
        let forest = cut.forest().clone();
        for node in forest.nodes_of_level(0) {
            if forest.rest()[node as usize].x > 0.0 {
                cut.split(node);
            }
        }
    });
    body.steps.only_shorten();
    let corner = body.forest.nodes_of_level(1).start as usize + corner;
    let gravity = Vec3::new(0.0, -gravity, 0.0);
    let curve = swing(&mut body, corner, gravity, duration, progress)?;
    let nodes = body.cut().active_count();
    Ok(OscillationRun {
        mixed: true,
        ..curve.figures(model, nodes, duration)
    })
}

/// Both levels, held at the wall, with the stiffness factors of the block.
fn baked(
    block: &HalfRefinedBox,
    material: Material,
    progress: &Progress,
) -> Result<LodHierarchy, AdaptiveBakeError> {
    let wall = Selection::HalfSpace {
        point: [(1e-6 - 0.5) * block.size.x, 0.0, 0.0],
        normal: [-1.0, 0.0, 0.0],
    };
    let body = BodyGeometry::of_levels(block.levels.iter().cloned(), material);
    let mut asset = bake_with(&body.held_at("wall", wall), Calibration::Off, progress)?;
    for (level, factor) in asset.levels.iter_mut().zip(block.stiffness) {
        level.set_stiffness(factor);
    }
    Ok(asset)
}

/// Moves the body from rest, and records node `corner` of the forest at each of its steps.
fn swing(
    body: &mut CutDynamics,
    corner: usize,
    gravity: Vec3,
    duration: f64,
    progress: &Progress,
) -> Result<Curve, AdaptiveBakeError> {
    let rest = body.forest.rest()[corner].y;
    let size = body.forest.asset().skin.bounds().diagonal();
    let frames = (duration / frame_duration(body)).ceil().max(1.0) as u64;
    let span = duration / frames as f64;
    let mut curve = Curve::default();
    let (mut contact, mut totals) = (FrameConstraints::default(), FrameTotals::default());
    let mut end = 0.0;
    for frame in 0..frames {
        progress.check()?;
        progress.set_fraction(frame as f64 / frames as f64);
        let start = frame as f64 * span;
        end = start + span;
        body.prepare_frame(span, &[], f64::INFINITY);
        body.fire_watched(
            span,
            &gravity,
            &mut contact,
            &mut totals,
            |body, schedule, now| {
                // between its own kicks the corner moves in a straight line
                if schedule.is_due(body.node_levels[corner], now) {
                    let time = start + schedule.start + f64::from(now) * schedule.tick;
                    curve.t.push(time);
                    curve.y.push(body.positions[corner].y - rest);
                }
            },
        );
        let kinetic = body.kinetic_energy();
        curve.add_energy(end, duration, kinetic, || {
            let elastic: f64 = body.groups.iter().map(Group::elastic_energy).sum();
            kinetic + elastic + body.potential_energy(&gravity)
        });
        let height = body.positions[corner].y - rest;
        if !body.is_finite() || height.abs() > 1e3 * size {
            curve.diverged = true;
            break;
        }
    }
    curve.t.push(end);
    curve.y.push(body.positions[corner].y - rest);
    Ok(curve)
}

/// A frame of at most [`SCAN_INTERVAL`] that the fastest elements at rest divide by a power of two, s.
fn frame_duration(body: &CutDynamics) -> f64 {
    let evaluated = body.operators.evaluated().iter();
    let rates = evaluated.map(|&t| body.steps.rest_rate(t));
    let step = STEP_SHARE / rates.fold(f64::MIN_POSITIVE, f64::max);
    let level = (SCAN_INTERVAL / step).max(1.0).log2().floor();
    SCAN_INTERVAL.min(step * level.min(MAX_LEVEL).exp2())
}
