//! Region damping: velocities move towards the rigid motions of their regions (Rivers and James 2007, section 4.4, Eq. 14).
//!
//! For each region the rigid velocity `v_r + ω × (x − c)` with its momentum and angular momentum is found; the mean of these over the regions
//! of a particle is its smooth velocity `v̄`. The operator `S: v → v̄` is symmetric in the mass product with eigenvalues between 0 and 1, so
//! `v += k (v̄ − v)` takes energy for 0 < k ≤ 2 and leaves both momenta alone. Near rest `I − S` is the stiffness over α m/h², so this is
//! stiffness-proportional damping with `β = k h/α`.

use nalgebra::SymmetricEigen;
use pliant_core::math::{Mat3, Vec3};

use crate::asset::LatticeAsset;
use crate::parallel::{CHUNK, THRESHOLD, fill, fill_two};
use crate::summation::{Scratch, Summation};

/// Most passes a step; each may take `k ≤ 2`.
const PASSES: u32 = 4;

/// How strongly and how often a step damps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DampingPasses {
    /// Passes a step.
    pub count: u32,
    /// `k` of each pass.
    pub gain: f64,
    /// Share of the wanted damping that this is; below 1 when the wanted one needs too many passes.
    pub reached: f64,
}

impl DampingPasses {
    /// Splits a total gain `k = β α/h`. Up to 1 one pass does; more is given by an even number of passes of at most 2 each, so that the
    /// factor `(1 − k′δ)ⁿ` of a mode never turns negative and fast modes are not pushed back and forth.
    pub fn new(total: f64) -> Self {
        let total = if total.is_finite() {
            total.max(0.0)
        } else {
            0.0
        };
        let count = match total {
            0.0 => 0,
            t if t <= 1.0 => 1,
            t if t <= 4.0 => 2,
            _ => PASSES,
        };
        let limit = if count == 1 { 1.0 } else { 2.0 };
        let gain = (total / f64::from(count.max(1))).min(limit);
        let reached = if total > 0.0 {
            gain * f64::from(count) / total
        } else {
            1.0
        };
        Self {
            count,
            gain,
            reached,
        }
    }
}

/// The operator `S` at given positions, with its buffers.
#[derive(Debug, Clone, Default)]
pub(crate) struct RegionAverage {
    field: Vec<[f64; 6]>,
    sums: Vec<[f64; 6]>,
    /// inverse inertia (xx, xy, xz, yy, yz, zz) and centre of each distinct region
    inverse: Vec<[f64; 6]>,
    centers: Vec<Vec3>,
    rigid: Vec<[f64; 6]>,
    scratch: Scratch<6>,
    lost: Vec<f64>,
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
            lost: vec![0.0; particles.div_ceil(CHUNK)],
        }
    }

    /// Takes positions `x` about `center`; `moment(r)` is `Σ m̃ (x − center)` of distinct region r.
    pub fn prepare(
        &mut self,
        asset: &LatticeAsset,
        summation: &Summation,
        (x, center): (&[Vec3], &Vec3),
        moment: impl Fn(usize) -> Vec3 + Sync,
    ) {
        let parallel = x.len() > THRESHOLD;
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

    /// Rigid velocities of all regions, spread to particles: afterwards [`RegionAverage::average`] may be asked. `x` as in `prepare`.
    pub fn apply(
        &mut self,
        asset: &LatticeAsset,
        summation: &Summation,
        (x, center): (&[Vec3], &Vec3),
        v: &[Vec3],
    ) {
        let parallel = x.len() > THRESHOLD;
        fill(parallel, &mut self.field, |start, part| {
            let particles = x[start..]
                .iter()
                .zip(&v[start..])
                .zip(&asset.share[start..]);
            for (out, ((x, v), share)) in part.iter_mut().zip(particles) {
                let p = v * *share;
                let l = (x - center).cross(&p);
                *out = [p.x, p.y, p.z, l.x, l.y, l.z];
            }
        });
        summation.sum(&asset.plan, &self.field, &mut self.scratch, &mut self.sums);
        let Self {
            sums,
            inverse,
            centers,
            rigid,
            ..
        } = self;
        fill(parallel, rigid, |start, part| {
            for (k, out) in part.iter_mut().enumerate() {
                let r = start + k;
                let (s, c) = (&sums[r], &centers[r]);
                let p = Vec3::new(s[0], s[1], s[2]);
                let spin = multiply(&inverse[r], &(Vec3::new(s[3], s[4], s[5]) - c.cross(&p)));
                let v = p / asset.region_mass[r] - spin.cross(c);
                *out = [v.x, v.y, v.z, spin.x, spin.y, spin.z];
            }
        });
        let field = if asset.regions_are_particles() {
            &self.rigid
        } else {
            for (out, &region) in self.field.iter_mut().zip(&asset.region_of) {
                *out = self.rigid[region as usize];
            }
            &self.field
        };
        summation.sum(&asset.plan, field, &mut self.scratch, &mut self.sums);
    }

    /// Smooth velocity `v̄` of particle `p` at `x − center`, m/s.
    #[inline(always)]
    pub fn average(&self, asset: &LatticeAsset, p: usize, x: &Vec3) -> Vec3 {
        average(asset, &self.sums, p, x)
    }

    /// `v += k (v̄ − v)` for all particles; returns the kinetic energy that is lost, J. Steps E.
    pub fn relax(
        &mut self,
        asset: &LatticeAsset,
        (x, center): (&[Vec3], &Vec3),
        gain: f64,
        v: &mut [Vec3],
    ) -> f64 {
        let parallel = x.len() > THRESHOLD;
        let sums = &self.sums;
        // one partial sum a chunk, added in order: the same bits for any number of threads
        let one_chunk = |c: usize, v: &mut [Vec3]| {
            let mut lost = 0.0;
            for (k, v) in v.iter_mut().enumerate() {
                let p = c * CHUNK + k;
                let change = (average(asset, sums, p, &(x[p] - center)) - *v) * gain;
                lost -= asset.mass[p] * change.dot(&(*v + change * 0.5));
                *v += change;
            }
            lost
        };
        if parallel {
            use rayon::prelude::*;
            v.par_chunks_mut(CHUNK)
                .zip(&mut self.lost)
                .enumerate()
                .for_each(|(c, (v, lost))| *lost = one_chunk(c, v));
        } else {
            for (c, (v, lost)) in v.chunks_mut(CHUNK).zip(&mut self.lost).enumerate() {
                *lost = one_chunk(c, v);
            }
        }
        self.lost.iter().sum()
    }
}

