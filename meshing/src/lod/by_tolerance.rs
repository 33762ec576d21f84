//! The whole sequence at once: the finest level as the tolerance needs it, the coarsest that still shows the body, even steps between.

use pliant_core::asset::Progress;
use pliant_core::mesh::SurfaceMesh;

use super::builder::judgement::{DISTANCE_SLACK, FEW_COMPONENTS, MAX_VOLUME_CHANGE};
use super::builder::level_builder::{Goal, LevelBuilder};
use super::level::Level;
use super::notes::{level_notes, remove_unsuitable_levels, shortfall_note};
use super::resolution_sequence::{
    ResolutionSequence, ResolutionSequenceSpec, Shortfall, coarsest_nodes,
};
use crate::error::MeshingError;
use crate::tetrahedralise::mesher::{TetMesher, TetTarget};

/// Edge length of a level over that of the next finer one.
const EDGE_RATIO: f64 = 1.876;
const MAX_EDGE_RATIO: f64 = 2.15;
const MIN_EDGE_RATIO: f64 = 1.65;
const MAX_STEPS: usize = 12;
/// Node count of the first attempt at the finest level, and its least ratio to the coarsest target.
const FIRST_NODES: usize = 1500;
const FIRST_OVER_COARSEST: usize = 5;
/// Least and largest factor by which edges shrink from one attempt at the finest level to the next.
const REFINEMENT_RANGE: (f64, f64) = (1.25, 3.0);
/// Most attempts at the finest level.
const MAX_ATTEMPTS: usize = 8;
/// The largest such factor after an attempt that has not helped: the next one may fail as well.
const MAX_REFINEMENT_AFTER_STALL: f64 = 1.8;
/// An attempt has not helped when the distance falls by less than this power of the edge.
const MIN_CONVERGENCE_ORDER: f64 = 0.3;
/// A level is as good as the closest one when its distance times this factor is no larger.
const EQUIVALENT_DISTANCE: f64 = 0.85;
/// Above this number of nodes the search ends at the first attempt that has not helped.
const SMALL_LEVEL_NODES: f64 = 50_000.0;
/// Most attempts to keep the first level within the limit of nodes, all of them small.
const MAX_FIRST_ATTEMPTS: usize = 5;
/// Margin of a second attempt below the limit of nodes: node counts change in jumps.
const NODE_MARGIN: f64 = 1.02;
/// A level that is farther from the body than this many of its edges has lost parts of it.
const LOST_PART_DISTANCE: f64 = 0.6;
/// Largest change of volume of the finest level.
const MAX_FINEST_VOLUME_CHANGE: f64 = 0.03;
/// Factor between the node counts of attempts at the coarsest level.
const COARSEST_NODES_FACTOR: f64 = 2.2;
/// Work of all levels over that of the finest.
const TOTAL_OVER_FINEST_WORK: f64 = 1.3;
/// A level that was built before is used where its edge differs from the requested one by less than this factor.
const EDGE_MATCH_FACTOR: f64 = 1.04;
/// The same for the coarsest level and the number of nodes.
const NODES_MATCH_FACTOR: f64 = 1.25;

