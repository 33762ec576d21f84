//! On which side of a cut a point lies, and whether two sides are connected there.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::tet::FACES;

use super::copies::Copies;
use super::cut_edges::CutEdges;
use super::geometry::{NONE, WholeGeometry};

/// The plane of a cut through a tetrahedron, at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CutPlane {
    point: Vec3,
    /// unit, to the side of corner 0
    normal: Vec3,
}

impl CutPlane {
    /// Through the cut points of a tetrahedron with corners in these groups: through three of them, or fitted to four. `None` for a tetrahedron that is not in two parts.
    pub fn through(mesh: &TetMesh, edges: &CutEdges, tet: usize, groups: &[u8; 4]) -> Option<Self> {
        let second = *groups.iter().find(|g| **g != 0)?;
        if groups.iter().any(|g| *g != 0 && *g != second) {
            return None;
        }
        // corners of the first group, then the others, both ascending
        let mut corners = [0, 1, 2, 3];
        corners.sort_by_key(|&i| groups[i] != 0);
        let own = groups.iter().filter(|g| **g == 0).count();
        let [a, b, c, d] = corners;
        let point = |i: usize, j: usize| cut_point(mesh, edges, tet, [i, j]);
        let through_three = |[p, q, r]: [Vec3; 3]| ((p + q + r) / 3.0, (q - p).cross(&(r - p)));
        let (point, normal) = match own {
            1 => through_three([b, c, d].map(|j| point(a, j))),
            3 => through_three([a, b, c].map(|j| point(d, j))),
            _ => {
                let [ac, ad, bc, bd] = [[a, c], [a, d], [b, c], [b, d]].map(|[i, j]| point(i, j));
                ((ac + ad + bc + bd) / 4.0, (ac - bd).cross(&(ad - bc)))
            }
        };
        let normal = normal.try_normalize(0.0)?;
        let places = mesh.corners(tet);
        let height = |i: &usize| normal.dot(&(places[*i] - point));
        let mean = |of: &[usize]| of.iter().map(height).sum::<f64>() / of.len() as f64;
        let (own, others) = corners.split_at(own);
        let normal = if mean(own) < mean(others) {
            -normal
        } else {
            normal
        };
        Some(Self { point, normal })
    }

    /// Unit, to the side of corner 0.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Distance on the side of corner 0, m.
    pub fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }

    /// The nearest point in the plane.
    pub fn nearest(&self, x: &Vec3) -> Vec3 {
        x - self.normal * self.height(x)
    }
}

/// Where the edge between two corners of a tetrahedron was cut, at rest, m.
pub(super) fn cut_point(mesh: &TetMesh, edges: &CutEdges, tet: usize, [i, j]: [usize; 2]) -> Vec3 {
    let nodes = &mesh.tets[tet];
    let share = edges.share(tet, nodes, i, j);
    let [from, to] = [i, j].map(|k| mesh.nodes[nodes[k] as usize]);
    from + (to - from) * share
}

/// A level with its cuts.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub mesh: &'a TetMesh,
    pub geometry: &'a WholeGeometry,
    pub edges: &'a CutEdges,
    pub copies: &'a Copies,
}

