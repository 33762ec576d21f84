//! Discrete Green's functions of the boundary, and what a frame does with them: sums of columns, and the skin and supports on top of them.

pub mod compressed;
pub mod hat_weights;
pub mod hierarchical_basis;
pub mod matrix;
pub mod near_places;
pub mod skin_rows;
pub(crate) mod sum;
mod sum_rows;
pub mod support_rows;
pub mod table;
pub mod wavelets;

pub use compressed::CompressedColumns;
pub use matrix::{GreensMatrix, Precision};
pub use near_places::NearPlaces;
pub use skin_rows::SkinRows;
pub use support_rows::SupportRows;
