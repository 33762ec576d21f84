//! Steps and work of a frame of co-stepping on a cut.

use pliant_core::model::degradation_levels::DegradationLevel;
use pliant_core::model::{FrameCost, TouchedPlaces};

use crate::model::cut_body::state::{CutBody, TOUCH_STEP};
use crate::step::multirate::DEEPEST;
use crate::step::multirate::GroupState;

/// Work of an active node in each step, in tetrahedron evaluations, and number of other nodes with the work of one evaluation.
const NODE_UNITS: usize = 2;
const INACTIVE_NODES_PER_UNIT: usize = 4;
/// Work of an element when step levels change and groups are packed. Steps of bodies in contact change often, so that part of the budget is reserved for that.
pub(crate) const REPACK_UNITS: u64 = 80;

/// Number of neighbours of a node, with the node itself, over the number of its tetrahedra: an impulse reaches these nodes in one step.
pub(super) const NEIGHBOURS_PER_TET: f64 = 0.5;

impl CutBody {
    /// Updates the steps of all elements for a frame of `duration` seconds at a level of degradation. Elements around a touched node get the same step.
    pub(crate) fn update_co_stepping_steps(
        &mut self,
        duration: f64,
        touched: &TouchedPlaces,
        degradation_level: &DegradationLevel,
    ) {
        let moves = |n: u32| self.dynamics.inverse_masses[n as usize] > 0.0;
        let co_stepping = &mut self.co_stepping;
        co_stepping.is_touched = !touched.is_empty() || !self.constraints.is_empty();
        co_stepping.contact_nodes.clear();
        let nodes = touched.rows().flatten().map(|e| e.0);
        co_stepping
            .contact_nodes
            .extend(nodes.filter(|&n| moves(n)));
        co_stepping.contact_nodes.extend_from_slice(&self.touched);
        co_stepping.contact_nodes.sort_unstable();
        co_stepping.contact_nodes.dedup();
        co_stepping.longest_step = match self.constraints.is_empty() {
            true => f64::INFINITY,
            false => TOUCH_STEP,
        };
        (co_stepping.has_contact, co_stepping.is_degraded) = (
            !touched.is_empty(),
            *degradation_level != DegradationLevel::FULL,
        );
        let dynamics = &mut self.dynamics;
        dynamics.steps.set_halves_only(true);
        dynamics.set_degradation_level(degradation_level);
        dynamics.update_steps(
            duration,
            &co_stepping.contact_nodes,
            co_stepping.longest_step,
        );
        co_stepping.forecast =
            dynamics.forecast(&co_stepping.contact_nodes, co_stepping.longest_step);
    }

    /// Number of times that internal forces act at contact nodes in the coming frame, without a faster body in contact; `None` without contact.
    pub(crate) fn contact_steps(&self) -> Option<u32> {
        let level = self.dynamics.steps.held_level.min(DEEPEST);
        self.co_stepping.has_contact.then_some(1 << level)
    }

    /// Adapts the steps at contact nodes to contact with faster bodies, which acts `steps` times in the coming frame, 0 for none.
    pub(crate) fn follow_contact(&mut self, steps: u32) {
        let level = steps.max(1).ilog2().min(u32::from(DEEPEST)) as u8;
        let co_stepping = &mut self.co_stepping;
        let contact_nodes = &co_stepping.contact_nodes;
        if self.dynamics.set_partner_level(level, contact_nodes) {
            co_stepping.forecast = self
                .dynamics
                .forecast(contact_nodes, co_stepping.longest_step);
        }
    }

    /// Sets the state after a frame at this level of degradation.
    pub(crate) fn resume_co_stepping(&mut self, degradation_level: &DegradationLevel) {
        self.co_stepping.is_degraded = *degradation_level != DegradationLevel::FULL;
        self.dynamics.resume_degradation_level(degradation_level);
    }

    /// Work and steps of a frame with the present steps, or approximately at another level of degradation.
    pub(crate) fn co_stepping_forecast(
        &self,
        degradation_level: Option<&DegradationLevel>,
        duration: f64,
    ) -> FrameCost {
        let co_stepping = &self.co_stepping;
        let forecast = match degradation_level {
            None => co_stepping.forecast,
            Some(other) => self
                .dynamics
                .forecast_at(other, duration, co_stepping.longest_step),
        };
        let finer = self.dynamics.cut.evaluated_counts().iter().skip(1);
        let is_repacked =
            degradation_level.is_some() || self.dynamics.group_state == GroupState::Changed;
        FrameCost {
            work: self.price(forecast) + self.repacking_units(is_repacked),
            each_step: self.step_units(),
            elements: self.dynamics.operators.evaluated().len() as u64,
            steps: match co_stepping.has_contact {
                true => forecast.impulses as u32,
                false => 1,
            },
            is_coarsest: finer.copied().all(|count| count == 0),
            is_damped: self.dynamics.constants.is_damped(),
        }
    }

    fn repacking_units(&self, is_repacked: bool) -> u64 {
        let elements = self.dynamics.operators.evaluated().len() as u64;
        REPACK_UNITS * elements * u64::from(is_repacked)
    }

    /// Work of a frame of `steps` steps in a group.
    pub(crate) fn co_stepping_units(&self, steps: u32) -> u64 {
        self.units()
            + self.repacking_units(self.co_stepping.is_repacked)
            + self.step_units() * u64::from(steps)
    }

    /// Work of a body in each step of a group besides its firings.
    fn step_units(&self) -> u64 {
        let d = &self.dynamics;
        let nodes = NODE_UNITS * d.operators.active().len();
        (nodes + d.forest.node_count() / INACTIVE_NODES_PER_UNIT) as u64
    }

    /// Packs the groups of the present steps. Velocities of constraints are multiplied by `velocity_factor`.
    pub(crate) fn start_co_stepping(&mut self, duration: f64, velocity_factor: f64) {
        self.co_stepping.is_repacked = self.dynamics.group_state == GroupState::Changed;
        self.dynamics.update_groups();
        self.co_stepping.level = match self.co_stepping.has_contact {
            true => self.dynamics.level_around(&self.co_stepping.contact_nodes),
            false => 0,
        };
        let now = self.co_stepping.forecast;
        let whole = match self.co_stepping.is_degraded {
            true => (self.dynamics).forecast_at(
                &DegradationLevel::FULL,
                duration,
                self.co_stepping.longest_step,
            ),
            false => now,
        };
        let [whole, now] = [whole, now].map(|f| self.price(f));
        self.set_excess(whole, now);
        self.scale_constraint_velocities(velocity_factor);
    }

    /// Largest share of an impulse that spreads within `stride` steps of the present frame, see [`pliant_core::model::SteppedModel::spread_within_step`]; for a free body.
    pub(crate) fn impulse_spread(&self, stride: u32) -> f64 {
        let d = &self.dynamics;
        let steps = self.co_stepping.schedule.ticks / self.co_stepping.stride.max(1);
        // the time of contact over that between firings; however long, the impulse gets no farther than to the neighbours
        let step_ratio = (d.mean_firings() * f64::from(stride) / f64::from(steps.max(1))).min(1.0);
        let nodes = d.operators.active().len() as f64;
        let corners = 4 * d.operators.evaluated().len();
        step_ratio
            * step_ratio
            * ((1.0 + NEIGHBOURS_PER_TET * corners as f64 / nodes) / nodes).min(1.0)
    }
}
