//! Stiffness weights: stiff and soft parts of one body.
//!
//! Every region has a weight `0 < k ≤ 1` in the energy, `Φ = α/(2h²) Σ_r k_r min_T Σ m̃_i |x_i − T x⁰_i|²`: its modulus over that of the
//! stiffest region. Forces within a region still sum to zero, and no region becomes stiffer: both momenta are conserved and every step is
//! stable. A particle is pulled by `Σ k_r T_r x⁰ / |R|` less `κ x` with `κ = Σ k_r / |R|`.

use pliant_core::asset::BodyGeometry;
use pliant_core::material::Material;
use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::bake::masses::nearest_weights;
use crate::error::LatticeError;
use crate::params::{LatticeParams, Sums};
use crate::step::calibrate::{Calibration, calibrate};
use crate::step::summation::Summation;

/// The largest factor, that of the stiffest part; 1 for a body of uniform stiffness.
///
/// # Errors
/// [`LatticeError::BadParameter`] for a factor that is not positive.
pub(crate) fn stiffest(params: &LatticeParams) -> Result<f64, LatticeError> {
    let Some(factors) = &params.stiffness else {
        return Ok(1.0);
    };
    match factors.iter().find(|f| !(**f > 0.0 && f.is_finite())) {
        Some(&value) => Err(LatticeError::BadParameter {
            name: "stiffness",
            value,
            range: "positive and finite",
        }),
        None => Ok(factors.iter().copied().fold(f64::MIN_POSITIVE, f64::max)),
    }
}

/// `material` with the modulus of the stiffest part.
pub(crate) fn stiffest_material(material: &Material, factor: f64) -> Material {
    let mut stiff = *material;
    stiff.elastic.young *= factor;
    stiff
}

/// As [`calibrate`] for the stiffest part of a body, by which half-width and steps are chosen.
///
/// # Errors
/// As [`calibrate`]; [`LatticeError::BadParameter`] for a factor that is not positive.
pub fn calibrate_stiffest(
    material: &Material,
    cell: f64,
    params: &LatticeParams,
) -> Result<Calibration, LatticeError> {
    calibrate(
        &stiffest_material(material, stiffest(params)?),
        cell,
        params,
    )
}

/// Sets the weights of regions: the factors of the skin vertices nearest to their particles times those that were `fitted`, over the largest product.
pub(crate) fn set_stiffness_weights(
    asset: &mut LatticeAsset,
    geometry: &BodyGeometry,
    params: &LatticeParams,
    fitted: Option<Vec<f64>>,
) -> Result<(), LatticeError> {
    if let Some(factors) = &params.stiffness {
        set_painted_weights(asset, geometry, params, factors)?;
    }
    if let Some(fitted) = fitted {
        apply_fitted_factors(asset, fitted);
    }
    // the weights of regions that count once stay
    if !asset.stiffness_weights.is_empty() {
        update_mean_weights(asset);
    }
    Ok(())
}

/// Updates the mean weight of the regions of each particle.
pub(crate) fn update_mean_weights(asset: &mut LatticeAsset) {
    let summation = Summation::new(asset, Some(Sums::BarPlateCube));
    asset.pull = summation.mean(asset, &asset.stiffness_weights);
}

/// Sets the weights of regions from the skin vertices nearest to their particles.
fn set_painted_weights(
    asset: &mut LatticeAsset,
    geometry: &BodyGeometry,
    params: &LatticeParams,
    factors: &[f64],
) -> Result<(), LatticeError> {
    asset.stiffest = stiffest(params)?;
    let positions: Vec<Vec3> = asset.rest_positions().collect();
    let of_particle = nearest_weights(geometry, &positions, factors, "stiffness factor")?;
    let before = std::mem::take(&mut asset.stiffness_weights);
    asset.stiffness_weights = vec![0.0; asset.region_count()];
    for (p, &region) in asset.region_of.iter().enumerate() {
        let region = region as usize;
        // the mean over the particles that share the region
        let share = of_particle[p] / asset.stiffest / f64::from(asset.multiplicity[region]);
        asset.stiffness_weights[region] += share;
    }
    for (weight, before) in asset.stiffness_weights.iter_mut().zip(before) {
        *weight *= before;
    }
    Ok(())
}

/// Multiplies the weights of regions by factors. The products are divided by the largest, and the modulus of the stiffest part is multiplied by it.
fn apply_fitted_factors(asset: &mut LatticeAsset, fitted: Vec<f64>) {
    let ends = |[least, most]: [f64; 2], f: &f64| [least.min(*f), most.max(*f)];
    let range = fitted.iter().fold([f64::INFINITY, 0.0], ends);
    asset.fitted = Some(range);
    // a body that needs no factors has no weights
    if range == [1.0, 1.0] {
        return;
    }
    if asset.stiffness_weights.is_empty() {
        asset.stiffness_weights = vec![1.0; asset.region_count()];
    }
    for (weight, factor) in asset.stiffness_weights.iter_mut().zip(fitted) {
        *weight *= factor;
    }
    let largest = asset
        .stiffness_weights
        .iter()
        .copied()
        .fold(f64::MIN_POSITIVE, f64::max);
    asset
        .stiffness_weights
        .iter_mut()
        .for_each(|k| *k /= largest);
    asset.stiffest *= largest;
}
