//! Shapes that tests of this crate share.

use std::collections::BTreeMap;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::{Damping, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::{CellCopy, SurfaceMesh, VoxelGrid};
use pliant_core::model::{DeformableModel, EnergyAccount, FrameReport, FrameRequest};
use pliant_core::scene::Selection;
use pliant_fuzzing::on_threads;

use crate::asset::LatticeAsset;
use crate::bake::assemble::assemble;
use crate::bake::particles::find;
use crate::bake::pipeline::bake;
use crate::step::goal::goal;
use crate::step::matching::Matching;
use crate::step::summation::Summation;
use crate::{Fracture, LatticeModel, LatticeParams, Precision};

/// A grid of `cells` cells of edge 0.05 m with one empty layer around; `kept` decides by cell index.
pub(crate) fn grid_of(cells: [usize; 3], kept: impl Fn([usize; 3]) -> bool) -> VoxelGrid {
    let dims = cells.map(|n| n + 2);
    let mut grid = VoxelGrid::new(
        Vec3::repeat(-0.05) - Vec3::from(cells.map(|n| n as f64)) * 0.025,
        0.05,
        dims,
        vec![false; dims.iter().product()],
    );
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let at = grid.index(i + 1, j + 1, k + 1);
                grid.kept[at] = kept([i, j, k]);
            }
        }
    }
    grid
}

/// Cells of a ball of `radius` cells, hollow inside `inner` cells.
pub(crate) fn ball(radius: f64, inner: f64) -> VoxelGrid {
    let n = (2.0 * radius).ceil() as usize;
    grid_of([n; 3], |c| {
        let r = c
            .map(|i| i as f64 + 0.5 - 0.5 * n as f64)
            .iter()
            .map(|x| x * x)
            .sum::<f64>()
            .sqrt();
        r <= radius && r >= inner
    })
}

/// Cells of a pear: with half-width 2 all regions are boxes, with half-width 1 three in five.
pub(crate) fn pear() -> VoxelGrid {
    grid_of([7, 5, 5], |c| {
        let y = |k: usize, r: f64, middle: f64| (c[k] as f64 + 0.5 - middle) / r;
        y(0, 3.9, 3.5).powi(2) + y(1, 2.7, 2.5).powi(2) + y(2, 2.7, 2.5).powi(2) < 1.0
    })
}

/// Two prongs along −z side by side, 2 cells wide each, with a gap of `gap` cells, joined at the far end.
pub(crate) fn u_bar(gap: usize) -> VoxelGrid {
    grid_of([4 + gap, 2, 9], |c| {
        c[2] >= 7 || c[0] < 2 || c[0] >= 2 + gap
    })
}

/// A bar along x, 6 by 3 by 2 cells, with a [`slit`] from x = 2 on.
pub(crate) fn slit_bar() -> VoxelGrid {
    slit([6, 3, 2], 2)
}

/// A block of `cells` with a slit without width through its middle row of cells from x = `from` on: these cells exist twice, once with what is below, once with what is above.
pub(crate) fn slit(cells: [usize; 3], from: usize) -> VoxelGrid {
    let mut grid = grid_of(cells, |_| true);
    let middle = cells[1] / 2;
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in from..cells[0] {
                let cell = grid.index(i + 1, j + 1, k + 1) as u32;
                for copy in 0..if j == middle { 2 } else { 1 } {
                    let corners = std::array::from_fn(|b| {
                        let beyond = i + (b & 1) > from;
                        // the lower copy is alone at its upper corners, the upper one at its lower ones
                        let alone = j == middle && (b >> 1 & 1 == 1) == (copy == 0);
                        u8::from(beyond && alone)
                    });
                    grid.copies.push(CellCopy {
                        cell,
                        copy,
                        corners,
                    });
                }
            }
        }
    }
    grid
}

/// Box, ball, shell, fork, slit.
pub(crate) fn shapes() -> Vec<(&'static str, VoxelGrid)> {
    vec![
        ("box", grid_of([6, 5, 4], |_| true)),
        ("ball", ball(4.0, 0.0)),
        ("shell", ball(4.5, 3.4)),
        ("fork", u_bar(1)),
        ("slit", slit_bar()),
    ]
}

/// Numbers between −1 and 1 from a seed, the same on every machine.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// The lattice of a grid with equal masses of 1000 kg/m³ a cell, without skin and supports.
pub(crate) fn asset_of(grid: &VoxelGrid, half_width: usize) -> LatticeAsset {
    let (sites, block) = find(grid).expect("particles");
    let mass = vec![1000.0 * grid.cell.powi(3); sites.len()];
    assemble(grid, sites, &block, half_width, mass, &Progress::new()).expect("regions")
}

