//! Pressure masks: how a point force is spread over the skin around it.
//!
//! The stiffness against a force on a single vertex falls with the mesh size. Each free vertex therefore owns a profile `ρ` of compact
//! support with `aᵀρ = 1` (nodal areas `a`): a force `f` acts as the traction `ρ f`, its nodal forces are `a_j ρ_j f`. The profile is a cone, `1 − d/r`, over the
//! vertices that edges inside the ball connect with its center, so that a mask does not reach through a thin wall to the other side.

use std::collections::BTreeSet;

use pliant_core::mesh::{Csr, SurfaceMesh, WeightedRows};
use rayon::prelude::*;

/// The masks of all free vertices: the share `a_j ρ_j` of the force for each vertex of a mask.
#[derive(Debug, Clone, PartialEq)]
pub struct PressureMasks {
    rows: WeightedRows,
    /// Number of vertices with a radius below 1.5 times the mean length of their edges: their stiffness still depends on the mesh.
    pub unresolved: usize,
}

/// Radius over mean edge length from which on the stiffness is smooth.
const MIN_RADIUS_RATIO: f64 = 1.5;

impl PressureMasks {
    /// Masks of `radius` (m) over `skin`; `mobility[v]` is the part of vertex `v` that can move, 0 on supports (no mask, and never part of one) and 1 where
    /// it is free. Shares times mobilities sum to one. Cost `O(vertices × mask)`.
    pub fn new(skin: &SurfaceMesh, mobility: &[f64], radius: f64) -> Self {
        let areas = skin.nodal_areas();
        let neighbours = skin.vertex_neighbours();
        let builder = MaskBuilder {
            skin,
            mobility,
            areas: &areas,
            neighbours: &neighbours,
            radius,
        };
        let rows: Vec<(Vec<(u32, f64)>, bool)> = (0..skin.vertex_count())
            .into_par_iter()
            .map(|v| builder.row(v))
            .collect();
        let mut masks = Self {
            rows: WeightedRows::default(),
            unresolved: 0,
        };
        for (row, resolved) in rows {
            masks.unresolved += usize::from(!resolved);
            masks.rows.push(row);
        }
        masks
    }

    /// Vertices (ascending) and shares of the mask of `vertex`; empty on supports.
    pub fn row(&self, vertex: usize) -> (&[u32], &[f64]) {
        self.rows.row(vertex)
    }

    /// Number of vertices in the largest mask.
    pub fn largest(&self) -> usize {
        let sizes = (0..self.rows.len()).map(|v| self.row(v).0.len());
        sizes.max().unwrap_or(0)
    }
}

struct MaskBuilder<'a> {
    skin: &'a SurfaceMesh,
    mobility: &'a [f64],
    areas: &'a [f64],
    neighbours: &'a Csr,
    radius: f64,
}

impl MaskBuilder<'_> {
    /// The mask of one vertex, and whether the mesh resolves it.
    fn row(&self, vertex: usize) -> (Vec<(u32, f64)>, bool) {
        if self.mobility[vertex] <= 0.0 {
            return (Vec::new(), true);
        }
        let center = self.skin.positions[vertex];
        let relative_distance = |v: u32| {
            let distance = (self.skin.positions[v as usize] - center).norm();
            distance / self.radius
        };
        let mut near = BTreeSet::new();
        let mut pending = vec![vertex as u32];
        while let Some(v) = pending.pop() {
            if relative_distance(v) < 1.0 && near.insert(v) {
                pending.extend_from_slice(self.neighbours.row(v as usize));
            }
        }
        let mut row: Vec<(u32, f64)> = Vec::with_capacity(near.len().max(1));
        let mut sum = 0.0;
        for v in near {
            let height = (1.0 - relative_distance(v)) * self.areas[v as usize];
            let mobility = self.mobility[v as usize];
            if mobility > 0.0 && height > 0.0 {
                sum += height * mobility;
                row.push((v, height));
            }
        }
        if sum > 0.0 {
            row.iter_mut().for_each(|(_, share)| *share /= sum);
        } else {
            // a vertex without area, or a radius below every edge
            row = vec![(vertex as u32, 1.0 / self.mobility[vertex])];
        }
        let around = self.neighbours.row(vertex);
        let lengths = around
            .iter()
            .map(|&v| (self.skin.positions[v as usize] - center).norm());
        let mean = lengths.sum::<f64>() / around.len().max(1) as f64;
        (row, self.radius >= MIN_RADIUS_RATIO * mean)
    }
}

#[cfg(test)]
mod tests {
    use pliant_core::math::Vec3;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    use super::*;

    #[test]
    fn masks_carry_the_whole_force_stay_in_their_ball_and_off_supports() {
        let skin = box_surface(Vec3::new(0.2, 0.1, 0.2), [20, 10, 20], CellStyle::Kuhn);
        let mobility: Vec<f64> = skin
            .positions
            .iter()
            .map(|x| if x.y < -0.049 { 0.0 } else { 1.0 })
            .collect();
        let masks = PressureMasks::new(&skin, &mobility, 0.025);
        assert_eq!(masks.unresolved, 0);
        for (v, x) in skin.positions.iter().enumerate() {
            let (vertices, shares) = masks.row(v);
            if mobility[v] == 0.0 {
                assert!(vertices.is_empty());
                continue;
            }
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(vertices.contains(&(v as u32)));
            for &j in vertices {
                assert!((skin.positions[j as usize] - x).norm() < 0.025);
                assert!(mobility[j as usize] > 0.0);
            }
        }
        // a tiny radius leaves the single vertex and is reported
        let tiny = PressureMasks::new(&skin, &mobility, 0.004);
        assert!(tiny.unresolved > 800);
        assert_eq!(tiny.row(700), (&[700][..], &[1.0][..]));
    }

    #[test]
    fn thin_walls_do_not_leak() {
        let skin = box_surface(Vec3::new(0.2, 0.01, 0.2), [20, 1, 20], CellStyle::Kuhn);
        let mobility = vec![1.0; skin.vertex_count()];
        let middle = |up: f64| {
            let at = |x: &&Vec3| (*x - Vec3::new(0.0, up, 0.0)).norm() < 1e-9;
            let found = skin.positions.iter().enumerate().find(|(_, x)| at(x));
            found.expect("a grid point").0
        };
        let (top, bottom) = (middle(0.005), middle(-0.005) as u32);
        // the other side is within the radius, which is less than the way around the rim
        let masks = PressureMasks::new(&skin, &mobility, 0.03);
        assert!(!masks.row(top).0.contains(&bottom));
    }
}
