//! A fine surface as displacements of a smooth one, which follows a coarse control surface (Lee, Moreton and Hoppe 2000; James and Pai 2003).

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{SurfaceMesh, TriangleTree, WeightedRows};

use super::error::SubdivideError;
use super::levels::{Scheme, subdivide};
use super::rows::loop_rows;
use super::sharp::SharpEdges;

/// Fine vertices over the Loop subdivision of a control surface, for drawing.
///
/// Each vertex is attached to the closest point of the smooth surface, with an offset in the local frame: the normal, an edge of the triangle, and the direction perpendicular to both. Rigid
/// motions of the control surface carry it along exactly. Affine ones do so up to its distance from the smooth surface times the strain, where an embedding by displacements
/// errs by that distance times strain and rotation.
///
/// Loop's rules smooth: a fine vertex does not follow the control surface under it, but a mean over its neighbourhood. A dent as narrow as a control edge is
/// drawn too shallow. This surface is therefore not for contact.
#[derive(Debug, Clone, PartialEq)]
pub struct DisplacedSurface {
    /// The smooth surface at rest.
    smooth: SurfaceMesh,
    /// Its vertices as weighted sums of control vertices.
    rows: WeightedRows,
    points: Vec<DisplacedPoint>,
    control_vertices: usize,
}

/// A fine vertex on the smooth surface.
#[derive(Debug, Clone, Copy, PartialEq)]
struct DisplacedPoint {
    corners: [u32; 3],
    weights: [f64; 3],
    /// Along the edge, across it, and along the normal, m.
    offset: Vec3,
}

impl DisplacedSurface {
    /// Attaches fine vertices at `detail` (m) to the control surface after `levels` subdivisions. `sharp` edges stay sharp.
    ///
    /// Cost: that of [`subdivide`], a search tree over the finest triangles, and a search for each vertex.
    ///
    /// # Errors
    /// Those of [`subdivide`]; [`SubdivideError::NonFinite`] for a fine vertex without a place.
    pub fn new(
        control: &SurfaceMesh,
        levels: usize,
        sharp: &SharpEdges,
        detail: &[Vec3],
        progress: &Progress,
    ) -> Result<Self, SubdivideError> {
        let mut subdivision = subdivide(control, levels, Scheme::Loop, sharp, progress)?;
        let rows = loop_rows(&subdivision);
        let smooth = subdivision.levels.pop();
        let smooth = smooth.unwrap_or_else(|| control.clone());
        let tree = TriangleTree::new(&smooth.positions, &smooth.triangles);
        let normals = smooth.vertex_normals();
        let mut points = Vec::with_capacity(detail.len());
        for (vertex, x) in detail.iter().enumerate() {
            let is_finite = x.iter().all(|x| x.is_finite());
            let closest = is_finite.then(|| tree.closest(x)).flatten();
            let closest = closest.ok_or(SubdivideError::NonFinite { vertex })?;
            let mut point = DisplacedPoint {
                corners: smooth.triangles[closest.triangle as usize],
                weights: closest.weights,
                offset: Vec3::zeros(),
            };
            let (place, frame) = point.frame(&smooth.positions, &normals);
            point.offset = frame.tr_mul(&(x - place));
            points.push(point);
        }
        Ok(Self {
            smooth,
            rows,
            points,
            control_vertices: control.vertex_count(),
        })
    }

    /// The smooth surface at rest.
    pub fn smooth(&self) -> &SurfaceMesh {
        &self.smooth
    }

    /// Distance of a fine vertex from the smooth surface along its normal, m; `None` for a vertex that does not exist.
    pub fn height(&self, vertex: usize) -> Option<f64> {
        self.points.get(vertex).map(|point| point.offset.z)
    }

    /// Positions of all fine vertices (m) where the control vertices are at `control` (m); `None` where `control` has another number of vertices.
    ///
    /// Cost: a weighted sum for each smooth vertex, about a dozen control vertices each, the normals of the smooth surface, and a frame for each fine vertex.
    pub fn places(&self, control: &[Vec3]) -> Option<Vec<Vec3>> {
        if control.len() != self.control_vertices {
            return None;
        }
        let mut smooth = self.smooth.clone();
        for (v, place) in smooth.positions.iter_mut().enumerate() {
            *place = self.rows.interpolate(v, control);
        }
        let normals = smooth.vertex_normals();
        let moved = |point: &DisplacedPoint| {
            let (place, frame) = point.frame(&smooth.positions, &normals);
            place + frame * point.offset
        };
        Some(self.points.iter().map(moved).collect())
    }
}

impl DisplacedPoint {
    /// The point on the smooth surface, and the directions of the offset there as columns.
    fn frame(&self, positions: &[Vec3], normals: &[Vec3]) -> (Vec3, Mat3) {
        let sum = |values: &[Vec3]| -> Vec3 {
            let parts = self.corners.iter().zip(self.weights);
            parts.map(|(&v, weight)| values[v as usize] * weight).sum()
        };
        let normal = unit(sum(normals));
        let [a, b, _] = self.corners.map(|v| positions[v as usize]);
        let edge = b - a;
        let along = unit(edge - normal * edge.dot(&normal));
        let frame = Mat3::from_columns(&[along, normal.cross(&along), normal]);
        (sum(positions), frame)
    }
}

/// The direction of a vector; zero for a zero vector.
fn unit(v: Vec3) -> Vec3 {
    v.try_normalize(0.0).unwrap_or_default()
}
