//! A triangle surface whose edges are split, collapsed and flipped; the faces around each vertex are kept up to date.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::{triangle_edges, vertex_triangles};

/// A surface that is being edited. Vertices and faces that are removed keep their numbers.
pub(crate) struct EditableSurface {
    /// Vertex positions; those of removed vertices are undefined.
    pub(crate) positions: Vec<Vec3>,
    /// Corners of the faces; those of removed faces are undefined.
    pub(crate) faces: Vec<[u32; 3]>,
    /// Whether each face is still there.
    alive: Vec<bool>,
    /// Number of faces that are still there.
    pub(crate) live: usize,
    /// Live faces around each vertex, in no order; none around removed vertices.
    pub(crate) around: Vec<Vec<u32>>,
}

/// The faces at the edge a-b: (a, b, c) and (b, a, d) by number.
pub(crate) struct Hinge {
    pub(crate) left: u32,
    pub(crate) right: u32,
    pub(crate) c: u32,
    pub(crate) d: u32,
}

impl EditableSurface {
    pub(crate) fn new(surface: SurfaceMesh) -> Self {
        let count = surface.vertex_count();
        let rows = vertex_triangles(count, &surface.triangles);
        Self {
            around: (0..count).map(|v| rows.row(v).to_vec()).collect(),
            alive: vec![true; surface.triangles.len()],
            live: surface.triangles.len(),
            positions: surface.positions,
            faces: surface.triangles,
        }
    }

    /// The surface without what was removed, and the new number of each vertex, [`u32::MAX`] for removed ones. Vertices and faces keep their order.
    pub(crate) fn compacted(&self) -> (SurfaceMesh, Vec<u32>) {
        let mut number = vec![u32::MAX; self.positions.len()];
        let mut positions = Vec::new();
        for (v, position) in self.positions.iter().enumerate() {
            if self.is_used(v as u32) {
                number[v] = positions.len() as u32;
                positions.push(*position);
            }
        }
        let triangles = (self.live_faces())
            .map(|f| self.faces[f as usize].map(|v| number[v as usize]))
            .collect();
        (SurfaceMesh::new(positions, triangles), number)
    }

    /// Whether a vertex still has faces.
    pub(crate) fn is_used(&self, v: u32) -> bool {
        self.valence(v) > 0
    }

    /// Number of faces around a vertex.
    pub(crate) fn valence(&self, v: u32) -> usize {
        self.around[v as usize].len()
    }

