//! Green's functions from boundary elements.

use pliant_core::math::Vec3;
use pliant_quasistatic::params::Generator;

use crate::bodies::{
    LATERAL, NORMAL, assert_carried, bake_body, from_generator, held_box, model_with,
    patch_stiffness, refused,
};

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
    assert_carried(Generator::BemLinear, 0.01, 0.03);
}

#[test]
fn finite_and_boundary_elements_agree_on_a_hanging_block() {
    let geometry = held_box(Vec3::new(0.4, 0.3, 0.4), [8, 6, 8], None);
    let bake = |generator| bake_body(&geometry, &from_generator(generator));
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
    bake_body(&geometry, &from_generator(Generator::BemLinear));
    let refused = refused(&geometry, &from_generator(Generator::Fem));
    assert_eq!(refused.code(), "Locking");
}
