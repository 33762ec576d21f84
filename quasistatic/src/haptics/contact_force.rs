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

/// The contact in a tick; the default one touches nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
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
