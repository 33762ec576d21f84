//! The start of a frame: step levels, groups and their forces.

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group_state::GroupState;

impl CutDynamics {
    /// Updates step levels for a frame of `duration` seconds and packs groups, where something changed. Elements at `contact_nodes` (ascending) step by at
    /// most `longest_step` seconds. Call it before [`CutDynamics::fire`].
    pub fn prepare_frame(&mut self, duration: f64, contact_nodes: &[u32], longest_step: f64) {
        self.update_steps(duration, contact_nodes, longest_step);
        self.update_groups();
    }

    /// The first part of [`CutDynamics::prepare_frame`]: step levels.
    pub(crate) fn update_steps(&mut self, duration: f64, contact_nodes: &[u32], longest_step: f64) {
        let Self {
            steps,
            cut,
            operators,
            ..
        } = self;
        if self.has_new_cut {
            let found = self.new_coupling.take();
            let coupling = found
                .unwrap_or_else(|| steps.element_coupling(cut, operators, self.params.interface));
            steps.take_cut(cut, coupling);
            self.has_new_cut = false;
            self.needs_coupling = true;
        }
        let evaluated = operators.evaluated();
        let changed = steps.scan(
            &self.forest,
            evaluated,
            &self.positions,
            duration,
            contact_nodes,
            longest_step,
        );
        self.take_selective_scaling();
        if changed || self.needs_coupling {
            self.couple_rates(contact_nodes);
            self.needs_coupling = false;
        }
    }

    /// Between [`CutDynamics::update_steps`] and [`CutDynamics::update_groups`]: sets the step level at which contact with faster bodies acts on `contact_nodes`. Returns
    /// whether step levels were updated.
    pub(crate) fn set_partner_level(&mut self, level: u8, contact_nodes: &[u32]) -> bool {
        let is_new = self.steps.set_partner_level(level);
        if is_new {
            self.couple_rates(contact_nodes);
        }
        is_new
    }

    /// Couples the steps of neighbours; notes whether groups change with them.
    fn couple_rates(&mut self, contact_nodes: &[u32]) {
        let Self {
            steps,
            cut,
            operators,
            masses,
            ..
        } = self;
        if steps.couple_rates(cut, operators.evaluated(), contact_nodes, masses) {
            self.group_state = GroupState::Changed;
        }
    }

    /// The second part of [`CutDynamics::prepare_frame`]: groups of the new levels, and their forces.
    pub(crate) fn update_groups(&mut self) {
        // the scan after torn nodes were put back belongs to the same frame
        if !self.steps.is_torn && !std::mem::take(&mut self.has_recovered) {
            self.torn_frames = 0;
        }
        if self.group_state != GroupState::Packed {
            self.regroup();
        }
        if !self.forces_are_current {
            self.evaluate_groups();
        }
    }

    /// Evaluates all groups at the present state.
    pub(crate) fn evaluate_groups(&mut self) {
        for group in &mut self.groups {
            group.set_state(&self.positions, &self.mean_velocities);
            group.evaluate();
        }
        self.forces_are_current = true;
    }

    /// Raises the level of every element by `by` for the coming frame.
    pub(crate) fn raise_levels(&mut self, by: u8) {
        self.steps.raise_all(by);
        self.regroup();
        self.evaluate_groups();
        self.needs_coupling = true;
    }
}
