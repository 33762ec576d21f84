//! The whole sequence at once: as fine as the tolerance needs, as coarse as the body bears, even steps between.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;

use super::builder::judgement::{DISTANCE_SLACK, FEW, VOLUME_LOSS};
use super::builder::level_builder::{Goal, LevelBuilder};
use super::level::Level;
use super::notes::{leave_out_misfits, level_notes, shortfall_note};
use super::resolution_sequence::{
    ResolutionSequence, ResolutionSequenceSpec, Shortfall, coarsest_nodes,
};
use crate::error::MeshingError;
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};

/// Edge length of a level over that of the next finer one.
const STEP: f64 = 1.876;
const LARGEST_STEP: f64 = 2.15;
const SMALLEST_STEP: f64 = 1.65;
const MOST_STEPS: usize = 12;
/// Node count of the first try at the finest level, and what it is over the coarsest target at least.
const FIRST_TRY: usize = 1500;
const FIRST_OVER_COARSEST: usize = 5;
/// The most and least by which edges shrink from one try at the finest level to the next.
const REFINEMENT: (f64, f64) = (1.25, 3.0);
/// Tries at the finest level.
const TRIES: usize = 8;
/// The most after a try that has not helped: the next one may be in vain as well.
const CAREFUL: f64 = 1.8;
/// A try has not helped when the distance falls by less than this power of the edge.
const STALLED: f64 = 0.3;
/// Levels that come this close to the least distance are as good.
const AS_GOOD: f64 = 0.85;
/// Above this number of nodes one try that has not helped is enough.
const SMALL: f64 = 50_000.0;
/// Tries to keep the first level within the most nodes, all of them small.
const FIRST_TRIES: usize = 5;
/// Nodes that a second try has to spare, as node counts are a staircase.
const MARGIN: f64 = 1.02;
/// A body from which a level is farther than so many of its edges has parts that the level has lost.
const MISSING: f64 = 0.6;
/// Largest change of volume of the finest level.
const FINEST_VOLUME: f64 = 0.03;
/// Factor between node counts that are tried for the coarsest level.
const COARSER: f64 = 2.2;
/// Work of all levels over that of the finest.
const FINEST_AND_REST: f64 = 1.3;
/// A level at hand serves where the edge wanted differs by less than this factor.
const SAME_EDGE: f64 = 1.04;
/// As the coarsest level one serves where the number of nodes differs by less than this factor.
const SAME_NODES: f64 = 1.25;

/// Levels from about 60 nodes (more where the body needs them to keep its volume) to one that is within `spec.tolerance`
/// of the input, with edge ratios of 1.6 to 2.2 between neighbours; three levels at least. The number of nodes that the
/// finest level needs is predicted from coarser tries, which serve as levels where they fit.
///
/// # Errors
/// As [`crate::lod::build_targets`].
pub fn build_resolution_sequence(
    surface: &SurfaceMesh,
    spec: &ResolutionSequenceSpec,
    mesher: &dyn TetMesher,
    progress: &Progress,
) -> Result<ResolutionSequence, MeshingError> {
    progress.stage("preparing");
    let builder = LevelBuilder::new(surface, mesher, progress)?;
    let (finest, mut spare, shortfall) = find_finest(&builder, spec)?;
    let count = spec.levels.unwrap_or(0);
    let coarsest = if count == 1 {
        None
    } else {
        Some(find_coarsest(&builder, &finest, count, &mut spare)?)
    };
    let mut levels = match coarsest {
        None => vec![finest],
        Some(coarsest) => fill(&builder, coarsest, finest, count, spec, spare)?,
    };
    levels.sort_by_key(|level| level.mesh.nodes.len());
    levels.dedup_by_key(|level| level.mesh.nodes.len());
    // a coarser level that needed more for the sake of thin parts
    let within = levels.partition_point(|level| level.mesh.nodes.len() <= spec.most_nodes);
    levels.truncate(within.max(1));
    let mut notes = Vec::new();
    if spec.levels.is_none() {
        let fits = |level: &Level| (level.volume_ratio - 1.0).abs() <= VOLUME_LOSS;
        leave_out_misfits(&mut levels, fits, &mut notes);
    }
    for (k, level) in levels.iter().enumerate() {
        notes.extend(level_notes(k, level, None, &builder));
    }
    if let (Some(reason), Some(finest)) = (shortfall, levels.last()) {
        notes.push(shortfall_note(reason, finest, spec));
    }
    progress.set_fraction(1.0);
    Ok(ResolutionSequence {
        levels,
        input: builder.shape,
        notes,
    })
}

