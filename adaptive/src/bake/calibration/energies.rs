//! Factors on the stiffness of tetrahedra with which each of them has the energy that a reference has there.
//!
//! Under a given load the strain energy of a part is inversely proportional to its stiffness. The reference has the energy `U_e` that all loads together leave in each tetrahedron, a level with
//! factors `s` has `W_e`; the factor becomes `s_e W/U` with both energies summed around the nodes of the tetrahedron, and the level is solved again, a few times.
//!
//! Both have the same mesh: energies then tell where the softness belongs. Between different meshes they do not, since what a coarser one spreads over an element lies beside it in
//! the finer one.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::Vec3;
use pliant_statics::Statics;
use pliant_statics::quadratic::energy_density;
use rayon::prelude::*;

use crate::hierarchy::Level;

/// Rounds of the fit at most: a statically determinate part needs one, and most bodies two.
const ROUNDS: usize = 6;
/// Share by which the energy of the whole level may differ in the end. Going on would only make neighbours more different from each other.
const CLOSE: f64 = 0.03;
/// Most that a factor changes in a round.
const CHANGE: std::ops::RangeInclusive<f64> = 0.4..=1.6;
/// Factors that are believed.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.08..=1.5;

/// What a level is compared with.
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
    let wanted = around_nodes(nodes, tets, &reference.energies);
    for _ in 0..ROUNDS {
        let loads = &reference.loads;
        let found = linear_energies(&mut statics, level, lame, &factors, loads, progress)?;
        let Some(energies) = found else {
            return Ok(None);
        };
        let total = energies.iter().sum::<f64>();
        if (total / whole - 1.0).abs() < CLOSE {
            break;
        }
        let has = around_nodes(nodes, tets, &energies);
        for (tet, factor) in tets.iter().zip(&mut factors) {
            let sum = |of_node: &[f64]| tet.iter().map(|&n| of_node[n as usize]).sum::<f64>();
            let (has, wanted) = (sum(&has), sum(&wanted));
            if has > 0.0 && wanted > 0.0 {
                let change = (has / wanted).clamp(*CHANGE.start(), *CHANGE.end());
                *factor = (*factor * change).clamp(*BELIEVED.start(), *BELIEVED.end());
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
        for (a, &i) in tet.iter().enumerate() {
            for (b, &j) in tet.iter().enumerate() {
                statics.add(i, j, &(linear_stiffness_block(shape, lame, a, b) * *factor));
            }
        }
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
fn around_nodes(count: usize, tets: &[[u32; 4]], values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; count];
    for (tet, value) in tets.iter().zip(values) {
        for &n in tet {
            sums[n as usize] += value;
        }
    }
    sums
}
