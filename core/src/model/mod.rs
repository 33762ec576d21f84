//! What every model implements ([`DeformableModel`]), what models with inertia implement besides ([`SteppedModel`]), and what a frame takes and gives.

mod budget;
mod deformable;
mod degradation;
pub mod degradation_levels;
mod energy;
mod error;
mod frame;
mod own_contact;
mod parted_surface;
pub mod rest;
mod snapshot;
mod stepped;
mod touched_places;

pub use budget::{BudgetClaim, Foreseen};
pub use deformable::DeformableModel;
pub use degradation::Degradation;
pub use energy::EnergyAccount;
pub use error::StepError;
pub use frame::{FrameReport, FrameRequest, WorkBudget};
pub use own_contact::{ContactCounts, OwnContact};
pub use parted_surface::PartedSurface;
pub use snapshot::{SnapshotMismatch, StateSnapshot};
pub use stepped::SteppedModel;
pub use touched_places::TouchedPlaces;
