//! Placeholder front page.
pub mod asset;
pub mod math;
pub mod mesh;
