//! The lowest elastic frequency of a level.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::material::Material;

use crate::bake::calibration::modes_of;
use crate::hierarchy::Level;

/// Lowest angular frequency ω₁ of the level at rest with its supports, rad/s.
///
/// Components without a support have six rigid motions each, which are projected out: the result is then the lowest elastic mode. Where
/// the iteration finds no valid mode, the result is the frequency of a shear wave along the diagonal, `π √(μ/ρ) / diagonal`.
///
/// # Errors
/// [`Cancelled`].
pub fn lowest_frequency(
    level: &Level,
    material: &Material,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let modes = modes_of(level, material, 1, false, Vec::new(), progress)?;
    let lowest = modes.and_then(|modes| modes.squares.first().copied());
    Ok(lowest.map_or_else(|| shear_wave_frequency(level, material), f64::sqrt))
}

/// An estimate of ω₁ for a level that may be of any shape: the frequency of a shear wave along the diagonal, rad/s.
pub(super) fn shear_wave_frequency(level: &Level, material: &Material) -> f64 {
    let size = level.mesh.bounds().diagonal().max(f64::MIN_POSITIVE);
    let wave = (material.lame().mu / material.density).sqrt();
    std::f64::consts::PI * wave / size
}
