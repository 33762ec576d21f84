//! Cutting a mesh into chunks: tetrahedra that lie together, with a list of their nodes.

use std::ops::Range;

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

/// Largest number of tetrahedra of a chunk.
const MAX_TETS: usize = 4096;
/// Largest number of nodes of a chunk.
const MAX_NODES: usize = 4096;
/// Numbers a node: three components and one more.
pub(super) const WIDTH: usize = 4;
/// Numbers of a chunk: enough for any index of type `u16`, so that no index needs a check. Only the numbers of the nodes are ever used.
pub(super) const STRIDE: usize = (1 << 16) + WIDTH;
/// Tetrahedra come in groups of this many whatever the width of the lanes, so that all widths have the same chunks.
pub(super) const GROUP: usize = 16;

/// Values at the nodes of a chunk, [`WIDTH`] numbers each.
pub(super) type Local = [f32; STRIDE];

/// Values of every chunk. They are used within one evaluation only, so that a clone is zero.
#[derive(Debug)]
pub(super) struct Scratch(pub(super) Vec<Local>);

impl Scratch {
    fn new(chunks: usize) -> Self {
        Self(vec![[0.0; STRIDE]; chunks])
    }

    /// Resizes to this number of chunks, with any values.
    fn fit(&mut self, chunks: usize) {
        self.0.resize(chunks, [0.0; STRIDE]);
    }
}

/// Buffers in which the chunks of a mesh are evaluated. For a small mesh, allocating them costs more than packing the mesh; so new meshes reuse the buffers of dropped
/// ones.
#[derive(Debug, Clone)]
pub struct LaneWorkspace {
    pub(super) displacements: Scratch,
    pub(super) velocities: Scratch,
    pub(super) forces: Scratch,
}

impl LaneWorkspace {
    /// For this number of chunks; `spare` is the workspace of another mesh.
    pub(super) fn new(chunks: usize, spare: Option<Self>) -> Self {
        match spare {
            Some(mut spare) => {
                spare.displacements.fit(chunks);
                spare.velocities.fit(chunks);
                spare.forces.fit(chunks);
                spare
            }
            None => Self {
                displacements: Scratch::new(chunks),
                velocities: Scratch::new(chunks),
                forces: Scratch::new(chunks),
            },
        }
    }
}

/// The three components at the start of `values`, in double precision.
pub(super) fn to_vec3(values: &[f32]) -> Vec3 {
    Vec3::new(
        f64::from(values[0]),
        f64::from(values[1]),
        f64::from(values[2]),
    )
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::new(self.0.len())
    }
}

/// Which tetrahedra and nodes belong together.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    /// tetrahedra in their new order; `u32::MAX` fills up the last group of a chunk
    pub(super) tets: Vec<u32>,
    /// corners of the same: [`WIDTH`] times their positions in the chunk's node list
    pub(super) corners: Vec<[u16; 4]>,
    /// nodes, chunk after chunk: first those of no other chunk, then the shared ones, both in the order of their first use. Bits of the forces depend on the order, because displacements
    /// are relative to the first node of a chunk
    pub(super) nodes: Vec<u32>,
    pub(super) parts: Vec<Part>,
}

/// One chunk.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) tets: Range<usize>,
    pub(super) nodes: Range<usize>,
}

