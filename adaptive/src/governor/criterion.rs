//! Where a mesh is too coarse: how far the motion inside the elements around a node departs from a linear one, in metres.
//!
//! Debunne et al. 2001, Eq. 9, take the elastic force: `γ_f = |f| h²/(μ V)`, with the node's volume `V` and its shortest edge `h`; the force of linear elements is a
//! discrete Laplacian of the displacement, times `μV`. It vanishes in equilibrium, so that the mesh would be coarsened under a tool that rests. The jump of the
//! deformation gradient around the node does not vanish: `γ_j = h max_e |F_e − F̄|`, with the volume mean `F̄`. The larger of the two counts. Both are zero for an affine
//! motion, and fall with `h²` where the motion is smooth.
//!
//! Forces at held nodes are reactions: [`Indicator::held`] leaves only the jump. Those at touched nodes belong to the tool, where a body is refined anyway.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::elasticity::force::element_force;
use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::{Mat3, Vec3};

use crate::error::AdaptiveModelError;

/// Largest ratio of the threshold for merging to that for splitting.
const MERGE_SHARE: f64 = 1.0 / 8.0;
/// Default threshold for splitting nodes of a touched body, over the diagonal of the bounding box.
pub const DEFAULT_SHARE: f64 = 5e-4;
/// The same while nothing touches the body. Where the whole body vibrates, a uniform level is cheaper and better than a partly refined one.
pub const FREE_SHARE: f64 = 2e-3;

/// Departure from linear motion around one node, m.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Indicator {
    /// From the elastic force (Debunne et al. 2001, Eq. 9).
    pub force: f64,
    /// From the jump of the deformation gradient.
    pub jump: f64,
}

impl Indicator {
    /// The larger of the two.
    pub fn gamma(&self) -> f64 {
        self.force.max(self.jump)
    }

    /// The indicator of a node with an external force: the jump alone.
    pub fn held(&self) -> f64 {
        self.jump
    }
}

/// Shortest edge at each node, m; infinite at a node without one.
pub fn shortest_edges(nodes: &[Vec3], tets: &[[u32; 4]]) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; nodes.len()];
    for tet in tets {
        for (i, &a) in tet.iter().enumerate() {
            for &b in &tet[i + 1..] {
                let length = (nodes[a as usize] - nodes[b as usize]).norm();
                for n in [a, b] {
                    let slot = &mut shortest[n as usize];
                    *slot = slot.min(length);
                }
            }
        }
    }
    shortest
}

/// Work space of [`indicators`], kept between frames.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    gradients: Vec<Mat3>,
    forces: Vec<Vec3>,
    means: Vec<(Mat3, f64)>,
    /// nodes with a tetrahedron at the last call
    nodes: Vec<u32>,
}

/// Indicators of all nodes of `tets` (corners and shapes, the same at each call of the iterator) at `positions` (m), into `out`; zero at nodes without tetrahedra.
///
/// A level's stiffness factor cancels, so that the constants of the body are right for all levels. `work` and `out` belong together: keep both. Cost: two passes over the
/// tetrahedra, about 100 ns each in all.
pub fn indicators<'a>(
    tets: impl Iterator<Item = ([u32; 4], &'a ShapeGradients)> + Clone,
    positions: &[Vec3],
    shortest: &[f64],
    lame: &LameParameters,
    law: MaterialLaw,
    work: &mut Workspace,
    out: &mut Vec<Indicator>,
) {
    let count = positions.len();
    let Workspace {
        gradients,
        forces,
        means,
        nodes,
    } = work;
    gradients.clear();
    if out.len() != count || means.len() != count {
        out.clear();
        out.resize(count, Indicator::default());
        forces.clear();
        forces.resize(count, Vec3::zeros());
        means.clear();
        means.resize(count, (Mat3::zeros(), 0.0));
        nodes.clear();
    }
    for n in nodes.drain(..).map(|n| n as usize) {
        out[n] = Indicator::default();
        forces[n] = Vec3::zeros();
        means[n] = (Mat3::zeros(), 0.0);
    }
    for (tet, shape) in tets.clone() {
        let x = tet.map(|n| positions[n as usize]);
        let gradient = shape.gradient_of(x);
        for (&n, f) in tet.iter().zip(element_force(x, shape, lame, law)) {
            forces[n as usize] += f;
            let mean = &mut means[n as usize];
            if mean.1 == 0.0 {
                nodes.push(n);
            }
            mean.0 += gradient * shape.volume;
            mean.1 += shape.volume;
        }
        gradients.push(gradient);
    }
    for n in nodes.iter().map(|&n| n as usize) {
        let (mean, h) = (&mut means[n], shortest[n]);
        mean.0 /= mean.1;
        out[n].force = forces[n].norm() * h * h / (lame.mu * mean.1 / 4.0);
    }
    for ((tet, _), gradient) in tets.zip(gradients.iter()) {
        for n in tet.map(|n| n as usize) {
            let jump = shortest[n] * (gradient - means[n].0).norm();
            out[n].jump = out[n].jump.max(jump);
        }
    }
}

/// When to split and when to merge, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// A node whose indicator is above this is split.
    pub split: f64,
    /// Children whose indicators are all below this are merged.
    pub merge: f64,
}

impl Thresholds {
    /// Thresholds for levels whose mean edges differ by at most `ratio`. A merge multiplies the indicator by the square of the ratio, so that `merge` is at most half of
    /// `gamma_max / ratio²`: otherwise nodes would split and merge for ever. It is also at most an eighth of `gamma_max`, and at most `gamma_min`.
    ///
    /// # Errors
    /// No positive `gamma_max`.
    pub fn new(
        gamma_max: f64,
        gamma_min: Option<f64>,
        ratio: f64,
    ) -> Result<Self, AdaptiveModelError> {
        if !(gamma_max > 0.0 && gamma_max.is_finite()) {
            return Err(AdaptiveModelError::BadGamma { gamma_max });
        }
        let largest = gamma_max / (2.0 * ratio * ratio);
        let merge = largest.min(MERGE_SHARE * gamma_max);
        Ok(Self {
            split: gamma_max,
            merge: gamma_min.map_or(merge, |given| merge.min(given)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_is_not_undone_by_the_next_split() {
        let merge = |gamma_min, ratio| {
            let found = Thresholds::new(8e-3, gamma_min, ratio).expect("a length");
            found.merge
        };
        assert_eq!(merge(None, 2.0), 1e-3);
        assert!(merge(None, 2.5) < 0.7e-3);
        assert_eq!(merge(Some(5e-3), 2.0), 1e-3);
        assert_eq!(merge(Some(0.0), 2.0), 0.0);
        assert!(Thresholds::new(0.0, None, 2.0).is_err());
        assert!(Thresholds::new(f64::NAN, None, 2.0).is_err());
    }
}
