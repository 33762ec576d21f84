//! Steps whose sums and rotations are in single precision (see [`crate::kernels`]); positions and velocities stay double.
//!
//! The last match of a frame is in double precision: the energy needs it, and the next frame begins with it. Its rotations are where the search
//! of the following steps begins, so that a restored snapshot goes on to the same bits. Large bodies do without that match and without what it needs: they do
//! without energy accounting, and their rotations are these alone.

use pliant_core::math::Vec3;
use rayon::prelude::*;

use crate::asset::LatticeAsset;
use crate::kernels::{Kernel, Level, Smoother, State};
use crate::numerics::parallel::PARALLEL_THRESHOLD;
use crate::params::{LatticeParams, Precision, RotationMethod, ShapeMatching};
use crate::step::single::pass_memory::FastSteps;

/// Sums and rotations of a body in single precision.
pub(crate) struct Fast {
    pub(crate) kernel: Kernel,
    pub(crate) state: State,
    /// absent until something is damped
    pub(crate) smoother: Option<Box<Smoother>>,
    /// place of each particle's numbers in arrays of one plane a slab, and its slab
    pub(crate) places: Vec<[u32; 2]>,
    /// first particle of each slab, and the number of particles
    pub(crate) starts: Vec<usize>,
    /// whether rotations are newer than the model's
    pub(crate) ahead: bool,
    pub(crate) steps: FastSteps,
}

impl Fast {
    /// Whether `params` ask for single precision and it can be had.
    pub fn wanted(asset: &LatticeAsset, params: &LatticeParams) -> bool {
        let single = match params.precision {
            Some(precision) => precision == Precision::Single,
            None => asset.particle_count() > PARALLEL_THRESHOLD && params.sums.is_none(),
        };
        let plain =
            params.rotation == RotationMethod::Newton && params.matching == ShapeMatching::Lattice;
        single && plain && Level::Auto.lanes() > 1
    }

    pub fn new(asset: &LatticeAsset) -> Self {
        let kernel = Kernel::new(asset, Level::Auto);
        let layout = &kernel.layout;
        let place = |(p, site): (usize, &[u16; 3])| {
            let (slab, at) = layout.place(p, site);
            [slab as u32, at as u32]
        };
        let places: Vec<[u32; 2]> = asset.sites.iter().enumerate().map(place).collect();
        // slabs follow each other like the particles
        let first = |slab: usize| places.partition_point(|place| (place[0] as usize) < slab);
        Self {
            starts: (0..=layout.slabs).map(first).collect(),
            places,
            state: State::new(layout),
            smoother: None,
            kernel,
            ahead: false,
            steps: FastSteps::default(),
        }
    }

    /// Most particles of a body whose energies are kept unless `params` want it otherwise.
    pub const KEPT: usize = 250_000;

    /// Whether energies of such a body are kept.
    pub fn accounts_energy(asset: &LatticeAsset, params: &LatticeParams) -> bool {
        let wanted = params
            .energy_accounting
            .unwrap_or(asset.particle_count() <= Self::KEPT);
        wanted || params.fracture.is_some() || params.damp_globally
    }

    /// Gives the regions of all particles the rotation `q`.
    pub fn rotate_all(&mut self, q: [f64; 4]) {
        let plane = self.kernel.layout.plane;
        for slab in self.state.rotations.chunks_exact_mut(4 * plane) {
            for (part, value) in slab.chunks_exact_mut(plane).zip(q) {
                part.fill(value as f32);
            }
        }
        self.ahead = true;
    }

    /// The rotations of all regions, as they are stored.
    pub fn rotations(&self) -> &[f32] {
        &self.state.rotations
    }

    pub fn set_rotations(&mut self, rotations: &[f32]) {
        self.state.rotations.copy_from_slice(rotations);
    }

    /// Rotation of the region of particle `p`.
    pub fn rotation(&self, p: usize) -> [f64; 4] {
        let plane = self.kernel.layout.plane;
        let at = Self::index(plane, self.places[p], 4);
        [0, 1, 2, 3].map(|c| f64::from(self.state.rotations[at + c * plane]))
    }

    pub fn set_rotation(&mut self, p: usize, q: &[f64]) {
        let plane = self.kernel.layout.plane;
        let at = Self::index(plane, self.places[p], 4);
        for (c, value) in q.iter().enumerate() {
            self.state.rotations[at + c * plane] = *value as f32;
        }
    }

    /// Goal minus position of particle `p` in the last step, for cells of `cell` m.
    pub fn offset(&self, p: usize, cell: f64) -> Vec3 {
        let plane = self.kernel.layout.plane;
        Self::vector(&self.state.offsets, plane, self.places[p], cell)
    }

