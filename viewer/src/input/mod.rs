//! The pointer and keys of the user: a hand that grabs and pokes, and the camera.

pub mod camera;
pub mod flight;
pub mod hand;
pub mod under;
