//! Saving and restoring the state as numbers, and resetting it.

use pliant_core::math::Vec3;

use crate::cut::{Cut, NodeState};
use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group_state::GroupState;
use crate::step::multirate::rates::prices::prices;

impl CutDynamics {
    /// Writes the state as numbers; see [`CutDynamics::restore`].
    pub(crate) fn save(&self, to: &mut Vec<f64>) {
        let number = |state: NodeState| match state {
            NodeState::Active => 0.0,
            NodeState::Refined => 1.0,
            NodeState::Dormant => 2.0,
        };
        // the state of a node in a prepared cut is a multiple of three
        let pending = self.pending.as_ref().map(|p| p.cut.states());
        let next = |n: usize| pending.map_or(0.0, |states| 3.0 * (number(states[n]) + 1.0));
        let states = self.cut.states().iter().enumerate();
        to.extend(states.map(|(n, &s)| number(s) + next(n)));
        for values in [
            &self.positions,
            &self.velocities,
            &self.half_step_velocities,
            &self.mean_velocities,
        ] {
            to.extend(values.iter().flat_map(|v| [v.x, v.y, v.z]));
        }
        // the half tells that nodes were put back in this frame
        to.push(f64::from(self.torn_frames) + 0.5 * f64::from(u8::from(self.has_recovered)));
        to.push(f64::from(u8::from(self.group_state == GroupState::Changed)));
        self.steps.save(to);
    }

    /// Numbers that [`CutDynamics::save`] writes.
    pub(crate) fn saved_len(&self) -> usize {
        13 * self.forest.node_count() + 2 * self.forest.tet_count() + 5
    }

    /// Restores what was saved. Returns `false`, and changes nothing, where it does not fit.
    pub(crate) fn restore(&mut self, from: &[f64]) -> bool {
        let nodes = self.forest.node_count();
        if from.len() != self.saved_len() {
            return false;
        }
        let (states, rest) = from.split_at(nodes);
        let state = |number: f64| match number {
            0.0 => NodeState::Active,
            1.0 => NodeState::Refined,
            _ => NodeState::Dormant,
        };
        let now: Vec<NodeState> = states.iter().map(|s| state(s % 3.0)).collect();
        let has_pending = states.iter().all(|s| *s >= 3.0);
        let mut pending = has_pending.then(|| self.cut.clone());
        if let Some(cut) = &mut pending {
            let next = states.iter().map(|s| state((s / 3.0).floor() - 1.0));
            if !cut.set_states(&next.collect::<Vec<NodeState>>()) {
                return false;
            }
        }
        if !self.cut.set_states(&now) {
            return false;
        }
        let (vectors, rest) = rest.split_at(12 * nodes);
        let (flags, steps) = rest.split_at(2);
        let &[torn, changed] = flags else {
            return false;
        };
        (self.torn_frames, self.has_recovered) = (torn as u32, torn.fract() > 0.0);
        let mut vectors = vectors.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2]));
        for values in [
            &mut self.positions,
            &mut self.velocities,
            &mut self.half_step_velocities,
            &mut self.mean_velocities,
        ] {
            for (slot, v) in values.iter_mut().zip(&mut vectors) {
                *slot = v;
            }
        }
        self.steps.restore(steps);
        self.update_operators();
        self.pending = pending.map(|cut| Box::new(self.prepare(cut)));
        self.has_new_cut = true;
        self.group_state = match changed != 0.0 {
            true => GroupState::Changed,
            false => GroupState::Restored,
        };
        self.forces_are_current = false;
        true
    }

    /// Back to rest on the coarsest cut.
    pub fn reset(&mut self) {
        let mut cut = Cut::coarsest(self.forest.clone());
        cut.set_prices(prices(
            &self.forest,
            &self.steps,
            self.params.frame_duration,
        ));
        self.cut = cut;
        self.steps.reset();
        (self.torn_frames, self.has_recovered) = (0, false);
        self.update_operators();
        self.positions.copy_from_slice(self.forest.rest());
        self.stop();
        self.loads.fill(Vec3::zeros());
        self.groups.clear();
        self.has_new_cut = true;
        self.group_state = GroupState::Changed;
        self.forces_are_current = false;
    }
}
