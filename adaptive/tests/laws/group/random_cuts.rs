//! Random cuts of two bodies that touch each other.

use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;

use crate::blades::damped;
use crate::blades::random::{assert_finite_and_closed, random_of_run};
use crate::bodies::{mass, momenta};
use crate::group::levels::{cube, free, group, run, throw};

#[test]
fn random_cuts_of_two_bodies_keep_their_masses_and_a_closed_surface() {
    let kinds = [cube(1000.0, 0.1), cube(300.0, 0.1)];
    let at = [Vec3::new(-0.08, 0.0, 0.0), Vec3::new(0.08, 0.03, 0.02)];
    let (mut total, mut touched) = (0, 0);
    for k in 0..3 {
        let mut bodies = group(kinds.iter().map(damped).collect(), &at, free());
        throw(&mut bodies, &[Vec3::x(), -Vec3::x()]);
        let masses: Vec<f64> = bodies.models().iter().map(mass).collect();
        let mut random = random_of_run(k);
        for n in 0..12 {
            let blade = random.sweep(0.3);
            bodies.set_blades(&[blade]).expect("they can be cut");
            run(&mut bodies, 1, &BoundaryConditions::default());
            touched += usize::from(bodies.force_between(0, 1).norm() > 0.0);
            let what = format!("cut {n} of run {k}");
            for (body, whole) in bodies.models().iter().zip(&masses) {
                let now = mass(body);
                assert!((now / whole - 1.0).abs() < 1e-9, "{what}: {now} {whole}");
                let (momentum, spin) = momenta(body);
                assert!((momentum + spin).norm().is_finite(), "{what}");
            }
            assert_finite_and_closed(&bodies, &what);
        }
        let cut = bodies.models().iter().map(|body| body.cut_edges().len());
        total += cut.sum::<usize>();
    }
    assert!(total > 100 && touched > 0, "{total} {touched}");
}
