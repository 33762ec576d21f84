//! Stress at points inside finite elements: from central differences of displacements, and as force over the section of a bar.

use pliant_core::math::Vec3;
use pliant_quasistatic::{Precision, QuasistaticParams};

use super::{
    body, containing_tetrahedron, point_with_neighbours, reported_and_numerical_stress, test_points,
};
use crate::bodies::{advance, held_box, model_with, params, point};
use crate::materials::pulled_top;

#[test]
fn stress_is_that_of_the_slope_of_displacements_inside() {
    let center = test_points()[2];
    let step = 1e-4;
    let (mut geometry, mut params) = body(point_with_neighbours(center, step));
    params.stiffness.clear();
    params.fibres = None;
    geometry.material.elastic.poisson = 0.35;
    let lame = geometry.material.lame();
    let mesh = geometry.greens_level.as_deref().expect("set");
    let tet = containing_tetrahedron(mesh, &center).0;
    assert!(
        params
            .inside
            .iter()
            .all(|p| containing_tetrahedron(mesh, &p.point).0 == tet)
    );
    let model = model_with(&geometry, &params);
    let [center, neighbours @ ..] = model.inside() else {
        panic!("points");
    };
    for (node, row) in center.stress.iter().enumerate() {
        for axis in 0..3 {
            let force = Vec3::ith(axis, 1.0);
            let moved = |k: usize| neighbours[k].displacement[node] * force;
            let reported = row.map(|r| r.dot(&force));
            let (reported, stress) = reported_and_numerical_stress(reported, moved, step, lame);
            // the central differences have an error of 1e-7 of the displacements
            assert!(
                (reported - stress).norm() < 1e-6 * reported.norm(),
                "{node} {axis}"
            );
        }
    }
}

#[test]
fn a_bar_under_its_end_load_has_its_force_over_its_section_inside() {
    let mut geometry = held_box(Vec3::new(0.1, 0.4, 0.1), [2, 8, 2], None);
    geometry.material.elastic.poisson = 0.0;
    let params = QuasistaticParams {
        inside: vec![
            point("low", Vec3::new(0.012, -0.13, 0.021)),
            point("high", Vec3::new(-0.033, 0.11, 0.004)),
        ],
        ..params(Precision::Double)
    };
    let mut model = model_with(&geometry, &params);
    let boundary = pulled_top(&geometry.skin, 2.0);
    advance(&mut model, &boundary).expect("regular");
    for (state, point) in model.inside_states().iter().zip(&params.inside) {
        for (k, stress) in state.stress.iter().enumerate() {
            let exact = if k == 1 { 2.0 / 0.01 } else { 0.0 };
            assert!((stress - exact).abs() < 1e-9 * 200.0, "{k} {stress}");
        }
        assert!((state.von_mises() - 200.0).abs() < 1e-7);
        let stretch = 200.0 / 1e5 * (point.point.y + 0.2);
        let error = state.displacement - Vec3::y() * stretch;
        assert!(error.norm() < 1e-11, "{error}");
    }
}
