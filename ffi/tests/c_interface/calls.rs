//! Arguments of C from values of Rust, and a small scene.

use std::ffi::{CStr, CString};

use pliant_ffi::border::memory::{Choice, Fixed, Out, OutRows, Rows, Text, UserData};
use pliant_ffi::border::{about, body, building, reading, scene, stepping, support, surface, tool};
use pliant_ffi::{
    PliantBody, PliantMethod, PliantName, PliantScene, PliantStatus, PliantTool, PliantWorld,
};

/// Text.
pub fn text(words: &CStr) -> Text {
    // SAFETY: it ends with NUL, and outlives the call that it is written into
    unsafe { Text::new(words.as_ptr()) }
}

/// A null text.
pub fn no_text() -> Text {
    // SAFETY: null
    unsafe { Text::new(std::ptr::null()) }
}

/// Numbers.
pub fn fixed<const N: usize>(numbers: &[f64; N]) -> Fixed<f64, N> {
    // SAFETY: a reference to N numbers, which outlives the call that it is written into
    unsafe { Fixed::new(numbers) }
}

/// Rows. The test passes their number.
pub fn rows<T: Copy, const N: usize>(rows: &[[T; N]]) -> Rows<T, N> {
    // SAFETY: as many rows as the slice has, which outlives the call that it is written into
    unsafe { Rows::new(rows.as_ptr()) }
}

/// Null rows.
pub fn no_rows<T: Copy, const N: usize>() -> Rows<T, N> {
    // SAFETY: null
    unsafe { Rows::new(std::ptr::null()) }
}

/// A place for one value.
pub fn out<T: Copy>(value: &mut T) -> Out<T> {
    // SAFETY: a reference, which outlives the call that it is written into
    unsafe { Out::new(value) }
}

/// A null place for one value.
pub fn no_out<T: Copy>() -> Out<T> {
    // SAFETY: null
    unsafe { Out::new(std::ptr::null_mut()) }
}

/// A place for rows. The test passes their number.
pub fn out_rows<T: Copy, const N: usize>(rows: &mut [[T; N]]) -> OutRows<T, N> {
    // SAFETY: place for as many rows as the slice has, which outlives the call that it is written into
    unsafe { OutRows::new(rows.as_mut_ptr()) }
}

/// A null place for rows.
pub fn no_out_rows<T: Copy, const N: usize>() -> OutRows<T, N> {
    // SAFETY: null
    unsafe { OutRows::new(std::ptr::null_mut()) }
}

/// Words of the last error of this thread.
pub fn last_error() -> String {
    // SAFETY: never null, and no call comes between
    let words = unsafe { CStr::from_ptr(about::pliant_last_error()) };
    words.to_string_lossy().into_owned()
}

/// Code of the last error of this thread.
pub fn last_code() -> String {
    // SAFETY: never null, and no call comes between
    let words = unsafe { CStr::from_ptr(about::pliant_last_error_code()) };
    words.to_string_lossy().into_owned()
}

/// Asserts that the call succeeded.
#[track_caller]
pub fn assert_ok(status: PliantStatus) {
    assert_eq!(status, PliantStatus::Ok, "{}", last_error());
}

/// Asserts that the call failed with this status, and that the error contains these words.
#[track_caller]
pub fn assert_refused(status: PliantStatus, expected: PliantStatus, words: &str) {
    assert_eq!(status, expected, "{}", last_error());
    assert!(
        last_error().contains(words),
        "`{words}` in: {}",
        last_error()
    );
}

/// The output of a call that has to succeed.
#[track_caller]
pub fn output_of<T: Copy + Default>(call: impl FnOnce(Out<T>) -> PliantStatus) -> T {
    let mut value = T::default();
    assert_ok(call(out(&mut value)));
    value
}

/// The rows that a call gives. It has to succeed, and is asked for their number first.
#[track_caller]
pub fn rows_of<T: Copy + Default, const N: usize>(
    call: impl Fn(OutRows<T, N>, usize, Out<usize>) -> PliantStatus,
) -> Vec<[T; N]> {
    let count = output_of(|count| call(no_out_rows(), 0, count));
    let mut rows = vec![[T::default(); N]; count];
    assert_ok(call(out_rows(&mut rows), count, no_out()));
    rows
}

