//! Green's functions from boundary elements.

use pliant_core::asset::Progress;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::model::DeformableModel;
use pliant_quasistatic::bake::from_bem::balance_error;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{Precision, QuasistaticParams, bake};

use crate::bodies::{advance, boundary_model, held_box, hold};

/// N/m for the unit cube, E = 100 kPa, ν = 0.3, patch of half the edge; converged spectral elements.
const NORMAL: f64 = 65632.1;
const LATERAL: f64 = 15647.2;

fn error_percent(cells: usize, direction: Vec3, exact: f64) -> f64 {
    let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
    let mut model = boundary_model(&geometry);
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
    let stiffness = model.reactions().iter().sum::<Vec3>().dot(&direction) / 1e-3;
    100.0 * (stiffness / exact - 1.0)
}

#[test]
fn the_patch_comes_from_above_and_falls_with_the_mesh() {
    for (direction, exact) in [(-Vec3::y(), NORMAL), (Vec3::x(), LATERAL)] {
        let errors = [4, 8].map(|cells| error_percent(cells, direction, exact));
        assert!(errors[0] > errors[1] && errors[1] > 0.0, "{errors:?}");
    }
}

#[test]
fn supports_carry_the_weight_and_what_presses() {
    let geometry = held_box(Vec3::new(0.4, 0.3, 0.4), [6, 5, 6], None);
    let params = QuasistaticParams {
        generator: Generator::BemLinear,
        precision: Precision::Double,
        ..QuasistaticParams::default()
    };
    let asset = bake::bake(&geometry, &params, &Progress::new()).expect("a held box");
    let weight = geometry.material.density * 0.4 * 0.3 * 0.4;
    // gravity of 1 m/s² along an axis is answered by the weight along that axis
    let error = (asset.supports[0].gravity + Mat3::identity() * weight).norm() / weight;
    assert!(error < 0.01, "{error}");
    assert!(balance_error(&asset.supports) < 0.03);
}

#[test]
fn finite_and_boundary_elements_agree_on_a_hanging_block() {
    let geometry = held_box(Vec3::new(0.4, 0.3, 0.4), [8, 6, 8], None);
    let bake = |generator| {
        let params = QuasistaticParams {
            generator,
            precision: Precision::Double,
            ..QuasistaticParams::default()
        };
        bake::bake(&geometry, &params, &Progress::new()).expect("a held box")
    };
    let (fem, bem) = (bake(Generator::Fem), bake(Generator::BemLinear));
    let (mut difference, mut size) = (0.0, 0.0);
    for (a, b) in fem.gravity.iter().zip(&bem.gravity) {
        difference += (a - b).norm_squared();
        size += a.norm_squared();
    }
    let relative = f64::sqrt(difference / size);
    assert!(relative < 0.06, "{relative}");
}

#[test]
fn an_incompressible_body_is_legal_here_and_refused_with_finite_elements() {
    let mut geometry = held_box(Vec3::repeat(0.2), [3; 3], None);
    geometry.material.elastic.poisson = 0.5;
    let bake = |generator| {
        let params = QuasistaticParams {
            generator,
            ..QuasistaticParams::default()
        };
        bake::bake(&geometry, &params, &Progress::new())
    };
    assert!(bake(Generator::BemLinear).is_ok());
    let refused = bake(Generator::Fem).expect_err("locking");
    assert_eq!(refused.code(), "Locking");
}
