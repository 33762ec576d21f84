//! Contact, shared by all models: tools, detection and tracking, wrenches, and the projection that models with inertia use.

mod custom;
pub mod group;
pub mod projection;
mod row;
pub mod stepped;
pub mod tool;
pub mod tracker;
pub mod wrench;

pub use custom::{CustomShape, SignedDistance};
pub use group::{BodyContact, BodyGroup, GroupOptions, merged_skin};
pub use projection::VelocityProjection;
pub use stepped::{BudgetClaim, ContactCounts, Foreseen, OwnContact, SteppedModel, TouchedPlaces};
pub use tool::{Pose, Tool, ToolShape};
pub use tracker::{ContactTracker, Grab, Owner, TouchedBody};
pub use wrench::ToolWrench;
