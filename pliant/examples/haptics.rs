//! Force feedback: a loop at 1 kHz reads the position of a hand and returns a force. It never returns more energy than the hand put in.
//!
//! `cargo run --release -p pliant --example haptics`

use std::f64::consts::PI;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pliant::quasistatic::haptics::{
    DeviceSample, ForceLoop, HapticParams, HapticSurface, ServoLoop, ServoParams, StiffnessMode,
    meter::TimeMeter,
};
use pliant::simulation::build::greens_asset;
use pliant::simulation::servo::Pace;
use pliant::{Body, Material, Progress, Scene, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pad = Body::cuboid([0.2, 0.1, 0.2], 0.02)
        .material(Material::isotropic(2e4, 0.4))
        .hold_lowest(0.01)
        .set("quasistatic.boundary", 250);
    let prepared = Scene::new("haptics").body(pad).prepare()?;
    let (asset, _) = greens_asset(prepared.setup(), prepared.cache(), &Progress::new())?;
    let params = HapticParams {
        mask_radius: 0.035,      // radius of the contact, m
        rigid_stiffness: 2000.0, // largest stiffness that the device can render, N/m
        mode: StiffnessMode::Interpolated,
        young: None,
    };
    let surface = HapticSurface::new(asset, &params)?;
    let mut servo = ServoLoop::new(Arc::new(surface), ServoParams::default())?;

    // a simulated hand: muscles pull a mass of 0.15 kg along a path, and the loop pushes back
    let mut tip = Vec3::new(0.0, 0.055, 0.0);
    let (mut velocity, mut feedback) = (Vec3::zeros(), Vec3::zeros());
    // a device driver implements `HapticDevice`; `simulation::servo::run_servo` runs it on a thread
    let mut last = Instant::now();
    let mut pace = Pace::new(last, Duration::from_millis(1));
    let mut work = TimeMeter::default();
    println!("   time      depth      force    energy in   contact");
    for tick in 1..=2000 {
        let tick_start = pace.wait();
        // 15 mm into the pad and out again, and to both sides meanwhile
        let angle = PI * f64::from(tick) / 2000.0;
        let (aside, up) = (0.015 * (2.0 * angle).sin(), 0.055 - 0.02 * angle.sin());
        let muscles = (Vec3::new(aside, up, 0.0) - tip) * 400.0 - velocity * 12.0;
        velocity += (muscles + feedback) * (0.001 / 0.15);
        tip += velocity * 0.001;
        let connected = true;
        let elapsed = tick_start.duration_since(last).as_secs_f64();
        let output = servo.tick(&DeviceSample { tip, connected }, elapsed);
        (feedback, last) = (output.force, tick_start);
        work.record(tick_start.elapsed().as_nanos() as u64);
        if tick % 100 == 0 {
            println!(
                "{:5.2} s  {:6.2} mm   {:6.3} N   {:7.2} mJ   {:?}",
                1e-3 * f64::from(tick),
                1e3 * (0.05 - tip.y),
                feedback.norm(),
                1e3 * servo.passivity().energy,
                output.mode
            );
        }
    }
    println!(
        "median tick {:.1} us, 99 % within {:.1} us, {} late; drawn from the loop: {:.6} mJ",
        work.quantile_us(0.5),
        work.quantile_us(0.99),
        pace.late(),
        1e3 * servo.passivity().violation
    );
    Ok(())
}
