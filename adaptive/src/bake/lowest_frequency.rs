//! The lowest elastic frequency of a level.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::material::Material;

use crate::bake::calibration::modes_of;
use crate::hierarchy::Level;

/// Lowest angular frequency ω₁ of the level at rest with its supports, rad/s.
///
/// Components without a support have six rigid motions each, which are projected out: the result is then the lowest elastic mode. Where
/// the iteration finds no valid mode, the result is the estimate `π √(μ/ρ) / diagonal` of a shear wave along the diagonal.
pub fn lowest_frequency(
    level: &Level,
    material: &Material,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let modes = modes_of(level, material, 1, false, Vec::new(), progress)?;
    let lowest = modes.and_then(|modes| modes.squares.first().copied());
    let size = level.mesh.bounds().diagonal().max(f64::MIN_POSITIVE);
    let wave = (material.lame().mu / material.density).sqrt();
    Ok(lowest.map_or(std::f64::consts::PI * wave / size, f64::sqrt))
}
