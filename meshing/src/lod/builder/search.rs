//! The search for a level: attempts in the order of what they change, until one can be taken.

use web_time::Instant;

use super::attempt::SMALL_LEVEL_NODES;
use super::level_builder::{Goal, LevelBuilder};
use crate::error::MeshingError;
use crate::lod::level::Level;
use crate::lod::resolution_sequence::MAX_NODES;

/// Attempts at a level as (factor on the node count, thickening in lattice spacings); the first good one ends the search.
/// A slightly different lattice cures small defects; lost walls and ends need a finer one or thicker walls.
const FIRST_ATTEMPTS: [(f64, f64); 3] = [(1.0, 0.0), (1.12, 0.0), (0.9, 0.0)];
const FINER_THEN_THICKER: [(f64, f64); 5] =
    [(1.6, 0.0), (2.5, 0.0), (1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER: [(f64, f64); 3] = [(1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER_AND_FINER: [(f64, f64); 2] = [(2.2, 0.2), (2.2, 0.4)];
/// Above this penalty a level has lost parts of the body.
const LOST_PARTS_PENALTY: f64 = 2.0;
/// A level with thickened parts is preferred when its distance is below this share of that without.
const CLOSER_DISTANCE_RATIO: f64 = 0.9;
/// Above this penalty a finer lattice is not expected to help.
const HOPELESS_PENALTY: f64 = 4.0;

impl LevelBuilder<'_> {
    /// The best attempt for one goal.
    pub(crate) fn build(&self, goal: Goal) -> Result<Level, MeshingError> {
        self.search(goal, true)
    }

    /// As [`Self::build`] for an attempt that finer ones may follow: nothing is thickened or refined to recover lost parts.
    pub(crate) fn build_without_remedies(&self, goal: Goal) -> Result<Level, MeshingError> {
        self.search(goal, false)
    }

    /// A level with the edge of `level` that keeps parts which are too thin for its elements, if it is closer to the body and no worse otherwise. Volumes whose
    /// logarithmic error is within `volume_tolerance` count as equal.
    pub(crate) fn with_thin_parts_kept(
        &self,
        level: &Level,
        volume_tolerance: f64,
        most_nodes: usize,
    ) -> Result<Option<Level>, MeshingError> {
        let start = Instant::now();
        let Some(attempt) = self.with_thin_parts(level.edge_mean)? else {
            return Ok(None);
        };
        let mut kept = self.judge(attempt)?;
        kept.seconds = level.seconds + start.elapsed().as_secs_f64();
        let volume_error = |level: &Level| level.volume_ratio.max(1e-6).ln().abs();
        let is_better = kept.hausdorff_rel < CLOSER_DISTANCE_RATIO * level.hausdorff_rel
            && volume_error(&kept) <= volume_error(level).max(volume_tolerance)
            && kept.mesh.nodes.len() <= most_nodes;
        Ok(is_better.then_some(kept))
    }

    /// Whether parts of the body are lost.
    pub(crate) fn has_lost_parts(&self, goal: Goal, level: &Level) -> bool {
        self.penalty(goal, level) > LOST_PARTS_PENALTY
    }

    fn search(&self, goal: Goal, with_remedies: bool) -> Result<Level, MeshingError> {
        let start = Instant::now();
        let mut best: Option<(f64, Level)> = None;
        let expected = self.estimated_nodes_for(goal);
        // the number of boundary nodes has its own search, which other factors would only repeat
        let has_factors = !matches!(goal, Goal::Boundary(_));
        let mut attempts = FIRST_ATTEMPTS.to_vec();
        if expected > SMALL_LEVEL_NODES || !has_factors {
            attempts.truncate(1);
        }
        let mut tried = 0;
        let mut is_extended = false;
        while let Some(&(factor, thicken)) = attempts.get(tried) {
            self.progress.check()?;
            tried += 1;
            match self.attempt(goal, factor, thicken) {
                Ok(attempt) => {
                    let level = self.judge(attempt)?;
                    let penalty = self.penalty(goal, &level);
                    if best.as_ref().is_none_or(|(p, _)| penalty < *p) {
                        best = Some((penalty, level));
                    }
                }
                Err(MeshingError::NoVolume) => {}
                Err(error) => return Err(error),
            }
            let penalty = best.as_ref().map_or(f64::INFINITY, |(p, _)| *p);
            if penalty <= 1.0 {
                break;
            }
            if tried == 1 && penalty > HOPELESS_PENALTY {
                attempts.truncate(1);
            }
            if self.is_work_exhausted() && best.is_some() {
                break;
            }
            if tried == attempts.len()
                && !is_extended
                && with_remedies
                && penalty > LOST_PARTS_PENALTY
            {
                is_extended = true;
                attempts.extend(self.remedies(goal, expected, penalty > HOPELESS_PENALTY));
            }
        }
        let (done, to_come) = self.work.get();
        self.work
            .set((done + expected, (to_come - expected).max(0.0)));
        self.show_progress();
        let (_, mut level) = best.ok_or(MeshingError::NoVolume)?;
        level.seconds = start.elapsed().as_secs_f64();
        Ok(level)
    }

    /// What to try when parts of the body were lost.
    fn remedies(&self, goal: Goal, expected: f64, is_hopeless: bool) -> Vec<(f64, f64)> {
        let mut remedies = match goal {
            Goal::Edge(_) | Goal::Boundary(_) => THICKER.to_vec(),
            Goal::Tets(_) if !is_hopeless => FINER_THEN_THICKER.to_vec(),
            _ => [&THICKER[..], &THICKER_AND_FINER].concat(),
        };
        let can_thicken = self.mesher.is_stuffing();
        remedies.retain(|(factor, thicken)| {
            (can_thicken || *thicken == 0.0)
                && (*factor <= 1.0 || factor * expected <= MAX_NODES as f64)
        });
        remedies
    }
}
