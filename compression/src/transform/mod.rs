//! Second-generation wavelets by lifting (Sweldens 1998; James and Pai 2003, section 4) on a part of the vertices of a subdivision hierarchy.

mod domain;
mod lifting;
mod predict;
mod rows;
mod selective;
mod spec;
mod steps;
#[cfg(test)]
pub(crate) mod tests;

pub use domain::Domain;
pub use lifting::WaveletTransform;
pub(crate) use lifting::add_scaled;
pub use rows::RowTable;
pub(crate) use selective::SelectiveInverse;
pub use spec::{MissingNeighbours, TransformSpec, WaveletAreas, WaveletBasis};
