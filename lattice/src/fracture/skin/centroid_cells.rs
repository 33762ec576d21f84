//! Triangles whose centroid lies in a cell that contains none of their vertices.

use std::collections::BTreeMap;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::asset::sites::Sites;
use crate::fracture::cells::{Corners, cells_around};
use crate::fracture::skin::vertex_binding::{cell_center, cell_key};

/// Triangles that reach across a cell: if it is parted, they are, too. This happens where triangles are as large as cells, and where vertices lie at particles.
#[derive(Debug, Clone, Default)]
pub(super) struct CentroidCells {
    of_triangle: BTreeMap<u32, Corners>,
    triangles: BTreeMap<[u32; 2], Vec<u32>>,
}

impl CentroidCells {
    /// Cost: some nanoseconds a triangle, and a few microseconds for each that is found.
    pub fn new(asset: &LatticeAsset, whole: &Sites) -> Self {
        let mut found = Self::default();
        let skin = &asset.skin;
        for (t, triangle) in skin.triangles.iter().enumerate() {
            let places = triangle.map(|v| skin.positions[v as usize]);
            let centroid = places.iter().sum::<Vec3>() / 3.0;
            let contains = |cell: &Corners| {
                (cell_center(asset, cell) - centroid).amax() <= 0.5 * asset.cell * (1.0 + 1e-9)
            };
            let cells = triangle.map(|v| cell_of(asset, v));
            if cells.iter().any(contains) {
                continue;
            }
            let around = cells.as_flattened().iter();
            let cell = around
                .flat_map(|&p| cells_around(whole, [p, p]))
                .find(contains);
            if let Some(cell) = cell {
                found.of_triangle.insert(t as u32, cell);
                found
                    .triangles
                    .entry(cell_key(&cell))
                    .or_default()
                    .push(t as u32);
            }
        }
        found
    }

    /// Triangles that reach across a cell.
    pub fn triangles(&self, cell: &Corners) -> &[u32] {
        self.triangles
            .get(&cell_key(cell))
            .map_or(&[], Vec::as_slice)
    }

    /// The cell that a triangle reaches across.
    pub fn cell(&self, triangle: u32) -> Option<Corners> {
        self.of_triangle.get(&triangle).copied()
    }
}

/// The cell that a vertex of the skin belongs to.
pub(super) fn cell_of(asset: &LatticeAsset, v: u32) -> Corners {
    let row = asset.embedding.row(v as usize).0;
    std::array::from_fn(|b| row[b])
}
