//! Whether a load comes near breaking a body that moves on a cut through its levels, so that it has to go over to one level.
//!
//! A whole body begins to crack where the principal stress around a node of the level exceeds the strength (`nucleus.rs`). A toughness alone begins no crack: it decides whether cuts of blades grow, and
//! these are made on the level.
//!
//! Coarse elements show less stress than the level would. At the distance `r` ahead of a notch it is
//!
//! ```text
//! σ = K / √(2 π r)        (Irwin 1957)
//! ```
//!
//! and an element with the edge `H` shows it at a distance in proportion to `H`. A level with the edge `h` shows `√(H / h)` times as much there. A notch has the strongest singularity of all corners
//! between free faces (Williams 1952), so that this factor is enough for the others, too. It is not enough for a force at a point or along a line; there contact refines the cut.
//!
//! The stress that is expected on the level may reach half of the strength. When the body goes over, the part of the stress that coarse elements did not show appears at once, and what acts at once stresses
//! an undamped body up to twice as far as what acts slowly. So this part alone breaks no body that bears its load. The other half is what a load may gain in a frame: a body whose load gains
//! more begins to crack a frame later than one that was on the level before.

use pliant_core::elasticity::law::cauchy_stress;
use pliant_core::math::Mat3;

use crate::model::adaptive_model::AdaptiveModel;
use crate::step::multirate::CutDynamics;

/// Share of the strength from which the stress expected on the level is near it.
const NEAR_SHARE: f64 = 0.5;

impl AdaptiveModel {
    /// Whether the stress on a cut is near the strength of this level, and the work of finding that out, in tetrahedron evaluations: one for each element, or none without a strength.
    ///
    /// The work is part of that of the frame, and the cut is chosen without it. A stress that is not finite, as that of a flat element, counts as near.
    ///
    /// Elements at supports, tools and grabs count as well: no crack begins at their nodes, but a coarse one also contains places where one may.
    pub(in crate::model::cutting) fn is_near_breaking(&self, cut: &CutDynamics) -> (bool, u64) {
        let Some(strength) = self.params.fracture.strength else {
            return (false, 0);
        };
        let (lame, law) = (self.asset.material.lame(), self.model.law_of_stress());
        let edge = self.asset.levels[self.level].spacing;
        let forest = &cut.forest;
        let is_far = |&t: &u32| {
            let coarse_edge = forest.level(forest.level_of_tet(t)).0.spacing;
            let coarseness = (coarse_edge / edge).max(1.0);
            let x = forest.tets()[t as usize].map(|n| cut.positions[n as usize]);
            let deformation_gradient = forest.shape(t).gradient_of(x);
            let stress = cauchy_stress(&deformation_gradient, &lame, law) * forest.stiffness(t);
            is_below(&stress, NEAR_SHARE * strength / coarseness.sqrt())
        };
        let elements = cut.operators.evaluated();
        (!elements.iter().all(is_far), elements.len() as u64)
    }
}

/// Whether all principal values of a symmetric tensor are finite and below `limit`: `limit I - tensor` is positive definite (Sylvester's criterion).
fn is_below(tensor: &Mat3, limit: f64) -> bool {
    let rest = Mat3::identity() * limit - tensor;
    let minor = rest[(0, 0)] * rest[(1, 1)] - rest[(0, 1)] * rest[(1, 0)];
    rest[(0, 0)] > 0.0 && minor > 0.0 && rest.determinant() > 0.0
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;

    use super::super::elements::largest_principal;
    use super::*;

    #[test]
    fn a_limit_is_exceeded_by_the_largest_principal_value_whatever_its_direction() {
        for k in 0..50 {
            let (a, b, c) = (0.7 * f64::from(k), 1.3 * f64::from(k), 0.4 * f64::from(k));
            let turn = nalgebra::Rotation3::from_euler_angles(a, b, c);
            let values = Vec3::new(a.sin(), b.sin() - 0.5, c.cos() + 0.6);
            let tensor = turn * Mat3::from_diagonal(&values) * turn.inverse();
            let (largest, _) = largest_principal(&tensor);
            assert!(is_below(&tensor, largest + 1e-6), "{k}");
            assert!(!is_below(&tensor, largest - 1e-6), "{k}");
        }
        // pressure in all directions breaks nothing
        assert!(is_below(&(Mat3::identity() * -1e6), 1.0));
    }
}
