//! The colouring of the skins, and the range of its values.

mod layer;
mod range;

pub use layer::Layer;
pub use range::Range;
