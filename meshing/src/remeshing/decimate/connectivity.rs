//! A surface whose edges can be collapsed, but for those at holes and branches.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::validate::topology;

use crate::remeshing::editable_surface::EditableSurface;
use crate::repair::steps::faces::repeats;

/// A vertex may not get more neighbours than this.
const MAX_VALENCE: usize = 24;

/// A surface whose edges can be collapsed.
pub(crate) struct Connectivity {
    pub(crate) mesh: EditableSurface,
    /// vertices on open, branching or misoriented edges and at pinches, which stay as they are
    pub(crate) locked: Vec<bool>,
    /// vertex that a vertex was merged into, itself while it exists
    merged_into: Vec<u32>,
}

impl Connectivity {
    pub(crate) fn new(surface: &SurfaceMesh) -> Self {
        let count = surface.vertex_count();
        let found = topology(surface);
        let edges = (found.boundary_edges.iter())
            .chain(&found.non_manifold_edges)
            .chain(&found.misoriented_edges)
            .flatten();
        let degenerate = surface.triangles.iter().filter(|t| repeats(t)).flatten();
        let mut locked = vec![false; count];
        for &v in edges.chain(&found.non_manifold_vertices).chain(degenerate) {
            locked[v as usize] = true;
        }
        Self {
            mesh: EditableSurface::new(surface.clone()),
            locked,
            merged_into: (0..count as u32).collect(),
        }
    }

    /// Whether merging `b` into `a` keeps the topology and the number of neighbours within bounds.
    pub(crate) fn may_collapse(&self, a: u32, b: u32) -> bool {
        !self.locked[a as usize]
            && !self.locked[b as usize]
            && self.mesh.valence(a) + self.mesh.valence(b) <= MAX_VALENCE + 4
            && self.mesh.keeps_topology(a, b)
    }

    /// The plane `g · x = k` of positions for `a` and `b` that leave the enclosed volume as it is (Lindstrom and Turk 1998, section 4.1).
    pub(crate) fn volume_plane(&self, a: u32, b: u32) -> (Vec3, f64) {
        let positions = &self.mesh.positions;
        let origin = (positions[a as usize] + positions[b as usize]) * 0.5;
        let mut normal = Vec3::zeros();
        let mut volume = 0.0;
        for v in [a, b] {
            for &face in &self.mesh.around[v as usize] {
                let other = if v == a { b } else { a };
                let ends = self.mesh.following(face, v);
                let [p, q] = ends.map(|w| positions[w as usize] - origin);
                let area = p.cross(&q);
                if ends.contains(&other) {
                    // a triangle of the edge itself, met from both ends
                    volume += 0.5 * area.dot(&(positions[v as usize] - origin));
                } else {
                    volume += area.dot(&(positions[v as usize] - origin));
                    normal += area;
                }
            }
        }
        (normal, volume + normal.dot(&origin))
    }

    /// Merges `b` into `a` at `place`.
    pub(crate) fn collapse(&mut self, a: u32, b: u32, place: Vec3) {
        self.mesh.collapse(a, b, place);
        self.merged_into[b as usize] = a;
    }

    /// The vertex that the original vertex `v` was merged into.
    pub(crate) fn representative(&self, v: u32) -> u32 {
        let mut at = v;
        while self.merged_into[at as usize] != at {
            at = self.merged_into[at as usize];
        }
        at
    }
}
