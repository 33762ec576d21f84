//! A free body in single precision.

use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use pulp::{Simd, WithSimd};

use crate::asset::LatticeAsset;
use crate::bake::assemble::assemble;
use crate::bake::particles::find;
use crate::error::LatticeError;
use crate::kernels::body::kernel::Kernel;
use crate::kernels::body::prepared::Prepared;
use crate::kernels::body::smoother::Smoother;
use crate::kernels::body::state::State;
use crate::kernels::memory::box_regions::{box_regions, suits_block};
use crate::kernels::memory::layout::Layout;
use crate::kernels::memory::orientation::Across;
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::{Numbers, Pack, packs, packs_mut};

/// A body that moves freely in single precision: what benchmarks time.
#[derive(Debug, Clone)]
pub struct FastBody {
    asset: Arc<LatticeAsset>,
    kernel: Kernel,
    state: State,
    /// cells per second
    velocities: Numbers,
    smoother: Option<Smoother>,
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
    let kept = vec![true; dims.iter().product()];
    of_grid(dims, kept, half_width, level)
}

/// The cells of a sphere's surface, `diameter` unit cells across, at rest.
///
/// # Errors
/// As [`block`].
pub fn shell(diameter: usize, half_width: usize, level: Level) -> Result<FastBody, LatticeError> {
    let radius = 0.5 * diameter as f64;
    let kept = |at: usize| {
        let cell = [
            at % diameter,
            at / diameter % diameter,
            at / diameter / diameter,
        ];
        let square: f64 = cell
            .iter()
            .map(|&i| (i as f64 + 0.5 - radius).powi(2))
            .sum();
        square <= radius * radius && square >= (radius - 1.0).powi(2)
    };
    let kept = (0..diameter.pow(3)).map(kept).collect();
    of_grid([diameter; 3], kept, half_width, level)
}

fn of_grid(
    dims: [usize; 3],
    kept: Vec<bool>,
    half_width: usize,
    level: Level,
) -> Result<FastBody, LatticeError> {
    let grid = VoxelGrid::new(Vec3::zeros(), 1.0, dims, kept);
    let (sites, block) = find(&grid)?;
    let mass = vec![1.0; sites.len()];
    let asset = assemble(&grid, sites, &block, half_width, mass, &Progress::new())?;
    Ok(FastBody::new(Arc::new(asset), level))
}

impl FastBody {
    /// A body at rest.
    pub fn new(asset: Arc<LatticeAsset>, level: Level) -> Self {
        let kernel = Kernel::new(&asset, level, Across::Any);
        let mut body = Self {
            state: State::new(&kernel.layout, false),
            velocities: kernel.layout.planes(3),
            smoother: None,
            kernel,
            asset,
        };
        body.deform(|x| x);
        body
    }

    /// The same, with windows summed at a cost that does not depend on their length even where adding them up is cheaper, if the shape suits
    /// slabs: what flatness over the half-width is measured on.
    pub fn steady(asset: &LatticeAsset, level: Level) -> Self {
        let asset = Arc::new(asset.clone());
        let boxes = box_regions(&asset);
        if suits_block(&asset, &boxes) {
            // what is prepared first stays
            let lanes = level.lanes();
            let across = Across::Any.with(&boxes);
            Prepared::of(&asset, lanes, across, || {
                (Layout::steady(&asset, lanes, across), None)
            });
        }
        Self::new(asset, level)
    }

    /// Takes the changed regions of the particles `regions` and the constants of `particles` from the same lattice with broken links.
    pub(crate) fn follow(&mut self, asset: &LatticeAsset, regions: &[u32], particles: &[u32]) {
        self.kernel.update(asset, regions, particles);
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.asset.particle_count()
    }

    /// Whether the particles are kept in a list because the shape does not suit slabs.
    pub fn is_listed(&self) -> bool {
        self.kernel.layout.is_list()
    }

    /// Puts each particle where `place` maps its rest position (cells from the centre).
    pub fn deform(&mut self, place: impl Fn([f64; 3]) -> [f64; 3]) {
        let asset = Arc::clone(&self.asset);
        for (p, site) in asset.sites.iter().enumerate() {
            let x = place((asset.rest[p] / asset.cell).into());
            let (slab, at) = self.kernel.layout.place(p, site);
            for (c, x) in x.iter().enumerate() {
                self.state.positions[(slab * 3 + c) * self.kernel.layout.plane + at] = *x as f32;
            }
        }
    }

    /// Three numbers of particle `p`.
    fn vector(&self, from: &Numbers, p: usize) -> Vec3 {
        let layout = &self.kernel.layout;
        let (slab, at) = layout.place(p, &self.asset.sites[p]);
        Vec3::from([0, 1, 2].map(|c| f64::from(from[(slab * 3 + c) * layout.plane + at])))
    }

    /// Position of particle `p`, cells from the centre.
    pub fn position(&self, p: usize) -> Vec3 {
        self.vector(&self.state.positions, p)
    }

    /// Goal minus position of particle `p` in the last step, cells.
    pub fn offset(&self, p: usize) -> Vec3 {
        self.vector(&self.state.offsets, p)
    }

    /// Linear and angular momentum about the centre, kg cells/s and kg cells²/s.
    pub fn momentum(&self) -> [f64; 6] {
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (p, mass) in self.asset.mass.iter().enumerate() {
            let v = self.vector(&self.velocities, p) * *mass;
            linear += v;
            angular += self.position(p).cross(&v);
        }
        [
            linear.x, linear.y, linear.z, angular.x, angular.y, angular.z,
        ]
    }

    /// Finds all goals. Cost: 10 to 20 ns a particle on one core.
    pub fn find_goals(&mut self) {
        self.kernel.goals(&mut self.state);
    }

    /// One step of `step` seconds with the goal share `alpha` and the damping gain `gain`, from 0 (none) to 1.
    pub fn step(&mut self, alpha: f64, step: f64, gain: f64) {
        let damped = gain > 0.0;
        self.state.keep_centers(&self.kernel.layout, damped);
        self.find_goals();
        if damped {
            let layout = &self.kernel.layout;
            let smoother = self.smoother.get_or_insert_with(|| Smoother::new(layout));
            std::mem::swap(&mut smoother.velocities, &mut self.velocities);
            smoother.apply(&mut self.kernel, &self.state);
            std::mem::swap(&mut smoother.velocities, &mut self.velocities);
            self.kernel.level.run(Add {
                gain: gain as f32,
                changes: &smoother.changes,
                velocities: &mut self.velocities,
            });
        }
        self.kernel.level.run(Move {
            rate: (alpha / step) as f32,
            step: step as f32,
            offsets: &self.state.offsets,
            velocities: &mut self.velocities,
            positions: &mut self.state.positions,
        });
    }
}

/// Adds a share of the changes to velocities.
struct Add<'a> {
    gain: f32,
    changes: &'a [f32],
    velocities: &'a mut [f32],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let count = self.changes.len();
        let gain = Pack::splat(simd, self.gain);
        let changes = packs::<S>(self.changes, 0, count);
        let velocities = packs_mut::<S>(self.velocities, 0, count);
        for (v, change) in velocities.iter_mut().zip(changes) {
            *v = gain
                .times_plus(Pack::new(simd, *change), Pack::new(simd, *v))
                .value;
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
