//! Discrete Green's functions of the boundary, sums of their columns, and the rows of skin and supports.

pub mod compressed;
pub(crate) mod hat_weights;
pub mod matrix;
pub mod near_field;
pub mod node_sums;
mod read_blocks;
pub mod skin_rows;
pub(crate) mod sum;
mod sum_rows;
pub mod support_rows;
pub mod table;
pub mod wavelets;

pub use compressed::CompressedColumns;
pub use matrix::{GreensMatrix, Precision};
pub use near_field::NearFieldSpec;
pub use node_sums::NodeSums;
pub use skin_rows::SkinRows;
pub use support_rows::SupportRows;
