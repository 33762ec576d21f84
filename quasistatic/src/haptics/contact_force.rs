//! The force of a contact in one tick of a servo loop.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfacePoint;

/// State of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactMode {
    /// Nothing is touched.
    #[default]
    Open,
    /// The anchor stays.
    Stick,
    /// The anchor moved in this tick.
    Slip,
}

/// The contact in a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Force on the body, N.
    pub force: Vec3,
    /// Derivative of the force with respect to the tip position, N/m.
    pub stiffness: Mat3,
    /// Anchor of a point contact.
    pub anchor: Option<SurfacePoint>,
    /// State of the contact.
    pub mode: ContactMode,
}

impl ContactForce {
    /// Nothing is touched.
    pub const NONE: Self = Self {
        force: Vec3::new(0.0, 0.0, 0.0),
        stiffness: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        anchor: None,
        mode: ContactMode::Open,
    };
}
