//! Reference implementation of the forces of a cut, written like the equations.

use pliant_core::math::Vec3;

use crate::cut::operators::Operators;
use crate::cut::state::Cut;
use crate::force::reference::{tetrahedron_energy, tetrahedron_forces};
use crate::force::{ElementConstants, Evaluation};
use crate::params::Interface;

/// Reference implementation of the forces of a cut, with which packed forces have to agree.
#[derive(Debug, Clone, Copy)]
pub struct CutForces<'a> {
    /// The cut.
    pub cut: &'a Cut,
    /// Its ghosts.
    pub operators: &'a Operators,
    /// Constants of the elements.
    pub constants: &'a ElementConstants,
    /// Interface rule.
    pub interface: Interface,
}

impl CutForces<'_> {
    /// Writes elastic and viscous force (N) of active and held nodes to `forces`, zero for others. Ghosts of `positions` and `velocities` have to be up
    /// to date.
    pub fn evaluate(
        &self,
        positions: &[Vec3],
        velocities: &[Vec3],
        forces: &mut [Vec3],
    ) -> Evaluation {
        forces.fill(Vec3::zeros());
        let forest = self.cut.forest();
        let mut found = Evaluation::default();
        for &t in self.operators.evaluated() {
            let tet = forest.tets()[t as usize];
            let w = self.cut.weight(t, self.interface) * forest.stiffness(t);
            let x = tet.map(|n| positions[n as usize]);
            let v = tet.map(|n| velocities[n as usize]);
            let (f, power, blended) = tetrahedron_forces(x, v, forest.shape(t), self.constants);
            for (n, f) in tet.into_iter().zip(f) {
                forces[n as usize] += f * w;
            }
            found.viscous_power += power * w;
            found.blended += u32::from(blended);
        }
        match self.interface {
            Interface::Conservative => self.operators.transpose(forces),
            Interface::Paper => {
                for &ghost in self.operators.ghosts() {
                    forces[ghost as usize] = Vec3::zeros();
                }
            }
        }
        found
    }

    /// Strain energy of the weighted tetrahedra, J; with the interface of the paper that of the conservative one.
    pub fn energy(&self, positions: &[Vec3]) -> f64 {
        self.energy_of(self.operators.evaluated(), positions)
    }

    /// Strain energy of some of the evaluated tetrahedra, J.
    pub(crate) fn energy_of(&self, tets: &[u32], positions: &[Vec3]) -> f64 {
        let forest = self.cut.forest();
        let mut sum = 0.0;
        for &t in tets {
            let tet = forest.tets()[t as usize];
            let x = tet.map(|n| positions[n as usize]);
            let (shape, constants) = (forest.shape(t), self.constants);
            sum +=
                self.cut.share(t) * forest.stiffness(t) * tetrahedron_energy(x, shape, constants);
        }
        sum
    }
}
