//! The part of each lattice tetrahedron that lies inside, as tetrahedra.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;
use pliant_core::mesh::adjacency::sorted_set;
use rayon::prelude::*;

use super::cuts::Cuts;
use crate::error::MeshingError;
use crate::tetrahedralise::stuffing::lattice::{Lattice, Signs};

/// Marks the key of a cut point; keys without it are lattice sites.
const CUT_KEY: u32 = 1 << 31;

/// A stuffed lattice: tetrahedra and the lattice site or cut point behind every node.
#[derive(Debug, Clone)]
pub struct Stencilled {
    /// The tetrahedra; may have pinches.
    pub mesh: TetMesh,
    /// Key of each node, ascending.
    keys: Vec<u32>,
}

impl Stencilled {
    /// The lattice site behind a node, if it is one.
    pub fn site_of_node(&self, node: u32) -> Option<u32> {
        let key = self.keys[node as usize];
        (key & CUT_KEY == 0).then_some(key)
    }

    /// Whether a lattice site is a node of the mesh, and which.
    pub fn node_of_site(&self, site: u32) -> Option<u32> {
        self.keys.binary_search(&site).ok().map(|n| n as u32)
    }
}

/// Fills the inside by the stencils of Labelle and Shewchuk 2007, figure 3.
///
/// Quadrilaterals on faces between two lattice tetrahedra are cut by the diagonal at the cut point of the long edge, or by
/// the shorter one where both cut edges are equally long. Both neighbours thus choose the same diagonal.
///
/// # Errors
/// [`MeshingError::InvalidResult`] when a cut point is missing, which would be a fault of this program.
pub fn stencil(
    lattice: &Lattice,
    signs: &Signs,
    cuts: &Cuts,
    moved_to: &[Option<u32>],
) -> Result<Stencilled, MeshingError> {
    let mut state: Vec<i8> = signs
        .inside
        .iter()
        .map(|&i| if i { 1 } else { -1 })
        .collect();
    for (&site, moved) in cuts.sites.iter().zip(moved_to) {
        if moved.is_some() {
            state[site as usize] = 0;
        }
    }
    let touched = lattice.tetrahedra(&|tet| tet.iter().any(|&s| state[s as usize] > 0));
    let cutter = Cutter {
        lattice,
        cuts,
        state: &state,
    };
    let pieces: Vec<Option<Pieces>> = touched.par_iter().map(|t| cutter.pieces(*t)).collect();
    let mut keyed = Vec::with_capacity(touched.len());
    for piece in pieces {
        let piece = piece.ok_or_else(|| MeshingError::InvalidResult {
            reason: "a lattice edge lost its cut point".to_string(),
        })?;
        keyed.extend_from_slice(&piece.tets[..piece.count]);
    }
    let keys = sorted_set(keyed.iter().flatten().copied());
    let nodes: Vec<Vec3> = keys
        .iter()
        .map(|&key| {
            if key & CUT_KEY != 0 {
                return cuts.position(lattice, key & !CUT_KEY);
            }
            let moved = cuts
                .sites
                .binary_search(&key)
                .ok()
                .and_then(|row| moved_to[row]);
            match moved {
                Some(cut) => cuts.border_position(lattice, cut),
                None => lattice.position(key),
            }
        })
        .collect();
    // oriented where the sites were before they were moved
    let unmoved: Vec<Vec3> = keys
        .iter()
        .map(|&key| {
            if key & CUT_KEY == 0 {
                return lattice.position(key);
            }
            let cut = &cuts.edges[(key & !CUT_KEY) as usize];
            (lattice.position(cut.inside) + lattice.position(cut.outside)) * 0.5
        })
        .collect();
    let tets: Vec<[u32; 4]> = keyed
        .par_iter()
        .map(|tet| {
            let mut tet = tet.map(|key| keys.partition_point(|&k| k < key) as u32);
            let [a, b, c, d] = tet.map(|v| unmoved[v as usize]);
            if (b - a).dot(&(c - a).cross(&(d - a))) < 0.0 {
                tet.swap(2, 3);
            }
            tet
        })
        .collect();
    let mesh = TetMesh { nodes, tets };
    Ok(Stencilled { mesh, keys })
}

/// At most three tetrahedra of keys.
#[derive(Debug, Clone, Copy, Default)]
struct Pieces {
    tets: [[u32; 4]; 3],
    count: usize,
}

impl Pieces {
    fn of<const N: usize>(list: [[u32; 4]; N]) -> Self {
        let mut pieces = Self::default();
        pieces.tets[..N].copy_from_slice(&list);
        pieces.count = N;
        pieces
    }
}