/// Levels from about 60 nodes (more where the body needs them to keep its volume) to one that is within `spec.tolerance`
/// of the input, with edge ratios of 1.6 to 2.2 between neighbours; three levels at least. The number of nodes that the
/// finest level needs is predicted from coarser attempts, which become levels where they fit.
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
    let (finest, mut unused_levels, shortfall) = find_finest(&builder, spec)?;
    let count = spec.levels.unwrap_or(0);
    let coarsest = if count == 1 {
        None
    } else {
        Some(find_coarsest(&builder, &finest, count, &mut unused_levels)?)
    };
    let mut levels = match coarsest {
        None => vec![finest],
        Some(coarsest) => fill_between(&builder, coarsest, finest, count, spec, unused_levels)?,
    };
    levels.sort_by_key(|level| level.mesh.nodes.len());
    levels.dedup_by_key(|level| level.mesh.nodes.len());
    // coarser levels may have more nodes than the finest because of thin parts
    let within = levels.partition_point(|level| level.mesh.nodes.len() <= spec.most_nodes);
    levels.truncate(within.max(1));
    let mut notes = Vec::new();
    if spec.levels.is_none() {
        let fits = |level: &Level| (level.volume_ratio - 1.0).abs() <= MAX_VOLUME_CHANGE;
        remove_unsuitable_levels(&mut levels, fits, &mut notes);
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

/// A level within the tolerance, or the best that the limits allow; then the coarser attempts, and why the tolerance was not met.
fn find_finest(
    builder: &LevelBuilder<'_>,
    spec: &ResolutionSequenceSpec,
) -> Result<(Level, Vec<Level>, Option<Shortfall>), MeshingError> {
    // the true distance may exceed the one that was found by the slack, and has to be within the tolerance, too
    let target_distance =
        (spec.tolerance - DISTANCE_SLACK.0).min(spec.tolerance / (1.0 + DISTANCE_SLACK.1));
    let first = FIRST_NODES.max(FIRST_OVER_COARSEST * coarsest_nodes(builder.components));
    let first = Goal::Tets(TetTarget::Nodes(first.min(spec.most_nodes)));
    let (level, mut goal) = build_within(builder, first, spec.most_nodes, MAX_FIRST_ATTEMPTS)?;
    let mut attempts = vec![level];
    let mut reason = refine(builder, spec, target_distance, &mut attempts, &mut goal)?;
    if reason.is_some()
        && let Some(last) = attempts.last_mut()
        && last.hausdorff_rel * builder.diagonal > LOST_PART_DISTANCE * last.edge_mean
        && let Some(kept) =
            builder.with_thin_parts_kept(last, MAX_FINEST_VOLUME_CHANGE, spec.most_nodes)?
    {
        *last = kept;
        if last.hausdorff_rel <= target_distance {
            reason = None;
        }
    }
    if reason.is_some()
        && !builder.is_work_exhausted()
        && let Some(last) = attempts.last_mut()
        && builder.has_lost_parts(goal, last)
    {
        let other = builder.build(goal)?;
        if other.mesh.nodes.len() <= spec.most_nodes {
            *last = other;
        }
    }
    if reason == Some(Shortfall::Stalled) {
        let min_distance = attempts
            .iter()
            .map(|l| l.hausdorff_rel)
            .fold(f64::INFINITY, f64::min);
        while let [.., before, _] = attempts.as_slice()
            && before.hausdorff_rel * EQUIVALENT_DISTANCE <= min_distance
        {
            attempts.pop();
        }
    }
    match attempts.pop() {
        Some(finest) => Ok((finest, attempts, reason)),
        None => Err(MeshingError::NoVolume),
    }
}

/// Adds ever finer levels to `attempts`, which holds one level, until the last is within `target_distance` (over the diagonal). Returns why it is not, if so.
/// `goal` is that of the last level.
fn refine(
    builder: &LevelBuilder<'_>,
    spec: &ResolutionSequenceSpec,
    target_distance: f64,
    attempts: &mut Vec<Level>,
    goal: &mut Goal,
) -> Result<Option<Shortfall>, MeshingError> {
    let mut stalls = 0;
    while let Some(last) = attempts.last() {
        let keeps_volume =
            (last.volume_ratio - 1.0).abs() <= MAX_FINEST_VOLUME_CHANGE || attempts.len() > 2;
        if last.hausdorff_rel <= target_distance && keeps_volume {
            break;
        }
        builder.require_walls(last, spec.most_nodes)?;
        if last.mesh.nodes.len() as f64 > 0.8 * spec.most_nodes as f64 {
            return Ok(Some(Shortfall::Nodes));
        }
        if builder.is_work_exhausted() || attempts.len() == MAX_ATTEMPTS {
            return Ok(Some(Shortfall::Work));
        }
        // distance as a power of the edge length, from the last two attempts
        let mut power = 1.0;
        if let [.., before, last] = attempts.as_slice() {
            let (d, e) = (
                before.hausdorff_rel / last.hausdorff_rel,
                before.edge_mean / last.edge_mean,
            );
            let found = d.ln() / e.ln().max(1e-3);
            power = found.clamp(0.85, 1.5);
            stalls = if found < MIN_CONVERGENCE_ORDER {
                stalls + 1
            } else {
                0
            };
            if stalls > 1 || (stalls == 1 && last.mesh.nodes.len() as f64 > SMALL_LEVEL_NODES) {
                return Ok(Some(Shortfall::Stalled));
            }
        }
        let finer = (last.hausdorff_rel / (0.9 * target_distance)).powf(1.0 / power);
        let max_refinement = if stalls > 0 {
            MAX_REFINEMENT_AFTER_STALL
        } else {
            REFINEMENT_RANGE.1
        };
        let mut edge = last.edge_mean / finer.clamp(REFINEMENT_RANGE.0, max_refinement);
        while builder.estimated_nodes_from(last, edge) > spec.most_nodes as f64 {
            edge *= 1.02;
        }
        let next = Goal::Edge(edge);
        // the coarser levels together take about a third of the work of the finest
        builder.plan(TOTAL_OVER_FINEST_WORK * builder.estimated_nodes_for(next));
        match build_within(builder, next, spec.most_nodes, 2) {
            Ok((level, level_goal)) if level.mesh.nodes.len() <= spec.most_nodes => {
                attempts.push(level);
                *goal = level_goal;
            }
            Ok(_) | Err(MeshingError::GridTooLarge { .. }) => return Ok(Some(Shortfall::Nodes)),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// A level with at most `most_nodes` nodes, and its goal. Where `goal` gives more, coarser goals follow, up to `attempts` in all; the last one may still give more.
fn build_within(
    builder: &LevelBuilder<'_>,
    mut goal: Goal,
    most_nodes: usize,
    attempts: usize,
) -> Result<(Level, Goal), MeshingError> {
    let mut level = builder.build_without_remedies(goal)?;
    for _ in 1..attempts {
        let excess = level.mesh.nodes.len() as f64 / most_nodes.max(1) as f64;
        if excess <= 1.0 {
            break;
        }
        goal = match goal {
            Goal::Tets(TetTarget::Nodes(n)) | Goal::Boundary(n) => Goal::Tets(TetTarget::Nodes(
                (n as f64 / (excess * NODE_MARGIN)) as usize,
            )),
            // at least as fast as the surface grows
            Goal::Tets(TetTarget::Edge(edge)) | Goal::Edge(edge) => {
                Goal::Edge(edge * (excess * NODE_MARGIN).sqrt())
            }
        };
        level = builder.build_without_remedies(goal)?;
    }
    Ok((level, goal))
}

/// The coarsest level that keeps volume and components, from about 60 nodes up; not so fine that the edge ratio between `count` levels would fall below
/// [`MIN_EDGE_RATIO`]. With few levels it is finer than the body needs, so that steps are even.
fn find_coarsest(
    builder: &LevelBuilder<'_>,
    finest: &Level,
    count: usize,
    unused_levels: &mut Vec<Level>,
) -> Result<Level, MeshingError> {
    let steps = if count == 0 { 2 } else { count - 1 };
    let max_edge = finest.edge_mean
        * match count {
            0 => f64::INFINITY,
            _ => MAX_EDGE_RATIO.powi(steps as i32),
        };
    let min_edge = finest.edge_mean * MIN_EDGE_RATIO.powi(steps.min(2) as i32);
    let mut nodes = coarsest_nodes(builder.components) as f64;
    loop {
        if count > 0 && builder.estimated_nodes_from(finest, max_edge) > nodes {
            return builder.build(Goal::Edge(max_edge));
        }
        let fits = |level: &Level| {
            let ratio = level.mesh.nodes.len() as f64 / nodes;
            ratio.max(1.0 / ratio) < NODES_MATCH_FACTOR && shows_whole_body(builder, level)
        };
        if let Some(at) = unused_levels.iter().position(fits) {
            return Ok(unused_levels.swap_remove(at));
        }
        let level = builder.build(Goal::Tets(TetTarget::Nodes(nodes as usize)))?;
        if keeps_volume_and_parts(builder, &level) || level.edge_mean < min_edge {
            return Ok(level);
        }
        nodes *= COARSEST_NODES_FACTOR;
        unused_levels.push(level);
        if builder.estimated_nodes(min_edge) < nodes {
            return builder.build(Goal::Edge(min_edge));
        }
    }
}

/// Whether a level has the volume of the body and all of its parts, and no end of a part is missing.
fn shows_whole_body(builder: &LevelBuilder<'_>, level: &Level) -> bool {
    keeps_volume_and_parts(builder, level)
        && !builder.has_lost_parts(Goal::Edge(level.edge_mean), level)
}

/// Whether a level has the volume of the body and enough of its parts.
fn keeps_volume_and_parts(builder: &LevelBuilder<'_>, level: &Level) -> bool {
    let missing = builder.components_of(level).abs_diff(builder.components) as f64;
    (level.volume_ratio - 1.0).abs() <= MAX_VOLUME_CHANGE
        && missing * FEW_COMPONENTS < builder.components.max(1) as f64
}

/// The number of steps, at least two, with which the ratio of each step is closest to [`EDGE_RATIO`].
fn even_steps(span: f64) -> usize {
    let error = |steps: usize| (span.ln() / steps as f64 - EDGE_RATIO.ln()).abs();
    (2..=MAX_STEPS).fold(2, |best, steps| {
        if error(steps) < error(best) {
            steps
        } else {
            best
        }
    })
}

/// Levels in even steps from `coarsest` to `finest`; the finest is replaced by a finer one where `count` levels need it.
fn fill_between(
    builder: &LevelBuilder<'_>,
    coarsest: Level,
    finest: Level,
    count: usize,
    spec: &ResolutionSequenceSpec,
    mut unused_levels: Vec<Level>,
) -> Result<Vec<Level>, MeshingError> {
    let span = (coarsest.edge_mean / finest.edge_mean).max(1.0);
    let steps = match count {
        0 => even_steps(span),
        _ => count - 1,
    };
    let mut step = span.powf(1.0 / steps as f64);
    let mut finest = finest;
    if step < MIN_EDGE_RATIO {
        let edge = coarsest.edge_mean / MIN_EDGE_RATIO.powi(steps as i32);
        if builder.estimated_nodes_from(&finest, edge) <= spec.most_nodes as f64 {
            let finer = builder.build(Goal::Edge(edge))?;
            let max_distance = finest.hausdorff_rel.max(spec.tolerance);
            if finer.mesh.nodes.len() <= spec.most_nodes && finer.hausdorff_rel <= max_distance {
                unused_levels.push(std::mem::replace(&mut finest, finer));
                step = MIN_EDGE_RATIO;
            }
        }
    }
    let mut levels = vec![coarsest];
    for k in 1..steps {
        let edge = finest.edge_mean * step.powi((steps - k) as i32);
        let fits = |level: &Level| {
            let ratio = level.edge_mean / edge;
            ratio.max(1.0 / ratio) < EDGE_MATCH_FACTOR && shows_whole_body(builder, level)
        };
        levels.push(match unused_levels.iter().position(fits) {
            Some(at) => unused_levels.swap_remove(at),
            None => builder.build(Goal::Edge(edge))?,
        });
    }
    levels.push(finest);
    Ok(levels)
}
