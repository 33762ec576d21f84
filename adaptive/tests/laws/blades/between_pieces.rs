//! Contact between pieces: friction, and separation of overlapping pieces.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, Degradation, FrameRequest, WorkBudget};

use super::{frames, halved, in_piece_of, sweep_across};
use crate::bodies::{baked_block, below, frame, model, rayleigh, weight};

/// Edge of the block, m.
const SIZE: f64 = 0.2;
/// Frames in which the upper piece comes to rest. It sleeps only after 30, and then has no contact work.
const SETTLING: usize = 20;

/// A supported block with a horizontal cut a little above its middle, with this coefficient of friction.
fn block_in_two(friction: f64) -> AdaptiveModel {
    let (size, foot) = (Vec3::repeat(SIZE), Some(below(-0.099)));
    let asset = baked_block(size, &[[4, 4, 4]], 0.5, foot);
    let params = AdaptiveParams {
        blades: true,
        friction,
        ..rayleigh()
    };
    halved(model(&asset, params), sweep_across(0.02, -0.3, 0.3))
}

/// Mean of some vectors over the upper piece.
fn mean_above(body: &AdaptiveModel, of: &[Vec3]) -> Vec3 {
    let above = is_above(body);
    let count = above.iter().filter(|is| **is).count();
    let all = of.iter().zip(&above).filter(|(_, is)| **is);
    all.map(|(v, _)| *v).sum::<Vec3>() / count as f64
}

/// Whether each node belongs to the piece that is above the cut.
fn is_above(body: &AdaptiveModel) -> Vec<bool> {
    in_piece_of(body, |x| x.y > 0.099)
}

#[test]
fn a_piece_slides_down_where_the_slope_is_steeper_than_its_friction() {
    // gravity is tilted instead of the block
    let g = 9.81;
    let leaning = |slope: f64| {
        let cosine = 1.0 / slope.hypot(1.0);
        let mut boundary = BoundaryConditions::default();
        boundary.gravity = Vec3::new(slope * cosine, -cosine, 0.0) * g;
        boundary
    };
    for (friction, slope) in [(0.3, 0.2), (0.3, 0.45), (0.6, 0.45)] {
        let mut body = block_in_two(friction);
        let boundary = leaning(0.0);
        frames(&mut body, &boundary, SETTLING);
        let boundary = leaning(slope);
        let from = mean_above(&body, body.level_positions());
        let count = 12;
        frames(&mut body, &boundary, count);
        let way = (mean_above(&body, body.level_positions()) - from).x;
        let time = f64::from(count as u32) / 60.0;
        // Coulomb: downhill force minus friction
        let free = (slope - friction).max(0.0) * g / slope.hypot(1.0);
        let expected = 0.5 * free * time * time;
        // the block itself deforms by up to a millimetre
        let tolerance = 0.1 * expected + 0.002;
        assert!(
            (way - expected).abs() < tolerance,
            "{friction} {slope}: {way} {expected}"
        );
    }
}

#[test]
fn overlapping_pieces_separate_without_being_thrown() {
    let mut body = block_in_two(0.3);
    let spacing = body.moving_level().spacing;
    let above = is_above(&body);
    let down = Vec3::y() * (0.2 * spacing);
    let places = body.level_positions().iter().zip(&above);
    let places: Vec<Vec3> = places
        .map(|(x, a)| if *a { x - down } else { *x })
        .collect();
    let still = vec![Vec3::zeros(); places.len()];
    body.set_state(&places, &still);
    let boundary = BoundaryConditions::default();
    let mut fastest = 0.0_f64;
    for _ in 0..20 {
        frame(&mut body, &boundary);
        fastest = fastest.max(mean_above(&body, body.level_velocities()).norm());
    }
    // a twentieth of an edge a frame; an elastic piece that is pushed at its end rebounds with at most twice that
    assert!(fastest < 2.0 * 0.05 * spacing * 60.0, "{fastest}");
    let (_, depth) = body.contact_between_pieces();
    assert!(depth < 0.01 * spacing, "{depth} {spacing}");
}

#[test]
fn contact_work_is_counted_and_contact_is_less_exact_under_a_small_budget() {
    let boundary = weight();
    let run = |units: u64| {
        let mut body = block_in_two(0.3);
        let mut reports = Vec::new();
        for _ in 0..SETTLING {
            let report =
                body.advance(FrameRequest::new(1.0 / 60.0, &boundary).within(WorkBudget(units)));
            reports.push(report.expect("advances"));
        }
        let last = &reports[SETTLING - 1];
        let evaluations = u64::from(last.substeps) * body.moving_level().mesh.tets.len() as u64;
        let (work, place) = (last.work_used, mean_above(&body, body.level_positions()));
        (reports, work, evaluations, place)
    };
    let (free, all, evaluations, place) = run(WorkBudget::UNLIMITED.0);
    assert!(all > evaluations, "{all} {evaluations}");
    assert!(free.iter().all(|r| r.degraded.is_none()));
    // a budget of the elements alone: contact still gets a share of it
    let (small, limited, _, there) = run(evaluations);
    let is_less_exact =
        |r: &&pliant_core::model::FrameReport| r.degraded == Some(Degradation::CoarserConstraints);
    assert!(small.iter().filter(is_less_exact).count() > 0);
    assert!(limited <= all, "{limited} {all}");
    // it still carries the piece
    assert!((there - place).norm() < 1e-3, "{there} {place}");
}
