//! The search for a level: attempts in the order of what they change, until one can be taken.

use web_time::Instant;

use super::attempt::SMALL;
use super::level_builder::{Goal, LevelBuilder};
use crate::error::MeshingError;
use crate::lod::level::Level;
use crate::lod::resolution_sequence::MOST_NODES;

/// Attempts at a level as (factor on the node count, thickening in lattice spacings); the first good one ends the search.
/// Small blemishes are gone with a slightly other lattice; lost walls and ends need a finer one or thicker walls.
const NEARBY: [(f64, f64); 3] = [(1.0, 0.0), (1.12, 0.0), (0.9, 0.0)];
const FINER_FIRST: [(f64, f64); 5] = [(1.6, 0.0), (2.5, 0.0), (1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER: [(f64, f64); 3] = [(1.0, 0.2), (1.0, 0.4), (1.0, 0.65)];
const THICKER_AND_FINER: [(f64, f64); 2] = [(2.2, 0.2), (2.2, 0.4)];
/// From this penalty on a level has lost something.
const BROKEN: f64 = 2.0;
/// A level with thickened parts is closer to the body when its distance is below this share.
const CLOSER: f64 = 0.9;
/// From this penalty on a finer lattice has little hope.
const HOPELESS: f64 = 4.0;

impl LevelBuilder<'_> {
    /// The best attempt for one goal.
    pub(crate) fn build(&self, goal: Goal) -> Result<Level, MeshingError> {
        self.search(goal, true)
    }

    /// As [`Self::build`] for a try that finer ones may follow: nothing is thickened or refined for what is lost.
    pub(crate) fn build_try(&self, goal: Goal) -> Result<Level, MeshingError> {
        self.search(goal, false)
    }

    /// A level like `level`, but with parts of the body that are too thin for its elements, where it is closer to the body by that and no worse otherwise: volumes
    /// within `volume` of that of the body are as good as any.
    pub(crate) fn with_thin_parts_kept(
        &self,
        level: &Level,
        volume: f64,
        most_nodes: usize,
    ) -> Result<Option<Level>, MeshingError> {
        let start = Instant::now();
        let Some(attempt) = self.with_thin_parts(level.edge_mean)? else {
            return Ok(None);
        };
        let mut kept = self.judge(attempt)?;
        kept.seconds = level.seconds + start.elapsed().as_secs_f64();
        let off = |level: &Level| level.volume_ratio.max(1e-6).ln().abs();
        let is_better = kept.hausdorff_rel < CLOSER * level.hausdorff_rel
            && off(&kept) <= off(level).max(volume)
            && kept.mesh.nodes.len() <= most_nodes;
        Ok(is_better.then_some(kept))
    }

    /// Whether parts of the body are lost.
    pub(crate) fn is_broken(&self, goal: Goal, level: &Level) -> bool {
        self.penalty(goal, level) > BROKEN
    }

    fn search(&self, goal: Goal, with_remedies: bool) -> Result<Level, MeshingError> {
        let start = Instant::now();
        let mut best: Option<(f64, Level)> = None;
        let expected = self.nodes_of(goal);
        // a boundary is met by a search of its own, which ends where it ends: other factors would only repeat it
        let has_factors = !matches!(goal, Goal::Boundary(_));
        let mut todo = NEARBY.to_vec();
        if expected > SMALL || !has_factors {
            todo.truncate(1);
        }
        let mut tried = 0;
        let mut is_extended = false;
        while let Some(&(factor, thicken)) = todo.get(tried) {
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
            if tried == 1 && penalty > HOPELESS {
                todo.truncate(1);
            }
            if self.is_spent() && best.is_some() {
                break;
            }
            if tried == todo.len() && !is_extended && with_remedies && penalty > BROKEN {
                is_extended = true;
                todo.extend(self.remedies(goal, expected, penalty > HOPELESS));
            }
        }
        let (done, to_come) = self.work.get();
        self.work
            .set((done + expected, (to_come - expected).max(0.0)));
        self.show();
        let (_, mut level) = best.ok_or(MeshingError::NoVolume)?;
        level.seconds = start.elapsed().as_secs_f64();
        Ok(level)
    }

    /// What to try when parts of the body were lost.
    fn remedies(&self, goal: Goal, expected: f64, hopeless: bool) -> Vec<(f64, f64)> {
        let mut remedies = match goal {
            Goal::Edge(_) | Goal::Boundary(_) => THICKER.to_vec(),
            Goal::Tets(_) if !hopeless => FINER_FIRST.to_vec(),
            _ => [&THICKER[..], &THICKER_AND_FINER].concat(),
        };
        let can_thicken = self.mesher.can_thicken();
        remedies.retain(|(factor, thicken)| {
            (can_thicken || *thicken == 0.0)
                && (*factor <= 1.0 || factor * expected <= MOST_NODES as f64)
        });
        remedies
    }
}
