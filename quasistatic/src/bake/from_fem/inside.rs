//! Rows of points inside a body of finite elements, from the factor of its stiffness.
//!
//! A row `wᵀ K⁻¹` is a solution with `w` on the right-hand side, because `K` is symmetric. Nine solutions for each point, three for its displacement and six for
//! its stress, give its response to a force on any node. The first three are also the displacements under a load on the point.

use faer::Mat;
use pliant_core::math::barycentric::tetrahedron_weights;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::TriangleTree;

use crate::asset::inside::{
    InsidePoint, NO_STRESS, NamedPoint, PointResponse, StressRow, add_stress,
};
use crate::bake::from_fem::support_solve::SupportSolve;
use crate::error::BakeError;
use crate::finite_elements::linear_system::block_of;

/// Number of solutions for a point: three for its displacement, six for its stress.
const SOLUTIONS: usize = 9;
/// Barycentric coordinates from this value on count as inside.
const MIN_BARYCENTRIC: f64 = -1e-9;

/// Tetrahedron and barycentric coordinates of a point.
pub(super) struct Location {
    pub tet: usize,
    pub weights: [f64; 4],
}

impl SupportSolve<'_> {
    /// The points `named_points` with their rows for the free nodes `rows`; `masses` are those of all nodes, kg.
    ///
    /// # Errors
    /// [`BakeError::PointOutside`], [`BakeError::PointLoose`].
    pub fn inside(
        &self,
        named_points: &[NamedPoint],
        rows: &[usize],
        masses: &[f64],
    ) -> Result<Vec<InsidePoint>, BakeError> {
        let locations: Vec<Location> = named_points
            .iter()
            .map(|point| self.locate(point))
            .collect::<Result<_, _>>()?;
        let mut points = Vec::with_capacity(named_points.len());
        for (named, location) in named_points.iter().zip(&locations) {
            let mut x = self.functionals(location);
            self.factor.solve_once(&mut x);
            let mut gravity = (Mat3::zeros(), NO_STRESS);
            for (i, &node) in self.system.free.nodes.iter().enumerate() {
                let mass = masses[node as usize];
                gravity.0 += block_of(&x, i).transpose() * mass;
                add_stress(&mut gravity.1, &stress_row(&x, i), mass);
            }
            points.push(InsidePoint {
                named: named.clone(),
                displacement: rows.iter().map(|&i| block_of(&x, i).transpose()).collect(),
                stress: rows.iter().map(|&i| stress_row(&x, i)).collect(),
                gravity: gravity.0,
                gravity_stress: gravity.1,
                of_points: locations
                    .iter()
                    .map(|other| self.response(&x, other))
                    .collect(),
                support_reactions: self.support_reactions(&x, location),
            });
        }
        Ok(points)
    }

    /// The tetrahedron that holds a point: the one in which it lies deepest, the first if there are several.
    pub(super) fn locate(&self, named: &NamedPoint) -> Result<Location, BakeError> {
        let mesh = self.mesh;
        let mut best: Option<(f64, Location)> = None;
        for tet in 0..mesh.tets.len() {
            let Some(weights) = tetrahedron_weights(&named.point, mesh.corners(tet)) else {
                continue;
            };
            let depth = weights.iter().copied().fold(f64::INFINITY, f64::min);
            if depth >= MIN_BARYCENTRIC && best.as_ref().is_none_or(|(deepest, _)| depth > *deepest)
            {
                best = Some((depth, Location { tet, weights }));
            }
        }
        let Some((_, location)) = best else {
            let surface = mesh.boundary().surface;
            let tree = TriangleTree::new(&surface.positions, &surface.triangles);
            let closest = tree.closest(&named.point);
            return Err(BakeError::PointOutside {
                name: named.name.clone(),
                at: named.point,
                distance: closest.map_or(f64::INFINITY, |c| (c.point - named.point).norm()),
            });
        };
        if mesh.tets[location.tet]
            .iter()
            .any(|&n| !self.held.solved[n as usize])
        {
            return Err(BakeError::PointLoose {
                name: named.name.clone(),
            });
        }
        Ok(location)
    }

    /// Right-hand sides: the displacement along three axes and the six stresses at a location, as sums over the free nodes.
    fn functionals(&self, location: &Location) -> Mat<f64> {
        let mut right = Mat::<f64>::zeros(self.system.stiffness.size(), SOLUTIONS);
        let elements = &self.system.elements;
        let values = elements.values(location.weights);
        let gradients = elements.gradients(location.tet, location.weights);
        for (a, &node) in elements.tet(location.tet).iter().enumerate() {
            let Some(i) = self.system.free.get(node) else {
                continue;
            };
            for axis in 0..3 {
                right[(3 * i + axis, axis)] = values[a];
                let mut gradient = Mat3::zeros();
                gradient.set_row(axis, &gradients[a].transpose());
                let stress = self.elasticity.stress(location.tet, &gradient);
                for (k, value) in stress.into_iter().enumerate() {
                    right[(3 * i + axis, 3 + k)] = value;
                }
            }
        }
        right
    }

    /// Response of the point whose solutions are `x` to a unit load at `other`.
    fn response(&self, x: &Mat<f64>, other: &Location) -> PointResponse {
        let mut response = PointResponse {
            displacement: Mat3::zeros(),
            stress: NO_STRESS,
        };
        let elements = &self.system.elements;
        let values = elements.values(other.weights);
        for (&node, &weight) in elements.tet(other.tet).iter().zip(&values) {
            let Some(i) = self.system.free.get(node) else {
                continue;
            };
            response.displacement += block_of(x, i).transpose() * weight;
            add_stress(&mut response.stress, &stress_row(x, i), weight);
        }
        response
    }

    /// Force of each support for a unit load at `location`, whose displacements are the first three columns of `x`.
    fn support_reactions(&self, x: &Mat<f64>, location: &Location) -> Vec<Mat3> {
        let mut support_reactions = vec![Mat3::zeros(); self.geometry.supports.len()];
        let elements = &self.system.elements;
        for (t, tet) in elements.tets().enumerate() {
            for (a, &node) in tet.iter().enumerate() {
                let support = self.held.support_of_node[node as usize];
                let Some(sum) = support_reactions.get_mut(support as usize) else {
                    continue;
                };
                for (b, &other) in tet.iter().enumerate() {
                    if let Some(i) = self.system.free.get(other) {
                        *sum += elements.block(self.elasticity, t, a, b) * block_of(x, i);
                    }
                }
            }
        }
        // loads on held nodes act directly on their support
        let values = elements.values(location.weights);
        for (&node, &weight) in elements.tet(location.tet).iter().zip(&values) {
            let support = self.held.support_of_node[node as usize];
            if let Some(sum) = support_reactions.get_mut(support as usize) {
                *sum -= Mat3::identity() * weight;
            }
        }
        support_reactions
    }
}

fn stress_row(x: &Mat<f64>, i: usize) -> StressRow {
    std::array::from_fn(|k| Vec3::from_fn(|axis, _| x[(3 * i + axis, 3 + k)]))
}
