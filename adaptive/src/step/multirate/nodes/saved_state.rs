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
            to.extend(values.iter().flatten());
        }
        // the half tells that nodes were put back in this frame
        to.push(f64::from(self.torn_frames) + 0.5 * f64::from(u8::from(self.has_recovered)));
        to.push(f64::from(u8::from(self.group_state == GroupState::Changed)));
        self.steps.save(to);
    }

    /// Restores what was saved from the first of these numbers, and removes them. Returns `None`, and changes nothing, where they do not fit.
    pub(crate) fn restore(&mut self, from: &mut &[f64]) -> Option<()> {
        let (nodes, tets) = (self.forest.node_count(), self.forest.tet_count());
        let states = from.split_off(..nodes)?;
        let vectors = from.split_off(..12 * nodes)?;
        let (torn, changed) = (*from.split_off_first()?, *from.split_off_first()?);
        let steps = from.split_off(..2 * tets + 3)?;
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
                return None;
            }
        }
        if !self.cut.set_states(&now) {
            return None;
        }
        (self.torn_frames, self.has_recovered) = (torn as u32, torn.fract() > 0.0);
        let mut vectors = vectors.chunks_exact(3).map(Vec3::from_column_slice);
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
        Some(())
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
