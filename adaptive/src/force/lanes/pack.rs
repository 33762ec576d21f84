//! Chunks in the form that the kernel reads: shapes lane by lane.

use pliant_core::elasticity::ShapeGradients;
use pliant_core::large_pages::LargePages;
use pliant_core::mesh::{Csr, TetMesh};
use pulp::Simd;

use crate::force::lanes::chunk::{Chunks, STRIDE, WIDTH};
use crate::force::lanes::level::{Kernel, Machine, SimdLevel};

/// Vectors of a block: nine components of three shape gradients and the volume.
pub(super) const VECTORS: usize = 10;

/// A mesh packed for one kind of machine.
#[derive(Debug, Clone)]
pub(super) struct Packed {
    pub(super) machine: Machine,
    pub(super) chunks: Chunks,
    /// [`VECTORS`] vectors a block, in the lanes that [`Simd::deinterleave_shfl_f32s`] makes
    pub(super) shapes: LargePages<f32>,
    /// for each node its slots in the forces of all chunks
    pub(super) node_slots: Csr,
}

impl Packed {
    pub(super) fn new(mesh: &TetMesh, shapes: &[ShapeGradients], level: SimdLevel) -> Self {
        let machine = Machine::best(level);
        let chunks = Chunks::new(mesh);
        let order = machine.run(LaneOrder);
        let lanes = order.len();
        let mut packed = LargePages::<f32>::zeros(chunks.tets.len() * VECTORS);
        for (block, tets) in packed
            .chunks_exact_mut(VECTORS * lanes)
            .zip(chunks.tets.chunks_exact(lanes))
        {
            for (lane, &place) in order.iter().enumerate() {
                let Some(shape) = shapes.get(tets[place] as usize) else {
                    continue;
                };
                for k in 0..9 {
                    block[k * lanes + lane] = shape.gradients[k / 3 + 1][k % 3] as f32;
                }
                block[9 * lanes + lane] = shape.volume as f32;
            }
        }
        let slots = chunks.parts.iter().enumerate().flat_map(|(c, part)| {
            let nodes = chunks.nodes[part.nodes.clone()].iter().enumerate();
            nodes.map(move |(k, &n)| (n, (c * STRIDE + k * WIDTH) as u32))
        });
        Self {
            machine,
            node_slots: Csr::from_pairs(mesh.nodes.len(), slots),
            shapes: packed,
            chunks,
        }
    }

    /// Shapes of the tetrahedra of a chunk.
    pub(super) fn shapes_of(&self, chunk: usize) -> &[f32] {
        let tets = &self.chunks.parts[chunk].tets;
        &self.shapes[tets.start * VECTORS..tets.end * VECTORS]
    }

    /// Corners of the same.
    pub(super) fn corners_of(&self, chunk: usize) -> &[[u16; 4]] {
        &self.chunks.corners[self.chunks.parts[chunk].tets.clone()]
    }

    /// The tetrahedra themselves; numbers beyond the mesh fill up the last group.
    pub(super) fn tets_of(&self, chunk: usize) -> &[u32] {
        &self.chunks.tets[self.chunks.parts[chunk].tets.clone()]
    }

    /// Nodes of a chunk.
    pub(super) fn nodes_of(&self, chunk: usize) -> &[u32] {
        &self.chunks.nodes[self.chunks.parts[chunk].nodes.clone()]
    }
}

/// For each lane the tetrahedron of its block that transposing brings there.
struct LaneOrder;

impl Kernel for LaneOrder {
    type Output = Vec<usize>;

    fn run<S: Simd, const FUSED: bool>(self, simd: S) -> Vec<usize> {
        let mut vectors = [simd.splat_f32s(0.0); 4];
        let rows: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut vectors);
        for (place, row) in rows.iter_mut().enumerate() {
            *row = [place as f32; 4];
        }
        let lanes = simd.deinterleave_shfl_f32s(vectors);
        let first: &[f32] = bytemuck::cast_slice(&lanes[..1]);
        first.iter().map(|&place| place as usize).collect()
    }
}
