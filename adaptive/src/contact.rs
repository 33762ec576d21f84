//! What constraints and contact do to the kinetic energy, consistent with staggered velocities.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

use crate::model::node_vectors;

/// Account of the work of constraints and contact at the nodes on which they act.
///
/// Symplectic Euler keeps velocities half a step before positions. The work that closes the energy balance is the impulse times the mean of
/// the velocities before and after the *whole* kick: a body that rests on a floor gets none, although every kick accelerates it into the floor.
///
/// A tool does another work: its impulse times its own velocity, [`pliant_core::contact::VelocityProjection::work`]. The difference is dissipated.
#[derive(Debug, Clone, Default)]
pub struct ContactWork {
    /// nodes on which constraints or contact act, ascending
    nodes: Vec<u32>,
    /// their velocities before the kick, m/s
    before: Vec<Vec3>,
    /// after the kick
    after_kick: Vec<Vec3>,
    /// after the contact of the body with itself
    after_self_contact: Vec<Vec3>,
    /// after constraints, in steps that a group takes and in which there are any
    after_constraints: Vec<Vec3>,
    /// velocity change of each node by constraints in the last step, m/s; empty without constraints
    kicks: Vec<Vec3>,
    /// energy that constraints, without other contact, gave the nodes in the frame so far, J
    by_constraints: f64,
}

impl ContactWork {
    /// Sets the nodes: those of a frame's constraints among `node_count` nodes, and `others`. Allocates only when a frame has more of them than any before.
    pub fn begin_frame(
        &mut self,
        constraints: &[DisplacementConstraint],
        embedding: &SkinEmbedding,
        others: &[u32],
        node_count: usize,
    ) {
        self.by_constraints = 0.0;
        self.nodes.clear();
        self.nodes.extend_from_slice(others);
        self.kicks.clear();
        for c in constraints {
            self.nodes
                .extend_from_slice(embedding.row(c.vertex as usize).0);
        }
        self.nodes.sort_unstable();
        self.nodes.dedup();
        if !self.nodes.is_empty() {
            self.kicks.resize(node_count, Vec3::zeros());
        }
    }

    /// Sets the `nodes`, in ascending order, of a body with `node_count` nodes.
    pub fn begin_frame_on_nodes(
        &mut self,
        nodes: impl IntoIterator<Item = u32>,
        node_count: usize,
    ) {
        self.by_constraints = 0.0;
        self.nodes.clear();
        self.nodes.extend(nodes);
        self.kicks.clear();
        self.kicks.resize(node_count, Vec3::zeros());
    }

