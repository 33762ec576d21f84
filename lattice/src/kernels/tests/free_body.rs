//! A free body entirely in single precision, to test the kernels for each instruction set without a model.

use std::sync::Arc;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::kernels::body::kernel::Kernel;
use crate::kernels::body::prepared::Prepared;
use crate::kernels::body::smoother::Smoother;
use crate::kernels::body::state::State;
use crate::kernels::memory::box_regions::{box_regions, has_one_particle_per_site, suits_block};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::Numbers;

/// A body that moves freely, positions and velocities in single precision, too.
#[derive(Debug, Clone)]
pub(crate) struct FreeBody {
    asset: Arc<LatticeAsset>,
    kernel: Kernel,
    state: State,
    /// cells per second
    velocities: Numbers,
    smoother: Option<Smoother>,
}

impl FreeBody {
    /// A body at rest.
    pub fn new(asset: &LatticeAsset, level: Level) -> Self {
        // a copy has no preparation yet, which depends on the level
        Self::prepared(Arc::new(asset.clone()), level)
    }

    fn prepared(asset: Arc<LatticeAsset>, level: Level) -> Self {
        let kernel = Kernel::new(&asset, level);
        let mut body = Self {
            state: State::new(&kernel.layout),
            velocities: kernel.layout.planes(3),
            smoother: None,
            kernel,
            asset,
        };
        body.deform(|x| x);
        body
    }

    /// The same, with window sums whose cost does not depend on the half-width even where direct sums are cheaper, if the shape is suitable for slabs.
    pub fn steady(asset: &LatticeAsset, level: Level) -> Self {
        // the first preparation remains valid
        let (asset, lanes) = (Arc::new(asset.clone()), level.lanes());
        if has_one_particle_per_site(&asset) && suits_block(&asset, &box_regions(&asset)) {
            Prepared::get_or_init(&asset, || (Layout::steady(&asset, lanes), None));
        }
        Self::prepared(asset, level)
    }

    /// Updates the changed regions of the particles `regions` and the constants of `particles` from the same lattice with broken links.
    pub(crate) fn update(&mut self, asset: &LatticeAsset, regions: &[u32], particles: &[u32]) {
        self.kernel.update(asset, regions, particles);
    }

    /// Moves each particle to where `place` maps its rest position (cells from the centre).
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
        self.find_goals();
        if gain > 0.0 {
            let layout = &self.kernel.layout;
            let smoother = self.smoother.get_or_insert_with(|| Smoother::new(layout));
            std::mem::swap(&mut smoother.velocities, &mut self.velocities);
            smoother.apply(&mut self.kernel, &self.state);
            std::mem::swap(&mut smoother.velocities, &mut self.velocities);
            for (v, change) in self.velocities.iter_mut().zip(smoother.changes.iter()) {
                *v += gain as f32 * change;
            }
        }
        let (rate, step) = ((alpha / step) as f32, step as f32);
        let State {
            positions, offsets, ..
        } = &mut self.state;
        let moved = self.velocities.iter_mut().zip(positions.iter_mut());
        for ((v, x), offset) in moved.zip(offsets.iter()) {
            *v += rate * offset;
            *x += step * *v;
        }
    }
}
