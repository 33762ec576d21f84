//! The oscillating cube against its converged reference.

use pliant_adaptive::ElementModel;
use pliant_adaptive::study::mesh::box_with_about;
use pliant_adaptive::study::{OscillationRun, oscillate};
use pliant_core::asset::Progress;
use pliant_core::math::Vec3;

use crate::bodies::{CUBE_PERIOD, cube_material};

/// Depth of the trough (m) of the spectral-element reference for this cube.
const TROUGH: f64 = -0.056710;

fn run(nodes: usize, model: ElementModel) -> OscillationRun {
    let size = Vec3::repeat(1.0);
    oscillate(
        &box_with_about(size, nodes),
        size,
        &cube_material(0.0),
        9.81,
        model,
        3.0,
        &Progress::new(),
    )
    .expect("runs")
}

#[test]
fn green_and_cauchy_lie_in_the_bands_of_linear_tetrahedra() {
    let bands = [
        (27, -0.15..-0.08, -0.42..-0.23),
        (57, -0.11..-0.07, -0.24..-0.16),
        (137, -0.07..-0.04, -0.16..-0.10),
    ];
    for (nodes, period, trough) in bands {
        for model in [ElementModel::Green, ElementModel::Cauchy] {
            let r = run(nodes, model);
            let p = r.period_s.expect("swings") / CUBE_PERIOD - 1.0;
            let d = r.trough_m.expect("swings") / TROUGH - 1.0;
            assert!(period.contains(&p), "{nodes} {model:?} period {p}");
            assert!(trough.contains(&d), "{nodes} {model:?} trough {d}");
            assert!(r.energy_drift.expect("ran") < 0.025);
            assert!(!r.diverged && (r.nodes as f64 / nodes as f64 - 1.0).abs() <= 0.15);
            assert!(r.t.windows(2).all(|t| t[1] - t[0] <= 1.0 / 60.0));
            assert!((r.t.last().expect("samples") - 3.0).abs() < 1e-9);
        }
    }
}

#[test]
fn springs_swing_too_but_scatter() {
    let periods: Vec<f64> = [27, 57, 137]
        .into_iter()
        .map(|n| run(n, ElementModel::Spring).period_s.expect("swings") / CUBE_PERIOD - 1.0)
        .collect();
    assert!(periods.iter().all(|p| p.abs() < 0.15), "{periods:?}");
}

#[test]
fn simplified_is_the_stiffest() {
    let simplified = run(57, ElementModel::Simplified);
    let green = run(57, ElementModel::Green);
    assert!(simplified.period_s < green.period_s);
}

#[test]
fn a_mesh_without_the_corner_is_refused() {
    let mesh = box_with_about(Vec3::repeat(1.0), 27);
    let error = oscillate(
        &mesh,
        Vec3::repeat(1.1),
        &cube_material(0.0),
        9.81,
        ElementModel::Green,
        1.0,
        &Progress::new(),
    )
    .expect_err("no corner");
    assert_eq!(error.code(), "NoCornerNode");
}
