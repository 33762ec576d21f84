//! Recovery of a cut when a frame fails however short its steps are: nodes of torn elements are put back, and finally the body is held for a frame.
//!
//! A tool that presses where the budget refuses finer elements can invert coarse ones. A study may stop there; an interactive simulation has to go on. So a
//! supported body that cannot follow keeps its last good positions for that frame (a fallback hold), and moves a little towards its rest shape in each further one. The
//! energy that this takes counts as dissipated. The notes give the number of holds and the cause of the first. After half a second of holds the frame fails.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::EnergyAccount;

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::cut_body::fallback_hold::{DISPLACEMENT_KEPT, MAX_HOLD_FRAMES};
use crate::model::cut_body::state::CutBody;
use crate::model::divergence;
use crate::step::multirate::CutDynamics;

impl AdaptiveModel {
    /// Puts nodes of torn elements back, and stops all nodes if `stops`; returns the energy (J) that this took. A free body keeps its momentum.
    pub(crate) fn recover_inverted_elements(&self, body: &mut CutBody, stops: bool) -> f64 {
        self.energy_taken_by(body, |body| {
            body.recovered_nodes += body.dynamics.recover_inverted(&body.touched);
            if stops {
                body.dynamics.stop();
            }
        })
    }

    /// Applies a change of nodes and returns the energy (J) that it takes. The momentum of a free body is restored.
    fn energy_taken_by(&self, body: &mut CutBody, change: impl FnOnce(&mut CutBody)) -> f64 {
        let before = self.stored_energy(&body.dynamics);
        let motion = body.dynamics.motion();
        change(body);
        body.dynamics.restore_motion(motion);
        let taken = before - self.stored_energy(&body.dynamics);
        if taken.is_finite() { taken } else { 0.0 }
    }

    /// After a failed frame in a group: puts nodes of torn elements back and stops all motion within the body. If the frame fails again, a free body loses its whole
    /// deformation. Returns `false` if no remedy is left.
    pub(crate) fn recover_cut(&mut self, body: &mut CutBody) -> bool {
        body.co_stepping.recovered += 1;
        match body.co_stepping.recovered {
            1 => self.dissipated += self.recover_inverted_elements(body, true),
            2 if !body.dynamics.is_supported => {
                self.dissipated += self.energy_taken_by(body, |body| {
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
    fn stored_energy(&self, d: &CutDynamics) -> f64 {
        d.elastic_energy() + d.kinetic_energy() + self.potential_of_cut(d, &self.gravity)
    }

    /// Whether a failed frame may end with a fallback hold: the body has supports, no constraint is too fast, and the body was not held for too long.
    pub(crate) fn may_hold(
        &self,
        body: &CutBody,
        boundary: &BoundaryConditions,
        duration: f64,
    ) -> bool {
        body.dynamics.is_supported
            && body.fallback_hold.successive < MAX_HOLD_FRAMES
            && divergence::too_fast(self, boundary, duration).is_none()
    }

    /// Holds the body for a frame at its last good positions, which have been restored before.
    pub(crate) fn hold_still(
        &mut self,
        body: &mut CutBody,
        cause: String,
        duration: f64,
    ) -> EnergyAccount {
        let before = self.stored_energy(&body.dynamics);
        self.recover_inverted_elements(body, true);
        if body.fallback_hold.successive > 0 {
            body.dynamics.relax(DISPLACEMENT_KEPT, &[]);
        }
        let after = self.stored_energy(&body.dynamics);
        if (before - after).is_finite() {
            self.dissipated += before - after;
        }
        self.time += duration;
        self.contact.clear_kicks();
        self.reactions.clear();
        self.support_reactions.fill(Vec3::zeros());
        body.fallback_hold.successive += 1;
        body.fallback_hold.frames += 1;
        body.fallback_hold.cause.get_or_insert(cause);
        self.account_of(body, 0.0)
    }
}
