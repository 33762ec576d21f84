//! Green's functions from measurements, shells or other programs.

mod error;
mod import;
pub mod npy;
mod report;

pub use error::ForeignError;
pub use import::{ForeignColumns, gravity_rows, import, transposed};
pub use report::ForeignReport;
