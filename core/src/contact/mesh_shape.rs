//! Closed meshes as shapes of tools.

use std::fmt;
use std::sync::Arc;

use crate::contact::distance_grid::DistanceGrid;
use crate::math::Vec3;
use crate::mesh::SurfaceMesh;

/// A closed mesh as the shape of a tool: its surface, which is drawn, and its sampled signed distance, which touches. Clones share both.
///
/// `pliant_meshing::voxelise::distance_grid` samples the distance.
#[derive(Clone, PartialEq)]
pub struct MeshShape(Arc<Parts>);

#[derive(PartialEq)]
struct Parts {
    surface: SurfaceMesh,
    grid: DistanceGrid,
    inner_radius: f64,
    outer_radius: f64,
}

impl MeshShape {
    /// The solid inside of a closed surface (m, in the tool's own frame) whose signed distance `grid` has.
    pub fn new(surface: SurfaceMesh, grid: DistanceGrid) -> Self {
        let farthest = |most: f64, x: Vec3| most.max(x.norm());
        Self(Arc::new(Parts {
            inner_radius: grid.depth(),
            outer_radius: corners(&surface).fold(0.0, farthest),
            surface,
            grid,
        }))
    }

    /// The surface as it is drawn, m.
    pub fn surface(&self) -> &SurfaceMesh {
        &self.0.surface
    }

    /// Edge of the cells in which distances are sampled, m.
    pub fn cell(&self) -> f64 {
        self.0.grid.layout().cell
    }

    /// Signed distance (m, negative inside) of a local point and its gradient (unit, pointing out of the tool), as exact as [`DistanceGrid`] says.
    pub fn signed_distance(&self, local: &Vec3) -> (f64, Vec3) {
        self.0.grid.signed_distance(local)
    }

    /// Radius of the largest ball inside, m, to a cell.
    pub fn inner_radius(&self) -> f64 {
        self.0.inner_radius
    }

    /// Radius of a ball around the local origin that holds the tool, m.
    pub fn outer_radius(&self) -> f64 {
        self.0.outer_radius
    }

    /// How far it reaches from the local origin in a direction (unit), m.
    pub fn extent(&self, direction: &Vec3) -> f64 {
        let reach = |most: f64, x: Vec3| most.max(x.dot(direction));
        corners(&self.0.surface).fold(0.0, reach)
    }
}

/// The corners of all triangles, m.
fn corners(surface: &SurfaceMesh) -> impl Iterator<Item = Vec3> + '_ {
    (0..surface.triangles.len()).flat_map(move |t| surface.corners(t))
}

impl fmt::Debug for MeshShape {
    /// Its size in place of all its numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshShape")
            .field("triangles", &self.surface().triangles.len())
            .field("cell", &self.cell())
            .finish()
    }
}
