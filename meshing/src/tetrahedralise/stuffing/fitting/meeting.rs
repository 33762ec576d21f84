//! Removes self-intersections that fitting caused: boundary faces that cross at a gap narrower than their edges, and coincident nodes.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::adjacency::sorted_set;
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use super::fitted_mesh::{Bond, Fitting};
use crate::geometry::self_intersection::crossing_pairs;

/// Rounds in which nodes move a part of the way back, and by what share.
const PARTIAL_ROUNDS: usize = 4;
const PARTIAL_SHARE: f64 = 0.4;
/// Rounds in which nodes move back completely, together with more and more neighbours.
const FULL_ROUNDS: usize = 12;
/// Nodes closer than this share of the mean edge coincide.
const COINCIDENCE_TOLERANCE: f64 = 1e-5;

impl Fitting<'_> {
    /// Moves nodes back towards their positions in `start` where the mesh intersects itself: a part of the way at first, then all of it, without tetrahedra that were
    /// added there. Returns whether no self-intersection is left.
    ///
    /// `start` must not intersect itself. The mesh of the lattice does not, because the lattice also fills the space outside.
    pub(super) fn undo_self_intersections(
        &mut self,
        start: &TetMesh,
        progress: &Progress,
    ) -> Result<bool, Cancelled> {
        for round in 0..PARTIAL_ROUNDS + FULL_ROUNDS {
            self.rebuild_surface();
            let vertices = self_intersecting_vertices(&self.surface, progress)?;
            if vertices.is_empty() {
                return Ok(true);
            }
            let mut nodes: Vec<u32> = vertices.iter().map(|&v| self.nodes[v as usize]).collect();
            if let Some(later) = round.checked_sub(PARTIAL_ROUNDS) {
                self.extend_by_neighbours(&mut nodes, later / 2);
                while !nodes.is_empty() {
                    nodes = self.put_back(&nodes, start);
                }
            } else {
                for node in nodes {
                    if let Some(place) = start.nodes.get(node as usize) {
                        self.try_move(node, (place - self.at(node)) * PARTIAL_SHARE);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Adds the nodes that share tetrahedra with `nodes`, `rings` times.
    fn extend_by_neighbours(&self, nodes: &mut Vec<u32>, rings: usize) {
        for _ in 0..rings {
            let around = (nodes.iter()).flat_map(|&n| self.cells.neighbours(n));
            *nodes = sorted_set(around.chain(nodes.iter().copied()));
        }
    }

    /// Puts nodes back to their lattice positions and restores the tetrahedra that the lattice has there. Returns nodes that have to follow.
    fn put_back(&mut self, nodes: &[u32], start: &TetMesh) -> Vec<u32> {
        for &node in nodes {
            let around: Vec<u32> = self.cells.ever_around(node).collect();
            for t in around {
                self.cells.set_alive(t, (t as usize) < start.tets.len());
            }
            if let Some(place) = start.nodes.get(node as usize) {
                self.x[node as usize] = *place;
                if self.bond(node) != Bond::Inner {
                    self.bonds[node as usize] = Bond::Held;
                }
            }
        }
        let mut followers = Vec::new();
        for &node in nodes {
            let violating = self
                .cells
                .around(node)
                .filter(|&t| self.leaves_its_range(t));
            followers.extend(violating.flat_map(|t| self.cells.tet(t)));
        }
        // nodes that are back already need not follow
        followers.retain(|&n| {
            start
                .nodes
                .get(n as usize)
                .is_some_and(|x| *x != self.at(n))
        });
        sorted_set(followers)
    }
}

/// Vertices of faces that cross another one, coincident vertices, and non-manifold vertices; ascending. Empty where the surface is embedded. Cost O(n log n).
fn self_intersecting_vertices(
    surface: &SurfaceMesh,
    progress: &Progress,
) -> Result<Vec<u32>, Cancelled> {
    let mut vertices: Vec<u32> = crossing_pairs(surface, progress)?
        .into_iter()
        .flatten()
        .flat_map(|t| surface.triangles[t as usize])
        .collect();
    let shape = topology(surface);
    vertices.extend(shape.non_manifold_edges.iter().flatten());
    vertices.extend(&shape.non_manifold_vertices);
    let x = &surface.positions;
    let near = COINCIDENCE_TOLERANCE * surface.mean_edge();
    let mut order: Vec<u32> = (0..x.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        let along = |v: u32| x[v as usize].x;
        along(a).total_cmp(&along(b)).then(a.cmp(&b))
    });
    for (k, &a) in order.iter().enumerate() {
        for &b in &order[k + 1..] {
            let gap = x[b as usize] - x[a as usize];
            if gap.x > near {
                break;
            }
            if gap.norm() <= near {
                vertices.extend([a, b]);
            }
        }
    }
    Ok(sorted_set(vertices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::solid::MeshSolid;
    use crate::procedural::{ProceduralSpec, body};
    use crate::test_bodies::joined;
    use crate::tetrahedralise::mesher::TetTarget;
    use crate::tetrahedralise::stuffing::fitting::angle_ranges::{FIT_RANGE, MATCHED_RANGE};
    use crate::tetrahedralise::stuffing::stuff::stuff_matched;
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};
    use pliant_core::mesh::quality::tet_quality;

    /// Two cubes with a gap between them that is a 250th of their edges.
    fn with_gap() -> SurfaceMesh {
        let cube = box_surface(Vec3::repeat(1.0), [1; 3], CellStyle::Kuhn);
        joined(&cube, &cube, Vec3::new(1.004, 0.0, 0.0))
    }

    /// A fitted mesh with about as many nodes, whose boundary does not cross itself.
    fn stuffed(surface: &SurfaceMesh, nodes: usize) -> TetMesh {
        let solid = MeshSolid::new(surface).expect("closed");
        let target = TetTarget::Nodes(nodes);
        let made = stuff_matched(&solid, surface, target, 0.0, &Progress::new());
        let mesh = made.expect("a mesh").mesh;
        let boundary = mesh.boundary().surface;
        let vertices = self_intersecting_vertices(&boundary, &Progress::new());
        assert_eq!(vertices, Ok(Vec::new()), "{nodes}");
        mesh
    }

    #[test]
    fn the_sides_of_a_narrow_gap_do_not_cross() {
        let surface = with_gap();
        let mut boundary_sizes = Vec::new();
        for nodes in [300, 1500] {
            let mesh = stuffed(&surface, nodes);
            assert!(tet_quality(&mesh).min_dihedral > MATCHED_RANGE.0);
            assert!((mesh.volume() / surface.volume() - 1.0).abs() < 0.06);
            boundary_sizes.push(mesh.boundary().surface.area());
        }
        // the lattice sees the gap: there are faces on its sides
        assert!(
            boundary_sizes.iter().any(|area| *area > 10.5),
            "{boundary_sizes:?}"
        );
    }

    #[test]
    fn no_level_of_a_body_with_wings_meets_itself() {
        for name in ["penguin", "dragon"] {
            let surface = body(&ProceduralSpec::new(name), &Progress::new()).expect("a body");
            for nodes in [70, 110, 170, 260, 400, 620, 950] {
                stuffed(&surface, nodes);
            }
        }
    }

    #[test]
    fn nodes_that_were_pushed_through_each_other_go_back() {
        let surface = with_gap();
        let solid = MeshSolid::new(&surface).expect("closed");
        let start = stuffed(&surface, 1500);
        let mut fitting = Fitting::new(start.clone(), &solid, FIT_RANGE);
        for x in &mut fitting.x {
            // all nodes at the gap, from both sides
            if (x.x - 0.502).abs() < 0.2 && x.y.abs() < 0.3 && x.z.abs() < 0.3 {
                x.x = 2.0 * 0.502 - x.x;
            }
        }
        let is_undone = fitting.undo_self_intersections(&start, &Progress::new());
        assert_eq!(is_undone, Ok(true));
        let (mesh, _) = fitting.into_mesh();
        assert_eq!(mesh.tets.len(), start.tets.len());
        assert!(tet_quality(&mesh).min_volume > 0.0);
    }
}
