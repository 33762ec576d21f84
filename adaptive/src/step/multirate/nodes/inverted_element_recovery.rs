//! Inverted-element recovery: nodes that were thrown far out of their surroundings are put back, as the last thing before a frame is given up.
//!
//! Such a node tears the tetrahedra around it to many times their length. It cannot come back within the steps that a frame affords: what pulls it grows faster than
//! the steps shorten. It is put where its neighbours say and moves as they do. What that takes from the energy counts as dissipated.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::rates::step_level::UNSET;
use crate::step::multirate::rates::torn::is_torn;

/// Frames in a row after which what hangs on torn tetrahedra alone is drawn to rest as well.
const RECOVERY_DELAY: u32 = 6;
/// Share of its displacement that a node keeps in each of these frames.
const KEPT: f64 = 0.9;

impl CutDynamics {
    /// Puts nodes of torn tetrahedra where their neighbours in sound ones say, with the mean velocity of these. Nodes in `held` (ascending) and on supports stay. Returns how many were moved.
    ///
    /// A part that was thrown far away in one piece is not torn itself, and what ties it to the rest is put between the two again and again. After a tenth of a second
    /// of that a supported body is drawn to its rest shape, a tenth of the way a frame, and stopped where nothing touches it.
    pub(crate) fn recover_inverted(&mut self, held: &[u32]) -> u32 {
        self.torn_row += 1;
        self.has_recovered = true;
        if self.torn_row > RECOVERY_DELAY && self.is_supported {
            self.relax(KEPT, held);
            if held.is_empty() {
                // what flies goes on to fly otherwise, as fast as it is drawn back
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
            self.steps.own[t as usize] = UNSET;
            if let Some(yielded) = self.steps.selective_scaling.corners.get_mut(t as usize) {
                *yielded = 0.0;
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
        let mut open: Vec<u32> = active
            .iter()
            .copied()
            .filter(|&n| is_torn_off[n as usize])
            .collect();
        let count = open.len() as u32;
        // from the rim inwards; an island without a rim goes back to rest
        while !open.is_empty() {
            let found: Vec<(u32, Vec3, Vec3)> = open
                .iter()
                .filter_map(|&n| self.among_neighbours(n, &is_torn_off))
                .collect();
            for &(n, place, velocity) in &found {
                is_torn_off[n as usize] = false;
                self.put(n, place, velocity);
            }
            if found.is_empty() {
                for &n in &open {
                    self.put(n, forest.rest()[n as usize], Vec3::zeros());
                }
                break;
            }
            open.retain(|&n| is_torn_off[n as usize]);
        }
        self.follow();
        self.is_fresh = false;
        self.needs_settling = true;
        count
    }

    /// Where the active neighbours that are not torn off say that a node is, and how fast.
    fn among_neighbours(&self, node: u32, is_torn_off: &[bool]) -> Option<(u32, Vec3, Vec3)> {
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

    fn put(&mut self, node: u32, place: Vec3, velocity: Vec3) {
        let n = node as usize;
        self.positions[n] = place;
        for velocities in [&mut self.velocities, &mut self.lead, &mut self.means] {
            velocities[n] = velocity;
        }
    }

    /// Puts every number that is none back to rest: a frame that failed leaves some in nodes that do not move now and may later.
    pub(crate) fn cleanse(&mut self) {
        let is_number = |v: &Vec3| v.iter().all(|c| c.is_finite());
        for (place, rest) in self.positions.iter_mut().zip(self.forest.rest()) {
            if !is_number(place) {
                *place = *rest;
            }
        }
        for velocities in [&mut self.velocities, &mut self.lead, &mut self.means] {
            for v in velocities.iter_mut().filter(|v| !is_number(v)) {
                *v = Vec3::zeros();
            }
        }
        // groups remember where they fired last
        self.has_groups = false;
    }
}
