//! A cube with a patch bonded to a plate: stiffness against a spectral solution, as far as linear tetrahedra attain it.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::Precision;

use crate::bodies::{advance, held_box, hold, model};

/// N/m for the unit cube, E = 100 kPa, ν = 0.3, patch of half the edge; converged spectral elements.
const NORMAL: f64 = 65632.1;
const LATERAL: f64 = 15647.2;

fn stiffness(cells: usize, direction: Vec3) -> f64 {
    let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
    let mut model = model(&geometry, Precision::Single);
    let skin = &geometry.skin;
    let patch = (0..skin.vertex_count() as u32).filter(|&v| {
        let x = skin.positions[v as usize];
        x.y > 0.499 && x.x.abs() < 0.2501 && x.z.abs() < 0.2501
    });
    let mut boundary = BoundaryConditions::default();
    boundary
        .set_displacements(
            patch.map(|v| hold(v, skin.positions[v as usize] + direction * 1e-3, None)),
        )
        .expect("distinct");
    advance(&mut model, &boundary).expect("regular");
    model.reactions().iter().sum::<Vec3>().dot(&direction) / 1e-3
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
