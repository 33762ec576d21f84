//! What is left when a frame of a cut fails however short its steps are: nodes of torn elements are put back, and at last the body is held for a frame.
//!
//! A tool that presses where the budget refuses finer elements can turn coarse ones inside out. A study may stop there; whoever operates on the body wants it back. So a
//! supported body that cannot follow keeps its last good places for that frame (a fallback hold), and comes a little nearer to its rest shape in each further one. What
//! that takes from the energy counts as dissipated. The notes say how often it happened, and why the first time. After half a second of it the frame fails for good.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::fallback_hold::{KEPT, LONGEST_HOLD};
use crate::model::cut_body::state::CutBody;
use crate::model::divergence;
use crate::step::multirate::CutDynamics;

impl AdaptiveModel {
    /// Puts nodes of torn elements back, and ends all motion where `stops`; returns the energy (J) that this took. A free body keeps its momentum.
    pub(crate) fn recover_inverted_elements(&self, body: &mut CutBody, stops: bool) -> f64 {
        self.taken_by(body, |body| {
            body.recovered_nodes += body.dynamics.recover_inverted(&body.touched);
            if stops {
                body.dynamics.stop();
            }
        })
    }

    /// Energy (J) that a change of nodes takes. A free body gets its momentum back.
    fn taken_by(&self, body: &mut CutBody, change: impl FnOnce(&mut CutBody)) -> f64 {
        let before = self.stored(&body.dynamics);
        let motion = body.dynamics.motion();
        change(body);
        body.dynamics.restore_motion(motion);
        let taken = before - self.stored(&body.dynamics);
        if taken.is_finite() { taken } else { 0.0 }
    }

    /// After a frame in a group failed: puts nodes of torn elements back and ends all motion within the body. Where that was not enough, a free body loses its whole
    /// deformation. Returns `false` where that was not enough either.
    pub(crate) fn recover_cut(&mut self, body: &mut CutBody) -> bool {
        body.co_stepping.recovered += 1;
        match body.co_stepping.recovered {
            1 => self.dissipated += self.recover_inverted_elements(body, true),
            2 if !body.dynamics.is_supported => {
                self.dissipated += self.taken_by(body, |body| {
                    body.dynamics.relax(0.0, &[]);
                    body.dynamics.stop();
                });
                body.recovered_nodes += body.dynamics.operators.active().len() as u32;
            }
            _ => return false,
        }
        true
    }

    /// Kinetic, elastic and gravitational energy, J.
    fn stored(&self, d: &CutDynamics) -> f64 {
        d.elastic_energy() + d.kinetic_energy() + self.potential_of_cut(d, &self.gravity)
    }

    /// Whether a frame that failed may end with a fallback hold: the body has supports, no constraint moves faster than it could follow, and it was not held for too long.
    pub(crate) fn may_hold(
        &self,
        body: &CutBody,
        boundary: &BoundaryConditions,
        duration: f64,
    ) -> bool {
        body.dynamics.is_supported
            && body.fallback_hold.row < LONGEST_HOLD
            && divergence::too_fast(self, boundary, duration).is_none()
    }

    /// Holds the body for a frame at its last good places, where it was put already.
    pub(crate) fn hold_still(
        &mut self,
        body: &mut CutBody,
        cause: String,
        duration: f64,
    ) -> EnergyAccount {
        let before = self.stored(&body.dynamics);
        self.recover_inverted_elements(body, true);
        if body.fallback_hold.row > 0 {
            body.dynamics.relax(KEPT, &[]);
        }
        let after = self.stored(&body.dynamics);
        if (before - after).is_finite() {
            self.dissipated += before - after;
        }
        self.time += duration;
        self.contact.forget();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        body.fallback_hold.row += 1;
        body.fallback_hold.frames += 1;
        body.fallback_hold.cause.get_or_insert(cause);
        EnergyAccount {
            kinetic: 0.0,
            elastic: body.dynamics.elastic_energy(),
            potential: self.potential_of_cut(&body.dynamics, &self.gravity),
            dissipated: self.dissipated,
            work: self.work,
        }
    }
}
