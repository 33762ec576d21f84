//! Numerical coarsening: a stiffness factor for every region, with which the lattice gives way to pushes as quadratic tetrahedra do.
//!
//! A lattice stretches as its material asks, but it does not bend so: two cells across a wall bend 1.56 times too stiffly, and cells that stick out of the body more. The error depends
//! on the place, so that no common modulus repairs it. As the adaptive method does for its levels (Kharevych, Mullen, Owhadi, Desbrun 2009; for voxels with one number each Nesme,
//! Kry, Jeřábková, Faure 2009), the body is compared with a static reference, and regions are made softer where they have to be:
//!
//! 1. **Loads.** Soft pushes on the skin, spread over the body, each a Gaussian bell a few cells wide, inwards and in two directions along the skin. They reach the particles as
//!    contact does, by the embedding of the skin.
//! 2. **Reference.** Quadratic tetrahedra under the same pushes yield by the work `U_l` of each.
//! 3. **Fit.** With factors `s` the linearised lattice yields by `W_l`, of which the share `a_lr` is strain of region `r`. To first order `Δ ln W_l = −Σ_r a_lr Δ ln s_r`, so that a
//!    region takes the mean of what the pushes that strain it miss, `Δ ln s_r = Σ_l a_lr ln(W_l/U_l) / Σ_l a_lr`, as in algebraic reconstruction of images. Matching energies place
//!    by place instead left pushes on the head of a body up to 1.6 times too soft: what a head stores under a push on it is little beside what it stores when a neck bends.
//!
//! The factors become stiffness weights ([`crate::bake::stiffness_weights`]): momenta are kept and steps stay stable. None is above one: the step is as before, and a body that asks for no
//! softening pays nothing. Poisson's ratio of a lattice is zero; a fit to a body that has one takes that up as far as a factor a region can, for pushes inwards before pushes along the skin.

mod operator;
mod places;
mod reference;
mod solve;
#[cfg(test)]
mod tests;

use pliant_core::asset::{BodyGeometry, Cancelled, Progress};
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_statics::Statics;
use rayon::prelude::*;

use crate::asset::lattice_asset::LatticeAsset;
use operator::{LOADS, Operator, WIDE, Wide, Workspace};
use places::places_in;
use reference::{DIRECTIONS, Push, Reference, Solid};
use solve::{Guide, solve};

/// Places that are pushed.
const PLACES: usize = 16;
/// Width of a push (standard deviation) over the half-width of a region.
const WIDTH: f64 = 1.5;
/// What pushes along the skin count beside those inwards: the hand of a user presses.
const ALONG: f64 = 0.1;
/// Rounds of the fit. Further ones make neighbours more different from each other, and the whole hardly better.
const ROUNDS: usize = 2;
/// Root mean square of `ln(W/U)` that needs no other round.
const CLOSE: f64 = 0.03;
/// Factors that are believed.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.15..=1.0;
/// A body whose factors are all above this is left as it is.
const UNIFORM: f64 = 0.95;
/// Most particles of a lattice that is fitted: its bake would take minutes, and thin parts have many cells.
const MOST_PARTICLES: usize = 60_000;