struct Cutter<'a> {
    lattice: &'a Lattice,
    cuts: &'a Cuts,
    state: &'a [i8],
}

impl Cutter<'_> {
    /// The inside part of one tetrahedron with at least one inside corner; `None` when a cut point is missing.
    fn pieces(&self, tet: [u32; 4]) -> Option<Pieces> {
        let mut sorted = tet;
        // inside corners first, then those on the border, then those outside
        sorted.sort_by_key(|&s| -self.state[s as usize]);
        let count = |sign: i8| {
            sorted
                .iter()
                .filter(|&&s| self.state[s as usize] == sign)
                .count()
        };
        let [a, b, c, d] = sorted;
        let cut = |p: u32, m: u32| self.cuts.between(p, m).map(|k| k | CUT_KEY);
        Some(match (count(1), count(0)) {
            _ if count(-1) == 0 => Pieces::of([tet]),
            (1, 0) => Pieces::of([[a, cut(a, b)?, cut(a, c)?, cut(a, d)?]]),
            (1, 1) => Pieces::of([[a, b, cut(a, c)?, cut(a, d)?]]),
            (1, _) => Pieces::of([[a, b, c, cut(a, d)?]]),
            (2, 1) => {
                let (ca, cb) = (cut(a, d)?, cut(b, d)?);
                if self.starts_at_second(a, b, d)? {
                    Pieces::of([[c, a, b, ca], [c, b, cb, ca]])
                } else {
                    Pieces::of([[c, a, b, cb], [c, a, cb, ca]])
                }
            }
            (2, _) => {
                let (ac, ad, bc, bd) = (cut(a, c)?, cut(a, d)?, cut(b, c)?, cut(b, d)?);
                let first = self.starts_at_second(a, b, c)?;
                let third = !self.starts_at_second(a, b, d)?;
                let length =
                    |x: u32, y: u32| (self.cut_position(x) - self.cut_position(y)).norm_squared();
                // the quadrilateral on the border is free, but the three choices must not be cyclic
                let mut second = length(ac, bd) > length(ad, bc);
                if first == second && second == third {
                    second = !second;
                }
                prism([a, ac, ad], [b, bc, bd], [first, second, third])?
            }
            _ => {
                let top = [cut(a, d)?, cut(b, d)?, cut(c, d)?];
                let diagonals = [
                    self.starts_at_second(a, b, d)?,
                    self.starts_at_second(b, c, d)?,
                    self.starts_at_second(c, a, d)?,
                ];
                prism([a, b, c], top, diagonals)?
            }
        })
    }

    fn cut_position(&self, key: u32) -> Vec3 {
        self.cuts.position(self.lattice, key & !CUT_KEY)
    }

    /// Diagonal of the quadrilateral on the face (p, q, outside): true for the one from q to the cut of p, false for the
    /// one from p to the cut of q. Depends on the face only, and orders all edges that meet in `outside`, so that the three
    /// choices around it are never cyclic: the cut of a long edge first, then the one closest to the site inside, which gives
    /// the shorter diagonal where both edges are equally long.
    fn starts_at_second(&self, p: u32, q: u32, outside: u32) -> Option<bool> {
        let (long_p, long_q) = (
            self.lattice.is_long(p, outside),
            self.lattice.is_long(q, outside),
        );
        if long_p != long_q {
            return Some(long_p);
        }
        let inner = |site: u32| {
            let cut = self.cuts.between(site, outside)?;
            Some((self.cut_position(cut) - self.lattice.position(site)).norm())
        };
        let (inner_p, inner_q) = (inner(p)?, inner(q)?);
        let tie = 1e-9 * self.lattice.spacing;
        Some(if (inner_p - inner_q).abs() <= tie {
            q < p
        } else {
            inner_p < inner_q
        })
    }
}

/// Three tetrahedra of the prism between triangles `a` and `b`. Entry i of `diagonals` belongs to the side between corners
/// i and i + 1: false for the diagonal a_i b_(i+1), true for a_(i+1) b_i. `None` for a cyclic choice.
fn prism(a: [u32; 3], b: [u32; 3], diagonals: [bool; 3]) -> Option<Pieces> {
    // the corner of `a` where two diagonals meet
    let i = (0..3).find(|&i| !diagonals[i] && diagonals[(i + 2) % 3])?;
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let lower = if diagonals[j] {
        [[a[i], a[j], a[k], b[j]], [a[i], a[k], b[k], b[j]]]
    } else {
        [[a[i], a[j], a[k], b[k]], [a[i], a[j], b[k], b[j]]]
    };
    Some(Pieces::of([[a[i], b[0], b[1], b[2]], lower[0], lower[1]]))
}