/// The surface of the kept cells: a closed skin whose vertices are particles.
fn skin_of(grid: &VoxelGrid) -> SurfaceMesh {
    let mut numbers = BTreeMap::new();
    let mut skin = SurfaceMesh::new(Vec::new(), Vec::new());
    for cell in grid.kept_cells() {
        let cell = cell.map(|i| i as i64);
        for axis in 0..3 {
            for side in [0, 1] {
                let mut next = cell;
                next[axis] += 2 * side - 1;
                if grid.is_kept(next[0], next[1], next[2]) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut quad = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[a, b]| {
                    let mut corner = cell;
                    corner[axis] += side;
                    corner[u] += a;
                    corner[v] += b;
                    *numbers.entry(corner).or_insert_with(|| {
                        let x = Vec3::from(corner.map(|i| i as f64)) * grid.cell;
                        skin.positions.push(grid.origin + x);
                        skin.positions.len() as u32 - 1
                    })
                });
                if side == 0 {
                    quad.reverse();
                }
                skin.triangles.push([quad[0], quad[1], quad[2]]);
                skin.triangles.push([quad[0], quad[2], quad[3]]);
            }
        }
    }
    skin
}

/// A body of the grid's cells, held where y is below the share `lowest` of its height; free for a negative share.
pub(crate) fn body_of(grid: VoxelGrid, lowest: f64) -> BodyGeometry {
    let skin = Arc::new(skin_of(&grid));
    let body = BodyGeometry {
        voxels: Some(Arc::new(grid)),
        ..BodyGeometry::new(skin, Material::default())
    };
    match lowest < 0.0 {
        true => body,
        false => body.held_at("floor", Selection::Lowest(lowest)),
    }
}

/// The lattice of a body.
pub(crate) fn baked(geometry: &BodyGeometry, params: &LatticeParams) -> LatticeAsset {
    bake(geometry, params, &Progress::new()).expect("a lattice")
}

/// The code of the error with which a body is refused.
pub(crate) fn refusal(geometry: &BodyGeometry, params: &LatticeParams) -> Option<String> {
    let refused = bake(geometry, params, &Progress::new()).err();
    refused.map(|error| error.code())
}

/// A model at rest.
pub(crate) fn model_of(geometry: &BodyGeometry, params: &LatticeParams) -> LatticeModel {
    LatticeModel::new(Arc::new(baked(geometry, params)), params).expect("a model")
}

/// Asserts that `work` on a body gives the same on these numbers of threads as on one. Returns what it gives.
#[track_caller]
pub(crate) fn same_on_threads<T: PartialEq + Send>(
    body: &str,
    numbers: &[usize],
    work: impl Fn() -> T + Sync,
) -> T {
    let one = on_threads(1, &work);
    for &threads in numbers {
        assert!(
            on_threads(threads, &work) == one,
            "{body} on {threads} threads"
        );
    }
    one
}

/// Parameters in the paper's way: everything given, no damping.
pub(crate) fn undamped(half_width: usize, alpha: f64, steps: u32) -> LatticeParams {
    LatticeParams {
        half_width: Some(half_width),
        alpha: Some(alpha),
        steps: Some(steps),
        damping: Some(Damping::Ratio(0.0)),
        ..LatticeParams::default()
    }
}

impl LatticeParams {
    /// With this damping ratio.
    pub(crate) fn damped(self, zeta: f64) -> Self {
        self.with(|params| params.damping = Some(Damping::Ratio(zeta)))
    }

    /// In this precision.
    pub(crate) fn in_precision(self, precision: Precision) -> Self {
        self.with(|params| params.precision = Some(precision))
    }

    /// Of a body that may break.
    pub(crate) fn breaking(self, fracture: Fracture) -> Self {
        self.with(|params| params.fracture = Some(fracture))
    }

