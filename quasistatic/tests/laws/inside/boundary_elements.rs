//! Points inside a body of boundary elements: Somigliana's identity against finite elements, statics and central differences of displacements.

use pliant_core::asset::BodyGeometry;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_quasistatic::asset::inside::{NamedPoint, PointState};
use pliant_quasistatic::params::Generator;
use pliant_quasistatic::{BakeError, QuasistaticParams};

use super::{point_with_neighbours, reported_and_numerical_stress};
use crate::bodies::{
    above, advance, constrained, from_generator, held_box, hold, model_with, point, refused,
};

fn params_with_points(generator: Generator, inside: Vec<NamedPoint>) -> QuasistaticParams {
    QuasistaticParams {
        inside,
        ..from_generator(generator)
    }
}

const BOTH: [Generator; 2] = [Generator::BemLinear, Generator::BemConstant];

#[test]
fn a_bar_that_is_pulled_has_its_force_over_its_section_inside() {
    let mut geometry = held_box(Vec3::new(0.1, 0.4, 0.1), [3, 12, 3], None);
    geometry.material.elastic.poisson = 0.0;
    for generator in BOTH {
        let middle = Vec3::new(0.004, 0.01, -0.006);
        let params = params_with_points(generator, vec![point("middle", middle)]);
        let mut model = model_with(&geometry, &params);
        let positions = &geometry.skin.positions;
        let top = above(&geometry.skin, 0.199).into_iter();
        let pulled = top.map(|v| hold(v, positions[v as usize] + Vec3::y() * 1e-3, None));
        advance(&mut model, &constrained(pulled)).expect("regular");
        let force: Vec3 = model.reactions().iter().sum();
        let state = model.inside_states()[0];
        let stretch = 1e-3 * (0.2 + middle.y) / 0.4;
        let error = state.displacement - Vec3::y() * stretch;
        // the error of collocation and of the averaged columns
        assert!(
            error.norm() < 0.03 * stretch,
            "{generator:?} {error} {stretch}"
        );
        let pull = force.y / 0.01;
        for (k, stress) in state.stress.iter().enumerate() {
            let exact = if k == 1 { pull } else { 0.0 };
            assert!(
                (stress - exact).abs() < 0.05 * pull,
                "{generator:?} {k} {stress} {pull}"
            );
        }
    }
}

#[test]
fn boundary_elements_agree_with_finite_elements_about_the_inside() {
    let at = [Vec3::new(0.02, 0.03, -0.01), Vec3::new(-0.03, -0.04, 0.02)];
    let names = ["a", "b"];
    let points: Vec<NamedPoint> = names.iter().zip(at).map(|(n, x)| point(n, x)).collect();
    let geometry = held_box(Vec3::repeat(0.2), [6; 3], None);
    let fine = held_box(Vec3::repeat(0.2), [12; 3], None);
    let states = |generator, geometry: &BodyGeometry, gravity: Vec3, load: Vec3| {
        let mut model = model_with(geometry, &params_with_points(generator, points.clone()));
        model.set_inside_load("a", load).expect("a point");
        advance(&mut model, &BoundaryConditions::with_gravity(gravity)).expect("regular");
        let support = model.support_reactions()[0];
        (model.inside_states().to_vec(), support)
    };
    let relative_errors = |a: &PointState, b: &PointState| {
        let difference: f64 = (0..6).map(|k| (a.stress[k] - b.stress[k]).powi(2)).sum();
        let size: f64 = b.stress.iter().map(|s| s * s).sum();
        let moved = (a.displacement - b.displacement).norm() / b.displacement.norm();
        (moved, (difference / size).sqrt())
    };
    let weight = Vec3::new(2.0, -9.81, 1.0);
    let load = Vec3::new(0.0, -3.0, 1.0);
    let (sag, _) = states(Generator::Fem, &fine, weight, Vec3::zeros());
    let (pulled, _) = states(Generator::Fem, &fine, Vec3::zeros(), load);
    for generator in BOTH {
        let (own, _) = states(generator, &geometry, weight, Vec3::zeros());
        for (a, b) in own.iter().zip(&sag) {
            let (moved, stressed) = relative_errors(a, b);
            // the stress is constant in a linear tetrahedron
            assert!(
                moved < 0.05 && stressed < 0.25,
                "{generator:?} {moved} {stressed}"
            );
        }
        let (own, support) = states(generator, &geometry, Vec3::zeros(), load);
        // at the other point: the displacement of the loaded one is singular
        let (moved, stressed) = relative_errors(&own[1], &pulled[1]);
        assert!(
            moved < 0.05 && stressed < 0.3,
            "{generator:?} {moved} {stressed}"
        );
        assert!(
            (support + load).norm() < 0.03 * load.norm(),
            "{generator:?} {support}"
        );
    }
}

