//! Same bits as the library in Rust.

use pliant::{Body, Method, Scene, Tool};
use pliant_ffi::border::{stepping, touching};
use pliant_ffi::{PliantEnergy, PliantFrameReport, PliantMethod, PliantStatus, PliantWorld};

use crate::calls::{
    assert_ok, assert_refused, build_world, fixed, nearest_vertex, out, output_of, positions, room,
    rows, step, text,
};

fn press(world: PliantWorld, frames: std::ops::Range<u32>) {
    for frame in frames {
        let y = 0.13 - 0.0005 * f64::from(frame.min(20));
        let place = [0.0, y, 0.0];
        let moved = touching::pliant_world_move_tool(world, text(c"ball"), fixed(&place));
        assert_ok(moved);
        step(world, 1);
    }
}

fn force(world: PliantWorld) -> [f64; 3] {
    output_of(|force| touching::pliant_world_tool_force(world, text(c"ball"), force))
}

#[test]
fn every_method_gives_the_bits_of_the_library() {
    let body = Body::cuboid([0.2, 0.1, 0.2], 0.04)
        .rename("pad")
        .hold_lowest(0.01)
        .set("lattice.cell", 0.04)
        .set("adaptive.target_edges", vec![0.08, 0.04]);
    let scene = Scene::new("room")
        .body(body)
        .tool(Tool::sphere("ball", 0.08, [0.0, 0.14, 0.0]))
        .gravity([0.0; 3]);
    let methods = [
        (PliantMethod::Adaptive, Method::Adaptive),
        (PliantMethod::Quasistatic, Method::Quasistatic),
        (PliantMethod::Lattice, Method::Lattice),
    ];
    for (theirs, ours) in methods {
        let world = build_world(room(), theirs);
        press(world, 0..12);
        let mut expected = scene.build(ours).expect("a world");
        for frame in 0..12 {
            let y = 0.13 - 0.0005 * f64::from(frame);
            expected.move_tool("ball", [0.0, y, 0.0]).expect("a tool");
            expected.step().expect("a frame");
        }
        assert_eq!(positions(world), expected.positions(), "{theirs:?}");
        let force_felt: [f64; 3] = expected.tool_force("ball").expect("a tool").into();
        assert_eq!(force(world), force_felt, "{theirs:?}");
        assert!(force_felt[1] > 0.1, "it is pressed: {force_felt:?} N");
        assert_ok(stepping::pliant_world_free(world));
    }
}

#[test]
fn a_snapshot_brings_the_same_bits_again() {
    let world = build_world(room(), PliantMethod::Lattice);
    press(world, 0..6);
    let snapshot = output_of(|snapshot| stepping::pliant_world_snapshot(world, snapshot));
    press(world, 6..12);
    let first = (positions(world), force(world));
    assert_ok(stepping::pliant_world_restore(world, snapshot));
    let time = output_of(|seconds| stepping::pliant_world_time(world, seconds));
    assert!((time - 0.1).abs() < 1e-9, "{time} s");
    press(world, 6..12);
    assert_eq!((positions(world), force(world)), first);
    // that of another method fits into no other
    let other = build_world(room(), PliantMethod::Quasistatic);
    let status = stepping::pliant_world_restore(other, snapshot);
    assert_refused(status, PliantStatus::InvalidArgument, "snapshot");
    assert_ok(stepping::pliant_snapshot_free(snapshot));
    let status = stepping::pliant_world_restore(world, snapshot);
    assert_refused(status, PliantStatus::InvalidHandle, "freed");
}

#[test]
fn a_clock_takes_as_many_frames_as_fit() {
    let world = build_world(room(), PliantMethod::Lattice);
    let frame = output_of(|seconds| stepping::pliant_world_frame_duration(world, seconds));
    assert_eq!(frame, 1.0 / 60.0);
    let advance =
        |seconds| output_of(|frames| stepping::pliant_world_advance(world, seconds, frames));
    assert_eq!(advance(2.5 * frame), 2);
    assert_eq!(advance(0.5 * frame), 1);
    let status = stepping::pliant_world_advance(world, f64::NAN, out(&mut 0));
    assert_refused(status, PliantStatus::InvalidArgument, "not finite");
}

#[test]
fn energies_and_reports_are_told_where_there_are_some() {
    let world = build_world(room(), PliantMethod::Lattice);
    press(world, 0..12);
    let energy: PliantEnergy = output_of(|energy| stepping::pliant_world_energy(world, energy));
    assert!(energy.elastic > 0.0 && energy.work > 0.0, "{energy:?}");
    let sum = energy.kinetic + energy.elastic + energy.potential + energy.dissipated - energy.work;
    assert_eq!(energy.balance, sum);
    let report: PliantFrameReport =
        output_of(|report| stepping::pliant_world_report(world, report));
    assert!(report.substeps > 0 && report.work_units > 0, "{report:?}");
    let world = build_world(room(), PliantMethod::Quasistatic);
    let status = stepping::pliant_world_energy(world, out(&mut PliantEnergy::default()));
    assert_refused(status, PliantStatus::NotAvailable, "no energies");
}

#[test]
fn equal_displacements_of_a_grab_give_the_bits_of_a_common_one() {
    let [common, own] = [(); 2].map(|()| build_world(room(), PliantMethod::Lattice));
    let held = [0.0, 0.06, 0.12].map(|x| [nearest_vertex(common, [x, 0.05, 0.0])]);
    for frame in 0..12 {
        let aside = [2e-4 * f64::from(frame), 1e-4, 0.0];
        let grabbed = touching::pliant_world_grab(common, rows(&held), 3, fixed(&aside));
        assert_ok(grabbed);
        let each = [aside; 3];
        let grabbed = touching::pliant_world_grab_each(own, rows(&held), rows(&each), 3);
        assert_ok(grabbed);
        step(common, 1);
        step(own, 1);
    }
    assert_eq!(positions(common), positions(own));
    let [common, own] = [common, own]
        .map(|world| output_of(|force| touching::pliant_world_grab_force(world, force)));
    assert_eq!(common, own);
    assert!(own[0] > 0.0, "{own:?} N");
}