/// Sets a key of a body.
#[track_caller]
pub fn set(body: PliantBody, key: &CStr, value: &CStr) {
    assert_ok(body::pliant_body_set(body, text(key), text(value)));
}

/// A pad of 20 x 10 x 20 cm in lattice cells of 4 cm. Nothing holds it.
pub fn free_pad() -> PliantBody {
    let pad =
        output_of(|body| body::pliant_body_box(text(c"pad"), fixed(&[0.2, 0.1, 0.2]), 0.04, body));
    set(pad, c"lattice.cell", c"0.04");
    pad
}

/// A pad that stands on its foot.
pub fn pad() -> PliantBody {
    let pad = free_pad();
    assert_ok(support::pliant_body_hold_lowest(pad, 0.01));
    set(pad, c"adaptive.target_edges", c"[0.08, 0.04]");
    pad
}

/// A ball above it.
pub fn ball() -> PliantTool {
    let above = fixed(&[0.0, 0.14, 0.0]);
    output_of(|tool| tool::pliant_tool_sphere(text(c"ball"), 0.08, above, tool))
}

/// A scene of the pad and the ball without gravity.
pub fn room() -> PliantScene {
    let (room, ball) = (scene_of(c"room", pad()), ball());
    assert_ok(scene::pliant_scene_add_tool(room, ball));
    assert_ok(scene::pliant_scene_set_gravity(room, fixed(&[0.0; 3])));
    assert_ok(tool::pliant_tool_free(ball));
    room
}

/// A scene of one body. Frees the body.
pub fn scene_of(name: &CStr, body: PliantBody) -> PliantScene {
    let scene = output_of(|scene| scene::pliant_scene_new(text(name), scene));
    assert_ok(scene::pliant_scene_add_body(scene, body));
    assert_ok(body::pliant_body_free(body));
    scene
}

/// Builds a world of one method on a scene, which has to succeed, and frees the scene.
pub fn build_world(scene: PliantScene, method: PliantMethod) -> PliantWorld {
    let (method, none) = (Choice::from(method), UserData::default());
    let world = output_of(|world| building::pliant_scene_build(scene, method, None, none, world));
    assert_ok(scene::pliant_scene_free(scene));
    world
}

/// Builds a lattice of a scene, which has to fail.
pub fn build_in_vain(scene: PliantScene) -> PliantStatus {
    let mut world = PliantWorld { id: 7 };
    let (method, none) = (Choice::from(PliantMethod::Lattice), UserData::default());
    let status = building::pliant_scene_build(scene, method, None, none, out(&mut world));
    assert_eq!(world, PliantWorld::NULL);
    status
}

/// Advances a world by some frames.
#[track_caller]
pub fn step(world: PliantWorld, frames: usize) {
    for _ in 0..frames {
        assert_ok(stepping::pliant_world_step(world));
    }
}

/// Positions of the vertices of a world, m.
pub fn positions(world: PliantWorld) -> Vec<[f32; 3]> {
    rows_of(|rows, capacity, count| surface::pliant_world_positions(world, rows, capacity, count))
}

/// Number of vertices that are drawn.
pub fn drawn_count(world: PliantWorld) -> usize {
    output_of(|count| surface::pliant_world_drawn_positions(world, no_out_rows(), 0, count))
}

/// The vertex that is nearest to a place.
pub fn nearest_vertex(world: PliantWorld, place: [f64; 3]) -> u32 {
    output_of(|vertex| surface::pliant_world_nearest_vertex(world, fixed(&place), vertex))
}

/// How far a vertex has moved, m.
pub fn displacement(world: PliantWorld, vertex: u32) -> [f64; 3] {
    output_of(|moved| surface::pliant_world_displacement(world, vertex, moved))
}

/// The name of something of a world by its number.
pub fn name(world: PliantWorld, kind: PliantName, index: usize) -> Option<String> {
    let mut bytes = [[0; 1]; 64];
    let mut count = 0;
    let place = out_rows(&mut bytes);
    match reading::pliant_world_name(world, Choice::from(kind), index, place, 64, out(&mut count)) {
        PliantStatus::Ok => {
            let bytes: Vec<u8> = bytes[..count].iter().map(|b| b[0] as u8).collect();
            let name = CString::from_vec_with_nul(bytes).expect("NUL");
            Some(name.into_string().expect("UTF-8"))
        }
        _ => None,
    }
}
