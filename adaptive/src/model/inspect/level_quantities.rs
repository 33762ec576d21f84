//! Quantities of a level that moves as a whole.

use pliant_core::elasticity::law::{cauchy_stress, von_mises};
use pliant_core::inspect::{QuantityBuffer, UnknownQuantity};
use pliant_core::math::Mat3;

use crate::governor::criterion::{DEFAULT_SHARE, Indicator, Workspace, indicators, shortest_edges};
use crate::model::adaptive_model::AdaptiveModel;

impl AdaptiveModel {
    pub(crate) fn sample_level(
        &self,
        name: &str,
        out: &mut QuantityBuffer,
    ) -> Result<(), UnknownQuantity> {
        let level = self.moving_level();
        let (x, v) = (&self.dynamics.positions, &self.dynamics.velocities);
        let embedding = &level.embedding;
        let everywhere = |value: f32| std::iter::repeat_n(value, embedding.len());
        match name {
            "displacement" => {
                for (k, rest) in self.asset.skin.positions.iter().enumerate() {
                    let d = embedding.interpolate(k, x) - rest;
                    out.scalars.push(d.norm() as f32);
                }
            }
            "speed" => {
                let speed = |k| embedding.interpolate(k, v).norm() as f32;
                out.scalars.extend((0..embedding.len()).map(speed));
            }
            "von_mises_stress" => {
                let lame = level.material(&self.asset.material).lame();
                let law = self.model.law_of_stress();
                self.sample_elements(out, |tet, f| {
                    von_mises(&(cauchy_stress(f, &lame, law) * level.local_stiffness(tet)))
                });
            }
            "volume_ratio" => self.sample_elements(out, |_, f| f.determinant()),
            "lod_level" => out.scalars.extend(everywhere(self.level as f32)),
            "dt_level" => {
                let step_level = f64::from(self.substeps.max(1)).log2();
                out.scalars.extend(everywhere(step_level as f32));
            }
            "refinement_indicator" => {
                let split = DEFAULT_SHARE * self.asset.skin.bounds().diagonal();
                let indicators = self.level_indicators();
                for k in 0..embedding.len() {
                    let entries = embedding.entries(k);
                    let sum: f64 = entries
                        .map(|(n, w)| indicators[n as usize].gamma() * w)
                        .sum();
                    out.scalars.push((sum / split) as f32);
                }
            }
            // only the budget withholds a whole level: no node has a reason of its own
            "refused_reason" => out.scalars.extend(everywhere(0.0)),
            "nodes" => {
                for p in x {
                    out.push_point(p, self.level as f64);
                }
            }
            _ => return Err(UnknownQuantity(name.to_string())),
        }
        Ok(())
    }

    /// Indicators of the nodes of the level that moves.
    fn level_indicators(&self) -> Vec<Indicator> {
        let level = self.moving_level();
        let tets = level.mesh.tets.iter().copied().zip(level.shapes.iter());
        let shortest = shortest_edges(&level.mesh.nodes, &level.mesh.tets);
        let mut result = Vec::new();
        indicators(
            tets,
            &self.dynamics.positions,
            &shortest,
            &self.asset.material.lame(),
            self.model.law_of_stress(),
            &mut Workspace::default(),
            &mut result,
        );
        result
    }

    /// Volume-weighted nodal means of a function of tetrahedron and deformation gradient, on the skin.
    fn sample_elements(&self, out: &mut QuantityBuffer, value: impl Fn(usize, &Mat3) -> f64) {
        let level = self.moving_level();
        let mut sums = vec![(0.0, 0.0); level.node_count()];
        for (t, (tet, shape)) in level.mesh.tets.iter().zip(level.shapes.iter()).enumerate() {
            let f = shape.gradient_of(tet.map(|n| self.dynamics.positions[n as usize]));
            let x = value(t, &f);
            for &n in tet {
                sums[n as usize].0 += x * shape.volume;
                sums[n as usize].1 += shape.volume;
            }
        }
        for k in 0..level.embedding.len() {
            let entries = level.embedding.entries(k);
            let x: f64 = entries
                .map(|(n, w)| w * sums[n as usize].0 / sums[n as usize].1)
                .sum();
            out.scalars.push(x as f32);
        }
    }
}
