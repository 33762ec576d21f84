//! Region damping: velocities move towards the rigid motions of their regions (Rivers and James 2007, section 4, Eq. 14).
//!
//! For each region the rigid velocity `v_r + ω × (x − c)` with its momentum and angular momentum is found; the mean of these over the regions
//! of a particle is its smooth velocity `v̄`. The operator `D: v → v − v̄` is symmetric in the mass product with eigenvalues between 0 and 1 and
//! vanishes for rigid motions. Near rest it is the stiffness over α m/h², so that `v′ = v − k D v′` is stiffness-proportional damping with
//! `β = k h/α`.
//!
//! Damping multiplies each mode by a polynomial `p(δ)` of the eigenvalue δ of D with `p(0) = 1` (both momenta are conserved), `p′(0) = −k` (slow modes
//! have exactly the requested damping) and `|p| ≤ 1` (energy does not increase): the Runge–Kutta–Legendre polynomial `P_s(1 − 2kδ/(s² + s))` of s
//! applications of D (Meyer, Balsara and Aslam 2014), which allows `k ≤ s² + s`. For even s, `p ≥ −1/2`, so that together with the pull every step is
//! stable: `α δ < 2 (1 + p)`. Stronger damping every few steps is not stable: pull and damping can then resonate.
//!
//! Soft limbs on a large body need k of 50 and more. Supported bodies get the part that exceeds two applications as drag on their
//! velocity, so that the lowest mode has the requested damping (Rayleigh damping). Free bodies have no drag, since it would change their momentum.

use pliant_core::math::{Mat3, Vec3};

use crate::asset::LatticeAsset;
use crate::numerics::inertia::{multiply, pseudo_inverse};
use crate::numerics::parallel::{PARALLEL_THRESHOLD, fill, fill_two};
use crate::step::damping::pieces::Motion;
use crate::step::damping::plan::DampingPlan;
use crate::step::summation::{Scratch, Summation};

/// Eigenvalue of an inertia, as a share of the largest, below which it is round-off.
const NOISE: f64 = 1e-6;

/// The averaging operator `S: v → v̄` at given positions, with its buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct RegionAverage {
    field: Vec<[f64; 6]>,
    sums: Vec<[f64; 6]>,
    /// inverse inertia (xx, xy, xz, yy, yz, zz) and centre of each distinct region
    pub(crate) inverse: Vec<[f64; 6]>,
    pub(crate) centers: Vec<Vec3>,
    rigid: Vec<[f64; 6]>,
    scratch: Scratch<6>,
    /// velocities one stage ago
    pub(crate) previous: Vec<Vec3>,
    /// buffer of [`crate::step::damping::pieces`]
    pub(crate) pieces: Vec<Motion>,
}

impl RegionAverage {
    pub fn new(asset: &LatticeAsset) -> Self {
        let (particles, regions) = (asset.particle_count(), asset.region_count());
        Self {
            field: vec![[0.0; 6]; particles],
            sums: vec![[0.0; 6]; regions],
            inverse: vec![[0.0; 6]; regions],
            centers: vec![Vec3::zeros(); regions],
            rigid: vec![[0.0; 6]; regions],
            scratch: Scratch::default(),
            previous: vec![Vec3::zeros(); particles],
            pieces: Vec::new(),
        }
    }

    /// The operator of the lattice at rest, with its centre as origin.
    pub fn at_rest(asset: &LatticeAsset, summation: &Summation) -> Self {
        let mut average = Self::new(asset);
        let moment = |r: usize| asset.region_center[r] * asset.region_mass[r];
        average.prepare(asset, summation, (&asset.rest, &Vec3::zeros()), moment);
        average
    }

    /// Prepares for positions `x` with the origin `center`; `moment(r)` is `Σ m̃ (x − center)` of distinct region r.
    pub fn prepare(
        &mut self,
        asset: &LatticeAsset,
        summation: &Summation,
        (x, center): (&[Vec3], &Vec3),
        moment: impl Fn(usize) -> Vec3 + Sync,
    ) {
        let parallel = x.len() > PARALLEL_THRESHOLD;
        fill(parallel, &mut self.field, |start, part| {
            let particles = x[start..].iter().zip(&asset.share[start..]);
            for (out, (x, share)) in part.iter_mut().zip(particles) {
                let r = x - center;
                let a = r * *share;
                *out = [
                    a.x * r.x,
                    a.x * r.y,
                    a.x * r.z,
                    a.y * r.y,
                    a.y * r.z,
                    a.z * r.z,
                ];
            }
        });
        summation.sum(&asset.plan, &self.field, &mut self.scratch, &mut self.sums);
        let sums = &self.sums;
        fill_two(
            parallel,
            &mut self.inverse,
            &mut self.centers,
            |start, inverse, centers| {
                for (k, (inverse, c)) in inverse.iter_mut().zip(centers).enumerate() {
                    let s = &sums[start + k];
                    let mass = asset.region_mass[start + k];
                    *c = moment(start + k) / mass;
                    // second moments about the region's centre
                    let m = [
                        s[0] - mass * c.x * c.x,
                        s[1] - mass * c.x * c.y,
                        s[2] - mass * c.x * c.z,
                        s[3] - mass * c.y * c.y,
                        s[4] - mass * c.y * c.z,
                        s[5] - mass * c.z * c.z,
                    ];
                    *inverse = inverse_inertia(&m);
                }
            },
        );
    }

