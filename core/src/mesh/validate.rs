//! Whether a surface is closed, manifold and consistently oriented, and where it is not.

use crate::mesh::SurfaceMesh;
use crate::mesh::adjacency::triangle_edges;

/// The topology of a surface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topology {
    /// Edges with one triangle, as vertex pairs.
    pub boundary_edges: Vec<[u32; 2]>,
    /// Edges with three and more triangles.
    pub non_manifold_edges: Vec<[u32; 2]>,
    /// Edges that two triangles traverse in the same direction.
    pub misoriented_edges: Vec<[u32; 2]>,
    /// Vertices whose triangles form more than one fan (pinches).
    pub non_manifold_vertices: Vec<u32>,
    /// Number of edge-connected components.
    pub components: usize,
    /// Number of closed loops that the boundary edges form.
    pub boundary_loops: usize,
    /// Euler characteristic V - E + F over vertices in use.
    pub euler: i64,
}

impl Topology {
    /// Every edge has two triangles or more.
    pub fn is_closed(&self) -> bool {
        self.boundary_edges.is_empty()
    }

    /// No edge with more than two triangles, no vertex with more than one fan.
    pub fn is_manifold(&self) -> bool {
        self.non_manifold_edges.is_empty() && self.non_manifold_vertices.is_empty()
    }

    /// Neighbouring triangles have consistent orientations.
    pub fn is_oriented(&self) -> bool {
        self.misoriented_edges.is_empty()
    }

    /// Closed, manifold and oriented, as the surface of a solid is.
    pub fn is_sound(&self) -> bool {
        self.is_closed() && self.is_manifold() && self.is_oriented()
    }

    /// Total genus over all components; `None` where it is not defined (open or not manifold).
    pub fn genus(&self) -> Option<i64> {
        (self.is_closed() && self.is_manifold()).then(|| self.components as i64 - self.euler / 2)
    }
}

/// The topology of a surface. Cost O(n log n). The only assumption is that vertex numbers are in range.
pub fn topology(surface: &SurfaceMesh) -> Topology {
    let triangles = &surface.triangles;
    // (low, high, triangle, runs from low to high)
    let mut edges: Vec<(u32, u32, u32, bool)> = triangles
        .iter()
        .enumerate()
        .flat_map(|(k, t)| triangle_edges(t).map(|[a, b]| (a.min(b), a.max(b), k as u32, a < b)))
        .collect();
    edges.sort_unstable();
    let mut result = Topology::default();
    let mut faces = UnionFind::new(triangles.len());
    // fans: corners of triangles around one vertex, joined across edges; a corner has the number 3 * triangle + slot
    let mut corners = UnionFind::new(triangles.len() * 3);
    let corner_of = |t: u32, v: u32| {
        triangles[t as usize]
            .iter()
            .position(|&w| w == v)
            .unwrap_or(0) as u32
            + 3 * t
    };
    let mut edge_count = 0_i64;
    for group in edges.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let (a, b, ..) = group[0];
        edge_count += 1;
        match group.len() {
            1 => result.boundary_edges.push([a, b]),
            2 if group[0].3 == group[1].3 => result.misoriented_edges.push([a, b]),
            2 => {}
            _ => result.non_manifold_edges.push([a, b]),
        }
        for pair in group.windows(2) {
            faces.join(pair[0].2, pair[1].2);
            corners.join(corner_of(pair[0].2, a), corner_of(pair[1].2, a));
            corners.join(corner_of(pair[0].2, b), corner_of(pair[1].2, b));
        }
    }
    result.components = faces.numbered().1;
    let mut fan_of_vertex = vec![u32::MAX; surface.vertex_count()];
    let mut pinched = Vec::new();
    let mut used = 0_i64;
    for (t, triangle) in triangles.iter().enumerate() {
        for (s, &v) in triangle.iter().enumerate() {
            let fan = corners.find((3 * t + s) as u32);
            let first_fan = &mut fan_of_vertex[v as usize];
            if *first_fan == u32::MAX {
                *first_fan = fan;
                used += 1;
            } else if *first_fan != fan {
                pinched.push(v);
            }
        }
    }
    pinched.sort_unstable();
    pinched.dedup();
    result.non_manifold_vertices = pinched;
    result.euler = used - edge_count + triangles.len() as i64;
    let mut loops = UnionFind::new(surface.vertex_count());
    for [a, b] in &result.boundary_edges {
        loops.join(*a, *b);
    }
    let mut roots: Vec<u32> = result
        .boundary_edges
        .iter()
        .map(|e| loops.find(e[0]))
        .collect();
    roots.sort_unstable();
    roots.dedup();
    result.boundary_loops = roots.len();
    result
}

/// Disjoint sets with path halving.
#[derive(Debug, Clone, Default)]
pub struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// `count` sets of one.
    pub fn new(count: usize) -> Self {
        Self {
            parent: (0..count as u32).collect(),
        }
    }

    /// Resets to `count` sets of one; reuses memory.
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    /// The representative of the set of `item`.
    pub fn find(&mut self, item: u32) -> u32 {
        let mut node = item;
        while self.parent[node as usize] != node {
            self.parent[node as usize] = self.parent[self.parent[node as usize] as usize];
            node = self.parent[node as usize];
        }
        node
    }

    /// Merges the sets of `a` and `b`; the smaller representative stays.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// The number of the set of each item, in the order of their first items, and how many sets there are.
    pub fn numbered(mut self) -> (Vec<u32>, usize) {
        let items = self.parent.len();
        let (mut numbers, mut sets) = (Vec::<u32>::with_capacity(items), 0);
        for item in 0..items as u32 {
            // the representative is the first item of its set
            let first = self.find(item);
            if first == item {
                numbers.push(sets);
                sets += 1;
            } else {
                numbers.push(numbers[first as usize]);
            }
        }
        (numbers, sets as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    fn tetrahedron() -> SurfaceMesh {
        SurfaceMesh::new(
            vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            vec![[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]],
        )
    }

    #[test]
    fn sets_are_numbered_in_the_order_of_their_first_items() {
        let mut sets = UnionFind::new(6);
        for [a, b] in [[5, 2], [4, 1], [2, 4]] {
            sets.join(a, b);
        }
        assert_eq!(sets.numbered(), (vec![0, 1, 1, 2, 1, 1], 3));
    }

    #[test]
    fn a_tetrahedron_is_a_sphere() {
        let t = topology(&tetrahedron());
        assert!(t.is_sound());
        assert_eq!((t.components, t.euler, t.genus()), (1, 2, Some(0)));
    }

    #[test]
    fn a_missing_face_a_flipped_face_and_a_pinch_are_found() {
        let mut open = tetrahedron();
        open.triangles.pop();
        assert_eq!(topology(&open).boundary_edges.len(), 3);
        assert_eq!(topology(&open).boundary_loops, 1);
        let mut flipped = tetrahedron();
        flipped.triangles[0].swap(0, 1);
        assert_eq!(topology(&flipped).misoriented_edges.len(), 3);
        // a second tetrahedron that shares only vertex 0
        let mut pinched = tetrahedron();
        pinched
            .positions
            .extend([-Vec3::x(), -Vec3::y(), -Vec3::z()]);
        pinched
            .triangles
            .extend([[4, 6, 5], [0, 5, 6], [0, 6, 4], [0, 4, 5]]);
        let t = topology(&pinched);
        assert_eq!(t.non_manifold_vertices, vec![0]);
        assert!(t.is_closed() && !t.is_manifold());
    }
}
