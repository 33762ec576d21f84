//! Makes an asset: Green's functions from finite elements, from boundary elements, or imported.

mod asset;
pub(crate) mod column_tasks;
pub mod control;
mod embedding;
pub mod foreign;
mod from_bem;
mod from_fem;
pub(crate) mod held_nodes;
mod journal;
mod key;
mod limits;
mod stage_times;

pub use asset::{bake, bake_compressed, bake_controlled, bake_on_surface, free_vertices};
pub use control::{BakeControl, BakeShare, ColumnRequests, Published};
pub use journal::{ColumnJournal, ColumnLayout};
pub use key::{key, surface_key};
pub use stage_times::StageTimes;
