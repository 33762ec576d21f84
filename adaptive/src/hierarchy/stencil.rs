//! A node of one level as a weighted sum of nodes of another level. The weights sum to one and reproduce the position of the node, so that it follows every affine
//! motion of the other nodes exactly.

use nalgebra::{Matrix4, Vector4};
use pliant_core::math::Vec3;
use pliant_core::mesh::WeightedRows;

/// Largest number of nodes of an affine stencil.
pub const MAX_NODES: usize = 12;
/// Sum of absolute weights below which a stencil is good: it hardly amplifies errors.
const GOOD_WEIGHT_SUM: f64 = 2.0;
/// Sum of absolute weights up to which a stencil may be used. Larger sums amplify the errors of the nodes of the stencil many times, and the forces on them.
const MAX_WEIGHT_SUM: f64 = 3.0;
/// Largest error of the reproduced position over the size of the neighbourhood.
const TOLERANCE: f64 = 1e-9;

/// Rows of nodes and weights.
pub type Stencils = WeightedRows;

/// Sorts `nodes` at `places` (m) by their distances from a point, the lowest number first of equally near ones.
pub fn sort_by_distance(point: &Vec3, nodes: &mut [u32], places: &[Vec3]) {
    let distance = |n: u32| (places[n as usize] - point).norm_squared();
    nodes.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
}

/// Least-norm weights of `places` (m) with `Σ w = 1` and `Σ w x = point`: `w = Aᵀ (A Aᵀ)⁻¹ e₀` with rows `1` and `(x − point)/h` of `A`.
///
/// `None` where the points do not span space.
pub fn affine_weights(point: &Vec3, places: &[Vec3]) -> Option<Vec<f64>> {
    let size = places
        .iter()
        .map(|x| (x - point).norm())
        .fold(0.0, f64::max);
    if places.len() < 4 || size.is_nan() || size <= 0.0 {
        return None;
    }
    let row = |x: &Vec3| {
        let r = (x - point) / size;
        Vector4::new(1.0, r.x, r.y, r.z)
    };
    let mut gram = Matrix4::zeros();
    for x in places {
        let a = row(x);
        gram += a * a.transpose();
    }
    let multipliers = gram.cholesky()?.solve(&Vector4::new(1.0, 0.0, 0.0, 0.0));
    let weights: Vec<f64> = places.iter().map(|x| row(x).dot(&multipliers)).collect();
    let mut error = Vector4::new(-1.0, 0.0, 0.0, 0.0);
    for (x, w) in places.iter().zip(&weights) {
        error += row(x) * *w;
    }
    (error.amax() <= TOLERANCE).then_some(weights)
}

/// The shortest good affine stencil over the first of `candidates`, with four to [`MAX_NODES`] nodes. Good means `Σ |w| < 2`. Where none is good, the one with the
/// smallest sum; `None` where none exists.
pub fn affine_stencil(
    point: &Vec3,
    candidates: &[u32],
    places: &[Vec3],
) -> Option<Vec<(u32, f64)>> {
    let near: Vec<Vec3> = candidates
        .iter()
        .take(MAX_NODES)
        .map(|&n| places[n as usize])
        .collect();
    let mut best: Option<(f64, Vec<f64>)> = None;
    for count in 4..=near.len() {
        let Some(weights) = affine_weights(point, &near[..count]) else {
            continue;
        };
        let sum = absolute_sum(weights.iter());
        if best.as_ref().is_none_or(|(b, _)| sum < *b) {
            best = Some((sum, weights));
        }
        if sum < GOOD_WEIGHT_SUM {
            break;
        }
    }
    best.map(|(_, weights)| candidates.iter().copied().zip(weights).collect())
}

/// An affine stencil over [`MAX_NODES`] of `candidates` that are as far from each other as possible, the nearest one among them; `None` where they do not span space.
pub(super) fn spread_stencil(
    point: &Vec3,
    candidates: &[u32],
    places: &[Vec3],
) -> Option<Vec<(u32, f64)>> {
    let square = |n: u32, x: &Vec3| (places[n as usize] - x).norm_squared();
    let nearest = |a: &&u32, b: &&u32| square(**a, point).total_cmp(&square(**b, point));
    let mut chosen = vec![*candidates.iter().min_by(nearest)?];
    let mut distance_to_chosen = vec![f64::INFINITY; candidates.len()];
    while chosen.len() < MAX_NODES.min(candidates.len()) {
        let last = places[*chosen.last()? as usize];
        for (distance_to_chosen, &n) in distance_to_chosen.iter_mut().zip(candidates) {
            *distance_to_chosen = distance_to_chosen.min(square(n, &last));
        }
        // the first of those that are equally far
        let by_distance = distance_to_chosen.iter().zip(candidates);
        let farthest = by_distance.min_by(|a, b| b.0.total_cmp(a.0));
        chosen.push(*farthest?.1);
    }
    let x: Vec<Vec3> = chosen.iter().map(|&n| places[n as usize]).collect();
    let weights = affine_weights(point, &x)?;
    Some(chosen.into_iter().zip(weights).collect())
}

/// Whether `Σ |w| < 2`.
pub(super) fn has_good_weights(row: &[(u32, f64)]) -> bool {
    absolute_weight_sum(row) < GOOD_WEIGHT_SUM
}

/// Whether `Σ |w| < 3`.
pub(crate) fn has_small_weights(row: &[(u32, f64)]) -> bool {
    absolute_weight_sum(row) < MAX_WEIGHT_SUM
}

/// `Σ |w|`.
pub(super) fn absolute_weight_sum(row: &[(u32, f64)]) -> f64 {
    absolute_sum(row.iter().map(|(_, w)| w))
}

fn absolute_sum<'a>(weights: impl Iterator<Item = &'a f64>) -> f64 {
    weights.map(|w| w.abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_reproduce_the_point_and_are_the_smallest_that_do() {
        let places: Vec<Vec3> = (0..8)
            .map(|k| {
                let t = f64::from(k);
                Vec3::new((t * 1.7).sin(), (t * 0.9).cos(), (t * 2.3).sin()) * 0.01
            })
            .collect();
        let point = Vec3::new(0.002, -0.001, 0.003);
        let weights = affine_weights(&point, &places).expect("they span space");
        let back: Vec3 = places.iter().zip(&weights).map(|(x, w)| x * *w).sum();
        assert!((back - point).norm() < 1e-15);
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // any other solution differs by a vector that is orthogonal to this one
        let other = affine_weights(&point, &places[..5]).expect("they span space");
        let difference: f64 = (0..8)
            .map(|k| weights[k] * (other.get(k).copied().unwrap_or(0.0) - weights[k]))
            .sum();
        assert!(difference.abs() < 1e-12);
        let flat: Vec<Vec3> = places.iter().map(|x| Vec3::new(x.x, x.y, 0.0)).collect();
        assert!(affine_weights(&point, &flat).is_none());
        assert!(affine_weights(&point, &places[..3]).is_none());
    }
}
