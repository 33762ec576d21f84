//! What a level is made of: components, handles, and how round its tetrahedra are.

use pliant_core::mesh::quality::dihedral_range;
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TetMesh};

use crate::geometry::component_volumes::{component_of_triangle, volumes_of_sets};

/// Components below this share of the volume of the largest do not count.
const SIGNIFICANT_VOLUME_SHARE: f64 = 0.02;

/// Topology of a closed surface in two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Edge-connected components.
    pub components: usize,
    /// Handles of all components together; 0 where it is not defined (open or not manifold).
    pub genus: i64,
}

impl Shape {
    /// Examines a surface. Cost O(n log n).
    pub fn of(surface: &SurfaceMesh) -> Self {
        let found = topology(surface);
        Self {
            components: found.components,
            genus: found.genus().unwrap_or(0),
        }
    }
}

/// Components of a surface that hold more than [`SIGNIFICANT_VOLUME_SHARE`] of the volume of the largest; at least one.
pub(super) fn significant_components(surface: &SurfaceMesh) -> usize {
    significant_sets(surface, &component_of_triangle(surface))
}

/// As [`significant_components`], for given sets of triangles.
pub(super) fn significant_sets(surface: &SurfaceMesh, set_of_triangle: &[u32]) -> usize {
    let volumes = volumes_of_sets(surface, set_of_triangle);
    let largest = volumes.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let limit = SIGNIFICANT_VOLUME_SHARE * largest;
    volumes.iter().filter(|v| v.abs() > limit).count().max(1)
}

/// Smallest and largest dihedral angle of the tetrahedra without a node of `matched` (ascending), degrees; those of a regular
/// tetrahedron when there is none.
pub(super) fn dihedrals_away_from_features(mesh: &TetMesh, matched: &[u32]) -> (f64, f64) {
    let mut at_feature = vec![false; mesh.nodes.len()];
    for &node in matched {
        if let Some(flag) = at_feature.get_mut(node as usize) {
            *flag = true;
        }
    }
    let away = (mesh.tets.iter().enumerate())
        .filter(|(_, tet)| !tet.iter().any(|&v| at_feature[v as usize]))
        .map(|(t, _)| dihedral_range(mesh.corners(t)));
    away.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        .unwrap_or_else(|| {
            (
                (1.0_f64 / 3.0).acos().to_degrees(),
                (1.0_f64 / 3.0).acos().to_degrees(),
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{joined, mapped, sphere};
    use pliant_core::math::Vec3;

    #[test]
    fn all_of_many_equal_components_count_and_crumbs_do_not() {
        let one = sphere(1);
        let mut many = mapped(one.clone(), |x| x * 0.2);
        for k in 1..=60 {
            many = joined(&many, &one, Vec3::x() * (3.0 * f64::from(k)));
        }
        assert_eq!(significant_components(&many), 60);
    }

    #[test]
    fn angles_at_matched_nodes_do_not_count() {
        // three edges of length 1 at right angles
        let mesh = TetMesh {
            nodes: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            tets: vec![[0, 1, 2, 3]],
        };
        let (low, high) = dihedrals_away_from_features(&mesh, &[]);
        assert!((high - 90.0).abs() < 1e-9 && low < 60.0);
        let (low, high) = dihedrals_away_from_features(&mesh, &[2]);
        assert!(low == high && (low - 70.53).abs() < 0.01);
    }
}
