//! Cut edges and the number of pieces.

use nalgebra::UnitQuaternion;
use pliant_adaptive::AdaptiveModel;
use pliant_core::boundary::BoundaryConditions;
use pliant_core::contact::cutting::CannotCut;
use pliant_core::inspect::Inspect;
use pliant_core::math::Vec3;
use pliant_core::model::DeformableModel;
use pliant_core::scene::Selection;

use super::{block_asset, cut, cuttable, frames, halved, pieces, sweep, sweep_across, sweep_down};
use crate::bodies::{GRAVITY, body, counter, frame, weight};

#[test]
fn a_full_cut_makes_two_pieces_wherever_it_goes() {
    let asset = block_asset([8, 4, 4], None);
    // between nodes, through a plane of them, close beside one, and through many
    for x in [0.012, 0.0, 0.05, 0.1 - 1e-6, -0.11] {
        let mut block = cuttable(&asset);
        assert_eq!(pieces(&block), 1);
        assert!(cut(&mut block, &[sweep_down(x, 0.3, -0.3)]) > 0);
        assert_eq!(pieces(&block), 2, "{x}");
    }
    for k in 0..20 {
        let turn = UnitQuaternion::from_euler_angles(0.3 * f64::from(k), 1.7 * f64::from(k), 0.4);
        let edge = |y: f64| [-1.0, 1.0].map(|z| turn * Vec3::new(0.0, y, z));
        let sweep = sweep(edge(1.0), edge(-1.0), turn * Vec3::y());
        let mut block = cuttable(&asset);
        cut(&mut block, &[sweep]);
        assert_eq!(pieces(&block), 2, "{k}");
    }
}

#[test]
fn a_second_cut_within_an_element_is_told_and_a_blade_that_comes_out_where_it_went_in_is_none() {
    let asset = block_asset([8, 4, 4], None);
    let told = |block: &AdaptiveModel| {
        let notes = block.stats().notes;
        let is_told = notes.iter().any(|n| n.starts_with("CutTooFine: "));
        assert_eq!(is_told, counter(block, "ignored_cuts") > 0.0);
        is_told
    };
    for x in [0.012, 0.0] {
        let mut block = cuttable(&asset);
        cut(&mut block, &[sweep_down(x, 0.3, -0.3)]);
        assert_eq!(cut(&mut block, &[sweep_down(x, -0.3, 0.3)]), 0);
        assert!(!told(&block), "{x}");
    }
    // cells are 50 mm wide
    let [near, far] = [0.012, 0.03].map(|x| sweep_down(x, 0.3, -0.3));
    let mut block = cuttable(&asset);
    cut(&mut block, &[near]);
    cut(&mut block, &[far]);
    assert!(told(&block));
    let mut at_once = cuttable(&asset);
    cut(&mut at_once, &[near, far]);
    assert!(told(&at_once));
    for block in [&block, &at_once] {
        assert_eq!(pieces(block), 2);
    }
    // two whole cells apart
    let mut apart = cuttable(&asset);
    cut(&mut apart, &[near, sweep_down(0.112, 0.3, -0.3)]);
    assert!(!told(&apart) && pieces(&apart) == 3);
}

#[test]
fn the_same_edges_are_cut_however_many_frames_it_takes() {
    let asset = block_asset([8, 4, 4], None);
    for x in [0.012, 0.0] {
        let cut_in = |frames: u32| {
            let mut block = cuttable(&asset);
            let height = |k: u32| 0.3 - 0.6 * f64::from(k) / f64::from(frames);
            for k in 0..frames {
                cut(&mut block, &[sweep_down(x, height(k), height(k + 1))]);
            }
            let mut edges: Vec<[u32; 2]> = block.cut_edges().iter().map(|(e, _)| *e).collect();
            edges.sort_unstable();
            (
                pieces(&block),
                edges,
                block.moving_level().mesh.tets.clone(),
            )
        };
        let once = cut_in(1);
        assert_eq!(once.0, 2);
        // 25 edges along x, 40 diagonals in each of two planes, 16 in space
        assert_eq!(once.1.len(), 25 + 2 * 20 + 16, "{x}");
        // each of the six tetrahedra of a cell is there twice
        assert_eq!(once.2.len(), 6 * (8 * 16 + 16));
        for frames in [2, 7, 30] {
            assert_eq!(cut_in(frames), once, "{x} {frames}");
        }
    }
}

