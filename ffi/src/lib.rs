//! The C interface of Pliant. `include/pliant.h` is the reference for programs in C; `cargo xtask header` writes it from the sources of this crate.
//!
//! A program gets numbers as handles, not pointers. Each handle is looked up, so a null handle, a freed one and one of another kind are errors. Every function that can fail
//! returns a [`PliantStatus`], and `pliant_last_error` returns the message of the last error of the thread. No panic reaches the caller. Any thread may call; calls that use
//! the same object wait for each other.
//!
//! - `border`: the exported functions, and the only `unsafe` code of this crate (`border::memory`)
//! - `handles`: which number stands for which object
//! - `failure`, `status`: errors
//! - `guard`: panics, progress and cancelling
//! - `checks`, `values`: checks and conversions of arguments
//!
//! The order of the modules is that of the header.
//!
//! ```
//! use pliant_ffi::border::memory::{Choice, Fixed, Out, Text};
//! use pliant_ffi::border::{body, building, scene, stepping, support};
//! use pliant_ffi::{PliantBody, PliantMethod, PliantScene, PliantStatus, PliantWorld};
//!
//! let (mut pad, mut room, mut world) = (PliantBody::NULL, PliantScene::NULL, PliantWorld::NULL);
//! let mut time = 0.0;
//! // a program in C makes the same calls, without the wrapper types
//! # unsafe {
//! body::pliant_body_box(Text::new(c"pad".as_ptr()), Fixed::new(&[0.2, 0.1, 0.2]), 0.04, Out::new(&mut pad));
//! support::pliant_body_hold_lowest(pad, 0.01);
//! scene::pliant_scene_new(Text::new(c"room".as_ptr()), Out::new(&mut room));
//! scene::pliant_scene_add_body(room, pad);
//! let status = building::pliant_scene_build(room, Choice::from(PliantMethod::Lattice), None, Default::default(), Out::new(&mut world));
//! assert_eq!(status, PliantStatus::Ok);
//! stepping::pliant_world_step(world);
//! stepping::pliant_world_time(world, Out::new(&mut time));
//! # }
//! // one frame of 1/60 s
//! assert!((time - 1.0 / 60.0).abs() < 1e-12);
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

mod status;

mod handles;

pub mod border;

mod checks;
mod failure;
mod guard;
mod values;

pub use border::types::{PliantEnergy, PliantFrameReport, PliantMethod, PliantName};
pub use handles::{
    PliantBody, PliantPrepared, PliantScene, PliantSnapshot, PliantTool, PliantWorld,
};
pub use status::PliantStatus;
