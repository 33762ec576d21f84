//! An incompressible body keeps its volume: the projection of its compliances.
//!
//! A column that boundary elements give at `ν = 1/2` keeps the volume of the body as well as the discretisation does, `aᵀ F ≈ 0` with the vector of areas
//! `a` of the nodes. Its transpose, the answer to a uniform pressure, does not: a vertex has one traction while each of its triangles has its own normal,
//! so that the pressure is not uniform where the surface bends, and a body with sharp edges is squeezed. The symmetric part that is
//! stored inherits half of that error. It is therefore projected, `S' = Q S Qᵀ` with `Q = 1 − b aᵀ / aᵀb`: the closest shift of the surface along its normals
//! `b` that gives the volume back. `S'` is symmetric, no less definite than `S`, and keeps the volume to rounding.

use pliant_core::math::Vec3;
use rayon::prelude::*;

/// Poisson's ratios from here on count as incompressible.
const INCOMPRESSIBLE: f64 = 0.5 - 1e-9;

/// Whether the body keeps its volume.
pub(super) fn is_incompressible(poisson: f64) -> bool {
    poisson >= INCOMPRESSIBLE
}

/// What the projection takes from the entries of a symmetric matrix.
pub(super) struct VolumeProjection {
    /// unit normals, three numbers a node
    normals: Vec<f64>,
    /// `S a`
    squeezed: Vec<f64>,
    /// `aᵀ b` and `aᵀ S a`
    area: f64,
    work: f64,
}

impl VolumeProjection {
    /// Of the symmetric matrix with these entries and area vectors of its nodes (m²). Cost: each entry once.
    pub fn new(areas: &[Vec3], entry: impl Fn(usize, usize) -> f64 + Sync) -> Self {
        let flat: Vec<f64> = areas.iter().flat_map(|a| [a.x, a.y, a.z]).collect();
        let normals: Vec<f64> = areas
            .iter()
            .map(|a| a.try_normalize(0.0).unwrap_or_else(Vec3::zeros))
            .flat_map(|n| [n.x, n.y, n.z])
            .collect();
        let squeezed: Vec<f64> = (0..flat.len())
            .into_par_iter()
            .map(|r| flat.iter().enumerate().map(|(c, a)| a * entry(r, c)).sum())
            .collect();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        Self {
            area: dot(&flat, &normals),
            work: dot(&flat, &squeezed),
            normals,
            squeezed,
        }
    }

    /// The entry of the projected matrix for that of the matrix.
    pub fn projected(&self, row: usize, column: usize, entry: f64) -> f64 {
        if self.area <= 0.0 {
            return entry;
        }
        let (br, bc) = (
            self.normals[row] / self.area,
            self.normals[column] / self.area,
        );
        let once = br * self.squeezed[column] + bc * self.squeezed[row];
        entry - once + br * bc * self.work
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
            let far = r.abs_diff(c) as f64;
            (-0.3 * far * far).exp() + f64::from(u8::from(r == c))
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
        // a matrix that keeps it already stays as it is
        let again = VolumeProjection::new(&areas, projected);
        let error = again.projected(3, 7, projected(3, 7)) - projected(3, 7);
        assert!(error.abs() < 1e-13, "{error}");
    }
}
