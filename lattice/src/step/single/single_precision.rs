//! Steps whose sums and rotations are in single precision (see [`crate::kernels`]); positions and velocities stay double.
//!
//! The last shape matching of a frame is in double precision: the energy needs it, and the next frame begins with it. The search for rotations in the following steps starts
//! from its rotations, so that a restored snapshot continues with the same bits. Large bodies have no energy accounting. They leave out that matching and its memory,
//! and have rotations in single precision only.

use std::ops::Range;

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::kernels::{Kernel, Level, Smoother, State};
use crate::numerics::parallel::PARALLEL_THRESHOLD;
use crate::params::{LatticeParams, Precision, RotationMethod, ShapeMatching};
use crate::step::single::pass_memory::PassMemory;
use crate::step::single::slab_arrays::{SlabArrays, write_vector};

/// Sums and rotations of a body in single precision.
pub(crate) struct SinglePrecision {
    pub(crate) kernel: Kernel,
    pub(crate) state: State,
    /// absent until velocities are damped
    pub(crate) smoother: Option<Box<Smoother>>,
    /// slab of each particle, and its index in the planes of that slab
    pub(crate) places: Vec<[u32; 2]>,
    /// first particle of each slab, and the number of particles
    pub(crate) starts: Vec<usize>,
    /// whether the rotations are newer than those of the model in double precision
    pub(crate) rotations_are_newer: bool,
    pub(crate) passes: PassMemory,
}

impl SinglePrecision {
    /// Whether `params` ask for single precision and the machine has vector instructions.
    pub fn is_enabled(asset: &LatticeAsset, params: &LatticeParams) -> bool {
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
            rotations_are_newer: false,
            passes: PassMemory::default(),
        }
    }

    /// Largest number of particles of a body with energy accounting, unless `params` say otherwise.
    pub const MAX_ACCOUNTED_PARTICLES: usize = 250_000;

    /// Whether a body in single precision has energy accounting.
    pub fn accounts_energy(asset: &LatticeAsset, params: &LatticeParams) -> bool {
        let requested = params
            .energy_accounting
            .unwrap_or(asset.particle_count() <= Self::MAX_ACCOUNTED_PARTICLES);
        requested || params.fracture.is_some() || params.damp_globally
    }

    /// Sets the rotation of all regions to `q`.
    pub fn set_all_rotations(&mut self, q: [f64; 4]) {
        let plane = self.kernel.layout.plane;
        for slab in self.state.rotations.chunks_exact_mut(4 * plane) {
            for (part, value) in slab.chunks_exact_mut(plane).zip(q) {
                part.fill(value as f32);
            }
        }
        self.rotations_are_newer = true;
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

    /// Mean position of particles at `x`, with the bits of [`crate::model::LatticeModel::drift_in_single_precision`], so that a restored body continues as the saved one.
    pub fn mean_position(&self, x: &[Vec3]) -> Vec3 {
        let slabs = self.starts.windows(2);
        let slabs = slabs.map(|slab| {
            let own = &x[slab[0]..slab[1]];
            own.iter().fold(Vec3::zeros(), |sum, x| sum + x)
        });
        slabs.sum::<Vec3>() / x.len() as f64
    }

    /// Index of component 0 of a particle in an array of `count` planes a slab.
    #[inline(always)]
    fn index(plane: usize, [slab, at]: [u32; 2], count: usize) -> usize {
        slab as usize * count * plane + at as usize
    }

    pub(crate) fn load_rotations(&mut self, asset: &LatticeAsset, q: &[[f64; 4]]) {
        for (p, &region) in asset.region_of.iter().enumerate() {
            self.set_rotation(p, &q[region as usize]);
        }
    }

    /// Stores the rotations of the regions in `q`, except of those for which `sleeps`.
    pub(crate) fn store_rotations(
        &self,
        asset: &LatticeAsset,
        q: &mut [[f64; 4]],
        sleeps: impl Fn(usize) -> bool,
    ) {
        let mut next = 0;
        for (p, &region) in asset.region_of.iter().enumerate() {
            // regions are numbered by their first particle
            if region == next {
                next += 1;
                if sleeps(region as usize) {
                    continue;
                }
                let mut rotated = self.rotation(p);
                let norm = rotated.iter().map(|c| c * c).sum::<f64>().sqrt();
                rotated.iter_mut().for_each(|c| *c /= norm);
                q[region as usize] = rotated;
            }
        }
    }

    /// The vector of a particle, times `unit`.
    #[inline(always)]
    pub(crate) fn vector(from: &[f32], plane: usize, place: [u32; 2], unit: f64) -> Vec3 {
        let at = Self::index(plane, place, 3);
        let number = |c: usize| f64::from(from[at + c * plane]) * unit;
        Vec3::new(number(0), number(1), number(2))
    }

    /// Converts velocities (m/s) to single precision after subtracting their mean: a common velocity has no effect on damping, but would cost digits. Those of held particles (zero
    /// `inverse_mass`) count as zero.
    pub(crate) fn load_velocities(&mut self, v: &[Vec3], inverse_mass: &[f64], cell: f64) {
        let own = |p: usize| match inverse_mass[p] > 0.0 {
            true => v[p],
            false => Vec3::zeros(),
        };
        let mean = (0..v.len()).map(own).sum::<Vec3>() / v.len() as f64;
        self.passes.mean = mean;
        let (layout, scale) = (&self.kernel.layout, 1.0 / cell);
        let new = || Box::new(Smoother::new(layout));
        let velocities = &mut self.smoother.get_or_insert_with(new).velocities;
        let places = (self.places.as_slice(), self.starts.as_slice());
        Self::write_planes(places, layout.plane, velocities, |p| {
            (own(p) - mean) * scale
        });
    }

    /// Writes `value(p)` of all particles to the planes `to`.
    pub(crate) fn write_planes(
        (places, starts): (&[[u32; 2]], &[usize]),
        plane: usize,
        to: &mut [f32],
        value: impl Fn(usize) -> Vec3 + Sync,
    ) {
        let rows = SlabArrays {
            vectors: [&mut [], &mut []],
            planes: [to, &mut []],
            sums: &mut [],
        };
        let slabs = (starts, plane, places.len() > PARALLEL_THRESHOLD);
        rows.for_each_slab(slabs, &|range: Range<usize>, rows: SlabArrays<'_>| {
            let [to, _] = rows.planes;
            for p in range {
                write_vector(to, plane, places[p][1], &value(p));
            }
        });
    }
}
