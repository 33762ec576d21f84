//! The boundary of a patch: half-edges with nothing beyond, each with those before and after it.

use std::collections::BTreeMap;

use super::patch::{Beyond, Patch};
use crate::math::Vec3;

/// A half-edge with nothing beyond.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub half: u32,
    pub from: u32,
    pub to: u32,
    pub is_skin: bool,
    /// numbers of sides
    pub next: usize,
    pub previous: usize,
}

/// All of them. Each vertex begins one at most, once fans are parted.
pub(super) fn sides(patch: &Patch<'_>) -> Vec<Side> {
    let mut all: Vec<Side> = Vec::new();
    let mut begins: BTreeMap<u32, usize> = BTreeMap::new();
    for (half, beyond) in (0..).zip(&patch.beyond) {
        if *beyond == Beyond::Nothing {
            let [from, to] = patch.ends(half);
            begins.insert(from, all.len());
            all.push(Side {
                half,
                from,
                to,
                is_skin: patch.is_skin(half),
                next: 0,
                previous: 0,
            });
        }
    }
    for k in 0..all.len() {
        // the boundary of a surface ends nowhere
        let next = begins.get(&all[k].to).copied().unwrap_or(k);
        all[k].next = next;
        all[next].previous = k;
    }
    all
}

/// A unit vector from each side's first vertex into the part of the body that it belongs to: the one that is known, or that of the triangles. Zero at the end of a cut, which belongs to both.
pub(super) fn inward(patch: &Patch<'_>, sides: &[Side]) -> Vec<Vec3> {
    let along: Vec<Vec3> = sides.iter().map(|side| of_side(patch, side)).collect();
    let mean = |side: &Side, own: &Vec3| {
        let sum = own + along[side.previous];
        let of_triangles = || sum.try_normalize(0.5).unwrap_or_default();
        patch.inward(side.from).unwrap_or_else(of_triangles)
    };
    sides
        .iter()
        .zip(&along)
        .map(|(s, own)| mean(s, own))
        .collect()
}

/// Skin lies on its side of a cut, a cap is the end of it.
fn of_side(patch: &Patch<'_>, side: &Side) -> Vec3 {
    let [a, b] = [side.from, side.to].map(|v| patch.place(v));
    let triangle = patch.triangles[side.half as usize / 3];
    let c = patch.place(triangle[(side.half as usize % 3 + 2) % 3]);
    let normal = (b - a).cross(&(c - a));
    let direction = match side.is_skin {
        true => normal.cross(&(b - a)),
        false => -normal,
    };
    direction.try_normalize(0.0).unwrap_or_default()
}
