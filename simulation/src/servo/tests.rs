//! The servo thread on a small body.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::material::Material;
use pliant_core::math::{Mat3, Vec3};
use pliant_quasistatic::haptics::device::{Hand, RecordedDevice, ScriptedDevice};
use pliant_quasistatic::haptics::{
    DeviceSample, ForceLoop, HapticDevice, HapticParams, HapticSurface, LocalModel, LocalModels,
    ServoLoop, ServoOutput, ServoParams, StiffnessMode, ToolLoop,
};
use pliant_quasistatic::{QuasistaticParams, bake};
use web_time::Instant;

use super::{ServoRun, ToolBody, run_servo, run_tool, scripted_slide};
use crate::build::greens_asset;
use crate::cache::AssetCache;
use crate::world::testing::{box_on_floor, setup_of};

fn servo() -> ServoLoop {
    let geometry = box_on_floor(Vec3::new(0.2, 0.1, 0.2), [8, 4, 8], Material::default());
    let asset = bake::bake(&geometry, &QuasistaticParams::default(), &Progress::new());
    let params = HapticParams {
        mask_radius: 0.06,
        rigid_stiffness: 2000.0,
        mode: StiffnessMode::Interpolated,
        young: None,
    };
    let surface = HapticSurface::new(Arc::new(asset.expect("baked")), &params).expect("made");
    ServoLoop::new(Arc::new(surface), ServoParams::default()).expect("valid")
}

fn run_of(seconds: f64) -> ServoRun {
    ServoRun {
        seconds,
        tick: 0.001,
        trace: false,
    }
}

#[test]
fn a_second_of_sliding_is_felt_drawn_traced_and_replayed() {
    let servo = servo();
    let mut device = scripted_slide(servo.surface(), 0.004);
    let run = ServoRun {
        trace: true,
        ..run_of(1.2)
    };
    let report = run_servo(servo.clone(), &mut device, &run, &Progress::new()).expect("runs");
    // a busy machine loses ticks, but each is accounted for
    let due = report.ticks + report.late_ticks;
    assert!(report.ticks > 50 && due >= 1_190, "{report:?}");
    assert!(report.touching > 10 && report.largest_force > 0.05);
    assert_eq!(report.trace.len() as u64, report.ticks);
    assert_eq!(report.compute.count(), report.ticks);
    assert!(!report.fault);
    assert!(report.frames > 3 && report.contact_nodes > 3 && report.displacement > 1e-4);

    // the recorded tips give the same forces, tick by tick, without a thread and a clock
    let mut text = String::from("time,x,y,z\n");
    for row in &report.trace {
        let (t, x) = (row.time, row.tip);
        text.push_str(&format!("{t:e},{:e},{:e},{:e}\n", x.x, x.y, x.z));
    }
    let mut recorded = RecordedDevice::parse(&text).expect("its own trace");
    let mut again = servo;
    let mut last = 0.0;
    for row in &report.trace {
        let output = again.tick(&recorded.sample(row.time), row.time - last);
        last = row.time;
        assert!((output.force - row.force).norm() <= 1e-6 * report.largest_force);
    }
}

const SCENE: &str = "schema = 1
name = 'pad'
[[body]]
name = 'pad'
mesh = { procedural = 'box', size = [0.2, 0.1, 0.2], edge = 0.0125 }
material = { young = 2.0e4, poisson = 0.0, density = 1000.0 }
support = [ { name = 'base', select = { half_space = { point = [0.0, -0.0499, 0.0], normal = [0.0, -1.0, 0.0] } } } ]
[[tool]]
name = 'ball'
shape = { sphere = { radius = 0.04 } }
motion = { path = 'rest' }
[[path]]
name = 'rest'
keys = [ { t = 0.0, at = [0.0, 0.2, 0.0] } ]
";

fn tool_body() -> ToolBody {
    let setup = Arc::new(setup_of(SCENE));
    let (asset, _) =
        greens_asset(&setup, &AssetCache::disabled(), &Progress::new()).expect("baked");
    ToolBody::new(setup.clone(), asset, &setup.tools[..1])
}

/// Presses, slides around and lets go within two seconds.
fn way(time: f64) -> Vec3 {
    let gate = (time / 0.3).min((2.0 - time) / 0.3).min(1.0);
    let angle = 4.0 * time;
    Vec3::new(
        0.03 * angle.cos(),
        0.0905 - 0.006 * gate,
        0.03 * angle.sin(),
    )
}

#[test]
fn a_tool_is_felt_as_the_body_answers_and_between_its_frames() {
    let mut body = tool_body();
    let (mut local, mut servo) = (LocalModel::default(), None);
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    // without threads: a frame of the body every eight ticks
    for tick in 0..2_000 {
        let time = f64::from(tick) * 1e-3;
        let tool = way(time);
        if tick % 8 == 0 {
            // what was published last said what the body says now
            let mut output = [(Vec3::zeros(), Mat3::zeros())];
            local.forces(&[tool], &mut output);
            let output = output[0].0;
            body.step(&[Some(tool)], 0.008).expect("regular");
            let exact = body.force(0);
            largest = largest.max(exact.norm());
            if tick > 400 && tick < 1_600 {
                worst = worst.max((output - exact).norm());
            }
            body.write_local_model(&mut local);
        }
        let models = Given(local.clone());
        let servo = servo.get_or_insert_with(|| {
            ToolLoop::new(models, 1, ServoParams::default(), body.diagonal())
        });
        servo.models().0.clone_from(&local);
        let sample = DeviceSample::at(tool);
        servo.tick(&[sample], 1e-3, &mut [ServoOutput::default()]);
    }
    let servo = servo.expect("made");
    let state = servo.state(0).expect("one tip");
    assert!(largest > 0.3, "{largest}");
    assert!(worst < 0.1 * largest, "{worst} of {largest}");
    assert!(state.force_jump() < 0.02, "{}", state.force_jump());
    assert_eq!(servo.passivity().violation, 0.0);
    assert!(state.last().force.norm() < 1e-3 * largest, "let go");
    // a tool that is gone leaves nothing behind
    body.step(&[None], 0.008).expect("regular");
    assert_eq!(body.force(0), Vec3::zeros());
}