    /// Numbers of the faces that are still there, ascending.
    pub(crate) fn live_faces(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.faces.len() as u32).filter(move |&f| self.alive[f as usize])
    }

    /// The edges of the live faces, each in the direction of its face.
    pub(crate) fn directed_edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        self.live_faces()
            .flat_map(move |f| triangle_edges(&self.faces[f as usize]))
    }

    /// The corners of a face that follow `v` in its orientation.
    pub(crate) fn following(&self, face: u32, v: u32) -> [u32; 2] {
        let [a, b, c] = self.faces[face as usize];
        if a == v {
            [b, c]
        } else if b == v {
            [c, a]
        } else {
            [a, b]
        }
    }

    /// Neighbours of a vertex inside a manifold, each once.
    pub(crate) fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        (self.around[v as usize].iter()).map(move |&f| self.following(f, v)[0])
    }

    /// Whether an edge joins two vertices inside a manifold.
    pub(crate) fn are_adjacent(&self, v: u32, w: u32) -> bool {
        self.neighbours(v).any(|x| x == w)
    }

    /// Corners of a face.
    pub(crate) fn corners(&self, face: u32) -> [Vec3; 3] {
        self.faces[face as usize].map(|v| self.positions[v as usize])
    }

    /// Corners of a face when `moved` vertices were at `place`.
    pub(crate) fn corners_after(&self, face: u32, moved: &[u32], place: &Vec3) -> [Vec3; 3] {
        self.faces[face as usize].map(|v| {
            if moved.contains(&v) {
                *place
            } else {
                self.positions[v as usize]
            }
        })
    }

    /// The edge a-b; `None` where it does not have a face on each side.
    pub(crate) fn hinge(&self, a: u32, b: u32) -> Option<Hinge> {
        let (mut left, mut right) = (None, None);
        for &f in &self.around[a as usize] {
            let [next, last] = self.following(f, a);
            if next == b {
                left = Some((f, last));
            } else if last == b {
                right = Some((f, next));
            }
        }
        let ((left, c), (right, d)) = (left?, right?);
        Some(Hinge { left, right, c, d })
    }

    /// Splits an edge at its middle; the new vertex is the last one.
    pub(crate) fn split(&mut self, a: u32, b: u32, h: &Hinge) {
        let m = self.positions.len() as u32;
        self.positions
            .push((self.positions[a as usize] + self.positions[b as usize]) * 0.5);
        let (new_left, new_right) = (self.faces.len() as u32, self.faces.len() as u32 + 1);
        self.faces[h.left as usize] = [a, m, h.c];
        self.faces[h.right as usize] = [m, a, h.d];
        self.faces.extend([[m, b, h.c], [b, m, h.d]]);
        self.alive.extend([true; 2]);
        self.live += 2;
        self.remove_face(b, h.left);
        self.remove_face(b, h.right);
        self.around[b as usize].extend([new_left, new_right]);
        self.around[h.c as usize].push(new_left);
        self.around[h.d as usize].push(new_right);
        self.around.push(vec![h.left, h.right, new_left, new_right]);
    }

    /// Whether flipping an edge makes no edge twice and leaves its ends four faces or more.
    pub(crate) fn may_flip(&self, a: u32, b: u32, h: &Hinge) -> bool {
        self.valence(a) > 4 && self.valence(b) > 4 && !self.are_adjacent(h.c, h.d)
    }

    /// Whether flipping an edge brings valences closer to six.
    pub(crate) fn flip_evens_valences(&self, a: u32, b: u32, h: &Hinge) -> bool {
        let deviation = |v: u32, change: i64| (self.valence(v) as i64 + change - 6).pow(2);
        let before = deviation(a, 0) + deviation(b, 0) + deviation(h.c, 0) + deviation(h.d, 0);
        let after = deviation(a, -1) + deviation(b, -1) + deviation(h.c, 1) + deviation(h.d, 1);
        after < before
    }

    /// Replaces the edge a-b by c-d.
    pub(crate) fn flip(&mut self, a: u32, b: u32, h: &Hinge) {
        self.faces[h.left as usize] = [h.c, h.d, b];
        self.faces[h.right as usize] = [h.d, h.c, a];
        self.remove_face(a, h.left);
        self.remove_face(b, h.right);
        self.around[h.d as usize].push(h.left);
        self.around[h.c as usize].push(h.right);
    }

    /// Whether merging `b` into its neighbour `a` keeps the surface a closed manifold of the same genus.
    ///
    /// The link condition (Dey, Edelsbrunner, Guha and Nekhayev 1999): the common neighbours are exactly the two opposite corners of the edge's
    /// faces. These must keep three neighbours, which also rules out the tetrahedron.
    pub(crate) fn keeps_topology(&self, a: u32, b: u32) -> bool {
        let mut opposite = (self.around[b as usize].iter())
            .map(|&f| self.faces[f as usize])
            .filter(|face| face.contains(&a))
            .flatten()
            .filter(|&v| v != a && v != b);
        let common = self.neighbours(b).filter(|&v| self.are_adjacent(a, v));
        opposite.all(|v| self.valence(v) > 3) && common.count() == 2
    }

    /// The faces that remain when `b` is merged into `a`: those at `a` or `b` that do not have both.
    pub(crate) fn remaining(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        let without = move |at: u32, other: u32| {
            (self.around[at as usize].iter().copied())
                .filter(move |&f| !self.faces[f as usize].contains(&other))
        };
        without(a, b).chain(without(b, a))
    }

    /// Merges `b` into `a` at `place`.
    pub(crate) fn collapse(&mut self, a: u32, b: u32, place: Vec3) {
        for f in std::mem::take(&mut self.around[b as usize]) {
            if self.faces[f as usize].contains(&a) {
                self.alive[f as usize] = false;
                self.live -= 1;
                for v in self.faces[f as usize] {
                    self.remove_face(v, f);
                }
            } else {
                for v in &mut self.faces[f as usize] {
                    if *v == b {
                        *v = a;
                    }
                }
                self.around[a as usize].push(f);
            }
        }
        self.positions[a as usize] = place;
    }

    fn remove_face(&mut self, vertex: u32, face: u32) {
        self.around[vertex as usize].retain(|&f| f != face);
    }
}

/// Normal (twice the area vector) and quality `2√3 |n| / (l₀² + l₁² + l₂²)`: 1 for an equilateral triangle, 0 for one without area, NaN for one without edges.
pub(crate) fn normal_and_quality([a, b, c]: [Vec3; 3]) -> (Vec3, f64) {
    let normal = (b - a).cross(&(c - a));
    let lengths = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
    (normal, 2.0 * 3.0_f64.sqrt() * normal.norm() / lengths)
}
