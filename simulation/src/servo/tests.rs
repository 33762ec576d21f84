//! The servo thread on a small body.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, SupportRegion};
use pliant_core::material::Material;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::scene::Selection;
use pliant_quasistatic::haptics::device::RecordedDevice;
use pliant_quasistatic::haptics::mask::MaskSpec;
use pliant_quasistatic::haptics::{HapticParams, ServoParams, StiffnessMode};
use pliant_quasistatic::{QuasistaticParams, bake};

use super::*;

fn servo() -> ServoLoop {
    let mesh = box_tets(Vec3::new(0.2, 0.1, 0.2), [8, 4, 8], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let geometry = BodyGeometry {
        supports: vec![SupportRegion::new("floor", Selection::Lowest(0.01), &skin)],
        skin,
        material: Material::default(),
        levels: Vec::new(),
        greens_level: Some(Arc::new(mesh)),
        voxels: None,
    };
    let asset = bake::bake(&geometry, &QuasistaticParams::default(), &Progress::new());
    let params = HapticParams {
        mask: MaskSpec::cone(0.06),
        rigid_stiffness: 2000.0,
        mode: StiffnessMode::Interpolated,
        young: None,
    };
    let surface = HapticSurface::new(Arc::new(asset.expect("baked")), &params).expect("made");
    ServoLoop::new(Arc::new(surface), ServoParams::default()).expect("valid")
}

#[test]
fn a_second_of_sliding_is_felt_drawn_traced_and_replayed() {
    let servo = servo();
    let mut device = scripted_slide(servo.surface(), 0.004);
    let run = ServoRun {
        seconds: 1.2,
        tick: 0.001,
        trace: true,
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

#[test]
fn a_cancelled_run_ends_at_once() {
    let servo = servo();
    let mut device = scripted_slide(servo.surface(), 0.004);
    let progress = Progress::new();
    progress.cancel();
    let run = ServoRun {
        seconds: 60.0,
        tick: 0.001,
        trace: false,
    };
    let begun = Instant::now();
    assert!(run_servo(servo, &mut device, &run, &progress).is_err());
    assert!(begun.elapsed().as_secs() < 5);
}