    /// Computes the rigid velocities of all regions for velocities `v`, where those of particles with zero `inverse_mass` (1/kg) count as zero. Afterwards
    /// [`RegionAverage::average`] is valid. `x` as in `prepare`.
    pub fn apply(
        &mut self,
        asset: &LatticeAsset,
        summation: &Summation,
        (x, center): (&[Vec3], &Vec3),
        v: &[Vec3],
        inverse_mass: &[f64],
    ) {
        let parallel = x.len() > PARALLEL_THRESHOLD;
        fill(parallel, &mut self.field, |start, part| {
            for (k, out) in part.iter_mut().enumerate() {
                let at = start + k;
                // held particles count as being at rest
                let share = if inverse_mass[at] > 0.0 {
                    asset.share[at]
                } else {
                    0.0
                };
                let p = v[at] * share;
                let l = (x[at] - center).cross(&p);
                *out = [p.x, p.y, p.z, l.x, l.y, l.z];
            }
        });
        summation.sum(&asset.plan, &self.field, &mut self.scratch, &mut self.sums);
        let (sums, inverse, centers) = (&self.sums, &self.inverse, &self.centers);
        fill(parallel, &mut self.rigid, |start, part| {
            for (k, out) in part.iter_mut().enumerate() {
                let r = start + k;
                let (s, c) = (&sums[r], &centers[r]);
                let p = Vec3::new(s[0], s[1], s[2]);
                let angular_velocity =
                    multiply(&inverse[r], &(Vec3::new(s[3], s[4], s[5]) - c.cross(&p)));
                let v = p / asset.region_mass[r] - angular_velocity.cross(c);
                *out = [
                    v.x,
                    v.y,
                    v.z,
                    angular_velocity.x,
                    angular_velocity.y,
                    angular_velocity.z,
                ];
            }
        });
        summation.sum_of_regions(
            asset,
            &self.rigid,
            &mut self.field,
            &mut self.scratch,
            &mut self.sums,
        );
    }

    /// Smooth velocity `v̄` of particle `p` at `x − center`, m/s; times `κ` where regions have stiffness weights.
    #[inline(always)]
    pub fn average(&self, asset: &LatticeAsset, p: usize, x: &Vec3) -> Vec3 {
        let region = asset.region_of[p] as usize;
        let s = &self.sums[region];
        let share = 1.0 / f64::from(asset.region_size[region]);
        (Vec3::new(s[0], s[1], s[2]) + Vec3::new(s[3], s[4], s[5]).cross(x)) * share
    }

    /// Damps velocities `v` (m/s) at the prepared positions. Step E.
    ///
    /// Held particles (zero `inverse_mass`) have zero velocity before; afterwards their momentum is what their supports have to take.
    pub fn damp(
        &mut self,
        asset: &LatticeAsset,
        summation: &Summation,
        at: (&[Vec3], &Vec3),
        plan: &DampingPlan,
        inverse_mass: &[f64],
        v: &mut [Vec3],
    ) {
        let (x, center) = at;
        let parallel = x.len() > PARALLEL_THRESHOLD;
        let mut previous = std::mem::take(&mut self.previous);
        for stage in plan.recurrence() {
            self.apply(asset, summation, at, v, inverse_mass);
            let this = &*self;
            fill_two(parallel, v, &mut previous, |start, v, previous| {
                for (k, (v, before)) in v.iter_mut().zip(previous).enumerate() {
                    let p = start + k;
                    let own = if inverse_mass[p] > 0.0 {
                        *v
                    } else {
                        Vec3::zeros()
                    };
                    let own = own * asset.pull_of(p);
                    let smoother = this.average(asset, p, &(x[p] - center)) - own;
                    stage.damp(v, before, smoother);
                }
            });
        }
        self.previous = previous;
    }
}

/// Inverse of the inertia `tr(M) I − M` of second moments M; a region on a line has no angular velocity about it.
#[inline(always)]
fn inverse_inertia(m: &[f64; 6]) -> [f64; 6] {
    let (a, d, f) = (m[3] + m[5], m[0] + m[5], m[0] + m[3]);
    let (b, c, e) = (-m[1], -m[2], -m[4]);
    let (c00, c01, c02) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let det = a * c00 + b * c01 + c * c02;
    let third = (a + d + f) / 3.0;
    if !det.is_finite() || third <= 0.0 || det < 1e-9 * third * third * third {
        return pseudo_inverse(&Mat3::new(a, b, c, b, d, e, c, e, f), NOISE);
    }
    let s = 1.0 / det;
    [
        c00 * s,
        c01 * s,
        c02 * s,
        (a * f - c * c) * s,
        (b * c - a * e) * s,
        (a * d - b * b) * s,
    ]
}
