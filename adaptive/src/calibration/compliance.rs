//! Factors on the stiffness of tetrahedra with which a level gives way to some loads as much as a reference does.
//!
//! The compliance of a level under a load is its work `c = f·u`. A factor `s_e` on the stiffness of one element changes it by that element's share of the energy, exactly:
//! `∂ ln c / ∂ ln s_e = −U_e/U`. Factors are those of a first guess (`energies.rs`) times `exp` of the mean over the corners of nodal values `z`, which minimise
//!
//! `Σ_loads w (ln c − ln c_ref)² + ε Σ_nodes v z²`, `v` the node's share of the volume,
//!
//! by Gauss and Newton: a system with one unknown a load in each round. Every direction counts alike, however soft it is. Summed energies are those of the softest direction: a thin body
//! whose bending was too stiff became too soft for whatever else bears on it, a penguin 2.5 times under a push from above, so that the ball slid off its head. Without the guess softness
//! sits in necks and ankles alone, and the rest is too stiff under a tool.

use nalgebra::{DMatrix, DVector};
use pliant_core::asset::{Cancelled, Progress};
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::Vec3;
use pliant_statics::Statics;
use pliant_statics::quadratic::energy_density;
use rayon::prelude::*;

use crate::hierarchy::Level;

/// ε: a body that is uniformly off its first guess by a factor e counts like this number of loads that are off by e.
const PRIOR: f64 = 2.0;
/// w of loads under which a level is stiffer than the reference; 1 for those under which it is softer. What is too soft slides off tools and buckles, what is too stiff only feels so.
const STIFFER: f64 = 0.25;
/// Rounds at most.
const ROUNDS: usize = 6;
/// Root mean square of the residuals, and improvement of it, that end the fit.
const CLOSE: f64 = 0.01;
/// Change of a nodal value in one round.
const CHANGE: std::ops::RangeInclusive<f64> = -0.9..=0.5;
/// Factors that are believed.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.08..=1.5;

/// What a level is compared with.
pub(super) struct Reference {
    /// Nodal forces, N, one list a load.
    pub(super) loads: Vec<Vec<Vec3>>,
    /// Their works on the reference, J.
    pub(super) works: Vec<f64>,
    /// Energies of all of them together in each tetrahedron, J.
    pub(super) energies: Vec<f64>,
}

/// Answer of a level with some factors.
struct Answer {
    /// `√w (ln c − ln c_ref)` of each load
    residuals: Vec<f64>,
    /// for each load the slope of it by the nodal values
    slopes: Vec<Vec<f64>>,
}

/// Displacements (m) of linear elements with these `factors` under each load; `None` where a part of the level is not held.
pub(super) fn displacements(
    statics: &mut Statics,
    level: &Level,
    lame: &LameParameters,
    factors: &[f64],
    loads: &[Vec<Vec3>],
    progress: &Progress,
) -> Result<Option<Vec<Vec<Vec3>>>, Cancelled> {
    statics.clear();
    let elements = level.mesh.tets.iter().zip(level.shapes.iter());
    for ((tet, shape), factor) in elements.zip(factors) {
        for (a, &i) in tet.iter().enumerate() {
            for (b, &j) in tet.iter().enumerate() {
                statics.add(i, j, &(linear_stiffness_block(shape, lame, a, b) * *factor));
            }
        }
    }
    statics.solve(loads, progress)
}

/// Work of a load, J.
pub(super) fn work(load: &[Vec3], moved: &[Vec3]) -> f64 {
    load.iter().zip(moved).map(|(f, u)| f.dot(u)).sum()
}

/// Factors of a level near the `guess` with which its works are those of the reference; `None` where a part of it is not held.
pub(super) fn fit(
    level: &Level,
    lame: &LameParameters,
    reference: &Reference,
    guess: &[f64],
    progress: &Progress,
) -> Result<Option<Vec<f64>>, Cancelled> {
    let Some(mut statics) = Statics::new(&level.held_flags(), &level.mesh.tets) else {
        return Ok(None);
    };
    let volumes = volume_shares(level);
    let mut values = vec![0.0; level.node_count()];
    let mut best: Option<(f64, Vec<f64>)> = None;
    let mut before = f64::INFINITY;
    for round in 0..=ROUNDS {
        let factors = factors_of(level, guess, &values);
        let loads = &reference.loads;
        let moved = displacements(&mut statics, level, lame, &factors, loads, progress)?;
        let Some(moved) = moved else {
            return Ok(None);
        };
        let answer = answer(level, lame, reference, &factors, &moved);
        let squares: f64 = answer.residuals.iter().map(|r| r * r).sum();
        let prior: f64 = values.iter().zip(&volumes).map(|(z, v)| v * z * z).sum();
        let cost = squares + PRIOR * prior;
        if best.as_ref().is_none_or(|b| cost < b.0) {
            best = Some((cost, factors));
        }
        let rms = (squares / answer.residuals.len().max(1) as f64).sqrt();
        if round == ROUNDS || rms < CLOSE || (rms - before).abs() < CLOSE * CLOSE {
            break;
        }
        before = rms;
        let Some(wanted) = step(&answer, &values, &volumes) else {
            break;
        };
        for (z, wanted) in values.iter_mut().zip(wanted) {
            *z += (wanted - *z).clamp(*CHANGE.start(), *CHANGE.end());
        }
    }
    Ok(best.map(|b| b.1))
}