/// A factor on the stiffness of each distinct region; `None` where there are no tetrahedra to compare with, the lattice is very fine, or a part of the body is held nowhere.
pub(crate) fn fit(
    asset: &LatticeAsset,
    geometry: &BodyGeometry,
    progress: &Progress,
) -> Result<Option<Vec<f64>>, Cancelled> {
    let Some(mesh) = geometry.levels.last() else {
        return Ok(None);
    };
    if asset.supported().contains(&false) || asset.particle_count() > MOST_PARTICLES {
        return Ok(None);
    }
    progress.stage("lattice stiffness");
    let Some(solid) = Solid::new(mesh, geometry) else {
        return Ok(None);
    };
    let width = WIDTH * asset.cell * asset.half_width as f64;
    let Some(reference) = Reference::new(&solid, geometry, (PLACES, width), progress)? else {
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
    let places = places_in(mesh, asset);
    let diagonal = |(m, held): (&f64, &bool)| match held {
        true => 0.0,
        false => 1.0 / (m * operator.rate),
    };
    let guide = Guide {
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
    for _ in 0..ROUNDS {
        let means = operator.mean(&factors);
        let solved: Result<Vec<Vec<[f64; LOADS]>>, Cancelled> = batches
            .par_iter_mut()
            .map(|Batch { load, moved }| {
                let mut work = Workspace::new(asset);
                let stiffness = (factors.as_slice(), means.as_slice());
                solve(
                    &operator, stiffness, &guide, load, moved, &mut work, progress,
                )?;
                Ok(operator.energies(moved, &mut work))
            })
            .collect();
        if !improve(asset, &reference, &solved?, &mut factors) {
            break;
        }
    }
    if factors.iter().all(|f| *f >= UNIFORM) {
        factors.fill(1.0);
    }
    Ok(Some(factors))
}

/// Changes the factors by what the pushes miss (step 3), from the energies of regions without their factors; false where that is next to nothing.
fn improve(
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
        let whole: f64 = counted.map(|(e, k)| e * f64::from(*k)).sum();
        // half of the work is stored
        let missed = (2.0 * whole / work).ln();
        if !missed.is_finite() {
            continue;
        }
        let weight = if push % DIRECTIONS == 0 { 1.0 } else { ALONG };
        squares += weight * missed * missed;
        weights += weight;
        for (sum, energy) in sums.iter_mut().zip(of_region) {
            let share = weight * energy / whole;
            sum[0] += share * missed;
            sum[1] += share;
        }
    }
    if squares.is_nan() || squares <= CLOSE * CLOSE * weights {
        return false;
    }
    for (factor, [sum, share]) in factors.iter_mut().zip(sums) {
        if share > 0.0 {
            let changed = *factor * (sum / share).exp();
            *factor = changed.clamp(*BELIEVED.start(), *BELIEVED.end());
        }
    }
    true
}

/// The stiffness of linear tetrahedra without Poisson's ratio, which is what comes nearest to a lattice; `None` where nothing is free.
fn linear_statics(solid: &Solid<'_>, young: f64) -> Option<Statics> {
    let lame = LameParameters {
        lambda: 0.0,
        mu: 0.5 * young,
    };
    let tets = &solid.mesh.tets;
    let mut statics = Statics::new(&solid.held, tets)?;
    for (tet, shape) in tets.iter().zip(&solid.shapes) {
        for (a, &i) in tet.iter().enumerate() {
            for (b, &j) in tet.iter().enumerate() {
                statics.add(i, j, &linear_stiffness_block(shape, &lame, a, b));
            }
        }
    }
    Some(statics)
}

/// Some loads (N) and the displacements (m) under them.
struct Batch {
    load: Vec<Wide>,
    moved: Vec<Wide>,
}

/// The pushes of the reference on the particles, with its displacements to begin from.
fn batches(operator: &Operator<'_>, reference: &Reference, places: &SkinEmbedding) -> Vec<Batch> {
    let asset = operator.asset;
    let batch = |(pushes, reference): (&[Push], &[Vec<Vec3>])| {
        let mut load = vec![[0.0; WIDE]; asset.particle_count()];
        let mut moved = load.clone();
        for (k, (push, reference)) in pushes.iter().zip(reference).enumerate() {
            let column = 3 * k;
            for (v, force) in &push.forces {
                let (particles, weights) = asset.embedding.row(*v as usize);
                for (&p, weight) in particles.iter().zip(weights) {
                    for axis in 0..3 {
                        load[p as usize][column + axis] += force[axis] * weight;
                    }
                }
            }
            for (p, moved) in moved.iter_mut().enumerate() {
                let u: Vec3 = places.interpolate(p, reference);
                moved[column..column + 3].copy_from_slice(u.as_slice());
            }
        }
        for (p, _) in operator.held.iter().enumerate().filter(|(_, held)| **held) {
            (load[p], moved[p]) = ([0.0; WIDE], [0.0; WIDE]);
        }
        Batch { load, moved }
    };
    let pushes = reference.pushes.par_chunks(LOADS);
    let moved = reference.moved.par_chunks(LOADS);
    pushes.zip(moved).map(batch).collect()
}
