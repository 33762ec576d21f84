//! A mesh whose nodes are being moved, and what its dihedral angles allow.

use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::angle_ranges::{ANGLE_RANGE, AngleRange, MATCHED_RANGE};
use super::cells::Cells;
use crate::geometry::sharp_features::VisibleFeatures;
use crate::geometry::solid::MeshSolid;

/// Factor on the badness of tetrahedra that leave the range they must keep, so that no bad angle at a feature is
/// improved at their cost.
const VIOLATION_PENALTY: f64 = 10.0;

/// Budget of relaxations for features: this many, and one more per [`NODES_PER_RELAXATION`] nodes. One takes about a millisecond, so a body with far more
/// features than nodes would take minutes.
const MAX_RELAXATIONS: usize = 2500;
const NODES_PER_RELAXATION: usize = 12;

/// Shares of a displacement that are tried.
const STEP_SHARES: [f64; 5] = [1.0, 0.7, 0.45, 0.25, 0.1];

/// What a node is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// Inner nodes move anywhere.
    Inner,
    /// Boundary nodes move along the surface.
    Surface,
    /// Matched with a sharp edge: moves along it.
    Crease,
    /// Matched with a point: does not move.
    Point,
    /// Put back to its lattice position: does not move.
    Held,
}

/// A mesh, what its nodes are bound to, and the surface that it is fitted to.
pub struct Fitting<'a> {
    /// Positions of the nodes, m.
    pub x: Vec<Vec3>,
    /// The body it is fitted to.
    pub solid: &'a MeshSolid,
    /// Sharp edges and corners that this mesh can show.
    pub features: VisibleFeatures,
    /// What each node is bound to.
    pub bonds: Vec<Bond>,
    /// Tetrahedra and their connectivity.
    pub cells: Cells,
    /// Node of each vertex of `surface`; these stay the same.
    pub nodes: Vec<u32>,
    /// The boundary; updated by [`Self::update_surface`] and [`Self::rebuild_surface`].
    pub surface: SurfaceMesh,
    /// Mean edge of the boundary at the start, m.
    pub edge: f64,
    /// Dihedral angles kept away from matched nodes.
    pub fitting_range: AngleRange,
    /// Dihedral angles that are required away from matched nodes.
    pub required_range: AngleRange,
    /// Dihedral angles kept at matched nodes.
    pub matched_range: AngleRange,
    /// How often the neighbours of a node were relaxed for a feature, which dominates the cost.
    pub relaxed: usize,
}

impl<'a> Fitting<'a> {
    /// Prepares to fit `mesh` to `solid`, keeping dihedral angles inside `range` (smallest and largest, degrees) except at
    /// matched nodes.
    pub fn new(mesh: TetMesh, solid: &'a MeshSolid, range: (f64, f64)) -> Self {
        let boundary = mesh.boundary();
        let (nodes, surface) = (boundary.node_of_vertex, boundary.surface);
        let mut bonds = vec![Bond::Inner; mesh.nodes.len()];
        for &node in &nodes {
            bonds[node as usize] = Bond::Surface;
        }
        let edge = surface.mean_edge();
        Self {
            cells: Cells::new(mesh.nodes.len(), mesh.tets),
            x: mesh.nodes,
            features: solid
                .features
                .visible(edge, 0.7 * edge, |x| solid.is_border(x, 0.03 * edge)),
            fitting_range: AngleRange::of(range),
            required_range: AngleRange::of(ANGLE_RANGE),
            matched_range: AngleRange::of(MATCHED_RANGE),
            relaxed: 0,
            solid,
            bonds,
            nodes,
            surface,
            edge,
        }
    }

    /// Whether the budget of relaxations is spent, so that no further feature is tried.
    pub fn is_out_of_budget(&self) -> bool {
        self.relaxed > MAX_RELAXATIONS + self.x.len() / NODES_PER_RELAXATION
    }

