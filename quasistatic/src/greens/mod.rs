//! Discrete Green's functions of the boundary: where they come from and how they are stored.

pub mod assembly;
pub(crate) mod bench;
pub mod columns;
mod dense;
mod dissection;
pub mod elasticity;
pub mod element_mesh;
pub mod elements;
pub mod embedding;
pub mod factor;
pub mod from_bem;
pub mod from_fem;
mod held_rows;
mod incompressible;
mod inside_bem;
mod inside_fem;
pub mod journal;
pub mod matrix;
mod reactions;
pub mod spread;
pub(crate) mod sum;
mod sum_rows;
pub mod support;
pub mod table;
pub mod tensor;

pub use columns::{BakeControl, BakeShare, FinishedColumns, PointRows, Published, WantedColumns};
pub use embedding::SkinRows;
pub use from_fem::{GreensFunctions, StageTimes, SupportRows};
pub use journal::{ColumnJournal, ColumnLayout};
pub use matrix::{GreensMatrix, Precision};
