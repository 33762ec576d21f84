//! Probes: what happens at one place of the skin.

use crate::math::Vec3;
use crate::mesh::{SurfaceFrame, SurfaceMesh, SurfacePoint};

/// What a probe reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeQuantity {
    /// Displacement from rest, m.
    Displacement,
    /// World position, m.
    Position,
}

/// A named place on the skin and what is read there.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Name as the scene writes it.
    pub name: String,
    /// Place.
    pub at: SurfacePoint,
    /// Quantity.
    pub quantity: ProbeQuantity,
}

impl Probe {
    /// Present value.
    pub fn sample(&self, surface: &SurfaceMesh, frame: &SurfaceFrame) -> Vec3 {
        let here = frame.point(surface, &self.at);
        match self.quantity {
            ProbeQuantity::Displacement => here - surface.point(&self.at),
            ProbeQuantity::Position => here,
        }
    }
}
