//! Geometry and supports that solvers bake from.

use std::sync::Arc;

use crate::material::Material;
use crate::math::Vec3;
use crate::mesh::{SurfaceMesh, TetMesh, TriangleTree, VoxelGrid};
use crate::scene::Selection;

/// What a solver bakes from: the meshes, the material and the supports of one body. Each solver takes what it needs, and refuses a body without it; parts that no method asked for are absent.
///
/// | solver | needs | uses besides |
/// |---|---|---|
/// | `pliant-adaptive` | [`levels`](Self::levels) | |
/// | `pliant-quasistatic` | [`greens_level`](Self::greens_level), or a closed surface for boundary elements; a support | |
/// | `pliant-lattice` | [`voxels`](Self::voxels) | the last of the [`levels`](Self::levels), to fit stiffness |
#[derive(Debug, Clone)]
pub struct BodyGeometry {
    /// The skin: contact, display and probes.
    pub skin: Arc<SurfaceMesh>,
    /// Material of the whole body.
    pub material: Material,
    /// Lasting supports.
    pub supports: Vec<SupportRegion>,
    /// Independent tetrahedral levels, coarse to fine (adaptive); the last one is what a lattice is fitted to.
    pub levels: Vec<Arc<TetMesh>>,
    /// The mesh whose boundary carries the Green's functions (quasistatic).
    pub greens_level: Option<Arc<TetMesh>>,
    /// Solid cells (lattice).
    pub voxels: Option<Arc<VoxelGrid>>,
}

impl BodyGeometry {
    /// A body with a skin and a material, without supports and inner meshes.
    pub fn new(skin: Arc<SurfaceMesh>, material: Material) -> Self {
        Self {
            skin,
            material,
            supports: Vec::new(),
            levels: Vec::new(),
            greens_level: None,
            voxels: None,
        }
    }

    /// A body of tetrahedral levels, coarse to fine. Its skin is the boundary of the finest one, and empty without levels.
    pub fn of_levels(levels: impl IntoIterator<Item = TetMesh>, material: Material) -> Self {
        let levels: Vec<Arc<TetMesh>> = levels.into_iter().map(Arc::new).collect();
        let skin = levels.last().map(|finest| finest.boundary().surface);
        Self {
            levels,
            ..Self::new(Arc::new(skin.unwrap_or_default()), material)
        }
    }

    /// The same with one more support.
    pub fn held_at(mut self, name: &str, selection: Selection) -> Self {
        let support = SupportRegion::new(name, selection, &self.skin);
        self.supports.push(support);
        self
    }
}

/// Part of a body that never moves.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportRegion {
    /// Name as the scene writes it.
    pub name: String,
    /// What it selects.
    pub selection: Selection,
    /// The skin vertices that it selects, ascending.
    pub skin_vertices: Vec<u32>,
}

impl SupportRegion {
    /// A support on a skin.
    pub fn new(name: &str, selection: Selection, skin: &SurfaceMesh) -> Self {
        let skin_vertices = selection.skin_vertices(skin);
        Self {
            name: name.to_string(),
            selection,
            skin_vertices,
        }
    }

    /// The nodes that this support holds among `positions` (m, rest), ascending, where `spacing` is their mean distance (m).
    ///
    /// Geometric selections hold every node inside them. Lists and groups hold the nodes whose closest skin point lies within one
    /// `spacing` on a triangle of selected vertices. Coarse nodes can miss a selection that is small, or thinner than their layers. Where the held nodes do not span a plane, those
    /// within half a `spacing` of the selection are held instead. Where these do not span a plane either, the nodes nearest to the selected skin are added, so that a support never silently vanishes.
    pub fn nodes(&self, positions: &[Vec3], spacing: f64, skin: &SurfaceMesh) -> Vec<u32> {
        let mut held: Vec<u32> = match self.selection {
            Selection::List(_) | Selection::Group(_) => {
                self.nodes_near_selected(positions, spacing, skin)
            }
            _ => self.nodes_within(0.0, positions, skin),
        };
        let suffices = |held: &[u32]| spans_a_plane(held.iter().map(|&n| positions[n as usize]));
        if !suffices(&held) && !self.skin_vertices.is_empty() {
            let near = self.nodes_within(0.5 * spacing, positions, skin);
            held = match suffices(&near) {
                true => near,
                false => self.completed(held, positions, skin),
            };
        }
        held
    }

    /// The nodes in a geometric selection that has grown by `margin` (m), ascending; none for lists and groups.
    pub fn nodes_within(&self, margin: f64, positions: &[Vec3], skin: &SurfaceMesh) -> Vec<u32> {
        let bounds = skin.bounds();
        let is_inside = |x: &Vec3| self.selection.contains_within(x, &bounds, margin) == Some(true);
        let inside = (0..).zip(positions).filter(|(_, x)| is_inside(x));
        inside.map(|(n, _)| n).collect()
    }

