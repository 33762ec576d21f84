//! Snapshots, and the same bits for any number of threads.

use pliant_adaptive::{AdaptiveModel, AdaptiveParams, LevelChoice, Precision};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, SnapshotMismatch};
use pliant_core::scene::Selection;

use super::{block_asset, cut, cuttable, pieces, sweep, sweep_down};
use crate::bodies::{counter, frame, model, on_threads, shown};

/// All positions and velocities, as bits.
fn bits(model: &AdaptiveModel) -> Vec<u64> {
    let shown = shown(model);
    let state = model
        .level_positions()
        .iter()
        .chain(model.level_velocities());
    let cut = shown.cut.iter().flat_map(|cut| &cut.frame.positions);
    let skin = shown
        .positions
        .iter()
        .chain(&shown.normals)
        .chain(cut)
        .flatten();
    state
        .flat_map(|x| [x.x, x.y, x.z])
        .map(f64::to_bits)
        .chain(skin.map(|x| u64::from(x.to_bits())))
        .collect()
}

#[test]
fn stepping_back_and_cutting_again_gives_the_same_bits() {
    let mut body = cuttable(&block_asset([8, 6, 4], Some(Selection::Lowest(0.01))));
    // crossing cuts before: shares depend on their order
    let edge = |x: f64| [Vec3::new(x, 0.02, -1.0), Vec3::new(x, 0.021, 1.0)];
    let weight = BoundaryConditions::with_gravity(Vec3::new(2.0, -9.81, 0.0));
    let step = |body: &mut AdaptiveModel, k: i32| {
        let height = |k: i32| 0.2 - 0.05 * f64::from(k);
        let across = |k: i32| edge(0.3 - 0.1 * f64::from(k));
        let across = sweep(across(k), across(k + 1), Vec3::x());
        body.set_blades(&[sweep_down(0.013, height(k), height(k + 1)), across])
            .expect("a blade");
        frame(body, &weight);
    };
    let first = body.snapshot();
    (0..4).for_each(|k| step(&mut body, k));
    let middle = body.snapshot();
    let at_middle = bits(&body);
    assert!(!body.cut_edges().is_empty());
    (4..10).for_each(|k| step(&mut body, k));
    let last = (bits(&body), body.cut_edges());
    assert_eq!(pieces(&body), 4);
    for _ in 0..2 {
        body.restore(&middle).expect("the same body");
        assert!(bits(&body) == at_middle);
        (4..10).for_each(|k| step(&mut body, k));
        assert!((bits(&body), body.cut_edges()) == last);
    }
    body.restore(&first).expect("the same body");
    assert_eq!((pieces(&body), body.cut_edges().len()), (1, 0));
    (0..10).for_each(|k| step(&mut body, k));
    assert!((bits(&body), body.cut_edges()) == last);
    body.reset();
    assert_eq!((pieces(&body), body.cut_edges().len()), (1, 0));
    (0..10).for_each(|k| step(&mut body, k));
    assert!((bits(&body), body.cut_edges()) == last);
}

#[test]
fn ignored_cuts_are_those_of_the_moment_that_a_body_goes_back_to() {
    let mut body = cuttable(&block_asset([8, 4, 4], None));
    let ignored = |body: &AdaptiveModel| counter(body, "ignored_cuts");
    // cells are 50 mm wide
    cut(&mut body, &[sweep_down(0.012, 0.3, -0.3)]);
    let once = body.snapshot();
    assert_eq!(ignored(&body), 0.0);
    cut(&mut body, &[sweep_down(0.03, 0.3, -0.3)]);
    let (twice, count) = (body.snapshot(), ignored(&body));
    assert!(count > 0.0);
    body.restore(&once).expect("the same body");
    assert_eq!(ignored(&body), 0.0);
    body.restore(&twice).expect("the same body");
    assert_eq!(ignored(&body), count);
    body.reset();
    assert_eq!(ignored(&body), 0.0);
    body.restore(&twice).expect("the same body");
    assert_eq!(ignored(&body), count);
}

/// Index in the numbers of a snapshot after the counts of copies and edges; the sides of nodes follow.
fn end_of_cuts(values: &[f64]) -> usize {
    values.len() - 1 - 4 * values[values.len() - 1] as usize
}

/// Index of the last cut edge in the numbers of a snapshot.
fn last_edge(values: &[f64]) -> usize {
    let end = end_of_cuts(values);
    end - 2 - values[end - 2] as usize - 2
}

#[test]
fn a_snapshot_of_another_body_is_refused_and_changes_nothing() {
    let asset = block_asset([8, 4, 4], None);
    let mut body = cuttable(&asset);
    cut(&mut body, &[sweep_down(0.01, 0.3, -0.3)]);
    let good = body.snapshot();
    let now = bits(&body);
    let values = &good.values;
    let (last, end, edge) = (values.len() - 1, end_of_cuts(values), last_edge(values));
    let mut damaged = Vec::new();
    for (at, value) in [
        // the number of sides of nodes
        (last, values[last] + 1.0),
        (last, 1e300),
        (last, f64::NAN),
        // a share of a copy, the number of copies, and that of edges
        (end - 3, f64::NAN),
        (end - 2, values[end - 2] - 1.0),
        (end - 1, values[end - 1] + 1.0),
        // an edge that does not exist, one that comes twice, and a share of an edge
        (edge, 1e9),
        (edge, values[edge - 2]),
        (edge + 1, f64::NAN),
    ] {
        let mut bad = good.clone();
        bad.values[at] = value;
        damaged.push(bad);
    }
    for length in [last, 0] {
        let mut bad = good.clone();
        bad.values.truncate(length);
        damaged.push(bad);
    }
    for bad in damaged {
        assert_eq!(body.restore(&bad), Err(SnapshotMismatch));
        assert!(bits(&body) == now);
    }
    body.restore(&good).expect("its own");
}

#[test]
fn a_cut_has_the_same_bits_for_any_number_of_threads() {
    for precision in [Precision::F64, Precision::F32] {
        let asset = block_asset([20, 12, 12], Some(Selection::Lowest(0.01)));
        let cut_on = |threads: usize| {
            on_threads(threads, || {
                let params = AdaptiveParams {
                    level: LevelChoice::Index(0),
                    blades: true,
                    precision,
                    ..AdaptiveParams::default()
                };
                let mut body = model(&asset, params);
                let weight = BoundaryConditions::with_gravity(Vec3::new(1.0, -9.81, 2.0));
                for k in 0..5 {
                    let height = |k: i32| 0.2 - 0.1 * f64::from(k);
                    body.set_blades(&[
                        sweep_down(0.0, height(k), height(k + 1)),
                        sweep_down(0.11, 0.5, 0.0),
                    ])
                    .expect("a blade");
                    frame(&mut body, &weight);
                }
                assert!(body.cut_edges().len() > 500);
                (bits(&body), body.cut_edges())
            })
        };
        assert!(cut_on(2) == cut_on(1));
    }
}