/// A level within the tolerance, or the best that the limits allow; and the coarser tries.
fn find_finest(
    builder: &LevelBuilder<'_>,
    spec: &ResolutionSequenceSpec,
) -> Result<(Level, Vec<Level>, Option<Shortfall>), MeshingError> {
    // what may be farther than the distance that was found is inside the tolerance as well
    let wanted = (spec.tolerance - DISTANCE_SLACK.0).min(spec.tolerance / (1.0 + DISTANCE_SLACK.1));
    let first = FIRST_TRY.max(FIRST_OVER_COARSEST * coarsest_nodes(builder.components));
    let first = Goal::Tets(TetTarget::Nodes(first.min(spec.most_nodes)));
    let (level, mut goal) = build_within(builder, first, spec.most_nodes, FIRST_TRIES)?;
    let mut tries = vec![level];
    let mut reason = refine(builder, spec, wanted, &mut tries, &mut goal)?;
    if reason.is_some()
        && let Some(last) = tries.last_mut()
        && last.hausdorff_rel * builder.diagonal > MISSING * last.edge_mean
        && let Some(kept) = builder.with_thin_parts_kept(last, FINEST_VOLUME, spec.most_nodes)?
    {
        *last = kept;
        if last.hausdorff_rel <= wanted {
            reason = None;
        }
    }
    if reason.is_some()
        && !builder.is_spent()
        && let Some(last) = tries.last_mut()
        && builder.is_broken(goal, last)
    {
        let other = builder.build(goal)?;
        if other.mesh.nodes.len() <= spec.most_nodes {
            *last = other;
        }
    }
    if reason == Some(Shortfall::Stalled) {
        let least = tries
            .iter()
            .map(|l| l.hausdorff_rel)
            .fold(f64::INFINITY, f64::min);
        while let [.., before, _] = tries.as_slice()
            && before.hausdorff_rel * AS_GOOD <= least
        {
            tries.pop();
        }
    }
    match tries.pop() {
        Some(finest) => Ok((finest, tries, reason)),
        None => Err(MeshingError::NoVolume),
    }
}

