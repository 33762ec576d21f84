//! Progress, cancelling, threads.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Barrier;

use pliant_ffi::border::memory::{Choice, UserData};
use pliant_ffi::border::{body, building, scene, stepping, surface};
use pliant_ffi::{PliantMethod, PliantScene, PliantStatus, PliantWorld};

use crate::calls::{built, last_error, no_place, out, pad, refused, room, text, well};

/// What a callback saw.
#[derive(Default)]
struct Seen {
    calls: usize,
    last: (String, f64),
}

extern "C-unwind" fn watch(data: *mut c_void, stage: *const c_char, fraction: f64) -> i32 {
    // SAFETY: the test gives a `Seen` that nobody else uses during the call, and the text is valid during it
    let (seen, stage) = unsafe { (&mut *data.cast::<Seen>(), CStr::from_ptr(stage)) };
    seen.calls += 1;
    seen.last = (stage.to_string_lossy().into_owned(), fraction);
    0
}

/// Cancels with the first news of the work itself, or when it is done.
extern "C-unwind" fn refuse(_: *mut c_void, stage: *const c_char, _: f64) -> i32 {
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
    well(scene::pliant_scene_add_body(scene, added));
    well(body::pliant_body_free(added));
    0
}

/// Takes some tenths of a second to bake.
fn slow() -> PliantScene {
    let mut made = PliantScene::NULL;
    let body = pad();
    well(body::pliant_body_set(
        body,
        text(c"mesh.edge"),
        text(c"0.02"),
    ));
    well(scene::pliant_scene_new(text(c"slow"), out(&mut made)));
    well(scene::pliant_scene_add_body(made, body));
    well(body::pliant_body_free(body));
    made
}

#[test]
fn a_bake_is_watched_to_its_end() {
    let mut seen = Seen::default();
    let data = UserData((&raw mut seen).cast());
    let mut world = PliantWorld::NULL;
    let method = Choice::from(PliantMethod::Quasistatic);
    well(building::pliant_scene_build(
        slow(),
        method,
        Some(watch),
        data,
        out(&mut world),
    ));
    assert_eq!(seen.last, ("done".to_string(), 1.0));
    assert!(seen.calls > 1, "{} calls", seen.calls);
    well(stepping::pliant_world_step(world));
}

#[test]
fn a_bake_that_is_cancelled_leaves_no_world_and_can_be_made_again() {
    let scene = slow();
    let mut world = PliantWorld { id: 5 };
    let method = Choice::from(PliantMethod::Quasistatic);
    let none = UserData::default();
    let status = building::pliant_scene_build(scene, method, Some(refuse), none, out(&mut world));
    refused(status, PliantStatus::Cancelled, "cancelled");
    assert_eq!(world, PliantWorld::NULL);
    well(building::pliant_scene_build(
        scene,
        method,
        None,
        none,
        out(&mut world),
    ));
    well(stepping::pliant_world_step(world));
}

#[test]
fn a_panic_in_the_callback_is_an_error() {
    let mut world = PliantWorld::NULL;
    let method = Choice::from(PliantMethod::Lattice);
    let status = building::pliant_scene_build(
        slow(),
        method,
        Some(panics),
        UserData::default(),
        out(&mut world),
    );
    refused(status, PliantStatus::Internal, "a fault in the callback");
    assert_eq!(world, PliantWorld::NULL);
}

#[test]
fn a_callback_may_use_what_is_being_built() {
    let mut scene = slow();
    let data = UserData((&raw mut scene).cast());
    let mut world = PliantWorld::NULL;
    let method = Choice::from(PliantMethod::Lattice);
    well(building::pliant_scene_build(
        scene,
        method,
        Some(calls_back),
        data,
        out(&mut world),
    ));
    well(stepping::pliant_world_step(world));
}

#[test]
fn threads_share_a_world_and_one_may_free_it() {
    let world = built(room(), PliantMethod::Lattice);
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
        let mut count = 0;
        for _ in 0..50 {
            well(surface::pliant_world_positions(
                world,
                no_place(),
                0,
                out(&mut count),
            ));
        }
        assert!(count > 0);
        well(stepping::pliant_world_free(world));
        for worker in workers {
            let (_, status, words) = worker.join().expect("no panic");
            assert_eq!(status, PliantStatus::InvalidHandle);
            assert!(words.contains("freed"), "{words}");
        }
    });
}
