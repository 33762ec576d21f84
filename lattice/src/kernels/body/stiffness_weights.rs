//! Stiffness weights (see [`crate::bake::stiffness_weights`]) in single precision: the contribution of a region is multiplied by its weight `k`, and
//! the value of a particle by the mean weight of its regions, `κ`. Goals minus positions are `Σ k T x⁰ / |R| − κ x`, smooth velocities
//! minus velocities `Σ k (v + ω × x) / |R| − κ v`.
//!
//! Both are separate passes over the results of the kernels, so that they cost nothing in bodies of uniform stiffness.

use rayon::prelude::*;

use crate::kernels::memory::channels::TRANSFORM;
use crate::kernels::memory::layout::{Layout, Part};
use crate::kernels::vector::pack::Numbers;

/// Stiffness weights of a body, a plane a slab each.
#[derive(Debug, Clone)]
pub(crate) struct StiffnessWeights {
    /// `k` of the region of each particle
    pub(crate) weights: Numbers,
    /// `1 − κ` of each particle
    pub(crate) missing: Numbers,
}

impl StiffnessWeights {
    /// `k` of the regions of all slabs; empty for a body of uniform stiffness.
    pub fn planes(stiffness_weights: Option<&Self>) -> &[f32] {
        stiffness_weights.map_or(&[], |stiffness_weights| &stiffness_weights.weights)
    }

    /// Adds `(1 − κ) value` to a change that was computed with the whole `value` (three planes a slab each).
    pub fn add_missing(&self, layout: &Layout, value: &[f32], change: &mut [f32], parallel: bool) {
        let plane = layout.plane;
        let slab = |(slab, change): (usize, &mut [f32])| {
            let missing = &self.missing[slab * plane..][..plane];
            let value = value[slab * 3 * plane..][..3 * plane].chunks_exact(plane);
            for (change, value) in change.chunks_exact_mut(plane).zip(value) {
                for ((change, value), missing) in change.iter_mut().zip(value).zip(missing) {
                    *change += missing * value;
                }
            }
        };
        if parallel {
            let slabs = change.par_chunks_exact_mut(3 * plane);
            slabs.enumerate().for_each(slab);
        } else {
            let slabs = change.chunks_exact_mut(3 * plane);
            slabs.enumerate().for_each(slab);
        }
    }
}

/// The plane of a slab; empty for a body of uniform stiffness.
#[inline(always)]
pub(crate) fn weights_of_slab(weights: &[f32], slab: usize, plane: usize) -> &[f32] {
    weights
        .get(slab * plane..(slab + 1) * plane)
        .unwrap_or_default()
}

/// Multiplies the first `count` padded planes of contributions of the regions of a slab by their `weights`, if there are any.
///
/// Never inlined: it must not change the register allocation of the kernels.
#[inline(never)]
pub(crate) fn apply_weights(
    layout: &Layout,
    weights: &[f32],
    count: usize,
    contributions: &mut [f32],
) {
    if weights.is_empty() {
        return;
    }
    for plane in contributions.chunks_mut(layout.padded()).take(count) {
        let places = &mut plane[layout.margin..][..layout.plane];
        for (contributions, k) in places.iter_mut().zip(weights) {
            *contributions *= k;
        }
    }
}

/// The same for transforms of a part of a slab in tiles of vectors of `lanes` numbers.
#[inline(never)]
pub(crate) fn apply_weights_to_tiles(
    part: Part,
    weights: &[f32],
    lanes: usize,
    contributions: &mut [f32],
) {
    let Some(weights) = weights.get(part.at..part.at + part.count) else {
        return;
    };
    let tiles = contributions.chunks_exact_mut(TRANSFORM * lanes);
    for (tile, weights) in tiles.zip(weights.chunks_exact(lanes)) {
        for vector in tile.chunks_exact_mut(lanes) {
            for (contributions, k) in vector.iter_mut().zip(weights) {
                *contributions *= k;
            }
        }
    }
}
