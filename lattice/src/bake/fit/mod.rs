//! Numerical coarsening: a stiffness factor for every region, so that the compliance of the lattice is that of quadratic tetrahedra.
//!
//! A lattice has the requested stiffness in tension, but it is too stiff in bending: 1.56 times in a wall of two cells, and more where cells stick out of the body. The error depends
//! on the place, so that no common modulus corrects it. As in the levels of the adaptive method (Kharevych, Mullen, Owhadi, Desbrun 2009; for voxels with one number each Nesme,
//! Kry, Jeřábková, Faure 2009), the body is compared with a static reference, and regions are made softer where necessary:
//!
//! 1. **Loads.** Pushes on the skin at points all over the body. Each is distributed as a Gaussian a few cells wide, inwards and in two directions along the skin. They act on the particles as
//!    contact does, through the embedding of the skin.
//! 2. **Reference.** In quadratic tetrahedra each push does the work `U_l`.
//! 3. **Fit.** In the linearised lattice with factors `s` it does the work `W_l`, of which the share `a_lr` is stored in region `r`. To first order `Δ ln W_l = −Σ_r a_lr Δ ln s_r`. A
//!    region takes the mean of the errors of the pushes that strain it, `Δ ln s_r = Σ_l a_lr ln(W_l/U_l) / Σ_l a_lr`, as in algebraic reconstruction of images. Matching the energy of each
//!    region instead left pushes on the head of a body up to 1.6 times too soft: the energy in a head under a push on it is small compared with its energy when a neck bends.
//!
//! The factors become stiffness weights ([`crate::bake::stiffness_weights`]): momenta are conserved and steps stay stable. No factor is above one: the step does not change, and a body that needs no
//! softening has no extra cost. Poisson's ratio of a lattice is zero. A fit to a body with another ratio compensates for it as far as one factor a region can, for pushes inwards before pushes along the skin.

mod operator;
mod particle_embedding;
mod reference;
mod solve;
#[cfg(test)]
mod tests;

use pliant_core::asset::{BodyGeometry, Cancelled, Progress};
use pliant_core::material::LameParameters;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_statics::Statics;
use rayon::prelude::*;

use crate::asset::lattice_asset::LatticeAsset;
use operator::{COMPONENTS, LOADS, MultiVector, Operator, Workspace};
use particle_embedding::embed_particles;
use reference::{DIRECTIONS, Push, Reference, Solid};
use solve::{Preconditioner, solve};

/// Number of points at which the skin is pushed.
const LOADED_POINTS: usize = 16;
/// Width of a push (standard deviation) over the half-width of a region.
const WIDTH: f64 = 1.5;
/// Weight of pushes along the skin relative to those inwards: users mostly press.
const TANGENTIAL_WEIGHT: f64 = 0.1;
/// Rounds of the fit. More rounds increase the differences between neighbours and hardly improve the fit.
const MAX_ROUNDS: usize = 2;
/// Root mean square of `ln(W/U)` at which the fit stops.
const CONVERGED_RMS: f64 = 0.03;
/// Range of the factors.
const FACTOR_RANGE: std::ops::RangeInclusive<f64> = 0.15..=1.0;
/// A body whose factors are all at least this gets none.
const MIN_UNIFORM_FACTOR: f64 = 0.95;
/// Most particles of a lattice that is fitted: the bake of a larger one would take minutes, and its thin parts have many cells.
const MAX_PARTICLES: usize = 60_000;

/// A factor on the stiffness of each distinct region; `None` if there are no tetrahedra to compare with, the lattice is very fine, or a part of the body has no support.
pub(crate) fn fit(
    asset: &LatticeAsset,
    geometry: &BodyGeometry,
    progress: &Progress,
) -> Result<Option<Vec<f64>>, Cancelled> {
    let Some(mesh) = geometry.levels.last() else {
        return Ok(None);
    };
    if asset.supported().contains(&false) || asset.particle_count() > MAX_PARTICLES {
        return Ok(None);
    }
    progress.stage("lattice stiffness");
    let Some(solid) = Solid::new(mesh, geometry) else {
        return Ok(None);
    };
    let width = WIDTH * asset.cell * asset.half_width as f64;
    let Some(reference) = Reference::new(&solid, geometry, (LOADED_POINTS, width), progress)?
    else {
        return Ok(None);
    };
    let young = geometry.material.elastic.young;
    let Some(statics) = linear_statics(&solid, young) else {
        return Ok(None);
    };
    let Some(factor) = statics.factorise(progress)? else {
        return Ok(None);
    };
    let w = asset.half_width as f64;
    let inertia = geometry.material.density * asset.cell.powi(2) * w * (w + 1.0);
    let operator = Operator::new(asset, 3.0 * young / inertia);
    let places = embed_particles(mesh, asset);
    let diagonal = |(m, held): (&f64, &bool)| match held {
        true => 0.0,
        false => 1.0 / (m * operator.rate),
    };
    let preconditioner = Preconditioner {
        factor,
        nodes: mesh.nodes.len(),
        places: &places,
        diagonal: asset
            .mass
            .iter()
            .zip(&operator.held)
            .map(diagonal)
            .collect(),
    };
    let mut batches = batches(&operator, &reference, &places);
    let mut factors = vec![1.0; asset.region_count()];
    for _ in 0..MAX_ROUNDS {
        let means = operator.mean(&factors);
        let solved: Result<Vec<Vec<[f64; LOADS]>>, Cancelled> = batches
            .par_iter_mut()
            .map(
                |Batch {
                     load,
                     displacements,
                 }| {
                    let mut work = Workspace::new(asset);
                    let stiffness = (factors.as_slice(), means.as_slice());
                    solve(
                        &operator,
                        stiffness,
                        &preconditioner,
                        load,
                        displacements,
                        &mut work,
                        progress,
                    )?;
                    Ok(operator.energies(displacements, &mut work))
                },
            )
            .collect();
        if !update_factors(asset, &reference, &solved?, &mut factors) {
            break;
        }
    }
    if factors.iter().all(|f| *f >= MIN_UNIFORM_FACTOR) {
        factors.fill(1.0);
    }
    Ok(Some(factors))
}

