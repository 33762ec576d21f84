//! Bindings of vertices of a cut skin to some corners of a cell.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::skin_binding::trilinear;

use crate::asset::LatticeAsset;
use crate::asset::sites::{AXES, Sites};
use crate::fracture::cells::Corners;
use crate::numerics::inertia::{multiply, pseudo_inverse};
use crate::step::rotation::newton::unit_quaternion;

/// Second moment of particles about a plane, as a share of the largest, below which they lie in it.
const FLAT: f64 = 1e-6;

/// A corner of caps: a cell, the part of it, and the side of the cell on which it lies: 0 for none, else 1 + twice the axis, and one more towards larger coordinates.
pub(super) type CapCorner = ([u32; 2], u8, u8);

/// A vertex bound to some corners of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct VertexBinding {
    /// particles and weights, which sum to one; the weights of other corners are zero
    corners: [(u32, f64); 8],
    /// position at rest, m
    pub rest: Vec3,
    /// unit normal at rest
    pub normal: Vec3,
}

/// Key of a cell: its smallest and its opposite corner.
pub(crate) fn cell_key(corners: &Corners) -> [u32; 2] {
    [corners[0], corners[7]]
}

/// Ends of a link in ascending order.
pub(super) fn sorted_ends([p, q]: [u32; 2]) -> [u32; 2] {
    [p.min(q), p.max(q)]
}

/// Centre of a cell at rest, m.
pub(crate) fn cell_center(asset: &LatticeAsset, cell: &Corners) -> Vec3 {
    (asset.rest_position(cell[0] as usize) + asset.rest_position(cell[7] as usize)) * 0.5
}

impl VertexBinding {
    /// Binds a point at `rest` (m) to the corners of a cell for which `member` is true, by their trilinear weights, normalised, or by equal weights if these are all zero. Weights are extrapolated outside of
    /// the cell.
    pub fn new(
        asset: &LatticeAsset,
        corners: &Corners,
        member: impl Fn(usize) -> bool,
        rest: Vec3,
        normal: Vec3,
    ) -> Self {
        let place = asset.place_in_cell(corners, &rest);
        let own = |b: usize| match member(b) {
            true => trilinear(b, &place).0.max(0.0),
            false => 0.0,
        };
        let total: f64 = (0..8).map(own).sum();
        let count = (0..8).filter(|&b| member(b)).count().max(1) as f64;
        let weight = |b: usize| match total > 1e-6 {
            true => own(b) / total,
            false if member(b) => 1.0 / count,
            false => 0.0,
        };
        Self {
            corners: std::array::from_fn(|b| (corners[b], weight(b))),
            rest,
            normal,
        }
    }

    /// Particles and weights, which sum to one.
    pub fn weights(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.corners.iter().copied().filter(|corner| corner.1 > 0.0)
    }

    /// Particles and weights with which the vertex follows every affine motion of its particles and their neighbours along the axes (least squares); the weights sum to one.
    /// If all of these particles lie in a plane, the vertex stays in that plane.
    pub fn affine_weights(&self, asset: &LatticeAsset, sites: &Sites) -> Vec<(u32, f64)> {
        let mut row: Vec<(u32, f64)> = self.weights().collect();
        for (p, _) in self.weights() {
            for bit in AXES {
                for q in sites.linked_at(p as usize, bit) {
                    if row.iter().all(|(other, _)| *other != q) {
                        row.push((q, 0.0));
                    }
                }
            }
        }
        let place = |p: u32| asset.rest_position(p as usize);
        let (mut mean, mut residual) = (Vec3::zeros(), self.rest);
        for (p, weight) in &row {
            mean += place(*p) / row.len() as f64;
            residual -= place(*p) * *weight;
        }
        let mut spread = Mat3::zeros();
        for (p, _) in &row {
            let off = place(*p) - mean;
            spread += off * off.transpose();
        }
        let gradient = multiply(&pseudo_inverse(&spread, FLAT), &residual);
        for (p, weight) in &mut row {
            *weight += (place(*p) - mean).dot(&gradient);
        }
        row
    }

    /// Number of the piece of the body that it belongs to.
    pub fn piece(&self, asset: &LatticeAsset) -> u32 {
        let first = self.corners.iter().find(|corner| corner.1 > 0.0);
        first.map_or(0, |(p, _)| asset.component[*p as usize])
    }

    /// Its position (m) and unit normal, for particles at `x` (m) with rotations `q`.
    pub fn position_and_normal(
        &self,
        asset: &LatticeAsset,
        x: &[Vec3],
        q: &[[f64; 4]],
    ) -> (Vec3, Vec3) {
        let (mut place, mut normal) = (Vec3::zeros(), Vec3::zeros());
        for (p, weight) in self.weights() {
            let rotation = unit_quaternion(q[asset.region_of[p as usize] as usize]);
            let from = self.rest - asset.rest_position(p as usize);
            place += (x[p as usize] + rotation * from) * weight;
            normal += rotation * self.normal * weight;
        }
        (place, normal.try_normalize(1e-12).unwrap_or(self.normal))
    }
}
