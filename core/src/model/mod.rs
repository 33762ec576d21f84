//! The traits of all models ([`DeformableModel`]) and of models with inertia ([`SteppedModel`]), and the requests and reports of frames.

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

pub use budget::{BudgetClaim, FrameCost};
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
