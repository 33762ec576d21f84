//! The skin of a lattice, cell by cell.

use pliant_core::mesh::SkinBinding;

use crate::asset::LatticeAsset;
use crate::kernels::Level;
use crate::kernels::vector::pack::OnLine;
use crate::skin::kernel::{LANES, Lanes, SkinCell, SkinKernel};

/// The cells behind the skin's vertices, for drawing; `None` when a vertex is not attached to the eight corners of a cell.
pub(crate) fn binding(asset: &LatticeAsset) -> Option<SkinBinding> {
    let mut binding = SkinBinding {
        rest: asset.rest_positions().collect(),
        ..SkinBinding::default()
    };
    for (v, x) in asset.skin.positions.iter().enumerate() {
        let corners: [u32; 8] = asset.embedding.row(v).0.try_into().ok()?;
        binding.corners.push(corners);
        let place = asset.place_in_cell(&corners, x);
        binding.cell_coordinates.push(place.cast::<f32>().into());
    }
    Some(binding)
}

impl SkinKernel {
    /// Sorts the skin's vertices by cell. `None` when a vertex is not attached to the eight corners of a cell.
    pub fn new(asset: &LatticeAsset, level: Level) -> Option<Self> {
        let normals = asset.skin.vertex_normals();
        let mut order = Vec::with_capacity(asset.embedding.len());
        for v in 0..asset.embedding.len() {
            let corners: [u32; 8] = asset.embedding.row(v).0.try_into().ok()?;
            order.push((corners, v as u32));
        }
        order.sort_unstable();
        let mut kernel = Self {
            cells: Vec::new(),
            lanes: Vec::new(),
            vertices: order.len(),
            level,
        };
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let corners = group[0].0;
            let from = kernel.lanes.len() as u32;
            for part in group.chunks(LANES) {
                let vertex: [u32; LANES] = std::array::from_fn(|l| part[l.min(part.len() - 1)].1);
                let lane = |value: &dyn Fn(usize) -> f64| {
                    OnLine(std::array::from_fn(|l| value(vertex[l] as usize) as f32))
                };
                let place =
                    |v: usize, k: usize| asset.place_in_cell(&corners, &asset.skin.positions[v])[k];
                kernel.lanes.push(Lanes {
                    place: [0, 1, 2].map(|k| lane(&|v| place(v, k))),
                    normal: [0, 1, 2].map(|k| lane(&|v| normals[v][k])),
                    vertex,
                    count: part.len(),
                });
            }
            kernel.cells.push(SkinCell {
                corners,
                from,
                to: kernel.lanes.len() as u32,
            });
        }
        Some(kernel)
    }
}
