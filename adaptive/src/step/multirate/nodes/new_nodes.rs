//! New nodes settle: the error of their interpolated places is reduced before it becomes motion.

use pliant_core::math::Vec3;

use crate::step::multirate::cut_dynamics::CutDynamics;
use crate::step::multirate::groups::group::Group;

/// Steps of descent at most.
const STEPS: usize = 16;
/// Steps between two looks at the energy.
const LOOK_EVERY: usize = 4;
/// Share of the strain energy that new nodes may add without being settled.
const NEGLIGIBLE: f64 = 1e-3;
/// Strain energy over that of the shear modulus in the body's volume, below which there is nothing to settle: strains of 1e-7.
const NO_ENERGY: f64 = 1e-14;
/// Share of the last move that goes into the next.
const INERTIA: f64 = 0.7;
/// Step over that of the element bound at rest: stretched elements are stiffer.
const CAUTION: f64 = 0.5;

/// A node of the group that may move.
struct NewNode {
    node: usize,
    /// place among the masters of the group
    place: usize,
    /// of the descent, m/N
    step: f64,
    /// where it began, m
    first: Vec3,
    /// where it was at the last look, m
    last: Vec3,
    /// its last move, m, and the force before it, N
    moved: Vec3,
    force: Vec3,
}

impl CutDynamics {
    /// Moves the `changed` active nodes by a few steps of descent until the strain energy is at most `before` (J) or no longer falls. Returns that energy.
    ///
    /// A finer mesh whose nodes a coarse one interpolates is bent at the faces of the coarse elements, and its level may be stiffer. Both give it energy that the
    /// deformation does not have. This energy is in waves as short as the elements, which a few steps of heavy-ball descent remove while longer ones stay. On the way the
    /// energy follows from the forces and moves, by the trapezoidal rule; what is returned is evaluated.
    pub(crate) fn settle_new_nodes(&mut self, changed: &[bool], before: f64) -> f64 {
        let all = self.elastic_energy();
        let coarsest = self.forest.tets_of_level(0);
        let volume: f64 = coarsest.map(|t| self.forest.volume(t)).sum();
        let slight = NEGLIGIBLE * before.abs() + NO_ENERGY * self.constants.lame.mu * volume;
        if all <= before + slight || !changed.contains(&true) {
            return all;
        }
        let tets = self.tets_that_feel(changed);
        let first = self.forces_of().energy_of(&tets, &self.positions);
        // the others stay as they are
        let others = all - first;
        let before = before - others;
        let mut group = Group::new(
            0,
            &tets,
            &self.cut,
            &self.operators,
            &self.constants,
            &self.params,
            (&mut self.local, &mut self.spare),
        );
        let mut nodes = self.new_nodes(changed, &tets, &group);
        let (mut energy, mut last) = (first, first);
        for step in 0..=STEPS {
            group.take_positions(&self.positions);
            group.evaluate();
            let forces = group.master_forces();
            let work = |n: &NewNode| 0.5 * (forces[n.place] + n.force).dot(&n.moved);
            energy -= nodes.iter().map(work).sum::<f64>();
            if step > 0 && step % LOOK_EVERY == 0 {
                if !energy.is_finite() || energy > last {
                    // no way down from the last look
                    break;
                }
                let share = match energy <= before {
                    // not beyond: what is left belongs to the deformation
                    true => (last - before) / (last - energy).max(f64::MIN_POSITIVE),
                    false => 1.0,
                };
                for n in &mut nodes {
                    n.last += (self.positions[n.node] - n.last) * share;
                }
                if energy <= before {
                    break;
                }
                last = energy;
            }
            if step < STEPS {
                for n in &mut nodes {
                    n.force = forces[n.place];
                    n.moved = n.moved * INERTIA + n.force * n.step;
                    self.positions[n.node] += n.moved;
                }
            }
        }
        self.spare.extend(group.into_workspace());
        let settled = self.energy_with(&tets, &nodes, |n| n.last);
        if settled <= first {
            return others + settled;
        }
        // forces in single precision promised more than there was
        others + self.energy_with(&tets, &nodes, |n| n.first)
    }

    /// Evaluated elements that feel one of the `changed` active nodes directly, or through ghosts.
    fn tets_that_feel(&mut self, changed: &[bool]) -> Vec<u32> {
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
        let feels = |t: &u32| corners(*t).iter().any(|&n| marks[n as usize]);
        let evaluated = operators.evaluated().iter().copied();
        let tets = evaluated.filter(feels).collect();
        for n in marked {
            marks[n as usize] = false;
        }
        tets
    }

    /// The `changed` nodes that `group` of these `tets` pushes.
    fn new_nodes(&mut self, changed: &[bool], tets: &[u32], group: &Group) -> Vec<NewNode> {
        let masters = group.masters();
        let mut squares = vec![0.0_f64; masters.len()];
        for (k, &n) in masters.iter().enumerate() {
            self.local[n as usize] = k as u32;
        }
        for &t in tets {
            for n in self.forest.tets()[t as usize] {
                if let Some(square) = squares.get_mut(self.local[n as usize] as usize) {
                    *square = square.max(self.steps.rest_square(t));
                }
            }
        }
        for &n in masters {
            self.local[n as usize] = u32::MAX;
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
            step: CAUTION * self.inverse_masses[n as usize] / square,
            first: self.positions[n as usize],
            last: self.positions[n as usize],
            moved: Vec3::zeros(),
            force: Vec3::zeros(),
        };
        moving.map(node).collect()
    }

    /// Puts `nodes` to their `places`, and ghosts after them. Returns the strain energy of `tets`, J.
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
        self.forces_of().energy_of(tets, &self.positions)
    }
}