/// Adds ever finer levels to the `tries`, of which there is one, until the last is within the distance `wanted` (over the diagonal), or says why it is not. `goal` is that of the last.
fn refine(
    builder: &LevelBuilder<'_>,
    spec: &ResolutionSequenceSpec,
    wanted: f64,
    tries: &mut Vec<Level>,
    goal: &mut Goal,
) -> Result<Option<Shortfall>, MeshingError> {
    let mut stalls = 0;
    while let Some(last) = tries.last() {
        let is_full = (last.volume_ratio - 1.0).abs() <= FINEST_VOLUME || tries.len() > 2;
        if last.hausdorff_rel <= wanted && is_full {
            break;
        }
        builder.require_walls(last, spec.most_nodes)?;
        if last.mesh.nodes.len() as f64 > 0.8 * spec.most_nodes as f64 {
            return Ok(Some(Shortfall::Nodes));
        }
        if builder.is_spent() || tries.len() == TRIES {
            return Ok(Some(Shortfall::Work));
        }
        // distance as a power of the edge length, from the last two tries
        let mut power = 1.0;
        if let [.., before, last] = tries.as_slice() {
            let (d, e) = (
                before.hausdorff_rel / last.hausdorff_rel,
                before.edge_mean / last.edge_mean,
            );
            let found = d.ln() / e.ln().max(1e-3);
            power = found.clamp(0.85, 1.5);
            stalls = if found < STALLED { stalls + 1 } else { 0 };
            if stalls > 1 || (stalls == 1 && last.mesh.nodes.len() as f64 > SMALL) {
                return Ok(Some(Shortfall::Stalled));
            }
        }
        let finer = (last.hausdorff_rel / (0.9 * wanted)).powf(1.0 / power);
        let most = if stalls > 0 { CAREFUL } else { REFINEMENT.1 };
        let mut edge = last.edge_mean / finer.clamp(REFINEMENT.0, most);
        while builder.nodes_like(last, edge) > spec.most_nodes as f64 {
            edge *= 1.02;
        }
        let next = Goal::Edge(edge);
        // the levels below the finest take about as much again as a third of it
        builder.plan(FINEST_AND_REST * builder.nodes_of(next));
        match build_within(builder, next, spec.most_nodes, 2) {
            Ok((level, met)) if level.mesh.nodes.len() <= spec.most_nodes => {
                tries.push(level);
                *goal = met;
            }
            Ok(_) | Err(MeshingError::GridTooLarge { .. }) => return Ok(Some(Shortfall::Nodes)),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// A try with no more than `most_nodes` nodes and its goal: where `goal` gives more, a coarser one follows, up to so many `tries` in all. The last one may still
/// have more.
fn build_within(
    builder: &LevelBuilder<'_>,
    mut goal: Goal,
    most_nodes: usize,
    tries: usize,
) -> Result<(Level, Goal), MeshingError> {
    let mut level = builder.build_try(goal)?;
    for _ in 1..tries {
        let excess = level.mesh.nodes.len() as f64 / most_nodes.max(1) as f64;
        if excess <= 1.0 {
            break;
        }
        goal = match goal {
            Goal::Tets(TetTarget::Nodes(n)) | Goal::Boundary(n) => {
                Goal::Tets(TetTarget::Nodes((n as f64 / (excess * MARGIN)) as usize))
            }
            // no slower than with the surface
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => {
                Goal::Edge(edge * (excess * MARGIN).sqrt())
            }
        };
        level = builder.build_try(goal)?;
    }
    Ok((level, goal))
}

/// The coarsest level that keeps volume and components, from about 60 nodes up; not so fine that `count` levels would be
/// less than the smallest step apart. With few levels it is finer than the body needs, for the sake of even steps.
fn find_coarsest(
    builder: &LevelBuilder<'_>,
    finest: &Level,
    count: usize,
    spare: &mut Vec<Level>,
) -> Result<Level, MeshingError> {
    let steps = if count == 0 { 2 } else { count - 1 };
    let most_edge = finest.edge_mean
        * match count {
            0 => f64::INFINITY,
            _ => LARGEST_STEP.powi(steps as i32),
        };
    let least_edge = finest.edge_mean * SMALLEST_STEP.powi(steps.min(2) as i32);
    let mut nodes = coarsest_nodes(builder.components) as f64;
    loop {
        if count > 0 && builder.nodes_like(finest, most_edge) > nodes {
            return builder.build(Goal::Edge(most_edge));
        }
        let fits = |level: &Level| {
            let ratio = level.mesh.nodes.len() as f64 / nodes;
            ratio.max(1.0 / ratio) < SAME_NODES && is_whole(builder, level)
        };
        if let Some(at) = spare.iter().position(fits) {
            return Ok(spare.swap_remove(at));
        }
        let level = builder.build(Goal::Tets(TetTarget::Nodes(nodes as usize)))?;
        if is_kept(builder, &level) || level.edge_mean < least_edge {
            return Ok(level);
        }
        nodes *= COARSER;
        spare.push(level);
        if builder.nodes_at(least_edge) < nodes {
            return builder.build(Goal::Edge(least_edge));
        }
    }
}

/// Whether a level has the body's volume and parts, and no end of it is missing.
fn is_whole(builder: &LevelBuilder<'_>, level: &Level) -> bool {
    is_kept(builder, level) && !builder.is_broken(Goal::Edge(level.edge_mean), level)
}

/// Whether a level has the body's volume and parts.
fn is_kept(builder: &LevelBuilder<'_>, level: &Level) -> bool {
    let missing = builder.components_of(level).abs_diff(builder.components) as f64;
    (level.volume_ratio - 1.0).abs() <= VOLUME_LOSS
        && missing * FEW < builder.components.max(1) as f64
}

/// The number of steps, two at least, that brings each closest to [`STEP`].
fn even_steps(span: f64) -> usize {
    let miss = |steps: usize| (span.ln() / steps as f64 - STEP.ln()).abs();
    (2..=MOST_STEPS).fold(2, |best, steps| {
        if miss(steps) < miss(best) {
            steps
        } else {
            best
        }
    })
}

/// Even steps between the ends; a finer end where `count` levels need one.
fn fill(
    builder: &LevelBuilder<'_>,
    coarsest: Level,
    finest: Level,
    count: usize,
    spec: &ResolutionSequenceSpec,
    mut spare: Vec<Level>,
) -> Result<Vec<Level>, MeshingError> {
    let span = (coarsest.edge_mean / finest.edge_mean).max(1.0);
    let steps = match count {
        0 => even_steps(span),
        _ => count - 1,
    };
    let mut step = span.powf(1.0 / steps as f64);
    let mut finest = finest;
    if step < SMALLEST_STEP {
        let edge = coarsest.edge_mean / SMALLEST_STEP.powi(steps as i32);
        if builder.nodes_like(&finest, edge) <= spec.most_nodes as f64 {
            let finer = builder.build(Goal::Edge(edge))?;
            let far = finest.hausdorff_rel.max(spec.tolerance);
            if finer.mesh.nodes.len() <= spec.most_nodes && finer.hausdorff_rel <= far {
                spare.push(std::mem::replace(&mut finest, finer));
                step = SMALLEST_STEP;
            }
        }
    }
    let mut levels = vec![coarsest];
    for k in 1..steps {
        let edge = finest.edge_mean * step.powi((steps - k) as i32);
        let fits = |level: &Level| {
            let ratio = level.edge_mean / edge;
            ratio.max(1.0 / ratio) < SAME_EDGE && is_whole(builder, level)
        };
        levels.push(match spare.iter().position(fits) {
            Some(at) => spare.swap_remove(at),
            None => builder.build(Goal::Edge(edge))?,
        });
    }
    levels.push(finest);
    Ok(levels)
}
