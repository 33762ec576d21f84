//! TetGen as a child process (Si 2015, "TetGen, a Delaunay-based quality tetrahedral mesh generator").
//!
//! The program runs in a process of its own, because it crashes or hangs on surfaces that are not clean, and because of its licence. Its output
//! is untrusted input and fully checked; exit codes are ignored.

mod files;
mod isotropic_remeshing;
pub(crate) mod mesher;
mod process;
mod sizes;
mod skin;
#[cfg(test)]
mod tests;

pub use mesher::TetGenProcess;