impl Sides<'_> {
    /// Where the edge between corners `i` and `j` of a tetrahedron was cut, at rest, m.
    pub fn cut_point(&self, tet: usize, i: usize, j: usize) -> Vec3 {
        cut_point(self.mesh, self.edges, tet, [i, j])
    }

    /// A unit vector from the middle of a tetrahedron to the side of a copy; zero for one that is not split.
    pub fn direction(&self, copy: u32) -> Vec3 {
        let copy = &self.copies.all[copy as usize];
        let corners = self.mesh.corners(copy.tet as usize);
        let own = || (0..4).filter(|&i| copy.own[i]);
        let mean = own().map(|i| corners[i]).sum::<Vec3>() / own().count().max(1) as f64;
        let middle = corners.iter().sum::<Vec3>() / 4.0;
        let direction = match self.plane(copy.tet as usize) {
            Some(plane) => (mean - middle) - (plane.nearest(&mean) - plane.nearest(&middle)),
            None => mean - middle,
        };
        let length = 1e-9 * (corners[0] - corners[1]).norm();
        direction.try_normalize(length).unwrap_or_default()
    }

    /// The plane through the cut points of a tetrahedron in two parts: through three of them, or fitted to four.
    pub fn plane(&self, tet: usize) -> Option<CutPlane> {
        CutPlane::through(self.mesh, self.edges, tet, self.copies.groups(tet))
    }

    /// The copy of a tetrahedron to which a point in it or near it belongs, by its barycentric weights.
    pub fn copy_at(&self, tet: usize, weights: &[f64; 4]) -> u32 {
        if !self.copies.is_split(tet) {
            return tet as u32;
        }
        let groups = self.copies.groups(tet);
        let mut nearest = 0;
        if let Some(plane) = self.plane(tet) {
            let place = self
                .mesh
                .corners(tet)
                .iter()
                .zip(weights)
                .map(|(x, w)| x * *w)
                .sum();
            if plane.height(&place) <= 0.0 {
                nearest = groups.iter().position(|g| *g != 0).unwrap_or(0);
            }
            return self.copies.copy_of_corner(tet, nearest);
        }
        // three or four parts: corner by corner, which side of the cut of their edge is nearer
        let nodes = &self.mesh.tets[tet];
        for next in 1..4 {
            let wins = if groups[next] == groups[nearest] {
                weights[next] > weights[nearest]
            } else {
                let share = self.edges.share(tet, nodes, nearest, next);
                weights[next] * (1.0 - share) > weights[nearest] * share
            };
            if wins {
                nearest = next;
            }
        }
        self.copies.copy_of_corner(tet, nearest)
    }

    /// Whether two copies have an own corner in common, so that they are connected there.
    pub fn share_own_corner(&self, a: u32, b: u32) -> bool {
        let [first, second] = [a, b].map(|k| &self.copies.all[k as usize]);
        let [nodes, others] = [first, second].map(|copy| &self.mesh.tets[copy.tet as usize]);
        let is_common = |i: usize| (0..4).any(|j| second.own[j] && others[j] == nodes[i]);
        a == b || first.tet != second.tet && (0..4).any(|i| first.own[i] && is_common(i))
    }

    /// Whether two copies are connected near the nodes that their tetrahedra have in common; `None` where they have none.
    pub fn are_connected(&self, a: u32, b: u32) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let [first, second] = [a, b].map(|k| &self.copies.all[k as usize]);
        if first.tet == second.tet {
            return Some(false);
        }
        let (nodes, others) = (
            &self.mesh.tets[first.tet as usize],
            &self.mesh.tets[second.tet as usize],
        );
        let mut common = [NONE; 4];
        for i in 0..4 {
            if let Some(j) = others.iter().position(|n| *n == nodes[i]) {
                if first.own[i] && second.own[j] {
                    return Some(true);
                }
                common[i] = nodes[i];
            }
        }
        if common == [NONE; 4] {
            return None;
        }
        Some(self.is_reachable(a, b, &common))
    }

    /// Whether there is a path from copy `a` to copy `b` across faces of tetrahedra at these nodes.
    fn is_reachable(&self, a: u32, b: u32, nodes: &[u32; 4]) -> bool {
        let mut seen = vec![a];
        let mut next = 0;
        while let Some(&copy) = seen.get(next) {
            next += 1;
            let copy = &self.copies.all[copy as usize];
            let tet = copy.tet as usize;
            for (face, &behind) in FACES.iter().zip(&self.geometry.neighbours[tet]) {
                if behind == NONE {
                    continue;
                }
                let other = &self.mesh.tets[behind as usize];
                if !other.iter().any(|n| nodes.contains(n)) {
                    continue;
                }
                for &i in face.iter().filter(|i| copy.own[**i]) {
                    let node = self.mesh.tets[tet][i];
                    let Some(j) = other.iter().position(|n| *n == node) else {
                        continue;
                    };
                    let other_copy = self.copies.copy_of_corner(behind as usize, j);
                    if other_copy == b {
                        return true;
                    }
                    if !seen.contains(&other_copy) {
                        seen.push(other_copy);
                    }
                }
            }
        }
        false
    }
}
