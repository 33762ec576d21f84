//! A contact that may carry force in a frame.

use pliant_core::math::Vec3;

/// The other side of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Partner {
    Body(u32),
    Tool(u32),
}

/// A contact that may carry force in this frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub body: u32,
    /// contact point of the body
    pub point: u32,
    pub partner: Partner,
    /// unit, from the partner into the body
    pub normal: Vec3,
    /// m, negative for a penetration
    pub gap: f64,
    /// velocity of the surface of a tool, m/s; zero for a body, whose nodes have velocities
    pub surface_velocity: Vec3,
    /// velocity of the point minus that of the surface when the frame begins, m/s
    pub relative: Vec3,
    /// coefficient of static friction
    pub friction: f64,
    /// coefficient of kinetic friction
    pub kinetic_friction: f64,
    /// entries of this candidate: own nodes from `from` on, then those of the partner from `split` on
    pub from: u32,
    pub split: u32,
    pub to: u32,
    /// Σ w²/m of own nodes and of the partner's; all in the first where they are the same body
    pub compliance: [f64; 2],
}

impl Candidate {
    /// Speed at which the gap closes when the frame begins, m/s.
    pub fn closing_speed(&self) -> f64 {
        -self.normal.dot(&self.relative)
    }
}