    /// Saves the velocities (m/s) before forces act.
    pub fn save_before_kick(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.before);
    }

    /// Saves the velocities after forces have acted and before constraints do.
    pub fn save_after_kick(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.after_kick);
    }

    /// Saves the velocities after the contact of the body with itself and before constraints act.
    pub fn save_after_self_contact(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.after_self_contact);
    }

    /// Work of the contact of the body with itself in this step, J; `velocities` are those at its end. It is part of [`ContactWork::work_of_step`], after which this is called.
    pub fn work_of_self_contact(&mut self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        let changes = self
            .after_self_contact
            .iter()
            .zip(&self.after_kick)
            .zip(&self.before);
        let all = self.nodes.iter().map(|n| *n as usize).zip(changes);
        let work: f64 = all
            .map(|(n, ((after_contact, after_kick), before))| {
                masses[n] * (after_contact - after_kick).dot(&(before + velocities[n])) * 0.5
            })
            .sum();
        self.by_constraints -= work;
        work
    }

    /// Work of constraints and contact in this step, J; `velocities` (m/s) are those at its end.
    pub fn work_of_step(&mut self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        let work = self.work_of_kicks(velocities, masses);
        self.by_constraints += work;
        work
    }

    /// [`ContactWork::work_of_step`] without counting it for constraints.
    fn work_of_kicks(&mut self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        for (&node, after_kick) in self.nodes.iter().zip(&self.after_kick) {
            let n = node as usize;
            self.kicks[n] = velocities[n] - after_kick;
        }
        self.work_of_last_kick(velocities, masses)
    }

    /// Saves the velocities after constraints have acted and before contact with tools and other bodies does.
    pub fn save_after_constraints(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.after_constraints);
    }

    /// [`ContactWork::work_of_step`] in a step that a group takes, and the part of it that the contact of the group does, J. `is_held` says whether constraints have acted.
    pub fn work_of_group_step(
        &mut self,
        velocities: &[Vec3],
        masses: &[f64],
        is_held: bool,
    ) -> [f64; 2] {
        let work = self.work_of_kicks(velocities, masses);
        if !is_held {
            return [work, work];
        }
        let by_contact = self.work_since(&self.after_constraints, velocities, masses);
        self.by_constraints += work - by_contact;
        [work, by_contact]
    }

    /// Energy that constraints gave the nodes since the frame began, J: what they lack of the work of tools and grabs was dissipated.
    pub fn by_constraints(&self) -> f64 {
        self.by_constraints
    }

    /// [`ContactWork::work_of_step`] after the half kick at the end of a frame, J: constraints do not count it, and [`ContactWork::kick`] does not change.
    pub fn work_of_last_kick(&self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        self.work_since(&self.after_kick, velocities, masses)
    }

    /// Work of what changed the velocities of the nodes from `since` to `velocities` (m/s), J: the impulses times the mean velocity over the whole kick.
    fn work_since(&self, since: &[Vec3], velocities: &[Vec3], masses: &[f64]) -> f64 {
        let mut work = 0.0;
        for (k, &node) in self.nodes.iter().enumerate() {
            let n = node as usize;
            let change = velocities[n] - since[k];
            work += masses[n] * change.dot(&(self.before[k] + velocities[n])) * 0.5;
        }
        work
    }

    /// Reserves memory for contacts at all of `node_count` nodes.
    pub(crate) fn reserve(&mut self, node_count: usize) {
        self.nodes.reserve(node_count);
        for all in [
            &mut self.before,
            &mut self.after_kick,
            &mut self.after_self_contact,
            &mut self.after_constraints,
        ] {
            all.reserve(node_count);
        }
        self.kicks.reserve(node_count);
    }

    /// Copies the last velocity changes of the nodes `sources` to virtual nodes, whose numbers follow those of the `whole` nodes of the uncut body.
    pub(crate) fn copy_to_virtual_nodes(&mut self, whole: usize, sources: &[u32]) {
        if !self.kicks.is_empty() {
            let copies: Vec<Vec3> = sources.iter().map(|&n| self.kick(n as usize)).collect();
            self.kicks.truncate(whole);
            self.kicks.extend(copies);
        }
    }

    /// Appends the last velocity changes, for [`ContactWork::restored`].
    pub(crate) fn save(&self, values: &mut Vec<f64>) {
        let kicks = (0_u32..).zip(self.kicks.iter().copied());
        node_vectors::save(kicks.filter(|(_, kick)| *kick != Vec3::zeros()), values);
    }

    /// Restores the velocity changes of `node_count` nodes from the end of `values`, and returns the values before them. `None` if they do not fit.
    pub(crate) fn restored(values: &[f64], node_count: usize) -> Option<(Self, &[f64])> {
        let (kicks, rest) = node_vectors::restored(values)?;
        let mut restored = Self::default();
        for (node, kick) in kicks {
            restored.kicks.resize(node_count, Vec3::zeros());
            *restored.kicks.get_mut(node as usize)? = kick;
        }
        Some((restored, rest))
    }

    /// Work of the second half of the last impulses, which belongs to the next frame, J. An impulse does its work on the mean of the velocities before and after the whole impulse.
    pub fn work_of_second_half(&self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        let all = self.kicks.iter().zip(velocities).zip(masses);
        all.map(|((kick, v), mass)| mass * (kick * 0.5).dot(&(v + kick * 0.5)))
            .sum()
    }

    /// Sets the last velocity change to zero on nodes that are not `kept`.
    pub fn retain(&mut self, kept: impl Fn(usize) -> bool) {
        for (n, kick) in self.kicks.iter_mut().enumerate() {
            if !kept(n) {
                *kick = Vec3::zeros();
            }
        }
    }

    /// Sets the last velocity changes to zero.
    pub fn clear_kicks(&mut self) {
        self.kicks.fill(Vec3::zeros());
    }

    /// Velocity change of a node by constraints in the last step, m/s.
    pub fn kick(&self, node: usize) -> Vec3 {
        self.kicks.get(node).copied().unwrap_or_default()
    }
}

fn gather(nodes: &[u32], from: &[Vec3], to: &mut Vec<Vec3>) {
    to.clear();
    to.extend(nodes.iter().map(|&n| from[n as usize]));
}
