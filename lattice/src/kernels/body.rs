//! A free body in single precision.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::layout::{Layout, constants};
use super::level::Level;
use super::pack::{Numbers, Pack, packs, packs_mut};
use super::slabs::{Slabs, Workspace, goals};
use super::window::DIRECT;
use crate::asset::LatticeAsset;
use crate::bake::assemble;
use crate::error::LatticeError;
use crate::sites::find;

/// Fewest slabs of a thread, in half-widths: its neighbours' slabs within two half-widths are computed again.
const SLABS_PER_HALF_WIDTH: usize = 10;

/// A body that moves freely, undamped, in single precision: what benchmarks time.
#[derive(Debug, Clone)]
pub struct FastBody {
    asset: Arc<LatticeAsset>,
    level: Level,
    layout: Layout,
    constants: Arc<Numbers>,
    /// cells about the centre of the body
    positions: Numbers,
    /// cells per second
    velocities: Numbers,
    rotations: Numbers,
    turned: Numbers,
    offsets: Numbers,
    workspaces: Vec<Workspace>,
}

/// A full block of `particles` particles along x, y, z with unit cells, at rest.
///
/// # Errors
/// [`LatticeError::TooFewParticles`], [`LatticeError::GridTooLarge`].
pub fn block(
    particles: [usize; 3],
    half_width: usize,
    level: Level,
) -> Result<FastBody, LatticeError> {
    let dims = particles.map(|n| n.saturating_sub(1));
    let grid = VoxelGrid {
        origin: Vec3::zeros(),
        cell: 1.0,
        dims,
        kept: vec![true; dims.iter().product()],
    };
    let (sites, block) = find(&grid)?;
    let mass = vec![1.0; sites.len()];
    let asset = assemble(&grid, sites, &block, half_width, mass, &Progress::new())?;
    Ok(FastBody::new(Arc::new(asset), level))
}

impl FastBody {
    /// A body at rest.
    pub fn new(asset: Arc<LatticeAsset>, level: Level) -> Self {
        let layout = Layout::new(&asset);
        let planes = |count: usize| Numbers::zeros(layout.dims[2] * count * layout.plane);
        let mut body = Self {
            level,
            constants: Arc::new(constants(&asset, &layout)),
            positions: planes(3),
            velocities: planes(3),
            rotations: planes(4),
            turned: planes(4),
            offsets: planes(3),
            workspaces: Vec::new(),
            layout,
            asset,
        };
        for slab in body.rotations.chunks_exact_mut(4 * layout.plane) {
            slab[..layout.plane].fill(1.0);
        }
        body.deform(|x| x);
        body
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.asset.particle_count()
    }

    /// Puts each particle where `place` maps its rest position (cells from the centre).
    pub fn deform(&mut self, place: impl Fn([f64; 3]) -> [f64; 3]) {
        let asset = Arc::clone(&self.asset);
        for (p, site) in asset.sites.iter().enumerate() {
            let x = place((asset.rest[p] / asset.cell).into());
            let (z, at) = self.layout.place(site);
            for (c, x) in x.iter().enumerate() {
                self.positions[(z * 3 + c) * self.layout.plane + at] = *x as f32;
            }
        }
    }

    /// Three numbers of particle `p`.
    fn vector(&self, from: &Numbers, p: usize) -> Vec3 {
        let (z, at) = self.layout.place(&self.asset.sites[p]);
        Vec3::from([0, 1, 2].map(|c| f64::from(from[(z * 3 + c) * self.layout.plane + at])))
    }

    /// Position of particle `p`, cells from the centre.
    pub fn position(&self, p: usize) -> Vec3 {
        self.vector(&self.positions, p)
    }

    /// Goal minus position of particle `p` in the last step, cells.
    pub fn offset(&self, p: usize) -> Vec3 {
        self.vector(&self.offsets, p)
    }

    /// Linear and angular momentum about the centre, kg cells/s and kg cells²/s.
    pub fn momentum(&self) -> [f64; 6] {
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (p, mass) in self.asset.mass.iter().enumerate() {
            let v = self.vector(&self.velocities, p) * *mass;
            linear += v;
            angular += self.position(p).cross(&v);
        }
        [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
    }

    /// Finds all goals. Cost: 10 to 20 ns a particle on one core.
    pub fn find_goals(&mut self) {
        let layout = &self.layout;
        let slabs = layout.dims[2];
        let smallest = SLABS_PER_HALF_WIDTH * layout.half_width;
        let parts = (slabs / smallest).clamp(1, rayon::current_num_threads());
        let length = slabs.div_ceil(parts);
        while self.workspaces.len() < slabs.div_ceil(length) {
            self.workspaces.push(Workspace::new(layout));
        }
        let (constants, positions) = (&**self.constants, &*self.positions);
        let (level, rotations) = (self.level, &*self.rotations);
        let work = |k: usize, turned: &mut [f32], offsets: &mut [f32], workspace: &mut Workspace| {
            let first = k * length;
            level.run(Goals(Slabs {
                layout,
                constants,
                positions,
                rotations,
                range: first..(first + length).min(slabs),
                turned,
                offsets,
                workspace,
            }));
        };
        let turned = &mut self.turned[..4 * slabs * layout.plane];
        let offsets = &mut self.offsets[..3 * slabs * layout.plane];
        if parts == 1 {
            work(0, turned, offsets, &mut self.workspaces[0]);
        } else {
            turned
                .par_chunks_mut(4 * length * layout.plane)
                .zip(offsets.par_chunks_mut(3 * length * layout.plane))
                .zip(&mut self.workspaces)
                .enumerate()
                .for_each(|(k, ((turned, offsets), workspace))| {
                    work(k, turned, offsets, workspace);
                });
        }
        std::mem::swap(&mut self.rotations, &mut self.turned);
    }

    /// One step of `step` seconds with the goal share `alpha`.
    pub fn step(&mut self, alpha: f64, step: f64) {
        self.find_goals();
        self.level.run(Move {
            rate: (alpha / step) as f32,
            step: step as f32,
            offsets: &self.offsets,
            velocities: &mut self.velocities,
            positions: &mut self.positions,
        });
    }
}

struct Goals<'a>(Slabs<'a>);

impl WithSimd for Goals<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.0.layout.half_width {
            1 => goals::<S, 1>(simd, self.0),
            2 => goals::<S, 2>(simd, self.0),
            DIRECT => goals::<S, DIRECT>(simd, self.0),
            _ => {}
        }
    }
}

struct Move<'a> {
    rate: f32,
    step: f32,
    offsets: &'a [f32],
    velocities: &'a mut [f32],
    positions: &'a mut [f32],
}

impl WithSimd for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let count = self.offsets.len();
        let (rate, step) = (Pack::splat(simd, self.rate), Pack::splat(simd, self.step));
        let velocities = packs_mut::<S>(self.velocities, 0, count);
        let positions = packs_mut::<S>(self.positions, 0, count);
        let offsets = packs::<S>(self.offsets, 0, count);
        for ((v, x), offset) in velocities.iter_mut().zip(positions).zip(offsets) {
            let faster = rate.times_plus(Pack::new(simd, *offset), Pack::new(simd, *v));
            *v = faster.value;
            *x = step.times_plus(faster, Pack::new(simd, *x)).value;
        }
    }
}
