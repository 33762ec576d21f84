//! Memory of the two passes of a step in single precision.

use pliant_core::math::Vec3;

/// A particle that a tool or a load touches.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TouchedParticle {
    pub particle: u32,
    /// velocities at the beginning of the step, after damping, after the pull and after loads, m/s
    pub start: Vec3,
    pub damped: Vec3,
    pub pulled: Vec3,
    pub loaded: Vec3,
}

/// Sums of a pass over a slab.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    /// of positions or of velocities
    pub vectors: Vec3,
    /// energy that damping supplies, twice, J
    pub work: f64,
}

/// Memory of the passes.
#[derive(Debug, Clone, Default)]
pub(crate) struct PassMemory {
    pub sums: Vec<Sums>,
    pub touched: Vec<TouchedParticle>,
    /// mean velocity, which is subtracted before conversion to single precision, m/s
    pub mean: Vec3,
    /// whether the last step prepared this one: positions and velocities are converted to single precision
    pub prepared: bool,
}
