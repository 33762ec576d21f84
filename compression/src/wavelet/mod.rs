//! Columns of Green's functions as thresholded wavelet coefficients (James and Pai 2003).
//!
//! Rows are transformed, columns are not. A sum of few columns costs one product for each of their kept blocks, and one inverse transform.

mod block_reader;
mod columns;
mod compress;
mod epsilon;
mod field;
mod matrix;
mod report;
mod rethreshold;
#[cfg(test)]
mod tests;
mod threshold;

pub use block_reader::BlockReader;
pub use columns::{Columns, Fill};
pub use epsilon::epsilon_for_error;
pub use field::CoefficientField;
pub use matrix::WaveletMatrix;
pub use report::CompressionReport;
pub use threshold::{NearField, ThresholdSpec};
