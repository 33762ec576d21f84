//! What colours the skins, and between which values.

mod layer;
mod range;

pub use layer::Layer;
pub use range::Range;
