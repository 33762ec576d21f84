//! The displacements of the whole body under a point contact, by precomputed masked columns.

use pliant_core::math::Vec3;
use pliant_core::mesh::SurfacePoint;
use rayon::prelude::*;

use crate::greens::sum::add_columns;
use crate::haptics::stiffness::masked_forces;
use crate::haptics::surface::HapticSurface;

const NO_COLUMN: u32 = u32::MAX;

/// `ζ_i = Σ_j ρ^i_j ξ_j`, the displacement of every free boundary node for a unit force on each vertex, spread over its mask.
///
/// Memory: `36 × free vertices × nodes` bytes, as much as the Green's functions in single precision.
#[derive(Debug, Clone)]
pub struct MaskedColumns {
    rows: usize,
    column_of_vertex: Vec<u32>,
    values: Vec<f32>,
}

impl MaskedColumns {
    /// Sums the columns of all masks. Cost `vertices × mask × nodes` block products.
    pub fn new(surface: &HapticSurface) -> Self {
        let asset = surface.asset();
        let rows = 3 * asset.nodes();
        let free: Vec<usize> = (0..asset.skin.vertex_count())
            .filter(|&v| !surface.masks().row(v).0.is_empty())
            .collect();
        let mut column_of_vertex = vec![NO_COLUMN; asset.skin.vertex_count()];
        for (k, &v) in free.iter().enumerate() {
            column_of_vertex[v] = k as u32;
        }
        let columns: Vec<Vec<f32>> = free
            .par_iter()
            .map(|&v| {
                let mut mask = Vec::new();
                masked_forces(surface.masks(), &asset.rows, v, &mut mask);
                let mut block = Vec::with_capacity(3 * rows);
                for axis in 0..3 {
                    let unit = Vec3::from_fn(|k, _| f64::from(u8::from(k == axis)));
                    let forces: Vec<(u32, Vec3)> = mask
                        .iter()
                        .map(|&(node, share)| (node, unit * share))
                        .collect();
                    let mut field = vec![0.0; rows];
                    asset.matrix.add_columns(&forces, &mut field);
                    block.extend(field.iter().map(|&u| u as f32));
                }
                block
            })
            .collect();
        Self {
            rows,
            column_of_vertex,
            values: columns.concat(),
        }
    }

    /// Adds the displacements (m, three numbers a free boundary node) under a contact force (N, on the body) at a point: three vertices,
    /// nine columns, `54` operations a node.
    pub fn add(&self, surface: &HapticSurface, at: &SurfacePoint, force: Vec3, field: &mut [f64]) {
        let corners = surface.skin().triangles[at.triangle as usize];
        let mut forces = [(0, Vec3::zeros()); 3];
        let mut count = 0;
        for (&v, weight) in corners.iter().zip(at.weights) {
            let column = self.column_of_vertex[v as usize];
            if column != NO_COLUMN && weight > 0.0 {
                forces[count] = (column, force * weight);
                count += 1;
            }
        }
        add_columns(&self.values, self.rows, &forces[..count], field);
    }
}