#[derive(Debug)]
struct Given(LocalModel);

impl LocalModels for Given {
    fn update(&mut self) {}

    fn model(&self) -> &LocalModel {
        &self.0
    }
}

#[test]
fn a_tool_slides_on_two_threads() {
    let mut body = tool_body();
    let tips: Vec<Vec3> = (0..1_000).map(|k| way(f64::from(k) * 2e-3)).collect();
    let mut device = ScriptedDevice::new(tips, 0.002);
    let run = run_of(2.0);
    let params = ServoParams::default();
    let report = run_tool(&mut body, params, &mut device, &run, &Progress::new()).expect("runs");
    assert!(report.ticks > 50 && report.ticks + report.late_ticks >= 1_990);
    assert!(report.touching > 50 && report.largest_force > 0.1);
    assert!(report.frames > 3 && report.contact_nodes > 3 && report.failed_frames == 0);
    assert!(!report.fault);
}

#[test]
fn two_fingers_squeeze_and_feel_each_other() {
    let mut setup = setup_of(SCENE);
    setup.tools.push(setup.tools[0].clone());
    let setup = Arc::new(setup);
    let (asset, _) =
        greens_asset(&setup, &AssetCache::disabled(), &Progress::new()).expect("baked");
    let mut body = ToolBody::new(setup.clone(), asset, &setup.tools);
    let finger = |side: f64, depth: f64| Vec3::new(side * (0.14 - depth), 0.02, 0.0);
    // in steps, as a hand comes: contact is found within a fifth of the body
    for k in 0..=20 {
        let depth = 0.004 * f64::from(k) / 20.0;
        let places = [Some(finger(-1.0, depth)), Some(finger(1.0, depth))];
        body.step(&places, 0.008).expect("regular");
    }
    let (left, right) = (body.force(0), body.force(1));
    assert!(
        left.x > 0.02 && (left.x + right.x).abs() < 0.05 * left.x,
        "{left} {right}"
    );
    let mut local = LocalModel::default();
    body.write_local_model(&mut local);
    // only the left one presses on: the right one feels it as the body says
    let places = [finger(-1.0, 0.0042), finger(1.0, 0.004)];
    let mut output = [(Vec3::zeros(), Mat3::zeros()); 2];
    local.forces(&places, &mut output);
    body.step(&places.map(Some), 0.008).expect("regular");
    for k in 0..2 {
        let (output, exact) = (output[k].0, body.force(k));
        assert!(
            (output - exact).norm() < 0.02 * exact.norm(),
            "{k}: {output} {exact}"
        );
    }
    assert!(output[1].0.x != right.x, "the right one notices");

    // in and out, one behind the other: what one puts in the other may get back, both together draw nothing
    let depths = |time: f64| [0.0, 0.4].map(|lag: f64| 0.004 * (8.0 * (time - lag)).sin());
    let place = |time: f64| {
        let [a, b] = depths(time);
        [finger(-1.0, a), finger(1.0, b)]
    };
    let mut servo = ToolLoop::new(Given(local), 2, ServoParams::default(), body.diagonal());
    let mut out = [ServoOutput::default(); 2];
    for tick in 0..2_000 {
        let places = place(f64::from(tick) * 1e-3);
        if tick % 8 == 0 {
            body.step(&places.map(Some), 0.008).expect("regular");
            body.write_local_model(&mut servo.models().0);
        }
        let samples = places.map(DeviceSample::at);
        servo.tick(&samples, 1e-3, &mut out);
    }
    assert_eq!(servo.passivity().violation, 0.0);
    for k in 0..2 {
        let state = servo.state(k).expect("a finger");
        assert!(state.largest_force() > 0.02, "{state:?}");
        assert!(state.force_jump() < 0.02, "{k}: {}", state.force_jump());
    }

    let tips = |k: usize| (0..200).map(move |t| place(f64::from(t) * 0.01)[k]);
    let fingers = [0, 1].map(|k| ScriptedDevice::new(tips(k).collect(), 0.01));
    let mut hand = Hand(fingers.to_vec());
    let run = run_of(1.0);
    let params = ServoParams::default();
    let report = run_tool(&mut body, params, &mut hand, &run, &Progress::new()).expect("runs");
    assert!(report.ticks > 20 && report.touching > 10 && !report.fault);
    assert_eq!(report.failed_frames, 0);
}

#[test]
fn a_cancelled_run_ends_at_once() {
    let servo = servo();
    let mut device = scripted_slide(servo.surface(), 0.004);
    let progress = Progress::new();
    progress.cancel();
    let run = run_of(60.0);
    let start = Instant::now();
    assert!(run_servo(servo, &mut device, &run, &progress).is_err());
    assert!(start.elapsed().as_secs() < 5);
}
