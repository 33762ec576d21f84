//! The pointer against a wall.

use std::time::Duration;

use crossbeam_channel::bounded;
use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{DeviceSample, HapticDevice, LocalModel};

use super::device::PointerDevice;
use super::{PointerPlace, PointerServo};

fn moved(device: &mut PointerDevice, tick: u64) -> DeviceSample {
    let sample = device.sample(tick as f64 * 1e-3);
    device.apply(&Vec3::zeros());
    sample
}

#[test]
fn the_tip_glides_to_the_pointer_and_goes_with_it() {
    let place = PointerPlace::default();
    let (sender, ticks) = bounded(1000);
    let mut device = PointerDevice::new(place.clone(), sender, 1e-3);
    assert!(!moved(&mut device, 0).connected);
    place.set(Some(Vec3::x()));
    assert_eq!(moved(&mut device, 1).tip, Vec3::x());
    place.set(Some(Vec3::x() * 2.0));
    let way: Vec<f64> = (2..40).map(|t| moved(&mut device, t).tip.x).collect();
    // no step is larger than a tick's share of the way, and it arrives
    let mut last = 1.0;
    for x in &way {
        assert!(*x >= last && x - last < 0.061, "{way:?}");
        last = *x;
    }
    assert!((last - 2.0).abs() < 1e-12);
    place.set(None);
    assert!(!moved(&mut device, 41).connected);
    let latencies = ticks.try_iter().filter(|tick| tick.latency.is_some());
    assert_eq!(latencies.count(), 3, "one for each place that was new");
}

/// A wall of 1000 N/m below zero.
fn wall(model: &mut LocalModel) -> bool {
    *model = LocalModel {
        epoch: 0,
        origins: vec![Vec3::zeros()],
        directions: vec![-Vec3::y()],
        owners: vec![0],
        forces: vec![0.0],
        responses: vec![-Vec3::y() * 1000.0],
        friction: vec![Vec3::zeros()],
    };
    true
}

#[test]
fn a_pointer_that_presses_is_pushed_back_until_it_lets_go() {
    let place = PointerPlace::default();
    let mut servo = PointerServo::new(place.clone(), 1.0);
    servo.frame(false, wall);
    assert!(!servo.force_feedback().held && servo.force_feedback().ticks == 0);
    place.set(Some(Vec3::zeros()));
    for frame in 0..200 {
        servo.frame(true, wall);
        std::thread::sleep(Duration::from_millis(10));
        if frame == 3 {
            place.set(Some(-Vec3::y() * 2e-3));
        }
        // a busy machine takes longer
        if frame > 10 && (servo.force_feedback().force.y - 2.0).abs() < 1e-6 {
            break;
        }
    }
    servo.frame(true, wall);
    let force_feedback = servo.force_feedback().clone();
    assert!(
        force_feedback.held && force_feedback.ticks > 10,
        "{force_feedback:?}"
    );
    assert!(
        force_feedback.recent.iter().any(|f| (f - 2.0).abs() < 1e-5),
        "{force_feedback:?}"
    );
    assert!(
        (force_feedback.force - Vec3::y() * 2.0).norm() < 1e-6,
        "{force_feedback:?}"
    );
    assert!((force_feedback.tip.y + 2e-3).abs() < 1e-9);
    assert!(force_feedback.work_us[0] > 0.0 && force_feedback.latency_ms[0] > 0.0);
    servo.frame(false, wall);
    let after = servo.force_feedback().clone();
    assert!(after.recent.len() < 1000);
    assert!(!after.held && after.force == Vec3::zeros());
    assert!(after.ticks >= force_feedback.ticks);
}

#[test]
fn a_body_that_stops_answering_fades() {
    let place = PointerPlace::default();
    let mut servo = PointerServo::new(place.clone(), 1.0);
    place.set(Some(-Vec3::y() * 2e-3));
    let mut fades = false;
    servo.frame(true, wall);
    for _ in 0..300 {
        std::thread::sleep(Duration::from_millis(10));
        let force_feedback = servo.force_feedback();
        fades = force_feedback.ticks > 160 && force_feedback.force == Vec3::zeros();
        if fades {
            break;
        }
    }
    assert!(fades, "{:?}", servo.force_feedback());
}
