//! Arguments of C made of those of Rust, and a small scene.

use std::ffi::CStr;

use pliant_ffi::border::memory::{Choice, Fixed, Out, OutRows, Rows, Text, UserData};
use pliant_ffi::border::{about, body, building, scene, support, tool};
use pliant_ffi::{PliantBody, PliantMethod, PliantScene, PliantStatus, PliantTool, PliantWorld};

/// Text.
pub fn text(words: &CStr) -> Text {
    // SAFETY: it ends with NUL, and outlives the call that it is written into
    unsafe { Text::new(words.as_ptr()) }
}

/// Text that points to nothing.
pub fn no_text() -> Text {
    // SAFETY: null
    unsafe { Text::new(std::ptr::null()) }
}

/// Numbers.
pub fn fixed<const N: usize>(numbers: &[f64; N]) -> Fixed<f64, N> {
    // SAFETY: a reference to N numbers, which outlives the call that it is written into
    unsafe { Fixed::new(numbers) }
}

/// Rows; the test passes their number.
pub fn rows<T: Copy, const N: usize>(rows: &[[T; N]]) -> Rows<T, N> {
    // SAFETY: as many rows as the slice has, which outlives the call that it is written into
    unsafe { Rows::new(rows.as_ptr()) }
}

/// Rows that are not there.
pub fn no_rows<T: Copy, const N: usize>() -> Rows<T, N> {
    // SAFETY: null
    unsafe { Rows::new(std::ptr::null()) }
}

/// A place for one value.
pub fn out<T: Copy>(value: &mut T) -> Out<T> {
    // SAFETY: a reference, which outlives the call that it is written into
    unsafe { Out::new(value) }
}

/// No place.
pub fn nowhere<T: Copy>() -> Out<T> {
    // SAFETY: null
    unsafe { Out::new(std::ptr::null_mut()) }
}

/// A place for rows; the test passes their number.
pub fn out_rows<T: Copy, const N: usize>(rows: &mut [[T; N]]) -> OutRows<T, N> {
    // SAFETY: place for as many rows as the slice has, which outlives the call that it is written into
    unsafe { OutRows::new(rows.as_mut_ptr()) }
}

/// No place for rows.
pub fn no_place<T: Copy, const N: usize>() -> OutRows<T, N> {
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

/// It went well.
#[track_caller]
pub fn well(status: PliantStatus) {
    assert_eq!(status, PliantStatus::Ok, "{}", last_error());
}

/// It was refused with this status, and its words name all of these.
#[track_caller]
pub fn refused(status: PliantStatus, wanted: PliantStatus, words: &str) {
    assert_eq!(status, wanted, "{}", last_error());
    assert!(
        last_error().contains(words),
        "`{words}` in: {}",
        last_error()
    );
}

/// A pad of 20 x 10 x 20 cm that stands on its foot.
pub fn pad() -> PliantBody {
    let mut made = PliantBody::NULL;
    well(body::pliant_body_box(
        text(c"pad"),
        fixed(&[0.2, 0.1, 0.2]),
        0.04,
        out(&mut made),
    ));
    well(support::pliant_body_hold_lowest(made, 0.01));
    well(body::pliant_body_set(
        made,
        text(c"lattice.cell"),
        text(c"0.04"),
    ));
    let levels = text(c"[0.08, 0.04]");
    well(body::pliant_body_set(
        made,
        text(c"adaptive.target_edges"),
        levels,
    ));
    made
}

/// A ball above it.
pub fn ball() -> PliantTool {
    let mut made = PliantTool::NULL;
    well(tool::pliant_tool_sphere(
        text(c"ball"),
        0.08,
        fixed(&[0.0, 0.14, 0.0]),
        out(&mut made),
    ));
    made
}

/// Both, without gravity.
pub fn room() -> PliantScene {
    let mut made = PliantScene::NULL;
    let (pad, ball) = (pad(), ball());
    well(scene::pliant_scene_new(text(c"room"), out(&mut made)));
    well(scene::pliant_scene_add_body(made, pad));
    well(scene::pliant_scene_add_tool(made, ball));
    well(scene::pliant_scene_set_gravity(made, fixed(&[0.0; 3])));
    well(tool::pliant_tool_free(ball));
    well(body::pliant_body_free(pad));
    made
}

/// One method on a scene, which is freed.
pub fn built(scene: PliantScene, method: PliantMethod) -> PliantWorld {
    let mut made = PliantWorld::NULL;
    let method = Choice::from(method);
    let status =
        building::pliant_scene_build(scene, method, None, UserData::default(), out(&mut made));
    well(status);
    well(scene::pliant_scene_free(scene));
    made
}

/// A scene of one body, which is freed.
pub fn one_body(body: PliantBody) -> PliantScene {
    let mut made = PliantScene::NULL;
    well(scene::pliant_scene_new(text(c"one"), out(&mut made)));
    well(scene::pliant_scene_add_body(made, body));
    well(body::pliant_body_free(body));
    made
}