#[test]
fn half_a_cut_leaves_one_piece_and_two_blades_at_once_make_three() {
    let asset = block_asset([8, 4, 4], None);
    let mut block = cuttable(&asset);
    assert!(cut(&mut block, &[sweep_down(0.01, 0.3, 0.01)]) > 0);
    assert_eq!(pieces(&block), 1);
    // the end of the cut closes: its nodes there are those of the whole body
    let extra = block.moving_level().node_count() - block.asset().levels[0].node_count();
    assert!(extra > 0 && extra < 2 * 3 * 5 * 2, "{extra}");
    let mut block = cuttable(&asset);
    cut(
        &mut block,
        &[sweep_down(0.06, 0.3, -0.3), sweep_down(-0.06, 0.3, -0.3)],
    );
    assert_eq!(pieces(&block), 3);
    // the same blade twice cuts once
    let mut block = cuttable(&asset);
    let twice = cut(
        &mut block,
        &[sweep_down(0.06, 0.3, -0.3), sweep_down(0.06, 0.3, -0.3)],
    );
    let mut other = cuttable(&asset);
    assert_eq!(cut(&mut other, &[sweep_down(0.06, 0.3, -0.3)]), twice);
}

#[test]
fn a_blade_that_touches_or_is_out_again_within_a_frame_cuts_nothing() {
    let mut block = cuttable(&block_asset([8, 4, 4], None));
    // the block ends at y = 0.1; exactly there, beside it, above it, and no motion at all
    for sweep in [
        sweep_down(0.01, 0.3, 0.1),
        sweep_down(0.0, 0.3, 0.1),
        sweep_down(0.200_001, 0.3, -0.3),
        sweep_down(0.0, 0.3, 0.100_001),
        sweep_down(0.0, 0.0, 0.0),
        sweep_down(0.01, 0.3, 0.3),
    ] {
        assert_eq!(cut(&mut block, &[sweep]), 0, "{sweep:?}");
    }
    assert_eq!(cut(&mut block, &[]), 0);
    assert_eq!(pieces(&block), 1);
}

#[test]
fn a_block_that_falls_through_a_blade_at_rest_is_cut_and_its_pieces_fall_apart() {
    let asset = block_asset([8, 4, 4], None);
    for x in [0.0, 1e-10, 2e-8, -1e-7, 0.02] {
        let mut block = cuttable(&asset);
        let weight = weight();
        for _ in 0..30 {
            block
                .set_blades(&[sweep_down(x, -0.3, -0.3)])
                .expect("a blade");
            frame(&mut block, &weight);
        }
        assert_eq!(pieces(&block), 2, "{x}");
    }
}

#[test]
fn supports_hold_pieces_with_supported_nodes_and_release_the_others() {
    // held at the bottom: both sides of an upright cut stay
    let mut standing = cuttable(&block_asset([8, 4, 4], Some(Selection::Lowest(0.01))));
    let before = standing.level_positions().to_vec();
    cut(&mut standing, &[sweep_down(0.01, 0.3, -0.3)]);
    assert_eq!(pieces(&standing), 2);
    let weight = weight();
    frames(&mut standing, &weight, 20);
    for (x, from) in standing.level_positions().iter().zip(&before) {
        assert!((x - from).norm() < 0.02, "{x} {from}");
    }
    // the supported nodes were duplicated by the cut
    let held = standing.moving_level().held[0].len();
    assert!(held > standing.asset().levels[0].held[0].len());
    // cut off along the support, it falls
    let standing = cuttable(&block_asset([8, 4, 4], Some(Selection::Lowest(0.01))));
    let mut standing = halved(standing, sweep_across(-0.09, 1.0, -1.0));
    let push = BoundaryConditions::with_gravity(-GRAVITY);
    frames(&mut standing, &push, 20);
    let rest = &standing.asset().levels[0].mesh.nodes;
    let time = 20.0 / 60.0;
    for (x, from) in standing.level_positions().iter().zip(rest) {
        let risen = x.y - from.y;
        let expected = if from.y > -0.09 {
            0.5 * 9.81 * time * time
        } else {
            0.0
        };
        assert!((risen - expected).abs() < 0.03, "{risen} {expected}");
    }
}

#[test]
fn a_body_without_blades_in_its_scene_cannot_be_cut() {
    let mut block = body(
        &block_asset([4, 2, 2], None),
        0,
        pliant_adaptive::ElementModel::Green,
    );
    assert_eq!(block.set_blades(&[]), Err(CannotCut));
    assert_eq!(block.pieces(), None);
}
