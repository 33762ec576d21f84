//! Commands on Green's functions.

mod asset_file;
mod baked;
mod compressed;
mod foreign_columns;
mod gf;
#[cfg(feature = "mpi")]
mod gf_mpi;
#[cfg(not(feature = "mpi"))]
#[path = "gf_without_mpi.rs"]
mod gf_mpi;
mod gf_wavelet;
mod rebase;
mod solve;
mod timed_sums;

pub use asset_file::releasable;
pub use gf::gf;
pub use rebase::rebase;
pub use solve::solve;