    /// The mesh as it is now and its matched nodes, ascending.
    pub fn into_mesh(self) -> (TetMesh, Vec<u32>) {
        let tets = self.cells.alive().map(|t| self.cells.tet(t)).collect();
        // nodes that were added and abandoned are in no tetrahedron
        let (mesh, used) = TetMesh::with_used_nodes(&self.x, tets);
        let matched = (0_u32..).zip(used).filter(|(_, v)| self.is_matched(*v));
        let matched = matched.map(|(new, _)| new).collect();
        (mesh, matched)
    }

    /// Position of a node, m.
    pub fn at(&self, node: u32) -> Vec3 {
        self.x[node as usize]
    }

    /// What a node is bound to.
    pub fn bond(&self, node: u32) -> Bond {
        self.bonds[node as usize]
    }

    /// Whether a node is bound to a feature.
    pub fn is_matched(&self, node: u32) -> bool {
        matches!(self.bond(node), Bond::Crease | Bond::Point)
    }

    /// Corners of a tetrahedron, m.
    pub fn corners(&self, tet: u32) -> [Vec3; 4] {
        self.cells.tet(tet).map(|v| self.at(v))
    }

    /// Copies the nodes' positions to the boundary surface.
    pub fn update_surface(&mut self) {
        for (x, &node) in self.surface.positions.iter_mut().zip(&self.nodes) {
            *x = self.x[node as usize];
        }
    }

    /// Rebuilds the boundary surface after flips.
    pub fn rebuild_surface(&mut self) {
        let vertex = |v: u32| self.nodes.partition_point(|&n| n < v) as u32;
        self.surface.triangles = self
            .cells
            .boundary_faces()
            .map(|face| face.map(vertex))
            .collect();
        self.update_surface();
    }

    /// Badness of a tetrahedron with respect to the range at its nodes, see [`AngleRange::badness`].
    pub fn badness_of(&self, tet: u32) -> f64 {
        self.badness_within(&self.fitting_range, tet)
    }

    /// Whether a tetrahedron leaves the range it must keep.
    pub fn leaves_its_range(&self, tet: u32) -> bool {
        self.badness_within(&self.required_range, tet) >= 1.0
    }

    /// With respect to [`Self::matched_range`] where a node is matched, else to `range`.
    fn badness_within(&self, range: &AngleRange, tet: u32) -> f64 {
        let is_matched = self.cells.tet(tet).iter().any(|&v| self.is_matched(v));
        let range = if is_matched {
            &self.matched_range
        } else {
            range
        };
        range.badness(self.corners(tet))
    }

    /// The worst badness around a node; stops at the first one of at least `enough`.
    pub fn badness(&self, node: u32, enough: f64) -> f64 {
        let mut worst = 0.0_f64;
        for t in self.cells.around(node) {
            worst = worst.max(self.badness_of(t));
            if worst >= enough {
                break;
            }
        }
        worst
    }

    /// As [`Self::badness`], with the same limits for matched nodes as for others; tetrahedra that leave the range they must keep,
    /// [`ANGLE_RANGE`] or at matched nodes [`MATCHED_RANGE`], are multiplied by [`VIOLATION_PENALTY`].
    pub fn strict_badness(&self, node: u32, enough: f64) -> f64 {
        let mut worst = 0.0_f64;
        for t in self.cells.around(node) {
            let mut badness = self.fitting_range.badness(self.corners(t));
            if badness >= 1.0 && self.leaves_its_range(t) {
                badness *= VIOLATION_PENALTY;
            }
            worst = worst.max(badness);
            if worst >= enough {
                break;
            }
        }
        worst
    }

    /// Moves a node by the largest share of `displacement` for which the angles around it stay in range, or do not get worse. Returns the
    /// share.
    pub fn try_move(&mut self, node: u32, displacement: Vec3) -> f64 {
        let from = self.at(node);
        let limit = self.strict_badness(node, f64::INFINITY).max(1.0);
        for step in STEP_SHARES {
            self.x[node as usize] = from + displacement * step;
            if self.strict_badness(node, limit) < limit {
                return step;
            }
        }
        self.x[node as usize] = from;
        0.0
    }
}