#[inline(always)]
fn average(asset: &LatticeAsset, sums: &[[f64; 6]], p: usize, x: &Vec3) -> Vec3 {
    let region = asset.region_of[p] as usize;
    let s = &sums[region];
    let share = 1.0 / f64::from(asset.region_size[region]);
    (Vec3::new(s[0], s[1], s[2]) + Vec3::new(s[3], s[4], s[5]).cross(x)) * share
}

#[inline(always)]
fn multiply(m: &[f64; 6], v: &Vec3) -> Vec3 {
    Vec3::new(
        m[0] * v.x + m[1] * v.y + m[2] * v.z,
        m[1] * v.x + m[3] * v.y + m[4] * v.z,
        m[2] * v.x + m[4] * v.y + m[5] * v.z,
    )
}

/// Inverse of the inertia `tr(M) I − M` of second moments M; a region on a line has no spin about it.
#[inline(always)]
fn inverse_inertia(m: &[f64; 6]) -> [f64; 6] {
    let (a, d, f) = (m[3] + m[5], m[0] + m[5], m[0] + m[3]);
    let (b, c, e) = (-m[1], -m[2], -m[4]);
    let (c00, c01, c02) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let det = a * c00 + b * c01 + c * c02;
    let third = (a + d + f) / 3.0;
    if det < 1e-9 * third * third * third || !(third > 0.0) {
        return pseudo_inverse(&Mat3::new(a, b, c, b, d, e, c, e, f));
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

#[cold]
#[inline(never)]
fn pseudo_inverse(inertia: &Mat3) -> [f64; 6] {
    if !inertia.iter().all(|x| x.is_finite()) {
        return [0.0; 6];
    }
    let eigen = SymmetricEigen::new(*inertia);
    let largest = eigen.eigenvalues.max();
    let mut sum = Mat3::zeros();
    for k in 0..3 {
        if eigen.eigenvalues[k] > 1e-6 * largest {
            let axis = eigen.eigenvectors.column(k);
            sum += axis * axis.transpose() / eigen.eigenvalues[k];
        }
    }
    [
        sum[(0, 0)],
        sum[(0, 1)],
        sum[(0, 2)],
        sum[(1, 1)],
        sum[(1, 2)],
        sum[(2, 2)],
    ]
}
