//! Shape matching of every region: the rigid motion `x ≈ R x⁰ + t` that fits its particles best (Rivers and James 2007, section 2, Eq. 9 to 11).

use pliant_core::math::Vec3;

use crate::asset::LatticeAsset;
use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill, fill_two};
use crate::step::rotation::jacobi::Jacobi;
use crate::step::rotation::newton::{
    Matrices, Quaternions, refine_rotations, rotation_matrices, unit_quaternion,
};
use crate::step::summation::{Scratch, Summation};

/// Rotation `R` (row-major) and translation `t` of a region, relative to the centres of the body.
pub(crate) type Transform = [f64; 12];

/// Buffers and results of matching one body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matching {
    /// per particle: `m̃ x`, `m̃ x x⁰ᵀ`
    field: Vec<[f64; 12]>,
    /// their sums over each distinct region
    pub sums: Vec<[f64; 12]>,
    /// of each distinct region
    transforms: Vec<Transform>,
    /// `Σ R`, `Σ t` over the regions of each particle, by distinct region
    pub transform_sums: Vec<Transform>,
    pub scratch: Scratch<12>,
    /// rotations by the paper's method instead of Newton's
    pub jacobi: Option<Jacobi>,
}

impl Matching {
    pub fn new(asset: &LatticeAsset) -> Self {
        Self {
            field: vec![[0.0; 12]; asset.particle_count()],
            sums: vec![[0.0; 12]; asset.region_count()],
            transforms: vec![[0.0; 12]; asset.region_count()],
            transform_sums: vec![[0.0; 12]; asset.region_count()],
            scratch: Scratch::default(),
            jacobi: None,
        }
    }

    /// Sums the moments of positions `x` about `center`. Step A of a time step.
    pub fn moments(
        &mut self,
        asset: &LatticeAsset,
        summation: &Summation,
        x: &[Vec3],
        center: &Vec3,
    ) {
        let parallel = x.len() > PARALLEL_THRESHOLD;
        fill(parallel, &mut self.field, |start, part| {
            let particles = x[start..]
                .iter()
                .zip(&asset.rest[start..])
                .zip(&asset.share[start..]);
            for (out, ((x, rest), share)) in part.iter_mut().zip(particles) {
                let a = (x - center) * *share;
                *out = [
                    a.x,
                    a.y,
                    a.z,
                    a.x * rest.x,
                    a.x * rest.y,
                    a.x * rest.z,
                    a.y * rest.x,
                    a.y * rest.y,
                    a.y * rest.z,
                    a.z * rest.x,
                    a.z * rest.y,
                    a.z * rest.z,
                ];
            }
        });
        summation.sum(&asset.plan, &self.field, &mut self.scratch, &mut self.sums);
    }

    /// Refines the regions' rotations `q` towards their best fit, except where `sleeps` or without `improve_rotations`, and computes the transforms. Step B.
    pub fn fit(
        &mut self,
        asset: &LatticeAsset,
        q: &mut [[f64; 4]],
        improve_rotations: bool,
        sleeps: impl Fn(usize) -> bool + Sync,
    ) {
        let parallel = asset.particle_count() > PARALLEL_THRESHOLD;
        let sums = &self.sums;
        let jacobi = self.jacobi.as_mut().filter(|_| improve_rotations);
        let improve_rotations = improve_rotations && jacobi.is_none();
        if let Some(jacobi) = jacobi {
            jacobi.rotate_regions(asset, sums, q);
        }
        fill_two(parallel, q, &mut self.transforms, |start, q, transforms| {
            let groups = q.chunks_mut(LANES).zip(transforms.chunks_mut(LANES));
            for (g, (q, transforms)) in groups.enumerate() {
                let (first, last) = (start + g * LANES, q.len() - 1);
                let fixed = |lane: usize| !improve_rotations || sleeps(first + lane.min(last));
                fit_group(
                    asset,
                    sums,
                    first,
                    q,
                    transforms,
                    std::array::from_fn(fixed),
                );
            }
        });
    }