    /// Takes regions and constants of particles from a lattice whose links were broken.
    pub fn update(&mut self, asset: &LatticeAsset, regions: &[u32], particles: &[u32]) {
        self.kernel.update(asset, regions, particles);
    }

    /// Mean position of particles at `x`, with the bits of [`crate::model::LatticeModel::move_fast`]: a restored body goes on as the one that was saved.
    pub fn middle_of(&self, x: &[Vec3]) -> Vec3 {
        let slabs = self.starts.windows(2);
        let slabs = slabs.map(|slab| {
            let own = &x[slab[0]..slab[1]];
            own.iter().fold(Vec3::zeros(), |sum, x| sum + x)
        });
        slabs.sum::<Vec3>() / x.len() as f64
    }

    /// The model's rotations were changed.
    pub fn outdate(&mut self) {
        self.ahead = false;
    }

    /// Index of component 0 of a particle in an array of `count` planes a slab.
    #[inline(always)]
    fn index(plane: usize, [slab, at]: [u32; 2], count: usize) -> usize {
        slab as usize * count * plane + at as usize
    }

    pub(crate) fn take_rotations(&mut self, asset: &LatticeAsset, q: &[[f64; 4]]) {
        let plane = self.kernel.layout.plane;
        for (&place, &region) in self.places.iter().zip(&asset.region_of) {
            let at = Self::index(plane, place, 4);
            for (c, value) in q[region as usize].iter().enumerate() {
                self.state.rotations[at + c * plane] = *value as f32;
            }
        }
    }

    /// Hands over the rotations of the regions, but for those of what `sleeps`.
    pub(crate) fn give_rotations(
        &self,
        asset: &LatticeAsset,
        q: &mut [[f64; 4]],
        sleeps: impl Fn(usize) -> bool,
    ) {
        let plane = self.kernel.layout.plane;
        let mut next = 0;
        for (&place, &region) in self.places.iter().zip(&asset.region_of) {
            // regions are numbered by their first particle
            if region == next {
                next += 1;
                if sleeps(region as usize) {
                    continue;
                }
                let at = Self::index(plane, place, 4);
                let mut rotated =
                    [0, 1, 2, 3].map(|c| f64::from(self.state.rotations[at + c * plane]));
                let norm = rotated.iter().map(|c| c * c).sum::<f64>().sqrt();
                rotated.iter_mut().for_each(|c| *c /= norm);
                q[region as usize] = rotated;
            }
        }
    }

    /// Three numbers of a particle, in model units `unit`.
    #[inline(always)]
    pub(crate) fn vector(from: &[f32], plane: usize, place: [u32; 2], unit: f64) -> Vec3 {
        let at = Self::index(plane, place, 3);
        let number = |c: usize| f64::from(from[at + c * plane]) * unit;
        Vec3::new(number(0), number(1), number(2))
    }

    /// Takes velocities (m/s) to single precision, about their mean: a common velocity changes nothing, but would cost digits. Those of held particles (zero
    /// `inverse_mass`) count as zero.
    pub(crate) fn put_velocities(&mut self, v: &[Vec3], inverse_mass: &[f64], cell: f64) {
        let own = |p: usize| match inverse_mass[p] > 0.0 {
            true => v[p],
            false => Vec3::zeros(),
        };
        let mean = (0..v.len()).map(own).sum::<Vec3>() / v.len() as f64;
        self.steps.mean = mean;
        let (layout, scale) = (&self.kernel.layout, 1.0 / cell);
        let new = || Box::new(Smoother::new(layout));
        let velocities = &mut self.smoother.get_or_insert_with(new).velocities;
        let places = (self.places.as_slice(), self.starts.as_slice());
        Self::put(places, layout.plane, velocities, |p| {
            (own(p) - mean) * scale
        });
    }

    /// Writes `value(p)` of all particles to the planes `to`.
    pub(crate) fn put(
        (places, starts): (&[[u32; 2]], &[usize]),
        plane: usize,
        to: &mut [f32],
        value: impl Fn(usize) -> Vec3 + Sync,
    ) {
        let write = |(slab, to): (usize, &mut [f32])| {
            let (x, rest) = to.split_at_mut(plane);
            let (y, z) = rest.split_at_mut(plane);
            let first = starts[slab];
            for (k, [_, at]) in places[first..starts[slab + 1]].iter().enumerate() {
                let (at, value) = (*at as usize, value(first + k));
                (x[at], y[at], z[at]) = (value.x as f32, value.y as f32, value.z as f32);
            }
        };
        if places.len() > PARALLEL_THRESHOLD {
            let slabs = to.par_chunks_exact_mut(3 * plane);
            slabs.enumerate().for_each(write);
        } else {
            to.chunks_exact_mut(3 * plane).enumerate().for_each(write);
        }
    }
}
