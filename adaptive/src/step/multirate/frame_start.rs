//! What a frame needs before it begins: step levels, groups and their forces.

use crate::step::multirate::cut_dynamics::CutDynamics;

impl CutDynamics {
    /// Settles step levels for a frame of `duration` seconds and packs groups, where something changed. Elements at `quick` nodes (ascending) step by at
    /// most `longest` seconds. Call it before [`CutDynamics::fire`].
    pub fn ready(&mut self, duration: f64, quick: &[u32], longest: f64) {
        self.settle_steps(duration, quick, longest);
        self.gather();
    }

    /// The first part of [`CutDynamics::ready`]: step levels.
    pub(crate) fn settle_steps(&mut self, duration: f64, quick: &[u32], longest: f64) {
        let Self {
            steps,
            cut,
            operators,
            ..
        } = self;
        if self.has_new_cut {
            let found = self.new_pushes.take();
            let pushes =
                found.unwrap_or_else(|| steps.pushes_of(cut, operators, self.params.interface));
            steps.take_cut(cut, pushes);
            self.has_new_cut = false;
            self.needs_settling = true;
        }
        let evaluated = operators.evaluated();
        let changed = steps.look(
            &self.forest,
            evaluated,
            &self.positions,
            duration,
            quick,
            longest,
        );
        self.take_selective_scaling();
        let Self {
            steps,
            cut,
            operators,
            masses,
            ..
        } = self;
        let evaluated = operators.evaluated();
        if changed || self.needs_settling {
            if steps.settle(cut, evaluated, quick, masses) {
                self.has_groups = false;
            }
            self.needs_settling = false;
        }
    }

    /// Between the first part of [`CutDynamics::ready`] and the second: contact with faster bodies acts at step level `level` on the nodes `quick`. Returns whether levels
    /// were settled anew.
    pub(crate) fn follow_partners(&mut self, level: u8, quick: &[u32]) -> bool {
        if !self.steps.follow_partners(level) {
            return false;
        }
        let Self {
            steps,
            cut,
            operators,
            masses,
            ..
        } = self;
        if steps.settle(cut, operators.evaluated(), quick, masses) {
            self.has_groups = false;
        }
        true
    }

    /// The second part of [`CutDynamics::ready`]: groups of the settled levels, and their forces.
    pub(crate) fn gather(&mut self) {
        // the look after torn nodes were put back belongs to the same frame
        if !self.steps.is_torn() && !std::mem::take(&mut self.has_recovered) {
            self.torn_row = 0;
        }
        if !self.has_groups {
            self.regroup();
        }
        if !self.is_fresh {
            self.refresh();
        }
    }

    /// Forces of all groups at the present state.
    pub(crate) fn refresh(&mut self) {
        for group in &mut self.groups {
            group.take(&self.positions, &self.means);
            group.evaluate();
        }
        self.is_fresh = true;
    }

    /// Every element `by` levels faster for the coming frame.
    pub(crate) fn hurry(&mut self, by: u8) {
        self.steps.raise_all(by);
        self.regroup();
        self.refresh();
        self.needs_settling = true;
    }
}
