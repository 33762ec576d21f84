//! Colours: maps for quantities, one colour for each method, and the spaces in which they are computed.

mod colormap;
mod method_color;
mod oklab;
mod srgb;

pub use colormap::ColorMap;
pub use method_color::{INSIDE, css, method_color};
pub use srgb::{decode_srgb, encode_srgb};
