//! Vertices of a cut skin that go with some corners of a cell.

use nalgebra::{Quaternion, UnitQuaternion};
use pliant_core::math::{Mat3, Vec3};

use crate::asset::LatticeAsset;
use crate::asset::sites::{AXES, Sites};
use crate::fracture::cells::{Cells, Corners};
use crate::numerics::inertia::{multiply, pseudo_inverse};

/// Second moment of particles about a plane, as a share of the largest, below which they lie in it.
const FLAT: f64 = 1e-6;

/// A corner of caps: a cell, the part of it, and the side of the cell on which it lies: 0 for none, else 1 + twice the axis, and one more towards larger coordinates.
pub(super) type CapCorner = ([u32; 2], u8, u8);

/// A vertex that follows some corners of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Follower {
    /// particles and weights, which add up to one; unused ones weigh nothing
    corners: [(u32, f64); 8],
    /// place and normal at rest, m
    pub rest: Vec3,
    pub normal: Vec3,
}

/// Smallest and opposite corner: what tells a cell from all others.
pub(crate) fn key(corners: &Corners) -> [u32; 2] {
    [corners[0], corners[7]]
}

/// Ends of a link, whichever comes first.
pub(super) fn sorted([p, q]: [u32; 2]) -> [u32; 2] {
    [p.min(q), p.max(q)]
}

/// A corner of a cap of particle `p` at `place`, in a cell where there is one. In a cell that is whole it follows all of it, as the cap on the other side does: there the cut ends.
pub(crate) fn cap_corner(
    asset: &LatticeAsset,
    cells: &Cells,
    corners: &Corners,
    p: u32,
    place: Vec3,
    normal: Vec3,
) -> Follower {
    let weights = weights_at(asset, corners, &place);
    let Some(part) = cells.part(corners) else {
        return Follower::new(corners, &weights, |_| true, place, normal);
    };
    let own = corners.iter().position(|&k| k == p).map_or(0, |k| part[k]);
    Follower::new(corners, &weights, |b| part[b] == own, place, normal)
}

/// Trilinear weights of a place in a cell, extrapolated outside of it.
pub(crate) fn weights_at(asset: &LatticeAsset, cell: &Corners, place: &Vec3) -> [f64; 8] {
    let r = (place - asset.rest_position(cell[0] as usize)) / asset.cell;
    std::array::from_fn(|b| {
        let side = |k: usize| if b >> k & 1 == 1 { r[k] } else { 1.0 - r[k] };
        side(0) * side(1) * side(2)
    })
}

/// Middle of a cell at rest, m.
pub(crate) fn center(asset: &LatticeAsset, cell: &Corners) -> Vec3 {
    (asset.rest_position(cell[0] as usize) + asset.rest_position(cell[7] as usize)) * 0.5
}

impl Follower {
    /// Follows the corners that `member` names by their share of the trilinear `weights`, or all alike where these are nothing.
    pub fn new(
        corners: &Corners,
        weights: &[f64; 8],
        member: impl Fn(usize) -> bool,
        rest: Vec3,
        normal: Vec3,
    ) -> Self {
        let own = |b: usize| if member(b) { weights[b].max(0.0) } else { 0.0 };
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
    pub fn row(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.corners.iter().copied().filter(|corner| corner.1 > 0.0)
    }

    /// Particles and weights that carry the vertex along with the particles that it follows and with their deformation, which their neighbours tell (least squares): the weights sum to one,
    /// and in every affine motion it keeps its place beside them. Where all of these lie in a plane, it stays in it.
    pub fn carried_row(&self, asset: &LatticeAsset, sites: &Sites) -> Vec<(u32, f64)> {
        let mut row: Vec<(u32, f64)> = self.row().collect();
        for (p, _) in self.row() {
            for bit in AXES {
                sites.for_each_linked_at(p as usize, bit, |q| {
                    if row.iter().all(|(known, _)| *known != q) {
                        row.push((q, 0.0));
                    }
                });
            }
        }
        let place = |p: u32| asset.rest_position(p as usize);
        let (mut mean, mut missing) = (Vec3::zeros(), self.rest);
        for (p, weight) in &row {
            mean += place(*p) / row.len() as f64;
            missing -= place(*p) * *weight;
        }
        let mut spread = Mat3::zeros();
        for (p, _) in &row {
            let off = place(*p) - mean;
            spread += off * off.transpose();
        }
        let toward = multiply(&pseudo_inverse(&spread, FLAT), &missing);
        for (p, weight) in &mut row {
            *weight += (place(*p) - mean).dot(&toward);
        }
        row
    }

    /// Number of the piece of the body that it goes with.
    pub fn piece(&self, asset: &LatticeAsset) -> u32 {
        let first = self.corners.iter().find(|corner| corner.1 > 0.0);
        first.map_or(0, |(p, _)| asset.component[*p as usize])
    }

    /// Where it is, and its unit normal, for particles at `x` (m) with rotations `q`.
    pub fn place(&self, asset: &LatticeAsset, x: &[Vec3], q: &[[f64; 4]]) -> (Vec3, Vec3) {
        let (mut place, mut normal) = (Vec3::zeros(), Vec3::zeros());
        for (p, weight) in self.row() {
            let [w, i, j, k] = q[asset.region_of[p as usize] as usize];
            let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
            let from = self.rest - asset.rest_position(p as usize);
            place += (x[p as usize] + rotation * from) * weight;
            normal += rotation * self.normal * weight;
        }
        (place, normal.try_normalize(1e-12).unwrap_or(self.normal))
    }
}
