//! Baking: progress, cancellation, content keys, the geometry that solvers bake from, and serialisation of the results.

pub mod bake;
pub mod bytes;
pub mod key;
pub mod progress;

pub use bake::{BodyGeometry, SupportRegion};
pub use key::{AssetKey, KeyHasher};
pub use progress::{Cancelled, Progress};
