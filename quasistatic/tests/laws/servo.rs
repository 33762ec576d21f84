//! The servo loop as a whole: sliding, passivity, safety, replay.

use std::sync::{Arc, LazyLock};

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::{
    ContactMode, DeviceSample, ForceLoop, HapticParams, HapticSurface, PointFriction, ServoLoop,
    ServoOutput, StiffnessMode,
};
use pliant_quasistatic::{GreensAsset, Precision};

use crate::bodies::{baked, haptic_params, held_box, servo};

static ASSET: LazyLock<Arc<GreensAsset>> = LazyLock::new(|| {
    let geometry = held_box(Vec3::new(0.3, 0.08, 0.3), [16, 4, 16], None);
    baked(&geometry, Precision::Single)
});

fn plate(mode: StiffnessMode) -> Arc<HapticSurface> {
    let asset = ASSET.clone();
    let params = HapticParams {
        mode,
        ..haptic_params(0.045, 2000.0)
    };
    Arc::new(HapticSurface::new(asset, &params).expect("made"))
}

/// Down onto the plate in 0.1 s, around in circles, and up again.
fn slide(servo: &mut ServoLoop, seconds: f64, mut visit: impl FnMut(f64, &ServoOutput)) {
    let ticks = (seconds * 1000.0) as u32;
    for tick in 0..ticks {
        let t = f64::from(tick) * 1e-3;
        let in_and_out = (t / 0.1).min((seconds - t) / 0.1).min(1.0);
        let height = 0.042 - 0.006 * in_and_out;
        let angle = 2.0 * t;
        let tip = Vec3::new(0.06 * angle.cos(), height, 0.06 * angle.sin());
        let output = servo.tick(&DeviceSample::at(tip), 1e-3);
        visit(t, &output);
    }
}

#[test]
fn sliding_is_smooth_slips_on_the_cone_and_never_gives_energy() {
    for mode in [StiffnessMode::Interpolated, StiffnessMode::Consistent] {
        let surface = plate(mode);
        let friction = PointFriction::default();
        let mut servo = servo(&surface, friction);
        let (mut slipping, mut min_pressing, mut max_pressing) = (0, f64::INFINITY, 0.0_f64);
        slide(&mut servo, 4.0, |t, output| {
            if output.mode == ContactMode::Slip && t > 0.5 && t < 3.5 {
                slipping += 1;
                let anchor = output.anchor.expect("touched");
                let normal = surface.normal(&anchor);
                let pressing = -output.body_force.dot(&normal);
                let tangential = (output.body_force + normal * pressing).norm();
                let ratio = tangential / pressing;
                assert!((ratio / friction.sliding - 1.0).abs() < 0.02, "{ratio}");
                min_pressing = min_pressing.min(pressing);
                max_pressing = max_pressing.max(pressing);
            }
        });
        assert!(slipping > 1_000, "{slipping}");
        assert!(servo.state().largest_force() > 0.5);
        assert!(
            servo.state().force_jump() < 0.02,
            "{}",
            servo.state().force_jump()
        );
        assert!(
            servo.passivity().violation == 0.0,
            "{:?}",
            servo.passivity()
        );
        assert!(servo.passivity().energy > 0.0, "friction keeps energy");
        // constant depth on an even plate: the circle runs over 60 triangles
        assert!(
            (max_pressing - min_pressing) / max_pressing < 0.10,
            "{min_pressing} to {max_pressing} N"
        );
    }
}

#[test]
fn without_friction_the_anchor_follows_and_pressing_gives_back_what_it_took() {
    let surface = plate(StiffnessMode::Interpolated);
    let slippery = PointFriction {
        sticking: 0.0,
        sliding: 0.0,
    };
    let mut servo = servo(&surface, slippery);
    let mut peak = 0.0_f64;
    for tick in 0..=2_000 {
        let phase = f64::from(tick) / 2_000.0 * 2.0 * std::f64::consts::PI;
        let tip = Vec3::new(0.003, 0.041 - 0.004 * (1.0 - phase.cos()), 0.002);
        servo.tick(&DeviceSample::at(tip), 1e-3);
        peak = peak.max(servo.passivity().energy);
    }
    assert!(peak > 1e-4);
    let energy = servo.passivity().energy;
    assert!((0.0..0.05 * peak).contains(&energy), "{energy} of {peak} J");
    assert_eq!(servo.passivity().violation, 0.0);
}

#[test]
fn sticking_comes_back_to_its_anchor_and_the_device_feels_the_opposite() {
    let surface = plate(StiffnessMode::Interpolated);
    let sticky = PointFriction {
        sticking: 5.0,
        sliding: 4.0,
    };
    let mut servo = servo(&surface, sticky);
    let mut anchors = Vec::new();
    let mut device_force = Vec3::zeros();
    for tick in 0..800 {
        let t = f64::from(tick) * 1e-3;
        let depth = (t / 0.1).min(1.0);
        let tip = Vec3::new(0.004 * (20.0 * t).sin() * depth, 0.042 - 0.006 * depth, 0.0);
        let output = servo.tick(&DeviceSample::at(tip), 1e-3);
        if tick > 200 {
            anchors.extend(output.anchor);
            device_force = output.force;
        }
    }
    assert!(
        device_force.y > 0.1,
        "pushing down is pushed up: {device_force}"
    );
    assert!(anchors.len() == 599 && anchors.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn nonsense_jumps_and_missing_devices_end_in_no_force() {
    let surface = plate(StiffnessMode::Interpolated);
    let mut servo = servo(&surface, PointFriction::default());
    slide(&mut servo, 1.0, |_, _| {});
    let press = |servo: &mut ServoLoop| {
        let mut last = ServoOutput::default();
        for k in 0..100 {
            let tip = Vec3::new(0.0, 0.0405 - 0.00005 * f64::from(k), 0.0);
            last = servo.tick(&DeviceSample::at(tip), 1e-3);
        }
        last.force
    };
    servo.reset();
    assert!(press(&mut servo).norm() > 0.05);
    // a jump: the contact ends, and the hand does no work
    let energy = servo.passivity().energy;
    for (tip, jumps) in [(Vec3::new(0.14, -0.2, 0.0), 1), (Vec3::repeat(1e300), 2)] {
        let jump = servo.tick(&DeviceSample::at(tip), 1e-3);
        assert_eq!(
            (jump.force.norm() < 1e-9, servo.state().jumps()),
            (true, jumps)
        );
        assert_eq!(servo.passivity().energy, energy);
    }
    servo.reset();
    press(&mut servo);
    let gone = servo.tick(&DeviceSample::AWAY, 1e-3);
    assert_eq!(gone.force, Vec3::zeros());
    // reconnected inside the body: no contact starts from inside
    let inside = servo.tick(&DeviceSample::at(Vec3::zeros()), 1e-3);
    assert_eq!(inside.force, Vec3::zeros());
    let nan = servo.tick(&DeviceSample::at(Vec3::new(0.0, f64::NAN, 0.0)), 1e-3);
    assert!(nan.fault && nan.force == Vec3::zeros());
    assert_eq!(press(&mut servo), Vec3::zeros());
    servo.reset();
    assert!(press(&mut servo).norm() > 0.05);
}

#[test]
fn the_same_trace_gives_the_same_bits() {
    let surface = plate(StiffnessMode::Consistent);
    let run = || {
        let mut bits = Vec::new();
        let mut servo = servo(&surface, PointFriction::default());
        slide(&mut servo, 1.5, |_, output| {
            bits.extend(output.force.iter().map(|x| x.to_bits()));
        });
        bits
    };
    assert_eq!(run(), run());
}
