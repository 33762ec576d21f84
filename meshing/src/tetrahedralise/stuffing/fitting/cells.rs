//! Tetrahedra that can be removed from the boundary and added to it.

use pliant_core::mesh::Csr;
use pliant_core::mesh::adjacency::{node_tets, sorted_set};
use pliant_core::mesh::tet::FACES;

use crate::tetrahedralise::fits_together::sorted_faces;

const NONE: u32 = u32::MAX;

/// Tetrahedra with their neighbours across faces. Removed ones keep their number.
#[derive(Debug, Clone)]
pub struct Cells {
    tets: Vec<[u32; 4]>,
    is_alive: Vec<bool>,
    /// the tetrahedron across the face opposite each corner; a removed one or [`NONE`] on the boundary
    across: Vec<[u32; 4]>,
    /// the initial tetrahedra around each node
    initial: Csr,
    /// the tetrahedra added around each node, ascending; nodes at the end may have no entry
    added: Vec<Vec<u32>>,
}

impl Cells {
    /// The tetrahedra of a mesh with `nodes` nodes.
    pub fn new(nodes: usize, tets: Vec<[u32; 4]>) -> Self {
        let mut across = vec![[NONE; 4]; tets.len()];
        for pair in sorted_faces(&tets).windows(2) {
            if pair[0].corners != pair[1].corners {
                continue;
            }
            for (face, other) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
                let tet = tets[face.tet as usize];
                let apex = tet.iter().position(|v| !face.corners.contains(v));
                across[face.tet as usize][apex.unwrap_or(0)] = other.tet;
            }
        }
        Self {
            initial: node_tets(nodes, &tets),
            is_alive: vec![true; tets.len()],
            added: Vec::new(),
            across,
            tets,
        }
    }

    /// Nodes of a tetrahedron.
    pub fn tet(&self, t: u32) -> [u32; 4] {
        self.tets[t as usize]
    }

    /// Numbers of all tetrahedra that are not removed.
    pub fn alive(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.tets.len() as u32).filter(|&t| self.is_alive[t as usize])
    }

    /// Removes a tetrahedron or restores it.
    pub fn set_alive(&mut self, t: u32, alive: bool) {
        self.is_alive[t as usize] = alive;
    }

    /// The tetrahedra around a node.
    pub fn around(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.ever_around(node)
            .filter(|&t| self.is_alive[t as usize])
    }

    /// The tetrahedra around a node, with removed ones.
    pub fn ever_around(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let added = self.added.get(node as usize).into_iter().flatten();
        let is_initial = (node as usize) < self.initial.len();
        let initial = if is_initial {
            self.initial.row(node as usize)
        } else {
            &[]
        };
        initial.iter().chain(added).copied()
    }

    /// Nodes that share a tetrahedron with `node`, ascending.
    pub fn neighbours(&self, node: u32) -> Vec<u32> {
        let all = self.around(node).flat_map(|t| self.tet(t));
        sorted_set(all.filter(|&n| n != node))
    }

    fn is_boundary(&self, t: u32, face: usize) -> bool {
        let other = self.across[t as usize][face];
        other == NONE || !self.is_alive[other as usize]
    }

    /// Faces on the boundary, seen from outside, in ascending order of tetrahedra.
    pub fn boundary_faces(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.alive().flat_map(move |t| {
            let tet = self.tet(t);
            (0..4)
                .filter(move |&i| self.is_boundary(t, i))
                .map(move |i| FACES[i].map(|k| tet[k]))
        })
    }

    /// Boundary faces that have `node` as a corner, seen from outside.
    pub fn boundary_faces_around(&self, node: u32) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.around(node).flat_map(move |t| {
            let tet = self.tet(t);
            (0..4)
                .filter(move |&i| tet[i] != node && self.is_boundary(t, i))
                .map(move |i| FACES[i].map(|k| tet[k]))
        })
    }

    /// The third corner of the boundary face that passes from `a` to `b`, seen from outside.
    pub fn boundary_apex(&self, a: u32, b: u32) -> Option<u32> {
        self.boundary_faces_around(a).find_map(|[p, q, r]| {
            [(p, q, r), (q, r, p), (r, p, q)]
                .iter()
                .find(|side| (side.0, side.1) == (a, b))
                .map(|side| side.2)
        })
    }

    /// Edges of the boundary as `[a, b, c, d]`: edge a-b with faces (a, b, c) and (b, a, d) seen from outside.
    pub fn boundary_edges(&self) -> Vec<[u32; 4]> {
        let mut sides: Vec<(u32, u32, bool, u32)> = self
            .boundary_faces()
            .flat_map(|[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)])
            .map(|(a, b, c)| (a.min(b), a.max(b), a > b, c))
            .collect();
        sides.sort_unstable();
        sides
            .chunk_by(|p, q| (p.0, p.1) == (q.0, q.1))
            .filter_map(|pair| match pair {
                [(a, b, false, c), (_, _, true, d)] => Some([*a, *b, *c, *d]),
                _ => None,
            })
            .collect()
    }

    /// The only tetrahedron at an edge, if there is just one.
    pub fn cell_at_edge(&self, a: u32, b: u32) -> Option<u32> {
        let mut at = self.around(a).filter(|&t| self.tet(t).contains(&b));
        let one = at.next();
        if at.next().is_none() { one } else { None }
    }

    /// Whether a tetrahedron can be removed such that the boundary stays a manifold: it has two faces there, and their common
    /// edge is replaced by the opposite one, which is inside. Returns `[a, b, c, d]`, where a-b is the edge that is replaced.
    pub fn peelable(&self, t: u32) -> Option<[u32; 4]> {
        let tet = self.tet(t);
        let on: Vec<usize> = (0..4).filter(|&i| self.is_boundary(t, i)).collect();
        let &[c, d] = on.as_slice() else { return None };
        let [a, b] = [0, 1, 2, 3]
            .iter()
            .filter(|i| !on.contains(i))
            .map(|&i| tet[i])
            .collect::<Vec<_>>()
            .try_into()
            .ok()?;
        let (c, d) = (tet[c], tet[d]);
        (!self.is_boundary_edge(c, d)).then_some([a, b, c, d])
    }

    fn is_boundary_edge(&self, a: u32, b: u32) -> bool {
        self.around(a).any(|t| {
            let tet = self.tet(t);
            tet.contains(&b) && (0..4).any(|i| tet[i] != a && tet[i] != b && self.is_boundary(t, i))
        })
    }

    /// Adds a tetrahedron on the boundary faces (a, b, c) and (b, a, d), unless c and d share an edge already. Returns its
    /// number.
    pub fn add_over_edge(&mut self, [a, b, c, d]: [u32; 4]) -> Option<u32> {
        if self.around(c).any(|t| self.tet(t).contains(&d)) {
            return None;
        }
        let (under_c, under_d) = (self.below([a, b, c])?, self.below([b, a, d])?);
        Some(self.insert([a, b, c, d], [None, None, Some(under_d), Some(under_c)]))
    }

    /// Adds a tetrahedron between a boundary face and the new node `apex` above it. Returns its number.
    pub fn add_on_face(&mut self, [a, b, c]: [u32; 3], apex: u32) -> Option<u32> {
        let under = self.below([a, b, c])?;
        Some(self.insert([a, b, c, apex], [None, None, None, Some(under)]))
    }

    /// The tetrahedron below a boundary face and the number of the face in it.
    fn below(&self, corners: [u32; 3]) -> Option<(u32, usize)> {
        self.around(corners[0]).find_map(|t| {
            let tet = self.tet(t);
            let face = (0..4).find(|&i| !corners.contains(&tet[i]))?;
            let is_it = corners.iter().all(|v| tet.contains(v)) && self.is_boundary(t, face);
            is_it.then_some((t, face))
        })
    }

    /// Adds a tetrahedron; `under` are its neighbours opposite each corner and their faces.
    fn insert(&mut self, tet: [u32; 4], under: [Option<(u32, usize)>; 4]) -> u32 {
        let new = self.tets.len() as u32;
        self.tets.push(tet);
        self.is_alive.push(true);
        self.across.push(under.map(|u| u.map_or(NONE, |(t, _)| t)));
        for (t, face) in under.into_iter().flatten() {
            self.across[t as usize][face] = new;
        }
        for node in tet {
            let node = node as usize;
            if node >= self.added.len() {
                self.added.resize(node + 1, Vec::new());
            }
            self.added[node].push(new);
        }
        new
    }
}