    /// Sums the transforms over the regions of each particle. Step C.
    pub fn sum_transforms(&mut self, asset: &LatticeAsset, summation: &Summation) {
        summation.sum_of_regions(
            asset,
            &self.transforms,
            &mut self.field,
            &mut self.scratch,
            &mut self.transform_sums,
        );
    }

    /// `2/α h²` times the elastic energy: `Σ_r Σ_i m̃_i |x_i − T_r x⁰_i|²` at the positions `x` that were matched, kg·m².
    pub fn misfit(&self, asset: &LatticeAsset, x: &[Vec3], center: &Vec3) -> f64 {
        // Σ_r m̃_i = m_i, so that the squares need no region sums
        let mut total = 0.0;
        for (p, ((x, rest), mass)) in x.iter().zip(&asset.rest).zip(&asset.mass).enumerate() {
            let squares = (x - center).norm_squared() + rest.norm_squared();
            total += mass * asset.pull_of(p) * squares;
        }
        for region in 0..asset.region_count() {
            let (s, t) = (&self.sums[region], &self.transforms[region]);
            let (mass, rest) = (asset.region_mass[region], &asset.region_center[region]);
            let mut fit = 0.0;
            for i in 0..3 {
                for j in 0..3 {
                    fit += t[3 * i + j] * (s[3 + 3 * i + j] - s[i] * rest[j]);
                }
            }
            let centers =
                (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) / mass + mass * rest.norm_squared();
            let weight = f64::from(asset.multiplicity[region]) * asset.stiffness_weight_of(region);
            total -= weight * (centers + 2.0 * fit);
        }
        total.max(0.0)
    }
}

/// Angle of a region's rotation, rad.
pub(crate) fn angle(q: &[f64; 4]) -> f64 {
    unit_quaternion(*q).angle()
}

#[inline(always)]
fn fit_group(
    asset: &LatticeAsset,
    sums: &[[f64; 12]],
    first: usize,
    q: &mut [[f64; 4]],
    transforms: &mut [Transform],
    fixed: [bool; LANES],
) {
    let count = q.len();
    // lanes beyond the end repeat the last region
    let region = |lane: usize| first + lane.min(count - 1);
    let gather = |f: &dyn Fn(usize) -> f64| Lanes(std::array::from_fn(|lane| f(region(lane))));
    let mut s = [Lanes::ZERO; 12];
    for lane in 0..LANES {
        let values = &sums[region(lane)];
        for c in 0..12 {
            s[c].0[lane] = values[c];
        }
    }
    let rest = [0, 1, 2].map(|k| gather(&|r| asset.region_center[r][k]));
    let inverse_mass = gather(&|r| asset.region_mass[r]).reciprocal();
    let a: Matrices = std::array::from_fn(|k| s[3 + k] - s[k / 3] * rest[k % 3]);
    let mut quaternions: Quaternions =
        std::array::from_fn(|c| Lanes(std::array::from_fn(|lane| q[lane.min(count - 1)][c])));
    let before = quaternions;
    let mut rotation = if fixed.contains(&false) {
        let tiny =
            gather(&|r| asset.region_mass[r]) * Lanes::splat(1e-12 * asset.cell * asset.cell);
        refine_rotations(&a, tiny, &mut quaternions)
    } else {
        rotation_matrices(&quaternions)
    };
    if fixed.contains(&true) && fixed.contains(&false) {
        let rotations_before = rotation_matrices(&before);
        for lane in (0..LANES).filter(|&lane| fixed[lane]) {
            for c in 0..4 {
                quaternions[c].0[lane] = before[c].0[lane];
            }
            for c in 0..9 {
                rotation[c].0[lane] = rotations_before[c].0[lane];
            }
        }
    }
    let translation: [Lanes; 3] = std::array::from_fn(|i| {
        s[i] * inverse_mass
            - rotation[3 * i] * rest[0]
            - rotation[3 * i + 1] * rest[1]
            - rotation[3 * i + 2] * rest[2]
    });
    for (lane, (q, t)) in q.iter_mut().zip(transforms).enumerate() {
        for c in 0..4 {
            q[c] = quaternions[c].0[lane];
        }
        for c in 0..9 {
            t[c] = rotation[c].0[lane];
        }
        for c in 0..3 {
            t[9 + c] = translation[c].0[lane];
        }
    }
}
