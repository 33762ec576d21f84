//! Progress, cancelling, threads.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Barrier;

use pliant_ffi::border::memory::{Choice, UserData};
use pliant_ffi::border::{body, building, scene, stepping};
use pliant_ffi::{PliantMethod, PliantScene, PliantStatus, PliantWorld};

use crate::calls::{
    assert_ok, assert_refused, build_world, drawn_count, last_error, out, output_of, pad, room,
    scene_of, set, step,
};

/// What a callback received.
#[derive(Default)]
struct Received {
    calls: usize,
    last: (String, f64),
}

extern "C-unwind" fn record(data: *mut c_void, stage: *const c_char, fraction: f64) -> i32 {
    // SAFETY: the test gives a `Received` that nobody else uses during the call, and the text is valid during it
    let (received, stage) = unsafe { (&mut *data.cast::<Received>(), CStr::from_ptr(stage)) };
    received.calls += 1;
    received.last = (stage.to_string_lossy().into_owned(), fraction);
    0
}

/// Cancels at the first progress of the work itself, or when it is done.
extern "C-unwind" fn cancel(_: *mut c_void, stage: *const c_char, _: f64) -> i32 {
    // SAFETY: the text is valid during the call
    i32::from(unsafe { CStr::from_ptr(stage) } != c"begin")
}

extern "C-unwind" fn panics(_: *mut c_void, _: *const c_char, _: f64) -> i32 {
    panic!("a fault in the callback")
}

/// Calls back into the interface, on the scene that is being built.
extern "C-unwind" fn calls_back(data: *mut c_void, _: *const c_char, _: f64) -> i32 {
    // SAFETY: the test gives a scene's handle that outlives the call
    let scene = unsafe { *data.cast::<PliantScene>() };
    let added = pad();
    assert_ok(scene::pliant_scene_add_body(scene, added));
    assert_ok(body::pliant_body_free(added));
    0
}

/// A scene whose bake takes some tenths of a second.
fn slow() -> PliantScene {
    let body = pad();
    set(body, c"mesh.edge", c"0.02");
    scene_of(c"slow", body)
}

#[test]
fn a_bake_reports_its_progress_to_the_end() {
    let mut received = Received::default();
    let data = UserData((&raw mut received).cast());
    let method = Choice::from(PliantMethod::Quasistatic);
    let world =
        output_of(|world| building::pliant_scene_build(slow(), method, Some(record), data, world));
    assert_eq!(received.last, ("done".to_string(), 1.0));
    assert!(received.calls > 1, "{} calls", received.calls);
    step(world, 1);
}

#[test]
fn a_bake_that_is_cancelled_leaves_no_world_and_can_be_made_again() {
    let scene = slow();
    let mut world = PliantWorld { id: 5 };
    let method = Choice::from(PliantMethod::Quasistatic);
    let none = UserData::default();
    let status = building::pliant_scene_build(scene, method, Some(cancel), none, out(&mut world));
    assert_refused(status, PliantStatus::Cancelled, "cancelled");
    assert_eq!(world, PliantWorld::NULL);
    step(build_world(scene, PliantMethod::Quasistatic), 1);
}

#[test]
fn a_panic_in_the_callback_is_an_error() {
    let mut world = PliantWorld::NULL;
    let (method, none) = (Choice::from(PliantMethod::Lattice), UserData::default());
    let status = building::pliant_scene_build(slow(), method, Some(panics), none, out(&mut world));
    assert_refused(status, PliantStatus::Internal, "a fault in the callback");
    assert_eq!(world, PliantWorld::NULL);
}

#[test]
fn a_callback_may_use_what_is_being_built() {
    let mut scene = slow();
    let data = UserData((&raw mut scene).cast());
    let method = Choice::from(PliantMethod::Lattice);
    let world = output_of(|world| {
        building::pliant_scene_build(scene, method, Some(calls_back), data, world)
    });
    step(world, 1);
}

#[test]
fn threads_share_a_world_and_one_may_free_it() {
    let world = build_world(room(), PliantMethod::Lattice);
    let barrier = Barrier::new(3);
    let steps = || {
        barrier.wait();
        let mut done = 0;
        loop {
            match stepping::pliant_world_step(world) {
                PliantStatus::Ok => done += 1,
                status => return (done, status, last_error()),
            }
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(steps), scope.spawn(steps)];
        barrier.wait();
        for _ in 0..50 {
            assert!(drawn_count(world) > 0);
        }
        assert_ok(stepping::pliant_world_free(world));
        for worker in workers {
            let (_, status, words) = worker.join().expect("no panic");
            assert_eq!(status, PliantStatus::InvalidHandle);
            assert!(words.contains("freed"), "{words}");
        }
    });
}
