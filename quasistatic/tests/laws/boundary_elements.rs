//! Green's functions from boundary elements.

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};
use pliant_quasistatic::bake::from_bem::balance_error;
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{QuasistaticParams, bake};

use crate::bodies::{LATERAL, NORMAL, from_generator, held_box, made, model_with, patch_stiffness};

fn error_percent(cells: usize, direction: Vec3, exact: f64) -> f64 {
    let geometry = held_box(Vec3::repeat(1.0), [cells; 3], None);
    let mut model = model_with(&geometry, &from_generator(Generator::BemLinear));
    100.0 * (patch_stiffness(&mut model, direction) / exact - 1.0)
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
    let asset = made(&geometry, &from_generator(Generator::BemLinear));
    let weight = geometry.material.density * 0.4 * 0.3 * 0.4;
    // gravity of 1 m/s² along an axis is answered by the weight along that axis
    let error = (asset.supports[0].gravity + Mat3::identity() * weight).norm() / weight;
    assert!(error < 0.01, "{error}");
    assert!(balance_error(&asset.supports) < 0.03);
}

#[test]
fn finite_and_boundary_elements_agree_on_a_hanging_block() {
    let geometry = held_box(Vec3::new(0.4, 0.3, 0.4), [8, 6, 8], None);
    let bake = |generator| made(&geometry, &from_generator(generator));
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
