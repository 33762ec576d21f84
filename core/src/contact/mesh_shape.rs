//! Closed meshes as shapes of tools.

use std::fmt;
use std::sync::Arc;

use crate::contact::distance_grid::DistanceGrid;
use crate::math::Vec3;
use crate::mesh::SurfaceMesh;

/// A closed mesh as the shape of a tool: its surface for drawing, and its sampled signed distance for contact. Clones share both.
///
/// `pliant_meshing::voxelise::distance_grid` samples the distance.
#[derive(Clone, PartialEq)]
pub struct MeshShape(Arc<Parts>);

#[derive(PartialEq)]
struct Parts {
    surface: SurfaceMesh,
    grid: DistanceGrid,
    /// corners of all triangles, each once, m
    corners: Vec<Vec3>,
    inner_radius: f64,
    outer_radius: f64,
}

impl MeshShape {
    /// The solid inside a closed surface (m, in the tool's own frame); `grid` has its signed distance.
    pub fn new(surface: SurfaceMesh, grid: DistanceGrid) -> Self {
        let corners = corners(&surface);
        Self(Arc::new(Parts {
            inner_radius: grid.depth(),
            outer_radius: corners.iter().map(Vec3::norm).fold(0.0, f64::max),
            surface,
            grid,
            corners,
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

    /// Radius of the largest ball inside, m, accurate to a cell.
    pub fn inner_radius(&self) -> f64 {
        self.0.inner_radius
    }

    /// Radius of a ball around the local origin that holds the tool, m.
    pub fn outer_radius(&self) -> f64 {
        self.0.outer_radius
    }

    /// Largest extent from the local origin in a direction (unit), m. Cost: some nanoseconds for each corner.
    pub fn extent(&self, direction: &Vec3) -> f64 {
        let along = self.0.corners.iter().map(|x| x.dot(direction));
        along.fold(0.0, f64::max)
    }
}

/// The corners of all triangles, each once, m.
fn corners(surface: &SurfaceMesh) -> Vec<Vec3> {
    let mut is_used = vec![false; surface.vertex_count()];
    for &v in surface.triangles.iter().flatten() {
        is_used[v as usize] = true;
    }
    let used = surface.positions.iter().zip(is_used);
    used.filter_map(|(x, is_used)| is_used.then_some(*x))
        .collect()
}

impl fmt::Debug for MeshShape {
    /// Writes its size instead of all its numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshShape")
            .field("triangles", &self.surface().triangles.len())
            .field("cell", &self.cell())
            .finish()
    }
}
