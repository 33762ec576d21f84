//! Quality of the tetrahedra of a model.

use crate::math::Vec3;
use crate::mesh::TetMesh;
use crate::mesh::quality::dihedral_range;

/// Quality of the tetrahedra of a model at rest. Flat ones are stiff and need small steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElementShapes {
    /// Number of tetrahedra.
    pub count: usize,
    /// Smallest and largest dihedral angle over all of them, degrees.
    pub dihedral_range: (f64, f64),
    /// Corners of the tetrahedron with the smallest dihedral angle, m.
    pub worst: [Vec3; 4],
}

impl ElementShapes {
    /// The quality of a mesh; `None` without tetrahedra. The first one of equal angles is the worst. Cost: a pass over all.
    pub fn of(mesh: &TetMesh) -> Option<Self> {
        let (mut low, mut high, mut worst) = (f64::INFINITY, f64::NEG_INFINITY, None);
        for t in 0..mesh.tets.len() {
            let corners = mesh.corners(t);
            let range = dihedral_range(corners);
            if range.0 < low {
                (low, worst) = (range.0, Some(corners));
            }
            high = high.max(range.1);
        }
        Some(Self {
            count: mesh.tets.len(),
            dihedral_range: (low, high),
            worst: worst?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flattest_tetrahedron_is_the_worst() {
        let mut mesh = TetMesh {
            nodes: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
            tets: vec![[0, 1, 2, 3]],
        };
        mesh.nodes.push(Vec3::new(0.3, 0.3, -0.01));
        mesh.tets.push([0, 2, 1, 4]);
        let shapes = ElementShapes::of(&mesh).expect("two tetrahedra");
        assert_eq!((shapes.count, shapes.worst), (2, mesh.corners(1)));
        let (low, high) = shapes.dihedral_range;
        // the apex of the flat one lies above a point 0.3 from the nearest side: atan(0.01 / 0.3)
        assert!(
            (low - (0.01_f64 / 0.3).atan().to_degrees()).abs() < 1e-9,
            "{low}"
        );
        assert!(high > 170.0);
        mesh.tets.clear();
        assert_eq!(ElementShapes::of(&mesh), None);
    }
}
