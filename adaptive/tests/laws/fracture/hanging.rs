//! A bar that hangs under its own weight breaks if it is too weak for it.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, DampingRule, LevelChoice};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::material::{FractureLimits, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;

use crate::blades::{body_of, in_piece_of, pieces};
use crate::bodies::{GRAVITY, baked, frame, model, weight};

/// Length and width of the bar, m.
const LENGTH: f64 = 0.3;
const WIDTH: f64 = 0.1;
/// kg/m³
const DENSITY: f64 = 1000.0;
/// Frames of a second.
const SECOND: usize = 60;

/// A bar that is held at its upper end, with `cells` cells over its width. It breaks where the stress exceeds that at its support, divided by `overload`.
fn hanging(cells: usize, style: CellStyle, overload: f64) -> AdaptiveModel {
    let size = Vec3::new(WIDTH, LENGTH, WIDTH);
    let mesh = box_tets(size, [cells, 3 * cells, cells], style);
    // weight over cross section
    let at_support = DENSITY * GRAVITY.norm() * LENGTH;
    let material = Material::isotropic(1e6, 0.3)
        .with_density(DENSITY)
        .with_damping_ratio(0.7);
    let upper_end = Selection::HalfSpace {
        point: [0.0, LENGTH / 2.0 - 1e-6, 0.0],
        normal: [0.0, 1.0, 0.0],
    };
    let params = AdaptiveParams {
        level: LevelChoice::Index(0),
        damping_rule: DampingRule::Rayleigh,
        fracture: FractureLimits {
            strength: Some(at_support / overload),
            toughness: None,
        },
        ..AdaptiveParams::default()
    };
    let body = body_of(mesh, material, Some(upper_end));
    model(&baked(&body), params)
}

/// Whether the lower end is no longer connected with the upper end.
fn has_parted(body: &AdaptiveModel) -> bool {
    let end = LENGTH / 2.0 - 1e-6;
    let falls = in_piece_of(body, |x| x.y < -end);
    let nodes = body.asset().levels[0].mesh.nodes.iter();
    nodes.zip(falls).all(|(x, falls)| !(falls && x.y > end))
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
        let mut body = hanging(cells, style, 3.0);
        let parts = (0..SECOND).any(|_| {
            frame(&mut body, &weight());
            has_parted(&body)
        });
        let cut = body.cut_edges().len();
        assert!(parts, "{cells} {style:?}: {cut} edges are cut");
    }
}

#[test]
fn a_bar_that_bears_twice_its_weight_does_not_break() {
    for (cells, style) in [(4, CellStyle::Kuhn), (4, CellStyle::Alternating)] {
        let mut body = hanging(cells, style, 0.5);
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
