//! A cube with a patch bonded to a plate: stiffness against a spectral solution, with the error of linear tetrahedra.

use pliant_core::math::Vec3;
use pliant_quasistatic::Precision;

use crate::bodies::{LATERAL, NORMAL, held_box, model, patch_stiffness};

fn stiffness(cells: usize, direction: Vec3) -> f64 {
    let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
    patch_stiffness(&mut model(&geometry, Precision::Single), direction)
}

#[test]
fn the_patch_is_as_stiff_as_these_meshes_allow() {
    for (cells, normal, lateral) in [(4, 34.8, 34.5), (8, 17.9, 15.5)] {
        let error = 100.0 * (stiffness(cells, -Vec3::y()) / NORMAL - 1.0);
        assert!(
            (error - normal).abs() < 2.0,
            "{cells} cells, normal {error:.2} %"
        );
        let error = 100.0 * (stiffness(cells, Vec3::x()) / LATERAL - 1.0);
        assert!(
            (error - lateral).abs() < 2.0,
            "{cells} cells, lateral {error:.2} %"
        );
    }
}
