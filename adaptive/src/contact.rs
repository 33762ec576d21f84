//! The work of constraints, consistent with staggered velocities.

use pliant_core::boundary::DisplacementConstraint;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;

use crate::model::node_vectors;

/// Accounting of the work at the nodes of constrained skin vertices.
///
/// Symplectic Euler keeps velocities half a step before positions. The work that closes the energy balance is the impulse times the mean of
/// the velocities before and after the *whole* kick: a body that rests on a floor gets none, although every kick pushes it into the floor.
#[derive(Debug, Clone, Default)]
pub struct ContactWork {
    /// nodes of constrained vertices, ascending
    nodes: Vec<u32>,
    /// their velocities before the kick and after it
    before: Vec<Vec3>,
    kicked: Vec<Vec3>,
    /// and after the contact of the body with itself
    parted: Vec<Vec3>,
    /// velocity change of each node by constraints in the last step; empty without constraints
    kicks: Vec<Vec3>,
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

    /// Sets the nodes, ascending, among `node_count`.
    pub fn begin_frame_of(&mut self, nodes: impl IntoIterator<Item = u32>, node_count: usize) {
        self.nodes.clear();
        self.nodes.extend(nodes);
        self.kicks.clear();
        self.kicks.resize(node_count, Vec3::zeros());
    }

    /// Saves the velocities (m/s) before forces act.
    pub fn before(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.before);
    }

    /// Saves the velocities after forces have acted and before constraints do.
    pub fn kicked(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.kicked);
    }

    /// Saves the velocities after the contact of the body with itself and before constraints act.
    pub fn parted(&mut self, velocities: &[Vec3]) {
        gather(&self.nodes, velocities, &mut self.parted);
    }

    /// Work of the contact of the body with itself in this step, J; `velocities` are those at its end. It is part of [`ContactWork::after`].
    pub fn work_of_parting(&self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        let changes = self.parted.iter().zip(&self.kicked).zip(&self.before);
        let all = self.nodes.iter().map(|n| *n as usize).zip(changes);
        all.map(|(n, ((parted, kicked), before))| {
            masses[n] * (parted - kicked).dot(&(before + velocities[n])) * 0.5
        })
        .sum()
    }

    /// Work of the constraints in this step, J.
    pub fn after(&mut self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        for (&node, kicked) in self.nodes.iter().zip(&self.kicked) {
            let n = node as usize;
            self.kicks[n] = velocities[n] - kicked;
        }
        self.after_end(velocities, masses)
    }

    /// Work of the constraints in half a step at the end of a frame, J; [`ContactWork::kick`] does not change.
    pub fn after_end(&self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        let mut work = 0.0;
        for (k, &node) in self.nodes.iter().enumerate() {
            let n = node as usize;
            let change = velocities[n] - self.kicked[k];
            work += masses[n] * change.dot(&(self.before[k] + velocities[n])) * 0.5;
        }
        work
    }

    /// Reserves memory for contacts at all of `node_count` nodes.
    pub(crate) fn reserve(&mut self, node_count: usize) {
        self.nodes.reserve(node_count);
        for all in [&mut self.before, &mut self.kicked, &mut self.parted] {
            all.reserve(node_count);
        }
        self.kicks.reserve(node_count);
    }

    /// Copies the impulses of the nodes `sources` to virtual nodes, which follow the `whole` nodes of the uncut body.
    pub(crate) fn follow(&mut self, whole: usize, sources: &[u32]) {
        if !self.kicks.is_empty() {
            let copies: Vec<Vec3> = sources.iter().map(|&n| self.kick(n as usize)).collect();
            self.kicks.truncate(whole);
            self.kicks.extend(copies);
        }
    }

    /// Writes the last impulses, for [`ContactWork::restored`].
    pub(crate) fn save(&self, values: &mut Vec<f64>) {
        let kicks = (0_u32..).zip(self.kicks.iter().copied());
        node_vectors::save(kicks.filter(|(_, kick)| *kick != Vec3::zeros()), values);
    }

    /// The impulses of `node_count` nodes at the end of these numbers, and the remaining numbers; `None` where there are none.
    pub(crate) fn restored(values: &[f64], node_count: usize) -> Option<(Self, &[f64])> {
        let (kicks, rest) = node_vectors::restored(values)?;
        let mut restored = Self::default();
        for (node, kick) in kicks {
            restored.kicks.resize(node_count, Vec3::zeros());
            *restored.kicks.get_mut(node as usize)? = kick;
        }
        Some((restored, rest))
    }

    /// Work of the second half of the last impulses, which belongs to the next frame, J. An impulse acts on the mean of the velocities before and after all of it.
    pub fn work_of_last_half(&self, velocities: &[Vec3], masses: &[f64]) -> f64 {
        let all = self.kicks.iter().zip(velocities).zip(masses);
        all.map(|((kick, v), mass)| mass * (kick * 0.5).dot(&(v + kick * 0.5)))
            .sum()
    }

    /// Sets the last impulse to zero on nodes that are not `kept`.
    pub fn retain(&mut self, kept: impl Fn(usize) -> bool) {
        for (n, kick) in self.kicks.iter_mut().enumerate() {
            if !kept(n) {
                *kick = Vec3::zeros();
            }
        }
    }

    /// Sets the last impulses to zero.
    pub fn forget(&mut self) {
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
