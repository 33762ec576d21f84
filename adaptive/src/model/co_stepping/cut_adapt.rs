//! Adaptation of a cut to contact before a frame of co-stepping.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{TouchedPlaces, WorkBudget};

use crate::model::adaptive_model::AdaptiveModel;
use crate::model::co_stepping::cut_work::REPACK_UNITS;
use crate::model::cut_body::adapt::CutDemand;
use crate::model::cut_body::state::CutBody;

/// A body is at rest if its nodes move by less than this share of its finest edge in a frame.
const REST_SHARE: f64 = 1e-3;

impl AdaptiveModel {
    /// Adapts the cut to contact before a frame of `duration` seconds: contact with other bodies refines the cut as tools do.
    pub(crate) fn adapt_co_stepping(
        &mut self,
        body: &mut CutBody,
        duration: f64,
        boundary: &BoundaryConditions,
        touched: &TouchedPlaces,
        budget: WorkBudget,
    ) {
        self.count_energy_loss(body);
        self.take_gravity(body, boundary);
        body.co_stepping.recovered = 0;
        let constraints = boundary.displacements();
        let (forest, skin) = (&body.dynamics.forest, &self.asset.skin);
        body.focus
            .update_touched(forest, skin, constraints, touched);
        let rest_speed = REST_SHARE * forest.level(forest.level_count() - 1).0.spacing / duration;
        let d = &body.dynamics;
        let speeds = d
            .operators
            .active()
            .iter()
            .map(|&n| d.velocities[n as usize].norm());
        let rests = constraints.iter().all(|c| c.velocity == Vec3::zeros())
            && speeds.fold(0.0, f64::max) < rest_speed;
        // the group has already deducted the work of contact with others
        let demand = CutDemand {
            rows: constraints.len(),
            reserve: REPACK_UNITS,
            is_held: constraints.len() + touched.len() > 0 && rests,
            // work that degradation saves is not for finer elements
            may_grow: !body.co_stepping.is_degraded,
            may_regrow: false,
        };
        self.adapt_cut(body, demand, budget, duration);
        body.attach(boundary);
        body.ease_constraints();
    }

    /// Counts the energy that was lost since the last frame ended.
    fn count_energy_loss(&mut self, body: &CutBody) {
        if let Some(at_end) = self.co_stepping.last.kinetic_energy.take() {
            self.dissipated += at_end - body.dynamics.kinetic_energy();
        }
    }
}
