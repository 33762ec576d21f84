//! Factors on the stiffness of tetrahedra, with which each tetrahedron has the strain energy that a reference has there.
//!
//! Under a given load the strain energy of a part is inversely proportional to its stiffness. Let `U_e` be the energy of the reference in a tetrahedron, summed over all
//! loads, and `W_e` that of a level with factors `s`. The factor becomes `s_e W/U`, with both energies summed around the nodes of the tetrahedron. Then the level is solved
//! again, a few times.
//!
//! Both have the same mesh, so that energies tell where the softness belongs. Between different meshes they do not: what a coarser mesh spreads over an element may lie
//! beside it in the finer one.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::material::LameParameters;
use pliant_core::math::Vec3;
use pliant_statics::Statics;
use pliant_statics::quadratic::energy_density;
use rayon::prelude::*;

use crate::hierarchy::Level;

/// Largest number of rounds of the fit: a statically determinate part needs one, and most bodies two.
const MAX_ROUNDS: usize = 6;
/// Relative error of the energy of the whole level at which the fit stops. Further rounds would only make neighbours more different from each other.
const ENERGY_TOLERANCE: f64 = 0.03;
/// Range of the change of a factor in a round.
const CHANGE_RANGE: std::ops::RangeInclusive<f64> = 0.4..=1.6;
/// Range of plausible factors.
const FACTOR_RANGE: std::ops::RangeInclusive<f64> = 0.08..=1.5;

/// The reference that a level is compared with.
pub(super) struct Reference {
    /// Nodal forces, N, one list a load.
    pub(super) loads: Vec<Vec<Vec3>>,
    /// Energies of all of them together in each tetrahedron, J.
    pub(super) energies: Vec<f64>,
}

/// Factors of a level with which the energies of its parts are those of the reference; `None` where a part of it is not held.
pub(super) fn fit_energies(
    level: &Level,
    lame: &LameParameters,
    reference: &Reference,
    progress: &Progress,
) -> Result<Option<Vec<f64>>, Cancelled> {
    let tets = &level.mesh.tets;
    let mut factors = vec![1.0; tets.len()];
    let Some(mut statics) = Statics::new(&level.held_flags(), tets) else {
        return Ok(None);
    };
    let nodes = level.node_count();
    let whole = reference.energies.iter().sum::<f64>();
    let target = sum_around_nodes(nodes, tets, &reference.energies);
    for _ in 0..MAX_ROUNDS {
        let loads = &reference.loads;
        let found = linear_energies(&mut statics, level, lame, &factors, loads, progress)?;
        let Some(energies) = found else {
            return Ok(None);
        };
        let total = energies.iter().sum::<f64>();
        if (total / whole - 1.0).abs() < ENERGY_TOLERANCE {
            break;
        }
        let present = sum_around_nodes(nodes, tets, &energies);
        for (tet, factor) in tets.iter().zip(&mut factors) {
            let sum = |of_node: &[f64]| tet.iter().map(|&n| of_node[n as usize]).sum::<f64>();
            let (present, target) = (sum(&present), sum(&target));
            if present > 0.0 && target > 0.0 {
                let change = (present / target).clamp(*CHANGE_RANGE.start(), *CHANGE_RANGE.end());
                *factor = (*factor * change).clamp(*FACTOR_RANGE.start(), *FACTOR_RANGE.end());
            }
        }
    }
    Ok(Some(factors))
}

/// Energy of all `loads` together in each tetrahedron of linear elements with these `factors`, J; `None` where a part of the level is not held.
fn linear_energies(
    statics: &mut Statics,
    level: &Level,
    lame: &LameParameters,
    factors: &[f64],
    loads: &[Vec<Vec3>],
    progress: &Progress,
) -> Result<Option<Vec<f64>>, Cancelled> {
    let tets = &level.mesh.tets;
    statics.clear();
    let elements = tets.iter().zip(level.shapes.iter());
    for ((tet, shape), factor) in elements.zip(factors) {
        statics.add_linear(tet, shape, lame, *factor);
    }
    let Some(moved) = statics.solve(loads, progress)? else {
        return Ok(None);
    };
    let energy = |t: usize| -> f64 {
        let (tet, shape) = (tets[t], &level.shapes[t]);
        let of_load = |u: &Vec<Vec3>| {
            let slope = shape.gradient_of(tet.map(|n| u[n as usize]));
            energy_density(&slope, lame)
        };
        factors[t] * shape.volume * moved.iter().map(of_load).sum::<f64>()
    };
    Ok(Some((0..tets.len()).into_par_iter().map(energy).collect()))
}

/// Sums over the tetrahedra around each node.
fn sum_around_nodes(count: usize, tets: &[[u32; 4]], values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; count];
    for (tet, value) in tets.iter().zip(values) {
        for &n in tet {
            sums[n as usize] += value;
        }
    }
    sums
}
