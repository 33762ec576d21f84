//! Snapshots, and the same bits for any number of threads.

use pliant_adaptive::AdaptiveModel;
use pliant_core::material::FractureLimits;
use pliant_core::model::{DeformableModel, SnapshotMismatch};

use super::griffith::{breaking_at, griffith, notched, pull};
use crate::blades::{pieces, sweep_down};
use crate::bodies::{frame, on_threads};

const CRITICAL: f64 = 50.0;

/// Frame `k` of a pull that breaks the bar.
fn step(body: &mut AdaptiveModel, k: i32) {
    let load = pull(body, CRITICAL * 0.05 * f64::from(k));
    frame(body, &load);
}

fn bits(body: &AdaptiveModel) -> (Vec<u64>, Vec<([u32; 2], f64)>) {
    let state = body.level_positions().iter().chain(body.level_velocities());
    let bits = state.flat_map(|x| [x.x, x.y, x.z]).map(f64::to_bits);
    (bits.collect(), body.cut_edges())
}

#[test]
fn stepping_back_and_breaking_again_gives_the_same_bits() {
    let mut body = notched(8, 2, breaking_at(CRITICAL));
    let notch = body.cut_edges().len();
    let first = body.snapshot();
    let mut k = 0;
    while body.cut_edges().len() == notch {
        step(&mut body, k);
        k += 1;
        assert!(k < 60, "it has to break");
    }
    assert_eq!(pieces(&body), 1);
    let (middle, at) = (body.snapshot(), k);
    (at..60).for_each(|k| step(&mut body, k));
    assert_eq!(pieces(&body), 2);
    let last = bits(&body);
    let mut other = notched(8, 2, breaking_at(CRITICAL));
    for body in [&mut body, &mut other] {
        body.restore(&middle).expect("the same body");
        (at..60).for_each(|k| step(body, k));
        assert!(bits(body) == last);
        body.restore(&first).expect("the same body");
        assert_eq!((pieces(body), body.cut_edges().len()), (1, notch));
        (0..60).for_each(|k| step(body, k));
        assert!(bits(body) == last);
    }
    body.reset();
    assert_eq!((pieces(&body), body.cut_edges().len()), (1, 0));
    assert_eq!(body.crack_front(), None);
}

#[test]
fn a_snapshot_of_a_body_that_only_blades_cut_is_not_one_of_a_body_that_breaks() {
    let mut breaks = notched(8, 1, breaking_at(CRITICAL));
    let bears = notched(8, 1, FractureLimits::default());
    assert_eq!(breaks.restore(&bears.snapshot()), Err(SnapshotMismatch));
}

#[test]
fn a_break_has_the_same_bits_for_any_number_of_threads() {
    let broken_on = |threads: usize| {
        on_threads(threads, || {
            let limits = FractureLimits {
                strength: Some(4.0 * CRITICAL),
                toughness: Some(griffith(CRITICAL)),
            };
            let mut body = notched(8, 2, limits);
            // a blade cuts elsewhere while the bar breaks
            for k in 0..50 {
                let height = |k: i32| 0.2 - 0.01 * f64::from(k);
                let blade = sweep_down(0.06, height(k), height(k + 1));
                body.set_blades(&[blade]).expect("it can be cut");
                step(&mut body, k);
            }
            assert!(pieces(&body) >= 2);
            bits(&body)
        })
    };
    assert!(broken_on(2) == broken_on(1));
}
