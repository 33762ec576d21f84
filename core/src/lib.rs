//! Placeholder front page.
pub mod asset;
pub mod boundary;
pub mod contact;
pub mod elasticity;
pub mod inspect;
pub mod material;
pub mod math;
pub mod mesh;
pub mod model;
pub mod path;
pub mod pick;
pub mod probe;
pub mod scene;
