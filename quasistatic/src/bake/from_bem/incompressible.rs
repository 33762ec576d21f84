//! Projection of the compliances of an incompressible body, so that they preserve its volume.
//!
//! A column of boundary elements at `ν = 1/2` preserves the volume of the body up to the discretisation error, `aᵀ F ≈ 0` with the vector of areas
//! `a` of the nodes. Its transpose, the response to a uniform pressure, does not. A vertex has one traction while each of its triangles has its own normal,
//! so that the pressure is not uniform where the surface bends, and a body with sharp edges loses volume. The stored symmetric part
//! has half of that error. It is therefore projected, `S' = Q S Qᵀ` with `Q = 1 − b aᵀ / aᵀb`: the smallest shift of the surface along its normals
//! `b` that restores the volume. `S'` is symmetric, no less definite than `S`, and preserves the volume to rounding.

use pliant_core::math::Vec3;
use rayon::prelude::*;

/// Poisson's ratio from which on a material counts as incompressible.
const INCOMPRESSIBLE: f64 = 0.5 - 1e-9;

/// Whether the body preserves its volume.
pub(super) fn is_incompressible(poisson: f64) -> bool {
    poisson >= INCOMPRESSIBLE
}

/// The projection `Q S Qᵀ` of a symmetric matrix `S`.
pub(super) struct VolumeProjection {
    /// unit normals, three numbers a node
    normals: Vec<f64>,
    /// `S a`
    matrix_times_areas: Vec<f64>,
    /// `aᵀ b` and `aᵀ S a`
    area: f64,
    quadratic_form: f64,
}

impl VolumeProjection {
    /// The projection of the symmetric matrix with these entries, for these area vectors of its nodes (m²). Cost: reads each entry once.
    pub fn new(areas: &[Vec3], entry: impl Fn(usize, usize) -> f64 + Sync) -> Self {
        let flat: Vec<f64> = areas.iter().flat_map(|a| [a.x, a.y, a.z]).collect();
        let normals: Vec<f64> = areas
            .iter()
            .map(|a| a.try_normalize(0.0).unwrap_or_else(Vec3::zeros))
            .flat_map(|n| [n.x, n.y, n.z])
            .collect();
        let matrix_times_areas: Vec<f64> = (0..flat.len())
            .into_par_iter()
            .map(|r| flat.iter().enumerate().map(|(c, a)| a * entry(r, c)).sum())
            .collect();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        Self {
            area: dot(&flat, &normals),
            quadratic_form: dot(&flat, &matrix_times_areas),
            normals,
            matrix_times_areas,
        }
    }

    /// Entry of the projected matrix, given the entry of the matrix.
    pub fn projected(&self, row: usize, column: usize, entry: f64) -> f64 {
        if self.area <= 0.0 {
            return entry;
        }
        let (br, bc) = (
            self.normals[row] / self.area,
            self.normals[column] / self.area,
        );
        let once = br * self.matrix_times_areas[column] + bc * self.matrix_times_areas[row];
        entry - once + br * bc * self.quadratic_form
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projected_matrix_keeps_the_volume_and_stays_symmetric_and_definite() {
        let areas: Vec<Vec3> = (0..5)
            .map(|k| Vec3::new(f64::from(k) - 1.5, 0.4, (f64::from(k) * 1.7).sin()))
            .collect();
        let size = 3 * areas.len();
        let entry = |r: usize, c: usize| {
            let distance = r.abs_diff(c) as f64;
            (-0.3 * distance * distance).exp() + f64::from(u8::from(r == c))
        };
        let projection = VolumeProjection::new(&areas, entry);
        let projected = |r: usize, c: usize| projection.projected(r, c, entry(r, c));
        let flat: Vec<f64> = areas.iter().flat_map(|a| [a.x, a.y, a.z]).collect();
        for c in 0..size {
            let flux: f64 = (0..size).map(|r| flat[r] * projected(r, c)).sum();
            assert!(flux.abs() < 1e-13, "{c}: {flux}");
            for r in 0..c {
                assert!((projected(r, c) - projected(c, r)).abs() < 1e-14);
            }
        }
        for k in 0..20 {
            let x: Vec<f64> = (0..size).map(|r| ((r * 7 + k) % 11) as f64 - 5.0).collect();
            let energy: f64 = (0..size)
                .flat_map(|r| (0..size).map(move |c| (r, c)))
                .map(|(r, c)| x[r] * projected(r, c) * x[c])
                .sum();
            assert!(energy >= 0.0, "{energy}");
        }
        // a matrix that preserves the volume does not change
        let again = VolumeProjection::new(&areas, projected);
        let error = again.projected(3, 7, projected(3, 7)) - projected(3, 7);
        assert!(error.abs() < 1e-13, "{error}");
    }
}
