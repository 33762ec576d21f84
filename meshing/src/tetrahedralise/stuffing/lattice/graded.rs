//! The body-centred cubic lattice on an octree: large tetrahedra inside, small ones where the border needs them.

use std::collections::BTreeSet;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::Csr;
use rayon::prelude::*;

use super::background::{Background, Signs};
use super::octree::{Cell, Octree, moved};
use crate::error::MeshingError;
use crate::geometry::solid::Solid;

/// Bits of a coordinate in a key.
const BITS: u32 = 20;

/// Lattice whose cells are the leaves of an octree.
///
/// Sites are the centres of leaves and the corners that tetrahedra use. Between two leaves of one size there are tetrahedra of
/// the uniform lattice, halved at edges that smaller leaves have cut (after Labelle and Shewchuk 2007, section 4); between a leaf
/// and one of twice its size, halves of pyramids, the square cut from the corner of the large face to its centre, which
/// leaves tetrahedra of 45, 60 and 90 degrees on the large side.
pub struct GradedLattice {
    origin: Vec3,
    finest: f64,
    /// coordinates in half the finest cell and whether it is a centre, ascending
    keys: Vec<u64>,
    tets: Vec<[u32; 4]>,
    neighbours: Csr,
}

fn key(at: [u32; 3], center: bool) -> u64 {
    let [x, y, z] = at.map(u64::from);
    ((z << BITS | y) << BITS | x) << 1 | u64::from(center)
}

impl GradedLattice {
    /// The lattice of an octree.
    pub fn new(octree: &Octree) -> Self {
        let cells: Vec<Cell> = octree.cells().collect();
        let corners: BTreeSet<[u32; 3]> = cells.iter().flat_map(|&c| cell_corners(c)).collect();
        let keyed: Vec<[u64; 4]> = cells
            .par_iter()
            .flat_map_iter(|&cell| {
                let mut tets = Vec::new();
                around_cell(octree, &corners, cell, &mut tets);
                tets
            })
            .collect();
        let mut keys: Vec<u64> = keyed.iter().flatten().copied().collect();
        keys.par_sort_unstable();
        keys.dedup();
        let tets: Vec<[u32; 4]> = keyed
            .par_iter()
            .map(|tet| tet.map(|k| keys.partition_point(|&other| other < k) as u32))
            .collect();
        let mut edges: Vec<(u32, u32)> = tets
            .iter()
            .flat_map(|t| {
                let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
                pairs.map(|(i, j)| (t[i], t[j]))
            })
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .collect();
        edges.par_sort_unstable();
        edges.dedup();
        let mut lattice = Self {
            origin: octree.origin,
            finest: octree.finest,
            neighbours: Csr::from_pairs(keys.len(), edges.iter().copied()),
            keys,
            tets: Vec::new(),
        };
        lattice.tets = tets
            .into_iter()
            .map(|mut tet| {
                let [a, b, c, d] = tet.map(|s| lattice.position(s));
                if (b - a).dot(&(c - a).cross(&(d - a))) < 0.0 {
                    tet.swap(2, 3);
                }
                tet
            })
            .collect();
        lattice
    }
}

impl GradedLattice {
    /// Signed distances at `sites`, m.
    fn measure<S: Solid>(
        &self,
        solid: &S,
        sites: &[u32],
        distances: &mut [Option<f64>],
        progress: &Progress,
    ) -> Result<(), MeshingError> {
        for chunk in sites.chunks(4096) {
            progress.check()?;
            let found: Vec<f64> = chunk
                .par_iter()
                .map(|&s| solid.signed_distance(&self.position(s)))
                .collect();
            for (&s, d) in chunk.iter().zip(found) {
                distances[s as usize] = Some(d);
            }
        }
        Ok(())
    }
}

/// Corners of a cell in half the finest cell.
fn cell_corners((level, at): Cell) -> [[u32; 3]; 8] {
    let size = 2 << level;
    [0, 1, 2, 3, 4, 5, 6, 7].map(|k: u32| {
        [
            (at[0] + (k & 1)) * size,
            (at[1] + (k >> 1 & 1)) * size,
            (at[2] + (k >> 2)) * size,
        ]
    })
}

fn center_key((level, at): Cell) -> u64 {
    key(at.map(|x| (2 * x + 1) << level), true)
}

