//! Quality measures of tetrahedra.

use crate::math::Vec3;
use crate::mesh::TetMesh;

/// Ends of each edge of a tetrahedron, then the other two corners.
const EDGES: [[usize; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 2, 1, 3],
    [0, 3, 1, 2],
    [1, 2, 0, 3],
    [1, 3, 0, 2],
    [2, 3, 0, 1],
];

/// Smallest and largest dihedral angle of a tetrahedron, degrees.
pub fn dihedral_range(corners: [Vec3; 4]) -> (f64, f64) {
    let mut range = (f64::INFINITY, f64::NEG_INFINITY);
    for [i, j, k, l] in EDGES {
        let edge = corners[j] - corners[i];
        let n1 = edge.cross(&(corners[k] - corners[i]));
        let n2 = edge.cross(&(corners[l] - corners[i]));
        let angle = n1.cross(&n2).norm().atan2(n1.dot(&n2)).to_degrees();
        range = (range.0.min(angle), range.1.max(angle));
    }
    range
}

/// Quality of a whole mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetQuality {
    /// Smallest dihedral angle, degrees.
    pub min_dihedral: f64,
    /// Largest dihedral angle, degrees.
    pub max_dihedral: f64,
    /// Smallest signed volume, m³; negative means an inverted tetrahedron.
    pub min_volume: f64,
}

/// Worst angles and volume over all tetrahedra.
pub fn tet_quality(mesh: &TetMesh) -> TetQuality {
    let mut quality = TetQuality {
        min_dihedral: f64::INFINITY,
        max_dihedral: f64::NEG_INFINITY,
        min_volume: f64::INFINITY,
    };
    for t in 0..mesh.tets.len() {
        let (min, max) = dihedral_range(mesh.corners(t));
        quality.min_dihedral = quality.min_dihedral.min(min);
        quality.max_dihedral = quality.max_dihedral.max(max);
        quality.min_volume = quality.min_volume.min(mesh.tet_volume(t));
    }
    quality
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regular_tetrahedron_has_equal_angles_of_70_5_degrees() {
        let corners = [
            Vec3::new(1.0, 1.0, 1.0),
            Vec3::new(1.0, -1.0, -1.0),
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::new(-1.0, -1.0, 1.0),
        ];
        let (min, max) = dihedral_range(corners);
        let exact = (1.0_f64 / 3.0).acos().to_degrees();
        assert!((min - exact).abs() < 1e-10 && (max - exact).abs() < 1e-10);
    }
}
