//! A bar that hangs under its own weight breaks if it is too weak for it, with and without a toughness.

use std::f64::consts::PI;

use pliant_adaptive::AdaptiveModel;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{FractureLimits, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;

use crate::blades::{in_piece_of, pieces};
use crate::bodies::{GRAVITY, With, baked, body_of, frame, model, rayleigh, weight};

/// Length and width of the bar, m.
const LENGTH: f64 = 0.3;
const WIDTH: f64 = 0.1;
/// kg/m³
const DENSITY: f64 = 1000.0;
/// Pa
const YOUNG: f64 = 1e6;
/// Frames of a second.
const SECOND: usize = 60;

/// The strength (Pa) that the stress at the support exceeds by the factor `overload`.
fn strength(overload: f64) -> f64 {
    // weight over cross section
    DENSITY * GRAVITY.norm() * LENGTH / overload
}

/// No toughness.
pub fn strong(overload: f64) -> FractureLimits {
    FractureLimits {
        strength: Some(strength(overload)),
        toughness: None,
    }
}

/// The same strength, with which cracks grow by their energy if they are as deep as this, m.
fn tough(overload: f64, depth: f64) -> FractureLimits {
    let strength = strength(overload);
    FractureLimits {
        strength: Some(strength),
        toughness: Some(1.26 * PI * strength * strength * depth / YOUNG),
    }
}

/// A bar that is held at its upper end, with `cells` cells over its width.
pub fn hanging(cells: usize, style: CellStyle, limits: FractureLimits) -> AdaptiveModel {
    let size = Vec3::new(WIDTH, LENGTH, WIDTH);
    let mesh = box_tets(size, [cells, 3 * cells, cells], style);
    let material = Material::isotropic(YOUNG, 0.3)
        .with_density(DENSITY)
        .with_damping_ratio(0.7);
    let upper_end = Selection::HalfSpace {
        point: [0.0, LENGTH / 2.0 - 1e-6, 0.0],
        normal: [0.0, 1.0, 0.0],
    };
    let body = body_of([mesh], material, Some(upper_end));
    model(&baked(&body), rayleigh().with(|p| p.fracture = limits))
}

/// Whether the lower end is no longer connected with the upper end.
pub fn has_parted(body: &AdaptiveModel) -> bool {
    let end = LENGTH / 2.0 - 1e-6;
    let falls = in_piece_of(body, |x| x.y < -end);
    let nodes = body.asset().levels[0].mesh.nodes.iter();
    nodes.zip(falls).all(|(x, falls)| !(falls && x.y > end))
}

/// Whether a bar with these limits parts within a second, and how many edges are cut then.
fn falls_apart(cells: usize, style: CellStyle, limits: FractureLimits) -> (bool, usize) {
    let mut body = hanging(cells, style, limits);
    let parts = (0..SECOND).any(|_| {
        frame(&mut body, &weight());
        has_parted(&body)
    });
    (parts, body.cut_edges().len())
}

#[test]
fn a_bar_that_is_too_weak_for_its_weight_parts_within_a_second() {
    // in the last ligament of most of these bars nothing, or pressure, lies ahead of the crack
    for (cells, style) in [
        (2, CellStyle::Kuhn),
        (4, CellStyle::Kuhn),
        (6, CellStyle::Kuhn),
        (4, CellStyle::Alternating),
    ] {
        let (parts, cut) = falls_apart(cells, style, strong(3.0));
        assert!(parts, "{cells} {style:?}: {cut} edges are cut");
    }
}

#[test]
fn a_last_ligament_bears_no_more_than_the_strength_however_tough_it_is() {
    // a crack of three edges leaves a ligament of less than that
    for (cells, style) in [
        (4, CellStyle::Kuhn),
        (6, CellStyle::Kuhn),
        (4, CellStyle::Alternating),
    ] {
        // with the last depth the material separates in a zone that is larger than the bar by far, and energy alone parts nothing
        for depth in [0.2 * WIDTH, WIDTH, 1e3 * WIDTH] {
            let (parts, cut) = falls_apart(cells, style, tough(3.0, depth));
            assert!(parts, "{cells} {style:?} {depth}: {cut} edges are cut");
        }
    }
}

#[test]
fn a_bar_that_bears_twice_its_weight_does_not_break() {
    for (style, limits) in [
        (CellStyle::Kuhn, strong(0.5)),
        (CellStyle::Alternating, strong(0.5)),
        // without a crack the toughness means nothing
        (CellStyle::Kuhn, tough(0.5, 1e-6)),
    ] {
        let mut body = hanging(4, style, limits);
        for k in 1..=SECOND {
            // a weight that acts at once stretches an elastic bar twice as far as at rest
            let share = (k as f64 / 20.0).min(1.0);
            frame(
                &mut body,
                &BoundaryConditions::with_gravity(GRAVITY * share),
            );
        }
        assert_eq!((pieces(&body), body.cut_edges().len()), (1, 0));
    }
}