/// The tetrahedra between a cell and its neighbours across faces: those of its size (only in positive directions, so that each
/// pair comes once) and larger ones.
fn around_cell(
    octree: &Octree,
    corners: &BTreeSet<[u32; 3]>,
    cell: Cell,
    tets: &mut Vec<[u64; 4]>,
) {
    let (level, at) = cell;
    let size = 2_u32 << level;
    let me = center_key(cell);
    for axis in 0..3 {
        for side in [0_u32, 1] {
            let mut step = [0; 3];
            step[axis] = if side == 1 { 1 } else { -1 };
            let Some(beyond) = moved(at, step) else {
                continue;
            };
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |along_b: u32, along_c: u32| {
                let mut q = at;
                q[axis] += side;
                q[b] += along_b;
                q[c] += along_c;
                q.map(|x| x * size)
            };
            let ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let parent = (level + 1, beyond.map(|x| x / 2));
            if octree.is_leaf((level, beyond)) {
                if side == 0 {
                    continue;
                }
                let other = center_key((level, beyond));
                for k in 0..4 {
                    let (p, q) = (ring[k], ring[(k + 1) % 4]);
                    let middle = [0, 1, 2].map(|i| (p[i] + q[i]) / 2);
                    let (p, q) = (key(p, false), key(q, false));
                    if level > 0 && corners.contains(&middle) {
                        let m = key(middle, false);
                        tets.extend([[me, other, p, m], [me, other, m, q]]);
                    } else {
                        tets.push([me, other, p, q]);
                    }
                }
            } else if octree.is_leaf(parent) {
                // the corner of this square that is a corner of the large face, and the one opposite, its centre
                let is_outer = |q: &[u32; 3]| [b, c].iter().all(|&i| q[i].is_multiple_of(2 * size));
                let Some(k) = ring.iter().position(is_outer) else {
                    continue;
                };
                let at_ring = |i: usize| key(ring[(k + i) % 4], false);
                for apex in [me, center_key(parent)] {
                    tets.push([apex, at_ring(0), at_ring(1), at_ring(2)]);
                    tets.push([apex, at_ring(0), at_ring(2), at_ring(3)]);
                }
            }
        }
    }
}

impl Background for GradedLattice {
    fn site_count(&self) -> usize {
        self.keys.len()
    }

    fn position(&self, site: u32) -> Vec3 {
        let key = self.keys[site as usize] >> 1;
        let mask = (1 << BITS) - 1;
        let at = [key & mask, key >> BITS & mask, key >> (2 * BITS)];
        self.origin + Vec3::from(at.map(|x| x as f64)) * (0.5 * self.finest)
    }

    fn finest(&self) -> f64 {
        self.finest
    }

    fn neighbours(&self, site: u32, out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(self.neighbours.row(site as usize));
    }

    fn is_long(&self, a: u32, b: u32) -> bool {
        (self.keys[a as usize] ^ self.keys[b as usize]) & 1 == 0
    }

    fn tetrahedra(&self, keep: &(dyn Fn(&[u32; 4]) -> bool + Sync)) -> Vec<[u32; 4]> {
        self.tets.par_iter().copied().filter(|t| keep(t)).collect()
    }

    fn sample<S: Solid>(&self, solid: &S, progress: &Progress) -> Result<Signs, MeshingError> {
        let mut distances = vec![None; self.keys.len()];
        let (centers, corners): (Vec<u32>, Vec<u32>) =
            (0..self.keys.len() as u32).partition(|&s| self.keys[s as usize] & 1 == 1);
        self.measure(solid, &centers, &mut distances, progress)?;
        // a corner whose edge to a centre is shorter than the distance there is on the same side
        let mut inside: Vec<bool> = distances
            .iter()
            .map(|d| d.is_some_and(|d| d < 0.0))
            .collect();
        let mut doubtful = Vec::new();
        for corner in corners {
            let x = self.position(corner);
            let sure = self.neighbours.row(corner as usize).iter().find(|&&n| {
                let length = (self.position(n) - x).norm();
                distances[n as usize].is_some_and(|d: f64| d.abs() > 1.001 * length)
            });
            match sure {
                Some(&center) => inside[corner as usize] = inside[center as usize],
                None => doubtful.push(corner),
            }
        }
        self.measure(solid, &doubtful, &mut distances, progress)?;
        for corner in doubtful {
            inside[corner as usize] = distances[corner as usize].is_some_and(|d| d < 0.0);
        }
        let known = (0_u32..).zip(distances).filter_map(|(s, d)| Some((s, d?)));
        Ok(Signs::new(inside, known.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::solid::MeshSolid;
    use crate::tetrahedralise::stuffing::lattice::octree::Sizing;
    use crate::tetrahedralise::stuffing::testing::shapes::sphere;
    use pliant_core::mesh::TetMesh;
    use pliant_core::mesh::quality::tet_quality;

    #[test]
    fn cells_of_all_sizes_are_filled_without_gaps_by_well_shaped_tetrahedra() {
        let ball = sphere(3);
        let solid = MeshSolid::new(&ball).expect("a ball");
        let sizing = Sizing {
            solid: &solid,
            spacing: 0.12,
            halvings: 1,
            needed: &|x: &Vec3| if x.x > 0.4 { 0.06 } else { 1.0 },
        };
        let octree = Octree::around(&sizing, &Progress::new()).expect("a tree");
        let sizes: BTreeSet<u32> = octree.cells().map(|c| c.0).collect();
        assert!(sizes.len() >= 4, "{sizes:?}");
        let lattice = GradedLattice::new(&octree);
        let tets = lattice.tetrahedra(&|_| true);
        let nodes = (0..lattice.site_count() as u32)
            .map(|s| lattice.position(s))
            .collect();
        let mesh = TetMesh { nodes, tets };
        let q = tet_quality(&mesh);
        assert!(q.min_volume > 0.0 && q.min_dihedral > 44.0 && q.max_dihedral < 121.0);
        // the only faces with one owner are far outside
        let boundary = mesh.boundary().surface;
        let nearest = boundary.positions.iter().map(|x| x.norm());
        assert!(nearest.fold(f64::INFINITY, f64::min) > 1.3);
    }
}