/// The nodal values that minimise the linearised sum.
fn step(answer: &Answer, values: &[f64], volumes: &[f64]) -> Option<Vec<f64>> {
    let slopes = &answer.slopes;
    let count = slopes.len();
    let product = |a: &[f64], b: &[f64]| -> f64 {
        let terms = a.iter().zip(b).zip(volumes);
        terms.map(|((a, b), v)| a * b / v).sum()
    };
    let mut matrix = DMatrix::<f64>::zeros(count, count);
    for i in 0..count {
        for j in 0..=i {
            let entry = product(&slopes[i], &slopes[j]);
            (matrix[(i, j)], matrix[(j, i)]) = (entry, entry);
        }
        matrix[(i, i)] += PRIOR;
    }
    let right = DVector::from_fn(count, |l, _| {
        let linear: f64 = slopes[l].iter().zip(values).map(|(a, z)| a * z).sum();
        linear - answer.residuals[l]
    });
    let shares = matrix.cholesky()?.solve(&right);
    let value = |n: usize| -> f64 {
        let sum: f64 = (0..count).map(|l| slopes[l][n] * shares[l]).sum();
        sum / volumes[n]
    };
    Some((0..values.len()).map(value).collect())
}

/// Residuals and slopes of a level that moved like this.
fn answer(
    level: &Level,
    lame: &LameParameters,
    reference: &Reference,
    factors: &[f64],
    moved: &[Vec<Vec3>],
) -> Answer {
    let tets = &level.mesh.tets;
    let of_load = |moved: &Vec<Vec3>| -> (f64, Vec<f64>) {
        let (mut sum, mut slopes) = (0.0, vec![0.0; level.node_count()]);
        for (t, tet) in tets.iter().enumerate() {
            let shape = &level.shapes[t];
            let slope = shape.gradient_of(tet.map(|n| moved[n as usize]));
            let energy = factors[t] * shape.volume * energy_density(&slope, lame);
            sum += energy;
            // a factor at its lower limit does not answer
            if BELIEVED.contains(&factors[t]) && factors[t] > *BELIEVED.start() {
                for &n in tet {
                    slopes[n as usize] -= energy / 4.0;
                }
            }
        }
        slopes.iter_mut().for_each(|s| *s /= sum);
        (2.0 * sum, slopes)
    };
    let found: Vec<(f64, Vec<f64>)> = moved.par_iter().map(of_load).collect();
    let works = found.into_iter().zip(&reference.works);
    let weighted = works.map(|((own, mut slopes), work)| {
        let off = (own / work).ln();
        let weight = if off > 0.0 { 1.0 } else { STIFFER.sqrt() };
        slopes.iter_mut().for_each(|s| *s *= weight);
        (off * weight, slopes)
    });
    let (residuals, slopes) = weighted.unzip();
    Answer { residuals, slopes }
}

fn factors_of(level: &Level, guess: &[f64], values: &[f64]) -> Vec<f64> {
    let factor = |(tet, guess): (&[u32; 4], &f64)| {
        let mean = tet.iter().map(|&n| values[n as usize]).sum::<f64>() / 4.0;
        (guess * mean.exp()).clamp(*BELIEVED.start(), *BELIEVED.end())
    };
    level.mesh.tets.iter().zip(guess).map(factor).collect()
}

/// Share of each node in the volume of its level.
fn volume_shares(level: &Level) -> Vec<f64> {
    let whole: f64 = level.shapes.iter().map(|s| s.volume).sum();
    let mut shares = vec![0.0; level.node_count()];
    for (tet, shape) in level.mesh.tets.iter().zip(level.shapes.iter()) {
        for &n in tet {
            shares[n as usize] += shape.volume / (4.0 * whole);
        }
    }
    shares
}
