//! Triangles around vertices, kept up to date while edges collapse.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::adjacency::vertex_triangles;
use pliant_core::mesh::validate::topology;

/// A vertex may not get more neighbours than this.
const MAX_VALENCE: usize = 24;

/// A surface whose edges can be collapsed.
pub(crate) struct Connectivity {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) face_alive: Vec<bool>,
    pub(crate) live_faces: usize,
    /// live faces around each vertex
    pub(crate) around: Vec<Vec<u32>>,
    /// vertices on open, branching or misoriented edges and at pinches, which stay as they are
    pub(crate) locked: Vec<bool>,
    /// vertex that a vertex was merged into, itself while it lives
    merged_into: Vec<u32>,
    /// scratch of the link test: last round in which a vertex was seen
    seen: Vec<u32>,
    round: u32,
}

impl Connectivity {
    pub(crate) fn new(surface: &SurfaceMesh) -> Self {
        let count = surface.vertex_count();
        let found = topology(surface);
        let mut locked = vec![false; count];
        for edge in found
            .boundary_edges
            .iter()
            .chain(&found.non_manifold_edges)
            .chain(&found.misoriented_edges)
        {
            for &v in edge {
                locked[v as usize] = true;
            }
        }
        for &v in &found.non_manifold_vertices {
            locked[v as usize] = true;
        }
        let rows = vertex_triangles(count, &surface.triangles);
        for t in &surface.triangles {
            if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
                for &v in t {
                    locked[v as usize] = true;
                }
            }
        }
        Self {
            positions: surface.positions.clone(),
            faces: surface.triangles.clone(),
            face_alive: vec![true; surface.triangles.len()],
            live_faces: surface.triangles.len(),
            around: (0..count).map(|v| rows.row(v).to_vec()).collect(),
            locked,
            merged_into: (0..count as u32).collect(),
            seen: vec![0; count],
            round: 0,
        }
    }

    /// Whether a vertex still has triangles.
    pub(crate) fn is_alive(&self, v: u32) -> bool {
        !self.around[v as usize].is_empty()
    }

    /// The corners of a face that follow `v` in its orientation.
    fn following(&self, face: u32, v: u32) -> [u32; 2] {
        following(self.faces[face as usize], v)
    }

    /// Neighbours of a vertex that is not locked, each once.
    pub(crate) fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.around[v as usize]
            .iter()
            .map(move |&f| self.following(f, v)[0])
    }

    /// Whether merging `b` into `a` keeps the surface a closed manifold of the same genus.
    ///
    /// The link condition (Dey, Edelsbrunner, Guha and Nekhayev 1999): the common neighbours are exactly the two opposite corners of the edge's
    /// triangles. These must keep three neighbours, which also rules out the tetrahedron.
    pub(crate) fn may_collapse(&mut self, a: u32, b: u32) -> bool {
        if self.locked[a as usize] || self.locked[b as usize] {
            return false;
        }
        let valence = |v: u32| self.around[v as usize].len();
        if valence(a) + valence(b) > MAX_VALENCE + 4 {
            return false;
        }
        self.round += 1;
        let round = self.round;
        for k in 0..self.around[a as usize].len() {
            let v = self.following(self.around[a as usize][k], a)[0];
            self.seen[v as usize] = round;
        }
        let mut common = 0;
        for k in 0..self.around[b as usize].len() {
            let [next, last] = self.following(self.around[b as usize][k], b);
            if self.seen[next as usize] == round {
                common += 1;
            }
            // the opposite corners of the edge's two triangles
            let opposite = if next == a {
                Some(last)
            } else if last == a {
                Some(next)
            } else {
                None
            };
            if opposite.is_some_and(|c| self.around[c as usize].len() <= 3) {
                return false;
            }
        }
        common == 2
    }

    /// The faces that remain when `b` is merged into `a`: those at `a` or `b` that do not have both.
    pub(crate) fn remaining(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        let has = move |f: u32, v: u32| self.faces[f as usize].contains(&v);
        self.around[a as usize]
            .iter()
            .copied()
            .filter(move |&f| !has(f, b))
            .chain(
                self.around[b as usize]
                    .iter()
                    .copied()
                    .filter(move |&f| !has(f, a)),
            )
    }

    /// Corners of a face.
    pub(crate) fn corners(&self, face: u32) -> [Vec3; 3] {
        self.faces[face as usize].map(|v| self.positions[v as usize])
    }

    /// Corners of a face when `a` and `b` were both at `place`.
    pub(crate) fn corners_after(&self, face: u32, a: u32, b: u32, place: &Vec3) -> [Vec3; 3] {
        self.faces[face as usize].map(|v| {
            if v == a || v == b {
                *place
            } else {
                self.positions[v as usize]
            }
        })
    }

    /// The plane `g · x = k` of places for `a` and `b` that leave the enclosed volume as it is (Lindstrom and Turk 1998, section 4.1).
    pub(crate) fn volume_plane(&self, a: u32, b: u32) -> (Vec3, f64) {
        let origin = (self.positions[a as usize] + self.positions[b as usize]) * 0.5;
        let mut normal = Vec3::zeros();
        let mut volume = 0.0;
        for v in [a, b] {
            for &face in &self.around[v as usize] {
                let other = if v == a { b } else { a };
                let ends = self.following(face, v);
                let [p, q] = ends.map(|w| self.positions[w as usize] - origin);
                let area = p.cross(&q);
                if ends.contains(&other) {
                    // a triangle of the edge itself, met from both ends
                    volume += 0.5 * area.dot(&(self.positions[v as usize] - origin));
                } else {
                    volume += area.dot(&(self.positions[v as usize] - origin));
                    normal += area;
                }
            }
        }
        (normal, volume + normal.dot(&origin))
    }

    /// Merges `b` into `a` at `place`.
    pub(crate) fn collapse(&mut self, a: u32, b: u32, place: Vec3) {
        let of_b = std::mem::take(&mut self.around[b as usize]);
        for f in of_b {
            if self.faces[f as usize].contains(&a) {
                self.face_alive[f as usize] = false;
                self.live_faces -= 1;
                for v in self.faces[f as usize] {
                    self.around[v as usize].retain(|&g| g != f);
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
        self.merged_into[b as usize] = a;
    }

    /// The vertex that now stands for the original vertex `v`.
    pub(crate) fn representative(&self, v: u32) -> u32 {
        let mut at = v;
        while self.merged_into[at as usize] != at {
            at = self.merged_into[at as usize];
        }
        at
    }
}

/// The corners of a triangle that follow `v` in its orientation.
pub(crate) fn following([a, b, c]: [u32; 3], v: u32) -> [u32; 2] {
    if a == v {
        [b, c]
    } else if b == v {
        [c, a]
    } else {
        [a, b]
    }
}
