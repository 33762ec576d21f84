//! The pointer and keys of the user: a hand that grabs, pulls, pokes and cuts, and the camera.

pub mod camera;
pub mod flight;
pub mod hand;
pub mod mode;
pub mod under;
