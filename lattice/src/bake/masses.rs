//! How the mass of a body is spread over its particles.

use std::sync::Arc;

use pliant_core::asset::BodyGeometry;
use pliant_core::math::Vec3;
use pliant_core::mesh::TriangleTree;
use rayon::prelude::*;

use crate::error::LatticeError;

/// How much of a body's mass each particle gets; the total is density times volume in any case.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Masses {
    /// In proportion to the cells around the particle: waves run at the same speed up to the surface.
    #[default]
    Volume,
    /// The same to each (Rivers and James 2007).
    Unit,
    /// In proportion to the weight of the nearest vertex of the skin: painted heavy and light parts. One positive weight a vertex.
    Attribute(Arc<[f64]>),
}

impl Masses {
    /// Masses of particles at `positions` (m), given the share of each in the volume of the cells; kg.
    ///
    /// # Errors
    /// [`LatticeError::BadParameter`] when there is not one positive weight a vertex, [`LatticeError::NoVolume`].
    pub(crate) fn spread(
        &self,
        geometry: &BodyGeometry,
        positions: &[Vec3],
        shares: &[f64],
    ) -> Result<Vec<f64>, LatticeError> {
        let volume = geometry.skin.volume();
        if !(volume.is_finite() && volume > 0.0) {
            return Err(LatticeError::NoVolume { volume });
        }
        let mut masses = match self {
            Self::Volume => shares.to_vec(),
            Self::Unit => vec![1.0; shares.len()],
            Self::Attribute(weights) => {
                nearest_weights(geometry, positions, weights, "mass weight")?
            }
        };
        let scale = geometry.material.density * volume / masses.iter().sum::<f64>();
        for m in &mut masses {
            *m *= scale;
        }
        Ok(masses)
    }
}

/// For each of `positions` the weight of the nearest vertex of the skin; `name` is what the weights are.
pub(crate) fn nearest_weights(
    geometry: &BodyGeometry,
    positions: &[Vec3],
    weights: &[f64],
    name: &'static str,
) -> Result<Vec<f64>, LatticeError> {
    let skin = &geometry.skin;
    let bad = |value, range| Err(LatticeError::BadParameter { name, value, range });
    if weights.len() != skin.vertex_count() {
        let range = "one weight a vertex of the skin";
        return bad(weights.len() as f64, range);
    }
    if let Some(&w) = weights.iter().find(|w| !(**w > 0.0 && w.is_finite())) {
        return bad(w, "positive and finite");
    }
    let tree = TriangleTree::new(&skin.positions, &skin.triangles);
    let nearest = |x: &Vec3| {
        let triangle = tree.closest(x).map(|c| skin.triangles[c.triangle as usize]);
        let distance = |v: &u32| (skin.positions[*v as usize] - x).norm_squared();
        let corners = triangle.into_iter().flatten();
        let best = corners.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        best.map_or(1.0, |v| weights[v as usize])
    };
    Ok(positions.par_iter().map(nearest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::bodies::{baked, ball, body_of, grid_of, refusal};
    use crate::{LatticeParams, key};

    fn params(masses: Masses) -> LatticeParams {
        LatticeParams {
            masses,
            ..LatticeParams::with_half_width(1)
        }
    }

    #[test]
    fn every_rule_gives_the_whole_mass() {
        let geometry = body_of(ball(3.0, 0.0), -1.0);
        let expected = geometry.material.density * geometry.skin.volume();
        let painted: Arc<[f64]> = (0..geometry.skin.vertex_count())
            .map(|v| {
                if geometry.skin.positions[v].x > 0.0 {
                    9.0
                } else {
                    1.0
                }
            })
            .collect();
        let mut keys = Vec::new();
        for masses in [Masses::Volume, Masses::Unit, Masses::Attribute(painted)] {
            let params = params(masses.clone());
            let asset = baked(&geometry, &params);
            let total: f64 = asset.mass.iter().sum();
            assert!((total / expected - 1.0).abs() < 1e-12);
            let (low, high) = asset
                .mass
                .iter()
                .fold((f64::INFINITY, 0.0_f64), |(l, h), m| (l.min(*m), h.max(*m)));
            let ratio = match masses {
                Masses::Volume => 8.0,
                Masses::Unit => 1.0,
                Masses::Attribute(_) => 9.0,
            };
            assert!((high / low / ratio - 1.0).abs() < 1e-12);
            keys.push(key(&geometry, &params));
        }
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
    }

    #[test]
    fn wrong_weights_and_stiffness_factors_are_refused() {
        let geometry = body_of(grid_of([2, 2, 2], |_| true), -1.0);
        let count = geometry.skin.vertex_count();
        let mut nan = vec![1.0; count];
        nan[3] = f64::NAN;
        for weights in [vec![1.0; count - 1], vec![0.0; count], nan] {
            let weights: Arc<[f64]> = weights.into();
            let painted = params(Masses::Volume).with(|p| p.stiffness = Some(weights.clone()));
            for params in [params(Masses::Attribute(weights)), painted] {
                assert_eq!(refusal(&geometry, &params), Some("BadParameter".into()));
            }
        }
    }
}
