//! Probes: displacement or position of one point of the skin.

use crate::math::Vec3;
use crate::mesh::{SurfaceFrame, SurfaceMesh, SurfacePoint};

/// The quantity that a probe reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeQuantity {
    /// Displacement from rest, m.
    Displacement,
    /// World position, m.
    Position,
}

/// A named point of the skin and the quantity that is read there.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Name as the scene writes it.
    pub name: String,
    /// The point.
    pub at: SurfacePoint,
    /// Quantity.
    pub quantity: ProbeQuantity,
}

impl Probe {
    /// Present value.
    pub fn sample(&self, surface: &SurfaceMesh, frame: &SurfaceFrame) -> Vec3 {
        let position = frame.point(surface, &self.at);
        match self.quantity {
            ProbeQuantity::Displacement => position - surface.point(&self.at),
            ProbeQuantity::Position => position,
        }
    }
}