#[test]
fn stress_is_that_of_the_slope_of_displacements_and_loads_are_reciprocal() {
    let (center, step) = (Vec3::new(0.01, 0.02, -0.015), 1e-4);
    let points = point_with_neighbours(center, step);
    let geometry = held_box(Vec3::repeat(0.2), [4; 3], None);
    let lame = geometry.material.lame();
    for generator in BOTH {
        let model = model_with(&geometry, &params_with_points(generator, points.clone()));
        let [center, neighbours @ ..] = model.inside() else {
            panic!("points");
        };
        // gravity has no transposed columns to average with
        for axis in 0..3 {
            let moved = |k: usize| neighbours[k].gravity.column(axis).into_owned();
            let reported = center.gravity_stress.map(|r| r[axis]);
            let (reported, stress) = reported_and_numerical_stress(reported, moved, step, lame);
            let error = (reported - stress).norm() / reported.norm();
            assert!(error < 1e-4, "{generator:?} {axis} {error}");
        }
        for (k, own) in model.inside().iter().enumerate() {
            for (j, other) in model.inside().iter().enumerate() {
                let back = other.of_points[k].displacement.transpose();
                assert!((own.of_points[j].displacement - back).norm() == 0.0);
            }
        }
    }
}

#[test]
fn an_incompressible_body_tells_its_inside_too() {
    let mut geometry = held_box(Vec3::repeat(0.2), [4; 3], None);
    geometry.material.elastic.poisson = 0.5;
    let params = params_with_points(
        Generator::BemLinear,
        vec![point("core", Vec3::new(0.01, 0.0, 0.02))],
    );
    let mut model = model_with(&geometry, &params);
    let top = geometry
        .skin
        .positions
        .iter()
        .position(|x| x.y > 0.099 && x.xz().norm() < 0.01);
    let top = top.expect("a vertex") as u32;
    let target = geometry.skin.positions[top as usize] - Vec3::y() * 0.01;
    let mut boundary = constrained([hold(top, target, None)]);
    boundary.gravity = Vec3::new(0.0, -9.81, 0.0);
    advance(&mut model, &boundary).expect("regular");
    let state = model.inside_states()[0];
    assert!(
        state.displacement.y < 0.0 && state.stress[1] < 0.0,
        "{state:?}"
    );
    // the displacements of the surface under a load on the point keep the volume
    let asset = model.asset().clone();
    let areas = geometry.skin.nodal_area_vectors();
    let mut flux = Vec3::zeros();
    let mut total = 0.0_f64;
    for (v, area) in areas.iter().enumerate() {
        if let ([node], _) = asset.rows.row(v) {
            let row = asset.inside[0].displacement[*node as usize];
            flux += row * area;
            total += row.norm() * area.norm();
        }
    }
    assert!(flux.norm() < 1e-12 * total, "{flux} {total}");
}

#[test]
fn points_outside_and_close_to_the_surface_are_refused_by_name() {
    let geometry = held_box(Vec3::repeat(0.2), [4; 3], None);
    for generator in BOTH {
        let refused = |x: Vec3| {
            let error = refused(
                &geometry,
                &params_with_points(generator, vec![point("p", x)]),
            );
            assert!(error.to_string().contains("`p`"), "{error}");
            error
        };
        let outside = refused(Vec3::new(0.0, 0.13, 0.0));
        assert!(
            matches!(outside, BakeError::PointOutside { distance, .. } if (distance - 0.03).abs() < 1e-12)
        );
        let near = refused(Vec3::new(0.0, 0.09, 0.0));
        assert!(
            matches!(near, BakeError::NearBoundary { distance, .. } if (distance - 0.01).abs() < 1e-12)
        );
    }
}
