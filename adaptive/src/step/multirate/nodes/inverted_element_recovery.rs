//! Inverted-element recovery: nodes that were thrown far out of their surroundings are put back, as the last remedy before a frame fails.
//!
//! Such a node stretches the tetrahedra around it to many times their length. It cannot return within the steps that a frame can afford: the restoring forces grow faster
//! than the steps shorten. It gets the mean position and velocity of its neighbours. The energy that this takes counts as dissipated.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group_state::GroupState;
use crate::step::multirate::rates::step_level::UNSET;
use crate::step::multirate::rates::torn::is_torn;

/// Successive frames of recovery after which a supported body is also drawn to its rest shape.
const RECOVERY_DELAY: u32 = 6;
/// Share of its displacement that a node keeps in each such frame.
const DISPLACEMENT_KEPT: f64 = 0.9;

impl CutDynamics {
    /// Gives nodes of torn tetrahedra the mean position and velocity of their neighbours that are not torn off. Nodes in `held` (ascending) and on supports do not move.
    /// Returns how many were moved.
    ///
    /// A part that was thrown far away in one piece is not torn itself; the nodes that connect it to the rest are put between the two again and again. After a tenth of a second
    /// of that a supported body is drawn to its rest shape, a tenth of the way in each frame, and stopped if nothing touches it.
    pub(crate) fn recover_inverted(&mut self, held: &[u32]) -> u32 {
        self.torn_frames += 1;
        self.has_recovered = true;
        if self.torn_frames > RECOVERY_DELAY && self.is_supported {
            self.relax(DISPLACEMENT_KEPT, held);
            if held.is_empty() {
                // otherwise a part that moves away would do so as fast as it is drawn back
                self.stop();
            }
        }
        let forest = self.forest.clone();
        let evaluated = self.operators.evaluated();
        let mut scratch = vec![0.0; forest.node_count()];
        let mut is_torn_off = vec![false; forest.node_count()];
        for &t in evaluated {
            let corners = forest.tets()[t as usize];
            let places = corners.map(|n| self.positions[n as usize]);
            if !is_torn(&forest.shape(t).gradient_of(places)) {
                continue;
            }
            self.steps.own_levels[t as usize] = UNSET;
            if let Some(added) = self.steps.selective_scaling.corners.get_mut(t as usize) {
                *added = 0.0;
                self.steps.selective_scaling.has_changed = true;
            }
            let masters = self
                .operators
                .expand(corners.map(|n| (n, 1.0)), &mut scratch);
            for (n, _) in masters {
                let moves = self.inverse_masses[n as usize] > 0.0;
                is_torn_off[n as usize] |= moves && held.binary_search(&n).is_err();
            }
        }
        let active = self.operators.active();
        let mut remaining: Vec<u32> = active
            .iter()
            .copied()
            .filter(|&n| is_torn_off[n as usize])
            .collect();
        let count = remaining.len() as u32;
        // from the rim inwards; a part without a rim gets its rest positions
        while !remaining.is_empty() {
            let found: Vec<(u32, Vec3, Vec3)> = remaining
                .iter()
                .filter_map(|&n| self.mean_of_neighbours(n, &is_torn_off))
                .collect();
            for &(n, place, velocity) in &found {
                is_torn_off[n as usize] = false;
                self.set_node(n, place, velocity);
            }
            if found.is_empty() {
                for &n in &remaining {
                    self.set_node(n, forest.rest()[n as usize], Vec3::zeros());
                }
                break;
            }
            remaining.retain(|&n| is_torn_off[n as usize]);
        }
        self.update_ghosts();
        self.forces_are_current = false;
        self.needs_coupling = true;
        count
    }

    /// Mean position and velocity of a node by its active neighbours that are not torn off.
    fn mean_of_neighbours(&self, node: u32, is_torn_off: &[bool]) -> Option<(u32, Vec3, Vec3)> {
        let rest = self.forest.rest();
        let (mut place, mut velocity, mut count) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for &t in self.forest.tets_of(node) {
            for n in self.forest.tets()[t as usize] {
                if self.cut.is_active(n) && !is_torn_off[n as usize] {
                    let n = n as usize;
                    place += self.positions[n] + rest[node as usize] - rest[n];
                    velocity += self.velocities[n];
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| (node, place / count, velocity / count))
    }

    fn set_node(&mut self, node: u32, place: Vec3, velocity: Vec3) {
        let n = node as usize;
        self.positions[n] = place;
        for velocities in self.all_velocities() {
            velocities[n] = velocity;
        }
    }

    /// Sets positions and velocities that are not finite to rest: a failed frame leaves some in nodes that are not active now, but may be later.
    pub(crate) fn reset_non_finite(&mut self) {
        let is_number = |v: &Vec3| v.iter().all(|c| c.is_finite());
        for (place, rest) in self.positions.iter_mut().zip(self.forest.rest()) {
            if !is_number(place) {
                *place = *rest;
            }
        }
        for velocities in self.all_velocities() {
            for v in velocities.iter_mut().filter(|v| !is_number(v)) {
                *v = Vec3::zeros();
            }
        }
        // groups keep positions of their last evaluation
        self.group_state = GroupState::Changed;
    }
}
