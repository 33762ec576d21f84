//! Another threshold of stored wavelet columns in the running model: its columns, its figures, and the return to the stored one.

use std::sync::{Arc, OnceLock};

use pliant_core::asset::Progress;
use pliant_core::contact::ToolShape;
use pliant_core::inspect::{Inspect, ParameterError, ParameterValue};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, WorkBudget};
use pliant_quasistatic::greens::wavelets::{Threshold, WaveletSpec};
use pliant_quasistatic::params::ConstraintLevel;
use pliant_quasistatic::{GreensAsset, Precision};

use crate::bodies::{advance, assert_near, bits, counter, held_box, model};
use crate::press::{Press, baked_rabbit};

/// The threshold of the stored columns.
const STORED: f64 = 0.01;
const NAMES: [&str; 3] = ["column_bytes", "column_compression", "column_error"];

/// The rabbit with three levels, 642 vertices, compressed with the stored threshold, and with a larger one.
fn bodies() -> &'static [Arc<GreensAsset>; 2] {
    static BODIES: OnceLock<[Arc<GreensAsset>; 2]> = OnceLock::new();
    BODIES.get_or_init(|| {
        let (body, asset) = baked_rabbit(3, Precision::default());
        [STORED, 0.1].map(|epsilon| {
            let spec = WaveletSpec {
                threshold: Threshold::Epsilon(epsilon),
                near_field: Some(2.2),
                ..WaveletSpec::default()
            };
            let compressed = asset.compressed(&body.boundary(), &spec, &Progress::new());
            Arc::new(compressed.expect("compressed").0)
        })
    })
}

fn pressed(asset: &Arc<GreensAsset>) -> Press {
    let ball = ToolShape::Sphere { radius: 0.03 };
    Press::new(asset, ConstraintLevel::Fine, ball)
}

/// Goes down to 10 mm below the back.
fn press_down(press: &mut Press) {
    for frame in 1..=5 {
        step(press, 2e-3 * f64::from(frame));
    }
}

fn step(press: &mut Press, depth: f64) {
    let position = Vec3::new(-0.03, 0.13 - depth, 0.0);
    press.step(position, WorkBudget::UNLIMITED).expect("solved");
}

fn set(press: &mut Press, threshold: f64) -> Result<(), ParameterError> {
    let value = ParameterValue::Number(threshold);
    press.model.set_parameter("threshold", value)
}

fn figures(press: &Press) -> [f64; 3] {
    NAMES.map(|name| counter(&press.model, name))
}

#[test]
fn larger_thresholds_take_fewer_bytes_and_tell_a_larger_error() {
    let mut press = pressed(&bodies()[0]);
    let mut last = figures(&press);
    assert_eq!(last[2], 0.0);
    for threshold in [0.02, 0.05, 0.2] {
        set(&mut press, threshold).expect("above the stored one");
        let value = press.model.parameter("threshold");
        assert_eq!(value, Ok(ParameterValue::Number(threshold)));
        let now = figures(&press);
        println!("{threshold}: {now:?}");
        assert!(now[0] < last[0] && now[1] > last[1] && now[2] > last[2]);
        assert!(now[2] < threshold, "an error is below its threshold");
        last = now;
    }
}

/// Columns stored with the larger threshold, and stored columns reduced to it, are the same body, except for columns whose largest block a threshold has changed.
#[test]
fn a_larger_threshold_leaves_what_a_bake_with_it_would_have_stored() {
    let [stored, expected] = bodies();
    let mut press = pressed(stored);
    set(&mut press, 0.1).expect("above the stored one");
    let kept = |asset: &GreensAsset| {
        let columns = asset.matrix.wavelets().expect("wavelets");
        columns.kept_blocks() as f64
    };
    let (count, expected_count) = (kept(press.model.asset()), kept(expected));
    assert!(
        (count - expected_count).abs() < 0.01 * expected_count,
        "{count} {expected_count}"
    );
    let mut other = pressed(expected);
    press_down(&mut press);
    press_down(&mut other);
    let (force, expected) = (press.force(), other.force());
    assert!(expected.norm() > 0.1, "it is pressed: {expected}");
    assert_near(force, expected, 0.01);
}

