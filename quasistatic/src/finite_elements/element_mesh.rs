//! The finite elements behind the Green's functions: linear or quadratic tetrahedra over the same mesh.
//!
//! Linear tetrahedra resist bending by parasitic shear (locking). Quadratic ones have a midside node on every edge and represent linear strains exactly.
//! Corners keep their indices, so that the boundary vertices are the same nodes in both.

use pliant_core::elasticity::quadratic::{
    QUADRATURE_POINTS, quadratic_shape_functions, quadratic_shape_gradients,
};
use pliant_core::elasticity::shape_function::ShapeGradients;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{QuadraticTetMesh, TetMesh};

use crate::error::BakeError;
use crate::finite_elements::elasticity::BodyElasticity;
use crate::params::GreensElements;

/// Shares of a uniform load at a corner and a midside node of a quadratic tetrahedron: the integrals of their shape functions over the volume.
const CORNER_SHARE: f64 = -1.0 / 20.0;
const MIDSIDE_SHARE: f64 = 1.0 / 5.0;

/// Nodes, tetrahedra with their nodes, and the gradients of the barycentric coordinates in each.
#[derive(Debug, Clone)]
pub struct ElementMesh {
    /// Rest positions of all nodes, m; corners first.
    pub nodes: Vec<Vec3>,
    /// Gradients and volume of each tetrahedron.
    pub shapes: Vec<ShapeGradients>,
    kind: GreensElements,
    /// four or ten nodes a tetrahedron, one after the other
    tets: Vec<u32>,
    /// end nodes of the edge of each node after the corners
    edges: Vec<[u32; 2]>,
}

impl ElementMesh {
    /// Elements of `kind` over the tetrahedra of `mesh`.
    ///
    /// # Errors
    /// [`BakeError::InvertedElement`] for a tetrahedron without a positive volume.
    pub fn new(mesh: &TetMesh, kind: GreensElements) -> Result<Self, BakeError> {
        let shapes = (0..mesh.tets.len())
            .map(|tet| {
                ShapeGradients::new(mesh.corners(tet)).ok_or(BakeError::InvertedElement { tet })
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(match kind {
            GreensElements::Linear => Self {
                nodes: mesh.nodes.clone(),
                shapes,
                kind,
                tets: mesh.tets.iter().flatten().copied().collect(),
                edges: Vec::new(),
            },
            GreensElements::Quadratic => {
                let quadratic = QuadraticTetMesh::new(mesh);
                Self {
                    tets: quadratic.tets.iter().flatten().copied().collect(),
                    nodes: quadratic.nodes,
                    shapes,
                    kind,
                    edges: quadratic.edges,
                }
            }
        })
    }

    /// The nodes of each tetrahedron, in order.
    pub fn tets(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.tets.chunks_exact(self.width())
    }

    /// The nodes of tetrahedron `tet`: four corners, then midside nodes if there are any.
    pub fn tet(&self, tet: usize) -> &[u32] {
        let width = self.width();
        &self.tets[tet * width..(tet + 1) * width]
    }

    /// End nodes of the edge of each node after the corners.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    fn width(&self) -> usize {
        match self.kind {
            GreensElements::Linear => 4,
            GreensElements::Quadratic => 10,
        }
    }

    /// Block `K_ab` of the stiffness of tetrahedron `tet`, N/m; with four points of integration where strains are linear.
    pub fn block(&self, elasticity: &BodyElasticity, tet: usize, a: usize, b: usize) -> Mat3 {
        let shape = &self.shapes[tet];
        if self.kind == GreensElements::Linear {
            return elasticity.block(tet, shape, a, b);
        }
        let mut sum = Mat3::zeros();
        for at in QUADRATURE_POINTS {
            let gradients = quadratic_shape_gradients(shape, at);
            let pair = ShapeGradients {
                gradients: [gradients[a], gradients[b], Vec3::zeros(), Vec3::zeros()],
                volume: shape.volume / QUADRATURE_POINTS.len() as f64,
            };
            sum += elasticity.block(tet, &pair, 0, 1);
        }
        sum
    }

    /// Values of the shape functions of a tetrahedron at barycentric coordinates `at`.
    pub fn values(&self, at: [f64; 4]) -> Vec<f64> {
        match self.kind {
            GreensElements::Linear => at.to_vec(),
            GreensElements::Quadratic => quadratic_shape_functions(at).to_vec(),
        }
    }

    /// Gradients of the shape functions of tetrahedron `tet` at barycentric coordinates `at`, 1/m.
    pub fn gradients(&self, tet: usize, at: [f64; 4]) -> Vec<Vec3> {
        match self.kind {
            GreensElements::Linear => self.shapes[tet].gradients.to_vec(),
            GreensElements::Quadratic => quadratic_shape_gradients(&self.shapes[tet], at).to_vec(),
        }
    }

    /// Consistent nodal load of a uniform `density` (kg/m³) times an acceleration, over the acceleration, kg. It is negative at some corners of quadratic elements.
    pub fn masses(&self, density: f64) -> Vec<f64> {
        let mut masses = vec![0.0; self.nodes.len()];
        for (tet, shape) in self.tets().zip(&self.shapes) {
            for (a, &node) in tet.iter().enumerate() {
                let share = match (self.kind, a) {
                    (GreensElements::Linear, _) => 0.25,
                    (GreensElements::Quadratic, 0..4) => CORNER_SHARE,
                    (GreensElements::Quadratic, _) => MIDSIDE_SHARE,
                };
                masses[node as usize] += density * shape.volume * share;
            }
        }
        masses
    }
}
