//! Steps and work of a frame of co-stepping on a cut.

use pliant_core::model::degradation_levels::DegradationLevel;
use pliant_core::model::{Degradation, Foreseen, TouchedPlaces};

use crate::model::cut_body::state::{CutBody, TOUCH_STEP};
use crate::step::multirate::DEEPEST;

/// What an active node costs in each step, in tetrahedron evaluations, and how many other nodes cost as much as one evaluation.
const NODE_UNITS: usize = 2;
const UNTOUCHED: usize = 4;
/// What an element costs when step levels are settled and groups packed anew. Steps of bodies that touch each other change often, so that part of the budget is kept for that.
pub(crate) const REPACK_UNITS: u64 = 80;

/// Neighbours of a node over its tetrahedra, and the node itself: how many nodes feel an impulse after one step.
pub(crate) const NEIGHBOURS: f64 = 0.5;

impl CutBody {
    /// Settles the steps of all elements for a frame of `duration` seconds on a level of degradation. Elements around a touched node get the same step.
    pub(crate) fn settle_co_stepping(
        &mut self,
        duration: f64,
        touched: &TouchedPlaces,
        degradation_level: &DegradationLevel,
    ) {
        let moves = |n: u32| self.dynamics.inverse_masses[n as usize] > 0.0;
        let co_stepping = &mut self.co_stepping;
        co_stepping.is_touched = !touched.is_empty() || !self.constraints.is_empty();
        co_stepping.quick.clear();
        let nodes = touched.rows().flatten().map(|e| e.0);
        co_stepping.quick.extend(nodes.filter(|&n| moves(n)));
        co_stepping.quick.extend_from_slice(&self.touched);
        co_stepping.quick.sort_unstable();
        co_stepping.quick.dedup();
        co_stepping.longest = match self.constraints.is_empty() {
            true => f64::INFINITY,
            false => TOUCH_STEP,
        };
        (co_stepping.meets, co_stepping.is_degraded) = (
            !touched.is_empty(),
            *degradation_level != DegradationLevel::FULL,
        );
        let dynamics = &mut self.dynamics;
        dynamics.steps.only_halve(true);
        dynamics.set_degradation_level(degradation_level);
        dynamics.settle_steps(duration, &co_stepping.quick, co_stepping.longest);
        co_stepping.forecast = dynamics.forecast(&co_stepping.quick, co_stepping.longest);
    }

    /// How often own forces act where something touches the body, if they follow no other body; `None` where nothing does.
    pub(crate) fn contact_steps(&self) -> Option<u32> {
        let level = self.dynamics.steps.held_level.min(DEEPEST);
        self.co_stepping.meets.then_some(1 << level)
    }

    /// Contact with faster bodies acts `steps` times in the coming frame, 0 for none: elements follow where the body is touched.
    pub(crate) fn follow_contact(&mut self, steps: u32) {
        let level = steps.max(1).ilog2().min(u32::from(DEEPEST)) as u8;
        let co_stepping = &mut self.co_stepping;
        if self.dynamics.follow_partners(level, &co_stepping.quick) {
            co_stepping.forecast = self
                .dynamics
                .forecast(&co_stepping.quick, co_stepping.longest);
        }
    }

    /// Goes on as after a frame on that level of degradation.
    pub(crate) fn resume_co_stepping(&mut self, degradation_level: &DegradationLevel) {
        self.co_stepping.is_degraded = *degradation_level != DegradationLevel::FULL;
        self.dynamics.resume_degradation_level(degradation_level);
    }

    /// What a frame costs with the steps that were settled, or, about, on another level of degradation.
    pub(crate) fn foreseen_co_stepping(
        &self,
        on: Option<&DegradationLevel>,
        duration: f64,
    ) -> Foreseen {
        let co_stepping = &self.co_stepping;
        let forecast = match on {
            None => co_stepping.forecast,
            Some(degradation_level) => {
                self.dynamics
                    .forecast_on(degradation_level, duration, co_stepping.longest)
            }
        };
        let finer = self.dynamics.cut.evaluated_counts().iter().skip(1);
        let is_repacked = on.is_some() || !self.dynamics.has_groups;
        Foreseen {
            work: self.price(forecast) + self.repacking(is_repacked),
            each_step: self.step_units(),
            elements: self.dynamics.operators.evaluated().len() as u64,
            steps: match co_stepping.meets {
                true => forecast.impulses as u32,
                false => 1,
            },
            is_coarsest: finer.copied().all(|count| count == 0),
            is_damped: self.dynamics.constants.is_damped(),
        }
    }

    fn repacking(&self, is_repacked: bool) -> u64 {
        let elements = self.dynamics.operators.evaluated().len() as u64;
        REPACK_UNITS * elements * u64::from(is_repacked)
    }

    /// Work of a frame of `steps` steps in a group.
    pub(crate) fn co_stepping_units(&self, steps: u32) -> u64 {
        self.units()
            + self.repacking(self.co_stepping.is_repacked)
            + self.step_units() * u64::from(steps)
    }

    /// What each step of a group costs a body besides its firings.
    fn step_units(&self) -> u64 {
        let d = &self.dynamics;
        let nodes = NODE_UNITS * d.operators.active().len();
        (nodes + d.forest.node_count() / UNTOUCHED) as u64
    }

    /// Packs groups of the steps that were settled last. Constraints go `hastened` times as fast.
    pub(crate) fn gather_co_stepping(&mut self, duration: f64, hastened: f64) {
        self.co_stepping.is_repacked = !self.dynamics.has_groups;
        self.dynamics.gather();
        self.co_stepping.level = match self.co_stepping.meets {
            true => self.dynamics.level_around(&self.co_stepping.quick),
            false => 0,
        };
        let now = self.co_stepping.forecast;
        let whole = match self.co_stepping.is_degraded {
            true => (self.dynamics).forecast_on(
                &DegradationLevel::FULL,
                duration,
                self.co_stepping.longest,
            ),
            false => now,
        };
        let [whole, now] = [whole, now].map(|f| self.price(f));
        self.exceed(whole, now);
        self.hasten(hastened);
    }

    /// Largest share of an impulse that is handed on within a step of the present frame, see [`pliant_core::model::SteppedModel::spread_within_step`]; for a free body.
    pub(crate) fn handed_on(&self, neighbours: f64) -> f64 {
        let d = &self.dynamics;
        let steps = self.co_stepping.schedule.ticks / self.co_stepping.stride.max(1);
        let own = (d.mean_firings() / f64::from(steps.max(1))).min(1.0);
        let nodes = d.operators.active().len() as f64;
        let corners = 4 * d.operators.evaluated().len();
        own * own * ((1.0 + neighbours * corners as f64 / nodes) / nodes).min(1.0)
    }

    /// What a body of a group gave up by itself in the last frame: resolution.
    pub(crate) fn given_up(&self) -> Option<Degradation> {
        self.withheld.then_some(Degradation::RefinementWithheld)
    }

    /// A constraint acts on this node.
    pub(crate) fn is_held(&self, node: usize) -> bool {
        self.touched.binary_search(&(node as u32)).is_ok()
    }
}
