//! Stiffness weights (see [`crate::bake::stiffness_weights`]) in single precision: what a region says of its particles weighs its share `k`, and a
//! particle is held against as much of itself as its regions weigh together, `κ`: goals minus positions are `Σ k T x⁰ / |R| − κ x`, smooth velocities
//! minus velocities `Σ k (v + ω × x) / |R| − κ v`.
//!
//! Both are passes of their own over what the kernels have written, so that bodies of one stiffness pay nothing for them.

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
    /// `k` of the regions of all slabs; empty for a body of one stiffness.
    pub fn planes(stiffness_weights: Option<&Self>) -> &[f32] {
        stiffness_weights.map_or(&[], |stiffness_weights| &stiffness_weights.weights)
    }

    /// Puts back what a change that was reckoned from a whole `value` (three planes a slab both) took too much.
    pub fn give_back(&self, layout: &Layout, value: &[f32], change: &mut [f32], parallel: bool) {
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

/// The plane of a slab; none for a body of one stiffness.
#[inline(always)]
pub(crate) fn weights_of_slab(weights: &[f32], slab: usize, plane: usize) -> &[f32] {
    weights
        .get(slab * plane..(slab + 1) * plane)
        .unwrap_or_default()
}

/// Weighs the first `count` padded planes of what the regions of a slab say by their `weights`, if there is any.
///
/// Never within the kernels: how their registers are kept must not depend on it.
#[inline(never)]
pub(crate) fn weigh(layout: &Layout, weights: &[f32], count: usize, said: &mut [f32]) {
    if weights.is_empty() {
        return;
    }
    for plane in said.chunks_mut(layout.padded()).take(count) {
        let places = &mut plane[layout.margin..][..layout.plane];
        for (said, k) in places.iter_mut().zip(weights) {
            *said *= k;
        }
    }
}

/// The same for transforms of a part of a slab in tiles of vectors of `lanes` numbers.
#[inline(never)]
pub(crate) fn weigh_tiles(part: Part, weights: &[f32], lanes: usize, said: &mut [f32]) {
    let Some(weights) = weights.get(part.at..part.at + part.count) else {
        return;
    };
    let tiles = said.chunks_exact_mut(TRANSFORM * lanes);
    for (tile, weights) in tiles.zip(weights.chunks_exact(lanes)) {
        for vector in tile.chunks_exact_mut(lanes) {
            for (said, k) in vector.iter_mut().zip(weights) {
                *said *= k;
            }
        }
    }
}
