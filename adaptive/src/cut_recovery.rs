//! What is left when a frame of a cut fails however short its steps are: spikes are taken back, and at last the body stands still for a frame.
//!
//! A tool that presses where the budget refuses finer elements can turn coarse ones inside out. Stopping for good would be right for a study; who is in the middle of an operation
//! wants the body back. So a supported body that cannot follow stands still for that frame, at its last good places, and lies a little nearer to its rest shape in each further one. What that
//! takes from the energy counts as dissipated, and the notes say how often it happened and why first. After half a second the frame fails for good.

use pliant_core::boundary::{BoundaryConditions, ConstrainedDirections};
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_core::model::EnergyAccount;

use crate::cut_body::CutBody;
use crate::guard;
use crate::model::AdaptiveModel;
use crate::multirate::CutDynamics;

/// Frames in a row in which a body may stand still.
const LONGEST: u8 = 30;
/// Share of its displacement that a body keeps in each frame in a row but the first.
const KEPT: f64 = 0.8;

/// Frames in a row from which on nothing touches the body until a frame is good.
const LET_GO: u8 = 12;
/// Way that a constraint may ask for in a frame soon after, over the body's diagonal: meanwhile a tool went on, and is deep inside.
const EASED: f64 = 0.005;

/// How often a body stood still.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    /// frames in a row, until now; each good frame takes one back
    pub(crate) row: u8,
    /// frames since the last reset
    pub(crate) frames: u32,
    /// what was seen the first time
    pub(crate) cause: Option<String>,
}

impl CutBody {
    /// Soon after it stood still a body follows its constraints step by step; where that fails too it lets go of them.
    pub(crate) fn ease(&mut self) {
        if self.standing.row == 0 {
            return;
        }
        if self.standing.row >= LET_GO {
            self.constraints.clear();
            self.touched.clear();
            self.embedding = SkinEmbedding::from_rows(std::iter::empty());
            self.is_attached = false;
            return;
        }
        let forest = &self.dynamics.forest;
        let most = EASED * forest.asset().skin.bounds().diagonal();
        for c in &mut self.constraints {
            let here = self
                .embedding
                .interpolate(c.vertex as usize, &self.dynamics.positions);
            let gap = c.target - here;
            match c.directions {
                ConstrainedDirections::All => c.target = here + gap.cap_magnitude(most),
                ConstrainedDirections::Along(n) => {
                    let depth = n.dot(&gap);
                    c.target -= n * (depth - depth.min(most));
                }
            }
        }
    }
}

impl AdaptiveModel {
    /// Takes spikes back, and all motion where `stops`; returns the energy (J) that this took.
    pub(crate) fn mend(&mut self, body: &mut CutBody, stops: bool) -> f64 {
        let before = self.stored(&body.dynamics);
        body.mended += body.dynamics.mend(&body.touched);
        if stops {
            body.dynamics.stop();
        }
        let taken = before - self.stored(&body.dynamics);
        if taken.is_finite() { taken } else { 0.0 }
    }

    /// Kinetic, elastic and gravitational energy, J.
    fn stored(&self, d: &CutDynamics) -> f64 {
        d.elastic_energy() + d.kinetic_energy() + d.potential_energy(&self.gravity)
    }

    /// Whether a frame that failed may end with a body that stands still: one on supports, which no constraint asks for more than it could follow, and not for ever.
    pub(crate) fn may_stand(
        &self,
        body: &CutBody,
        boundary: &BoundaryConditions,
        duration: f64,
    ) -> bool {
        let forest = &body.dynamics.forest;
        let is_held = forest
            .nodes_of_level(0)
            .any(|n| forest.support(n).is_some());
        is_held
            && body.standing.row < LONGEST
            && guard::too_fast(self, boundary, duration).is_none()
    }

    /// A frame of a body that stands still at its last good places, where it was put already.
    pub(crate) fn stand_still(
        &mut self,
        body: &mut CutBody,
        cause: String,
        duration: f64,
    ) -> EnergyAccount {
        let before = self.stored(&body.dynamics);
        self.mend(body, true);
        if body.standing.row > 0 {
            body.dynamics.relax(KEPT);
        }
        let after = self.stored(&body.dynamics);
        if (before - after).is_finite() {
            self.dissipated += before - after;
        }
        self.time += duration;
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        body.standing.row += 1;
        body.standing.frames += 1;
        body.standing.cause.get_or_insert(cause);
        EnergyAccount {
            kinetic: 0.0,
            elastic: body.dynamics.elastic_energy(),
            potential: body.dynamics.potential_energy(&self.gravity),
            dissipated: self.dissipated,
            work: self.work,
        }
    }
}