    /// With a change.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Vertices of a skin whose positions satisfy a condition.
pub(crate) fn vertices(skin: &SurfaceMesh, condition: impl Fn(&Vec3) -> bool) -> Vec<u32> {
    let all = (0..).zip(&skin.positions);
    all.filter(|at| condition(at.1)).map(|(v, _)| v).collect()
}

/// These constraints, at most one a vertex, without gravity.
pub(crate) fn constrained(
    constraints: impl IntoIterator<Item = DisplacementConstraint>,
) -> BoundaryConditions {
    let mut boundary = BoundaryConditions::default();
    let valid = boundary.set_displacements(constraints);
    valid.expect("each vertex once");
    boundary
}

/// Some frames of a sixtieth of a second; the last report.
pub(crate) fn run(
    model: &mut LatticeModel,
    frames: usize,
    boundary: &BoundaryConditions,
) -> Option<FrameReport> {
    let mut last = None;
    for _ in 0..frames {
        last = model.advance(FrameRequest::new(1.0 / 60.0, boundary)).ok();
    }
    last
}

/// Energy after some frames without gravity and contact.
pub(crate) fn energy_after(model: &mut LatticeModel, frames: usize) -> EnergyAccount {
    let report = run(model, frames, &BoundaryConditions::default()).expect("stable");
    report.energy.expect("a lattice has energy")
}

/// Kinetic and elastic energy after some frames without gravity and contact, J.
pub(crate) fn internal_energy_after(model: &mut LatticeModel, frames: usize) -> f64 {
    let energy = energy_after(model, frames);
    energy.kinetic + energy.elastic
}

/// Least and largest energy, with what was dissipated, after each of some frames without gravity and contact, J.
pub(crate) fn energy_range(model: &mut LatticeModel, frames: usize) -> [f64; 2] {
    let energies = (0..frames).map(|_| {
        let energy = energy_after(model, 1);
        energy.kinetic + energy.elastic + energy.dissipated
    });
    energies.fold([f64::INFINITY, 0.0], |[least, most], energy| {
        [least.min(energy), most.max(energy)]
    })
}

/// Moves each particle; velocities stay.
pub(crate) fn deform(model: &mut LatticeModel, place: impl FnMut(&Vec3) -> Vec3) {
    let x: Vec<Vec3> = model.x.iter().map(place).collect();
    model.set_state(&x, &[]);
}

/// Lets go of a body at rest with its particles in these places.
pub(crate) fn release(model: &mut LatticeModel, places: &[Vec3]) {
    model.set_state(places, &vec![Vec3::zeros(); places.len()]);
}

/// Moves each particle by what its number says, and stops all.
pub(crate) fn shift(model: &mut LatticeModel, by: impl Fn(usize) -> Vec3) {
    let places = model.x.iter().enumerate().map(|(p, x)| x + by(p));
    let places: Vec<Vec3> = places.collect();
    release(model, &places);
}

/// Moves each particle, and gives it a velocity by its new place.
pub(crate) fn throw(
    model: &mut LatticeModel,
    place: impl FnMut(&Vec3) -> Vec3,
    velocity: impl FnMut(&Vec3) -> Vec3,
) {
    let x: Vec<Vec3> = model.x.iter().map(place).collect();
    let v: Vec<Vec3> = x.iter().map(velocity).collect();
    model.set_state(&x, &v);
}

/// Momentum (kg·m/s) and angular momentum (kg·m²/s) about the origin.
pub(crate) fn momenta(model: &LatticeModel) -> [Vec3; 2] {
    let mut sums = [Vec3::zeros(); 2];
    for (p, m) in model.asset.mass.iter().enumerate() {
        sums[0] += model.v[p] * *m;
        sums[1] += model.x[p].cross(&model.v[p]) * *m;
    }
    sums
}

/// Kinetic energy, J.
pub(crate) fn kinetic_energy(model: &LatticeModel) -> f64 {
    let each = model.v.iter().zip(&model.asset.mass);
    each.map(|(v, m)| 0.5 * m * v.norm_squared()).sum()
}

/// Goals of all particles at the positions `x`, relative to `center`, m; of a lattice with stiffness weights times `κ`.
pub(crate) fn goals_of(asset: &LatticeAsset, x: &[Vec3], center: &Vec3) -> Vec<Vec3> {
    let summation = Summation::new(asset, None);
    let mut matching = Matching::new(asset);
    let mut q = vec![[1.0, 0.0, 0.0, 0.0]; asset.region_count()];
    matching.moments(asset, &summation, x, center);
    for _ in 0..3 {
        matching.fit(asset, &mut q, true, |_| false);
    }
    matching.sum_transforms(asset, &summation);
    let all = 0..asset.particle_count();
    all.map(|p| goal(asset, &matching.transform_sums, p))
        .collect()
}

/// Links between the sites `column` and `column + 1` along an axis of a whole body, the lower end first.
pub(crate) fn links_across(asset: &LatticeAsset, axis: usize, column: u16) -> Vec<[u32; 2]> {
    let count = asset.particle_count() as u32;
    let all = (0..count).flat_map(|p| (0..count).map(move |q| [p, q]));
    let is_across = |ends: &[u32; 2]| {
        let [p, q] = ends.map(|p| p as usize);
        let columns = [p, q].map(|p| asset.sites[p][axis]);
        let step = (asset.rest[q] - asset.rest[p]) / asset.cell;
        columns == [column, column + 1] && step.amax() < 1.5
    };
    all.filter(is_across).collect()
}
