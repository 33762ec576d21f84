//! The force of a lattice is proportional to Young's modulus, also where the body is too stiff for the usual number of cells.

use pliant_core::scene::Method;

use crate::pad::{pad, run, upward_force, world};

/// Force of a ball in the pad on automatic cells, over Young's modulus, m².
fn force_share(young: f64) -> f64 {
    let setup = pad(&[
        ("young = 2.0e4", &format!("young = {young:e}")),
        ("cell = 0.025, half_width = 1, calibrate = false", ""),
        ("radius = 0.3", "radius = 0.05"),
        ("0.353", "0.103"),
        ("0.344", "0.094"),
    ]);
    let mut world = world(&setup, Method::Lattice);
    run(&mut world, &setup, 1.5);
    upward_force(&world) / young
}

#[test]
fn a_stiff_body_is_as_stiff_as_its_modulus() {
    // 24 cells reach 0.68 MPa in 64 steps of regions of half-width 1; larger regions made the body 37 % too soft at 1 MPa
    let usual = force_share(1e5);
    for young in [1e6, 3e6] {
        let change = force_share(young) / usual - 1.0;
        assert!(change.abs() < 0.15, "{young}: {change}");
    }
}
