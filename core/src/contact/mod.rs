//! Contact, shared by all models: tools, detection, tracking, and the projection that models with inertia use.

pub mod projection;

pub use projection::VelocityProjection;