impl Chunks {
    /// Cuts `mesh` along a Morton curve through the centres of its tetrahedra.
    pub(super) fn new(mesh: &TetMesh) -> Self {
        let order = morton_order(mesh);
        let count = order.len().div_ceil(MAX_TETS).max(1);
        let even = order.len().div_ceil(count).next_multiple_of(GROUP);
        let mut all = Self::default();
        let mut place = vec![u32::MAX; mesh.nodes.len()];
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            let taken = all.add_chunk(mesh, rest, even, &mut place);
            rest = &rest[taken..];
        }
        all.sort_inner_first(mesh.nodes.len());
        all
    }

    /// Sorts the nodes of every chunk: those that no other chunk has come first.
    fn sort_inner_first(&mut self, count: usize) {
        let mut uses = vec![0_u32; count];
        for &n in &self.nodes {
            uses[n as usize] += 1;
        }
        let mut place = Vec::new();
        for part in &self.parts {
            let nodes = &mut self.nodes[part.nodes.clone()];
            let old = nodes.to_vec();
            let is_inner = |n: &u32| uses[*n as usize] == 1;
            place.clear();
            let (mut inner, mut shared) = (0, old.iter().filter(|n| is_inner(n)).count());
            for n in &old {
                let next = if is_inner(n) { &mut inner } else { &mut shared };
                nodes[*next] = *n;
                place.push((*next * WIDTH) as u16);
                *next += 1;
            }
            // the corners that fill up the last group stay at the first node
            for (corners, tet) in self.corners[part.tets.clone()]
                .iter_mut()
                .zip(&self.tets[part.tets.clone()])
            {
                if *tet != u32::MAX {
                    *corners = corners.map(|c| place[usize::from(c) / WIDTH]);
                }
            }
        }
    }

    /// Appends a chunk of the first tetrahedra of `order`, and returns their number; `place` is the position of each node in the present chunk.
    fn add_chunk(
        &mut self,
        mesh: &TetMesh,
        order: &[u32],
        max_tets: usize,
        place: &mut [u32],
    ) -> usize {
        let first_node = self.nodes.len();
        let mut taken = 0_usize;
        for &tet in order.iter().take(max_tets) {
            let corners = mesh.tets[tet as usize];
            let new = corners.iter().filter(|&&n| place[n as usize] == u32::MAX);
            if self.nodes.len() - first_node + new.count() > MAX_NODES {
                break;
            }
            for n in corners {
                if place[n as usize] == u32::MAX {
                    place[n as usize] = (self.nodes.len() - first_node) as u32;
                    self.nodes.push(n);
                }
            }
            taken += 1;
        }
        let first = self.tets.len();
        // neighbours on the curve share nodes: in one group their sums would have to wait for each other
        let stride = taken.div_ceil(GROUP);
        for i in 0..stride {
            for j in 0..GROUP {
                let tet = order[..taken].get(i + j * stride).copied();
                self.tets.push(tet.unwrap_or(u32::MAX));
                let corners = tet.map_or([0; 4], |t| {
                    mesh.tets[t as usize].map(|n| place[n as usize] as u16 * WIDTH as u16)
                });
                self.corners.push(corners);
            }
        }
        for &n in &self.nodes[first_node..] {
            place[n as usize] = u32::MAX;
        }
        self.parts.push(Part {
            tets: first..self.tets.len(),
            nodes: first_node..self.nodes.len(),
        });
        taken
    }
}

fn morton_order(mesh: &TetMesh) -> Vec<u32> {
    let bounds = mesh.bounds();
    let scale = 1023.0 / bounds.size().max().max(f64::MIN_POSITIVE);
    let mut keys: Vec<(u32, u32)> = (0..mesh.tets.len())
        .map(|t| {
            let centre = mesh.corners(t).iter().sum::<Vec3>() / 4.0;
            let cell = (centre - bounds.min) * scale;
            let key = spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2;
            (key, t as u32)
        })
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, t)| t).collect()
}

/// The ten bits of a number below 1024, two zeros after each.
fn spread(value: f64) -> u32 {
    let bits = value as u32;
    (0..10).fold(0, |all, b| all | ((bits >> b) & 1) << (3 * b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_tets};

    #[test]
    fn every_tetrahedron_is_in_one_chunk_and_finds_its_nodes_there() {
        let mesh = box_tets(Vec3::new(1.0, 0.7, 0.9), [13, 11, 12], CellStyle::Kuhn);
        let chunks = Chunks::new(&mesh);
        assert!(chunks.parts.len() > 2);
        let mut seen = vec![0; mesh.tets.len()];
        for part in &chunks.parts {
            assert!(part.tets.len() <= MAX_TETS && part.tets.len() % GROUP == 0);
            let nodes = &chunks.nodes[part.nodes.clone()];
            let is_shared = |n: &u32| chunks.nodes.iter().filter(|m| *m == n).count() > 1;
            assert!(nodes.iter().is_sorted_by_key(is_shared));
            for k in part.tets.clone() {
                let Some(tet) = mesh.tets.get(chunks.tets[k] as usize) else {
                    assert_eq!(chunks.tets[k], u32::MAX);
                    continue;
                };
                seen[chunks.tets[k] as usize] += 1;
                assert_eq!(
                    chunks.corners[k].map(|c| nodes[usize::from(c) / WIDTH]),
                    *tet
                );
            }
        }
        assert!(seen.iter().all(|&s| s == 1));
        assert!(chunks.nodes.len() < 2 * mesh.nodes.len());
    }
}
