//! Where a crack starts: at the node with the largest principal stress, if that is beyond the strength (O'Brien, Hodgins 1999, with Cauchy stress instead of their separation tensor).

use pliant_core::elasticity::law::cauchy_stress;
use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};

use super::elements::{ElementState, LevelLaw, largest_principal};
use crate::hierarchy::Level;

/// Volume-weighted means of the elements around each node, so that no single sliver decides.
#[derive(Debug, Clone, Default)]
pub(super) struct NodeStress {
    sums: Vec<NodeSum>,
}

#[derive(Debug, Clone, Copy, Default)]
struct NodeSum {
    cauchy: Mat3,
    deformation_gradient: Mat3,
    volume: f64,
}

/// A node whose stress exceeds the strength.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nucleus {
    pub node: u32,
    /// normal of the new crack at rest, unit
    pub normal: Vec3,
}

/// Whether an element of a level at `x` (m) has a stress beyond `strength` (Pa): if none has, no mean of them has. Cost: some tens of nanoseconds an element.
pub(super) fn may_break(level: &Level, x: &[Vec3], law: LevelLaw, strength: f64) -> bool {
    let LevelLaw { lame, law } = law;
    let mut elements = level.mesh.tets.iter().zip(level.shapes.iter()).enumerate();
    elements.any(|(t, (nodes, shape))| {
        let deformation_gradient = shape.gradient_of(nodes.map(|n| x[n as usize]));
        // no principal value is above the norm
        let norm = cauchy_stress(&deformation_gradient, &lame, law).norm();
        norm * level.local_stiffness(t) > strength
    })
}

impl NodeStress {
    /// Means for the nodes of a level at `x` (m). Cost: some hundred nanoseconds an element.
    pub fn set(&mut self, level: &Level, x: &[Vec3], law: LevelLaw) {
        self.sums.clear();
        self.sums.resize(x.len(), NodeSum::default());
        for t in 0..level.mesh.tets.len() {
            let element = ElementState::new(level, t, x, law);
            for n in element.nodes {
                let sum = &mut self.sums[n as usize];
                sum.cauchy += element.cauchy * element.volume;
                sum.deformation_gradient += element.deformation_gradient * element.volume;
                sum.volume += element.volume;
            }
        }
    }

    /// The node among the first `count` with the largest principal stress beyond `strength` (Pa) that may crack.
    pub fn strongest_beyond(
        &self,
        strength: f64,
        count: usize,
        mut may_crack: impl FnMut(u32) -> bool,
    ) -> Option<Nucleus> {
        let mut found: Option<(f64, Nucleus)> = None;
        for (n, sum) in self.sums.iter().take(count).enumerate() {
            let stress = sum.cauchy / sum.volume;
            let threshold = found.map_or(strength, |(largest, _)| largest);
            // no principal value is above the norm
            if stress.norm() <= threshold {
                continue;
            }
            let (largest, across) = largest_principal(&stress);
            if largest > threshold && may_crack(n as u32) {
                let rotation = nearest_rotation(&(sum.deformation_gradient / sum.volume));
                let node = n as u32;
                let normal = rotation.transpose() * across;
                found = Some((largest, Nucleus { node, normal }));
            }
        }
        found.map(|(_, nucleus)| nucleus)
    }
}