#[test]
fn the_stored_threshold_brings_the_stored_columns_back_to_the_bit() {
    let [stored, _] = bodies();
    let (mut press, mut other) = (pressed(stored), pressed(stored));
    set(&mut press, 0.2).expect("above the stored one");
    set(&mut press, STORED).expect("the stored one");
    assert!(Arc::ptr_eq(press.model.asset(), stored));
    assert_eq!(figures(&press), figures(&other));
    press_down(&mut press);
    press_down(&mut other);
    assert!(bits(&press.frame) == bits(&other.frame));
    // also under load: forces are those of the columns in use
    let before = press.force();
    set(&mut press, 0.3).expect("above the stored one");
    step(&mut press, 0.01);
    assert!(press.force() != before);
    assert_near(press.force(), before, 0.1);
}

#[test]
fn a_snapshot_takes_its_columns_along() {
    let mut press = pressed(&bodies()[0]);
    set(&mut press, 0.1).expect("above the stored one");
    press_down(&mut press);
    let (snapshot, error) = (press.model.snapshot(), figures(&press));
    step(&mut press, 0.011);
    let expected = bits(&press.frame);
    set(&mut press, 0.02).expect("above the stored one");
    step(&mut press, 0.012);
    press.model.restore(&snapshot).expect("of this body");
    assert_eq!(figures(&press), error);
    let mut again = pressed(&bodies()[0]);
    set(&mut again, 0.1).expect("above the stored one");
    press_down(&mut again);
    step(&mut again, 0.011);
    let report = advance(&mut press.model, &again.boundary);
    report.expect("solved");
    press.model.write_surface(&mut press.frame);
    assert!(bits(&press.frame) == expected);
}

#[test]
fn a_state_with_finer_columns_goes_on_with_the_stored_ones() {
    let [finer, mut press] = bodies().each_ref().map(pressed);
    let epsilon = press.model.parameter("threshold").expect("wavelets");
    assert_ne!(epsilon, ParameterValue::Number(STORED));
    let snapshot = finer.model.snapshot();
    press.model.restore(&snapshot).expect("as many nodes");
    assert_eq!(press.model.parameter("threshold"), Ok(epsilon));
}

#[test]
fn what_was_dropped_does_not_come_back() {
    let mut press = pressed(&bodies()[0]);
    for threshold in [0.5 * STORED, 1.1, f64::NAN] {
        let refused = set(&mut press, threshold);
        assert!(
            matches!(refused, Err(ParameterError::OutOfRange { min, .. }) if min == STORED),
            "{threshold}: {refused:?}"
        );
    }
    let geometry = held_box(Vec3::new(0.1, 0.2, 0.1), [2, 4, 2], None);
    let mut dense = model(&geometry, Precision::Single);
    let value = ParameterValue::Number(0.1);
    let refused = dense.set_parameter("threshold", value);
    assert_eq!(refused, Err(ParameterError::Unknown("threshold".into())));
    assert!(dense.parameters().iter().all(|p| p.name != "threshold"));
}

#[test]
fn a_file_keeps_where_the_near_field_is() {
    let asset = &bodies()[0];
    let read = GreensAsset::from_bytes(&asset.to_bytes()).expect("a whole file");
    let near = |asset: &GreensAsset| {
        let columns = asset.matrix.wavelet_columns().expect("wavelets");
        columns.near.clone().expect("a near field")
    };
    assert_eq!(near(&read), near(asset));
    let mut press = pressed(&Arc::new(read));
    set(&mut press, 0.2).expect("above the stored one");
    let in_use = press.model.asset().matrix.wavelets().expect("wavelets");
    let mut bare = asset.matrix.wavelet_columns().expect("wavelets").clone();
    bare.near = None;
    let bare = bare.rethresholded(&bare.matrix.amplitudes(), 0.2);
    let without = bare.expect("above the stored one").matrix.kept_blocks();
    assert!(
        in_use.kept_blocks() as f64 > 1.2 * without as f64,
        "{without}"
    );
}
