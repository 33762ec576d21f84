//! Arguments of C from values of Rust, and a small scene.

use std::ffi::CStr;

use pliant_ffi::border::memory::{Choice, Fixed, Out, OutRows, Rows, Text, UserData};
use pliant_ffi::border::{about, body, building, scene, support, tool};
use pliant_ffi::{PliantBody, PliantMethod, PliantScene, PliantStatus, PliantTool, PliantWorld};

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

/// A pad of 20 x 10 x 20 cm that stands on its foot.
pub fn pad() -> PliantBody {
    let mut object = PliantBody::NULL;
    assert_ok(body::pliant_body_box(
        text(c"pad"),
        fixed(&[0.2, 0.1, 0.2]),
        0.04,
        out(&mut object),
    ));
    assert_ok(support::pliant_body_hold_lowest(object, 0.01));
    assert_ok(body::pliant_body_set(
        object,
        text(c"lattice.cell"),
        text(c"0.04"),
    ));
    let levels = text(c"[0.08, 0.04]");
    assert_ok(body::pliant_body_set(
        object,
        text(c"adaptive.target_edges"),
        levels,
    ));
    object
}

/// A ball above it.
pub fn ball() -> PliantTool {
    let mut object = PliantTool::NULL;
    assert_ok(tool::pliant_tool_sphere(
        text(c"ball"),
        0.08,
        fixed(&[0.0, 0.14, 0.0]),
        out(&mut object),
    ));
    object
}

/// A scene of the pad and the ball without gravity.
pub fn room() -> PliantScene {
    let mut object = PliantScene::NULL;
    let (pad, ball) = (pad(), ball());
    assert_ok(scene::pliant_scene_new(text(c"room"), out(&mut object)));
    assert_ok(scene::pliant_scene_add_body(object, pad));
    assert_ok(scene::pliant_scene_add_tool(object, ball));
    assert_ok(scene::pliant_scene_set_gravity(object, fixed(&[0.0; 3])));
    assert_ok(tool::pliant_tool_free(ball));
    assert_ok(body::pliant_body_free(pad));
    object
}

/// Builds a world of one method on a scene, and frees the scene.
pub fn build_world(scene: PliantScene, method: PliantMethod) -> PliantWorld {
    let mut object = PliantWorld::NULL;
    let method = Choice::from(method);
    let status =
        building::pliant_scene_build(scene, method, None, UserData::default(), out(&mut object));
    assert_ok(status);
    assert_ok(scene::pliant_scene_free(scene));
    object
}

/// A scene of one body. Frees the body.
pub fn one_body(body: PliantBody) -> PliantScene {
    let mut object = PliantScene::NULL;
    assert_ok(scene::pliant_scene_new(text(c"one"), out(&mut object)));
    assert_ok(scene::pliant_scene_add_body(object, body));
    assert_ok(body::pliant_body_free(body));
    object
}
