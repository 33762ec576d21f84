//! Groups of small bodies, alone and stacked on a floor.

use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, Friction};
use pliant_core::contact::{Pose, Tool};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact};

use crate::testing::lump::Lump;
use crate::{BodyGroup, GroupOptions};

const FRAME: f64 = 1.0 / 60.0;

/// m
pub(crate) const CELL: f64 = 0.05;

pub(crate) fn cube() -> Arc<SurfaceMesh> {
    Arc::new(box_surface(
        Vec3::repeat(3.0 * CELL),
        [3; 3],
        CellStyle::Kuhn,
    ))
}

/// a plate, one cell thick, that stands across x
pub(crate) fn plate() -> Arc<SurfaceMesh> {
    let size = Vec3::new(CELL, 6.0 * CELL, 6.0 * CELL);
    Arc::new(box_surface(size, [1, 6, 6], CellStyle::Kuhn))
}

/// a flat body with a sharp rim: eight corners on a circle of 0.1 m about y, and an apex 0.02 m above and below its middle
pub(crate) fn bipyramid() -> Arc<SurfaceMesh> {
    let corner = |k: u32| {
        let angle = std::f64::consts::FRAC_PI_4 * f64::from(k);
        Vec3::new(angle.cos(), 0.0, angle.sin()) * 0.1
    };
    let apexes = [Vec3::y() * 0.02, Vec3::y() * -0.02];
    let positions = (0..8).map(corner).chain(apexes).collect();
    let triangles = (0..8_u32).flat_map(|k| {
        let next = (k + 1) % 8;
        [[8, next, k], [9, k, next]]
    });
    Arc::new(SurfaceMesh::new(positions, triangles.collect()))
}

pub(crate) fn group_of(at: &[Vec3], options: GroupOptions) -> BodyGroup<Lump> {
    let skin = cube();
    let lumps = at.iter().map(|_| Lump::new(&skin, CELL)).collect();
    BodyGroup::new(lumps, at.iter().map(|x| Pose::at(*x)).collect(), options)
}

pub(crate) fn floor() -> Tool {
    Tool::floor(Vec3::y(), Friction::coulomb(0.5))
}

pub(crate) fn run(group: &mut BodyGroup<Lump>, frames: usize, gravity: f64) {
    let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -gravity, 0.0));
    for _ in 0..frames {
        group
            .advance(FrameRequest::new(FRAME, &boundary))
            .expect("stable");
    }
}

/// boxes a little off each other
fn tower(count: usize) -> Vec<Vec3> {
    (0..count)
        .map(|k| {
            let k = k as f64;
            Vec3::new(0.01 * (k * 2.0).sin(), 0.08 + 0.16 * k, 0.01 * k.cos())
        })
        .collect()
}

/// a tower of `count` boxes just above a floor
pub(crate) fn standing(count: usize) -> BodyGroup<Lump> {
    let mut group = group_of(&tower(count), GroupOptions::default());
    group.set_tools(&[floor()]);
    group
}

/// linear and angular momentum of nodes of 1 kg
pub(crate) fn momenta(group: &BodyGroup<Lump>) -> (Vec3, Vec3) {
    let nodes =
        |m: &Lump| -> Vec<(Vec3, Vec3)> { m.x.iter().copied().zip(m.v.iter().copied()).collect() };
    let all: Vec<_> = group.models().iter().flat_map(nodes).collect();
    let linear = all.iter().map(|(_, v)| *v).sum();
    (linear, all.iter().map(|(x, v)| x.cross(v)).sum())
}
