//! Relaxation of new nodes: the error of their interpolated positions is reduced before it becomes motion.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group::Group;

/// Largest number of descent steps.
const MAX_STEPS: usize = 16;
/// Steps between two checks of the energy.
const STEPS_BETWEEN_CHECKS: usize = 4;
/// Share of the strain energy that new nodes may add without being relaxed.
const NEGLIGIBLE_SHARE: f64 = 1e-3;
/// Strain energy, over shear modulus times volume of the body, below which there is nothing to relax: strains of 1e-7.
const NEGLIGIBLE_ENERGY: f64 = 1e-14;
/// Share of the last move that is added to the next (heavy ball).
const MOMENTUM: f64 = 0.7;
/// Step over the one that the element bound at rest allows: stretched elements are stiffer.
const STEP_FACTOR: f64 = 0.5;

/// A node of the group that may move.
struct NewNode {
    node: usize,
    /// local index in the group
    place: usize,
    /// step length of the descent, m/N
    step: f64,
    /// initial position, m
    initial: Vec3,
    /// position at the last accepted check, m
    accepted: Vec3,
    /// last move, m, and the force before it, N
    moved: Vec3,
    force: Vec3,
}

impl CutDynamics {
    /// Moves the `changed` active nodes by a few steps of descent until the strain energy is at most `before` (J) or no longer falls. Returns that energy.
    ///
    /// A finer mesh whose nodes a coarse one interpolates is bent at the faces of the coarse elements, and its level may be stiffer. Both give it spurious energy.
    /// This energy is in waves as short as the elements. A few steps of heavy-ball descent remove these and keep longer waves. During the descent the energy
    /// is integrated from forces and moves, by the trapezoidal rule; the returned energy is evaluated.
    pub(crate) fn relax_new_nodes(&mut self, changed: &[bool], before: f64) -> f64 {
        let all = self.elastic_energy();
        let coarsest = self.forest.tets_of_level(0);
        let volume: f64 = coarsest.map(|t| self.forest.volume(t)).sum();
        let negligible =
            NEGLIGIBLE_SHARE * before.abs() + NEGLIGIBLE_ENERGY * self.constants.lame.mu * volume;
        if all <= before + negligible || !changed.contains(&true) {
            return all;
        }
        let tets = self.dependent_tets(changed);
        let first = self.reference_forces().energy_of(&tets, &self.positions);
        // energy of the other elements, which does not change
        let others = all - first;
        let before = before - others;
        let mut group = Group::new(
            0,
            &tets,
            &self.cut,
            &self.operators,
            &self.constants,
            &self.params,
            (&mut self.local_index, &mut self.spare_workspaces),
        );
        let mut nodes = self.new_nodes(changed, &tets, &group);
        let (mut energy, mut last) = (first, first);
        for step in 0..=MAX_STEPS {
            group.set_positions(&self.positions);
            group.evaluate();
            let forces = group.master_forces();
            let work = |n: &NewNode| 0.5 * (forces[n.place] + n.force).dot(&n.moved);
            energy -= nodes.iter().map(work).sum::<f64>();
            if step > 0 && step % STEPS_BETWEEN_CHECKS == 0 {
                if !energy.is_finite() || energy > last {
                    // no descent since the last check
                    break;
                }
                let share = match energy <= before {
                    // not below `before`: that energy belongs to the deformation
                    true => (last - before) / (last - energy).max(f64::MIN_POSITIVE),
                    false => 1.0,
                };
                for n in &mut nodes {
                    n.accepted += (self.positions[n.node] - n.accepted) * share;
                }
                if energy <= before {
                    break;
                }
                last = energy;
            }
            if step < MAX_STEPS {
                for n in &mut nodes {
                    n.force = forces[n.place];
                    n.moved = n.moved * MOMENTUM + n.force * n.step;
                    self.positions[n.node] += n.moved;
                }
            }
        }
        self.spare_workspaces.extend(group.into_workspace());
        let relaxed = self.energy_with(&tets, &nodes, |n| n.accepted);
        if relaxed <= first {
            return others + relaxed;
        }
        // forces in single precision predicted a descent that there was not
        others + self.energy_with(&tets, &nodes, |n| n.initial)
    }

    /// Evaluated elements that depend on one of the `changed` active nodes, as corners or through ghosts.
    fn dependent_tets(&mut self, changed: &[bool]) -> Vec<u32> {
        let (marks, operators) = (&mut self.marks, &self.operators);
        let mut marked = Vec::new();
        for (&n, changed) in operators.active().iter().zip(changed) {
            if *changed && self.inverse_masses[n as usize] > 0.0 {
                marks[n as usize] = true;
                marked.push(n);
            }
        }
        // each ghost follows nodes before it
        for &ghost in operators.ghosts() {
            let row = operators.row(ghost);
            if row.is_some_and(|(nodes, _)| nodes.iter().any(|&n| marks[n as usize])) {
                marks[ghost as usize] = true;
                marked.push(ghost);
            }
        }
        let corners = |t: u32| self.forest.tets()[t as usize];
        let depends = |t: &u32| corners(*t).iter().any(|&n| marks[n as usize]);
        let evaluated = operators.evaluated().iter().copied();
        let tets = evaluated.filter(depends).collect();
        for n in marked {
            marks[n as usize] = false;
        }
        tets
    }

    /// The `changed` nodes on which `group` of these `tets` exerts forces.
    fn new_nodes(&mut self, changed: &[bool], tets: &[u32], group: &Group) -> Vec<NewNode> {
        let masters = group.masters();
        let mut squares = vec![0.0_f64; masters.len()];
        for (k, &n) in masters.iter().enumerate() {
            self.local_index[n as usize] = k as u32;
        }
        for &t in tets {
            for n in self.forest.tets()[t as usize] {
                if let Some(square) = squares.get_mut(self.local_index[n as usize] as usize) {
                    *square = square.max(self.steps.rest_squares[t as usize]);
                }
            }
        }
        for &n in masters {
            self.local_index[n as usize] = u32::MAX;
        }
        let active = self.operators.active();
        let may_move = |n: &u32| {
            let place = active.binary_search(n);
            place.is_ok_and(|k| changed[k]) && self.inverse_masses[*n as usize] > 0.0
        };
        let moving = masters.iter().zip(&squares).enumerate();
        let moving = moving.filter(|(_, (n, square))| may_move(n) && **square > 0.0);
        let node = |(place, (&n, square)): (usize, (&u32, &f64))| NewNode {
            node: n as usize,
            place,
            step: STEP_FACTOR * self.inverse_masses[n as usize] / square,
            initial: self.positions[n as usize],
            accepted: self.positions[n as usize],
            moved: Vec3::zeros(),
            force: Vec3::zeros(),
        };
        moving.map(node).collect()
    }

    /// Sets `nodes` to their `places` and updates ghosts. Returns the strain energy of `tets`, J.
    fn energy_with(
        &mut self,
        tets: &[u32],
        nodes: &[NewNode],
        places: impl Fn(&NewNode) -> Vec3,
    ) -> f64 {
        for n in nodes {
            self.positions[n.node] = places(n);
        }
        self.operators.forward(&mut self.positions);
        self.reference_forces().energy_of(tets, &self.positions)
    }
}
