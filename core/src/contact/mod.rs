//! Contact of one body with tools, shared by all models: tools and their paths, tracking, wrenches, and the projection that models with inertia use.

mod adhesion;
mod custom;
pub mod cutting;
mod distance_grid;
mod mesh_shape;
mod path;
mod pose;
pub mod projection;
pub mod tool;
pub mod tracker;
pub mod wrench;

pub use adhesion::Adhesion;
pub use custom::{CustomShape, SignedDistance};
pub use distance_grid::{DistanceGrid, GridLayout};
pub use mesh_shape::MeshShape;
pub use path::{Interpolation, Key, PathError, PosePath};
pub use pose::Pose;
pub use projection::VelocityProjection;
pub use tool::{Tool, ToolShape};
pub use tracker::{ContactTracker, Grab, Owner, PushedVertex, TouchedBody};
pub use wrench::ToolWrench;
