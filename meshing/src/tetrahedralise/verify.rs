//! Validity of a tetrahedral mesh, and the radius-edge ratios of its tetrahedra.

use pliant_core::math::Vec3;
use pliant_core::mesh::TetMesh;

use super::fits_together::fits_together;
use crate::error::MeshingError;

/// Checks a tetrahedral mesh: indices in range, finite nodes, positive volumes, every face in one tetrahedron or in two
/// with opposite orientation, no unused node. Cost O(n log n).
///
/// # Errors
/// [`MeshingError::InvalidResult`] with the first fault found, [`MeshingError::NoVolume`] without tetrahedra.
pub fn verify_tets(mesh: &TetMesh) -> Result<(), MeshingError> {
    let invalid = |reason: String| Err(MeshingError::InvalidResult { reason });
    if mesh.tets.is_empty() {
        return Err(MeshingError::NoVolume);
    }
    if let Some(v) = mesh
        .nodes
        .iter()
        .position(|x| !x.iter().all(|c| c.is_finite()))
    {
        return invalid(format!("node {v} is not finite"));
    }
    let mut used = vec![false; mesh.nodes.len()];
    for (t, tet) in mesh.tets.iter().enumerate() {
        for &v in tet {
            match used.get_mut(v as usize) {
                Some(flag) => *flag = true,
                None => return invalid(format!("tetrahedron {t} names node {v}, which is absent")),
            }
        }
        // a NaN counts as not positive
        if mesh.tet_volume(t).partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return invalid(format!("tetrahedron {t} has no positive volume"));
        }
    }
    if let Some(v) = used.iter().position(|u| !u) {
        return invalid(format!("node {v} belongs to no tetrahedron"));
    }
    fits_together(mesh).or_else(|fault| invalid(fault.to_string()))
}

/// Circumradius of a tetrahedron over its shortest edge.
pub(crate) fn radius_edge([a, b, c, d]: [Vec3; 4]) -> f64 {
    let (u, v, w) = (b - a, c - a, d - a);
    let center = v.cross(&w) * u.norm_squared()
        + w.cross(&u) * v.norm_squared()
        + u.cross(&v) * w.norm_squared();
    let radius = center.norm() / (2.0 * u.dot(&v.cross(&w)).abs());
    let edges = [u, v, w, v - u, w - v, u - w];
    radius / edges.iter().map(|e| e.norm()).fold(f64::INFINITY, f64::min)
}

/// The worst [`radius_edge`] ratio of a mesh.
pub(crate) fn worst_radius_edge(mesh: &TetMesh) -> f64 {
    (0..mesh.tets.len())
        .map(|t| radius_edge(mesh.corners(t)))
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> TetMesh {
        TetMesh {
            nodes: vec![
                Vec3::zeros(),
                Vec3::x(),
                Vec3::y(),
                Vec3::z(),
                Vec3::new(1.0, 1.0, 1.0),
            ],
            tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
        }
    }

    #[test]
    fn a_good_mesh_passes_and_each_fault_is_found() {
        let good = pair();
        verify_tets(&good).expect("two tetrahedra on a common face");
        let mut inverted = good.clone();
        inverted.tets[1].swap(0, 1);
        let mut twice = good.clone();
        twice.tets.push([0, 1, 2, 3]);
        let mut unused = good.clone();
        unused.nodes.push(Vec3::zeros());
        let mut absent = good.clone();
        absent.tets[0][3] = 99;
        let mut overlapping = good.clone();
        overlapping.nodes[4] = Vec3::new(-1.0, -1.0, -1.0) * 0.1;
        overlapping.tets[1].swap(0, 1);
        let mut infinite = good;
        infinite.nodes[0].x = f64::NAN;
        for bad in [inverted, twice, unused, absent, overlapping, infinite] {
            let found = verify_tets(&bad);
            assert!(matches!(found, Err(MeshingError::InvalidResult { .. })));
        }
    }

    #[test]
    fn the_radius_edge_ratio_of_known_tetrahedra() {
        let mut mesh = TetMesh {
            nodes: vec![
                Vec3::new(1.0, 1.0, 1.0),
                Vec3::new(1.0, -1.0, -1.0),
                Vec3::new(-1.0, 1.0, -1.0),
                Vec3::new(-1.0, -1.0, 1.0),
            ],
            tets: vec![[0, 1, 2, 3]],
        };
        assert!((radius_edge(mesh.corners(0)) - 0.375_f64.sqrt()).abs() < 1e-12);
        // three edges of length 1 at right angles
        mesh.nodes = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        assert!((radius_edge(mesh.corners(0)) - 0.75_f64.sqrt()).abs() < 1e-12);
    }
}