/// Updates the factors from the errors of the pushes (step 3); `energies` are those of regions without their factors. Returns false if the fit has converged.
fn update_factors(
    asset: &LatticeAsset,
    reference: &Reference,
    energies: &[Vec<[f64; LOADS]>],
    factors: &mut [f64],
) -> bool {
    let mut sums = vec![[0.0; 2]; factors.len()];
    let (mut squares, mut weights) = (0.0, 0.0);
    for (push, work) in reference.works.iter().enumerate() {
        let of_load = energies[push / LOADS].iter().map(|e| e[push % LOADS]);
        let of_region = of_load.zip(factors.iter()).map(|(e, s)| e * s);
        let counted = of_region.clone().zip(&asset.multiplicity);
        let total: f64 = counted.map(|(e, k)| e * f64::from(*k)).sum();
        // half of the work is stored
        let log_ratio = (2.0 * total / work).ln();
        if !log_ratio.is_finite() {
            continue;
        }
        let weight = if push % DIRECTIONS == 0 {
            1.0
        } else {
            TANGENTIAL_WEIGHT
        };
        squares += weight * log_ratio * log_ratio;
        weights += weight;
        for (sum, energy) in sums.iter_mut().zip(of_region) {
            let share = weight * energy / total;
            sum[0] += share * log_ratio;
            sum[1] += share;
        }
    }
    if squares.is_nan() || squares <= CONVERGED_RMS * CONVERGED_RMS * weights {
        return false;
    }
    for (factor, [sum, share]) in factors.iter_mut().zip(sums) {
        if share > 0.0 {
            let changed = *factor * (sum / share).exp();
            *factor = changed.clamp(*FACTOR_RANGE.start(), *FACTOR_RANGE.end());
        }
    }
    true
}

/// The stiffness of linear tetrahedra with a Poisson's ratio of zero, which is closest to a lattice; `None` if no node is free.
fn linear_statics(solid: &Solid<'_>, young: f64) -> Option<Statics> {
    let lame = LameParameters {
        lambda: 0.0,
        mu: 0.5 * young,
    };
    let tets = &solid.mesh.tets;
    let mut statics = Statics::new(&solid.held, tets)?;
    for (tet, shape) in tets.iter().zip(&solid.shapes) {
        statics.add_linear(tet, shape, &lame, 1.0);
    }
    Some(statics)
}

/// Some loads (N) and the displacements (m) under them.
struct Batch {
    load: Vec<MultiVector>,
    displacements: Vec<MultiVector>,
}

/// The pushes of the reference as loads on the particles, with its displacements as initial values.
fn batches(operator: &Operator<'_>, reference: &Reference, places: &SkinEmbedding) -> Vec<Batch> {
    let asset = operator.asset;
    let batch = |(pushes, reference): (&[Push], &[Vec<Vec3>])| {
        let mut load = vec![[0.0; COMPONENTS]; asset.particle_count()];
        let mut displacements = load.clone();
        for (k, (push, reference)) in pushes.iter().zip(reference).enumerate() {
            let column = 3 * k;
            for (v, force) in &push.forces {
                for (p, weight) in asset.embedding.entries(*v as usize) {
                    for axis in 0..3 {
                        load[p as usize][column + axis] += force[axis] * weight;
                    }
                }
            }
            for (p, out) in displacements.iter_mut().enumerate() {
                let u: Vec3 = places.interpolate(p, reference);
                out[column..column + 3].copy_from_slice(u.as_slice());
            }
        }
        for (p, _) in operator.held.iter().enumerate().filter(|(_, held)| **held) {
            (load[p], displacements[p]) = ([0.0; COMPONENTS], [0.0; COMPONENTS]);
        }
        Batch {
            load,
            displacements,
        }
    };
    let pushes = reference.pushes.par_chunks(LOADS);
    let displacements = reference.displacements.par_chunks(LOADS);
    pushes.zip(displacements).map(batch).collect()
}