    fn nodes_near_selected(
        &self,
        positions: &[Vec3],
        spacing: f64,
        skin: &SurfaceMesh,
    ) -> Vec<u32> {
        let tree = TriangleTree::new(&skin.positions, &skin.triangles);
        let selected = |v: u32| self.skin_vertices.binary_search(&v).is_ok();
        let is_near = |x: &Vec3| {
            tree.closest_within(x, spacing).is_some_and(|closest| {
                let triangle = skin.triangles[closest.triangle as usize];
                let corners = triangle.into_iter().zip(closest.weights);
                let weights = corners.filter(|(v, _)| selected(*v)).map(|(_, w)| w);
                weights.sum::<f64>() > 0.5
            })
        };
        let near = (0..).zip(positions).filter(|(_, x)| is_near(x));
        near.map(|(n, _)| n).collect()
    }

    /// Adds nodes in the order of their distance to the selected skin vertices until three of them span a plane.
    fn completed(&self, held: Vec<u32>, positions: &[Vec3], skin: &SurfaceMesh) -> Vec<u32> {
        let distance = |x: &Vec3| {
            self.skin_vertices
                .iter()
                .map(|&v| (skin.positions[v as usize] - x).norm_squared())
                .fold(f64::INFINITY, f64::min)
        };
        let mut order: Vec<(f64, u32)> = positions
            .iter()
            .enumerate()
            .map(|(n, x)| (distance(x), n as u32))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut result = held;
        for (_, n) in order {
            if result.contains(&n) {
                continue;
            }
            result.push(n);
            if spans_a_plane(result.iter().map(|&n| positions[n as usize])) {
                break;
            }
        }
        result.sort_unstable();
        result
    }
}

/// Whether the points span a plane, as it takes to hold a body: three of them that are not collinear.
pub fn spans_a_plane(points: impl Iterator<Item = Vec3> + Clone) -> bool {
    let Some(first) = points.clone().next() else {
        return false;
    };
    let mut axis = Vec3::zeros();
    for p in points.clone() {
        if (p - first).norm_squared() > axis.norm_squared() {
            axis = p - first;
        }
    }
    let length = axis.norm();
    length > 0.0
        && points
            .into_iter()
            .any(|p| axis.cross(&(p - first)).norm() > 1e-3 * length * length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::procedural::{CellStyle, box_surface, box_tets};

    #[test]
    fn supports_hold_nodes_of_every_resolution() {
        let skin = box_surface(Vec3::repeat(1.0), [10, 10, 10], CellStyle::Kuhn);
        let foot = SupportRegion::new("foot", Selection::Lowest(0.05), &skin);
        for n in [1, 2, 5] {
            let mesh = box_tets(Vec3::repeat(1.0), [n, n, n], CellStyle::Kuhn);
            assert_eq!(
                foot.nodes(&mesh.nodes, 1.0 / n as f64, &skin).len(),
                (n + 1) * (n + 1)
            );
        }
        // nodes that all lie above the selection: the nearest ones are taken, never none
        let raised: Vec<Vec3> = box_tets(Vec3::repeat(0.8), [2, 2, 2], CellStyle::Kuhn).nodes;
        let held = foot.nodes(&raised, 0.4, &skin);
        assert!(held.len() >= 3 && spans_a_plane(held.iter().map(|&n| raised[n as usize])));
        assert!(held.iter().all(|&n| raised[n as usize].y < -0.3));
        // a face that is thinner than the layers of nodes, none of which lies on it: the layer beside it is held, not three nodes of it
        let face = Selection::HalfSpace {
            point: [0.0, -0.4999, 0.0],
            normal: [0.0, -1.0, 0.0],
        };
        let face = SupportRegion::new("face", face, &skin);
        let inner = box_tets(Vec3::repeat(0.9), [5, 5, 5], CellStyle::Kuhn).nodes;
        assert_eq!(face.nodes(&inner, 0.18, &skin).len(), 36);
        // a list of the same vertices holds the same nodes of the fine mesh
        let list = SupportRegion::new("list", Selection::List(foot.skin_vertices.clone()), &skin);
        let mesh = box_tets(Vec3::repeat(1.0), [5, 5, 5], CellStyle::Kuhn);
        let by_list = list.nodes(&mesh.nodes, 0.01, &skin);
        assert_eq!(by_list, foot.nodes(&mesh.nodes, 0.2, &skin));
    }
}
