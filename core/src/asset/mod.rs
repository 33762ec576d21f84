//! Baking: progress, cancellation, content keys and the geometry that solvers bake from.

pub mod bake;
pub mod key;
pub mod progress;

pub use bake::{BodyGeometry, SupportRegion};
pub use key::{AssetKey, KeyHasher};
pub use progress::{Cancelled, Progress};
