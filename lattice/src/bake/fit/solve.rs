//! Static solutions of the lattice: conjugate gradients, preconditioned by linear tetrahedra.
//!
//! The mesh of the reference resolves long waves: `z = P A⁻¹ Pᵀ r + D⁻¹ r` with the factorised stiffness `A` of its linear elements, the interpolation `P` from its
//! nodes to the particles and the diagonal `D` of the lattice, whose short waves all have about the same stiffness. A dozen iterations are enough, whatever the size of the body.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::SkinEmbedding;
use pliant_statics::Factor;

use crate::bake::fit::operator::{COMPONENTS, LOADS, MultiVector, Operator, Workspace};

/// Most iterations: the residual that is left then, where a body rotates about a weak foot, is small compared with the accuracy of the fit.
const ITERATIONS: usize = 24;
/// Residual over load at which the iteration stops, in the norm of the preconditioner: the relative error of the work is the square of it.
const TOLERANCE: f64 = 1e-2;

/// The approximate inverse of the lattice's stiffness.
pub(super) struct Preconditioner<'a> {
    pub factor: Factor<'a>,
    pub nodes: usize,
    /// weights of the nodes of the mesh for each particle
    pub places: &'a SkinEmbedding,
    /// 1/diagonal, m/N; zero for held particles
    pub diagonal: Vec<f64>,
}

impl Preconditioner<'_> {
    fn apply(&self, r: &[MultiVector], z: &mut [MultiVector]) {
        let mut loads = vec![vec![Vec3::zeros(); self.nodes]; LOADS];
        for (p, r) in r.iter().enumerate() {
            let (nodes, weights) = self.places.row(p);
            for (load, r) in loads.iter_mut().zip(r.as_chunks::<3>().0) {
                let r = Vec3::from(*r);
                for (&n, w) in nodes.iter().zip(weights) {
                    load[n as usize] += r * *w;
                }
            }
        }
        let displacements = self.factor.solve(&loads);
        for (p, (z, r)) in z.iter_mut().zip(r).enumerate() {
            if self.diagonal[p] == 0.0 {
                *z = [0.0; COMPONENTS];
                continue;
            }
            for (k, u) in displacements.iter().enumerate() {
                let u = self.places.interpolate(p, u);
                for axis in 0..3 {
                    z[3 * k + axis] = u[axis] + r[3 * k + axis] * self.diagonal[p];
                }
            }
        }
    }
}

/// Inner product of two fields, for each load.
fn dot(a: &[MultiVector], b: &[MultiVector]) -> [f64; LOADS] {
    let mut sums = [0.0; COMPONENTS];
    for (a, b) in a.iter().zip(b) {
        for c in 0..COMPONENTS {
            sums[c] += a[c] * b[c];
        }
    }
    std::array::from_fn(|k| sums[3 * k] + sums[3 * k + 1] + sums[3 * k + 2])
}

/// `a += b s`, a factor for each load.
fn add(a: &mut [MultiVector], b: &[MultiVector], s: &[f64; LOADS]) {
    for (a, b) in a.iter_mut().zip(b) {
        for (c, (a, b)) in a.iter_mut().zip(b).enumerate() {
            *a += b * s[c / 3];
        }
    }
}

/// Solves for the displacements `u` (m) under `load` (N), from the initial value of `u`.
pub(super) fn solve(
    operator: &Operator<'_>,
    factors: (&[f64], &[f64]),
    preconditioner: &Preconditioner<'_>,
    load: &[MultiVector],
    u: &mut [MultiVector],
    work: &mut Workspace,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let count = u.len();
    let zeros = || vec![[0.0; COMPONENTS]; count];
    let (mut r, mut z, mut image) = (zeros(), zeros(), zeros());
    preconditioner.apply(load, &mut z);
    let total = dot(load, &z);
    operator.apply(factors, u, work, &mut image);
    for (r, (load, image)) in r.iter_mut().zip(load.iter().zip(&image)) {
        *r = std::array::from_fn(|c| load[c] - image[c]);
    }
    preconditioner.apply(&r, &mut z);
    let mut d = z.clone();
    let mut old = dot(&r, &z);
    for _ in 0..ITERATIONS {
        progress.check()?;
        let left = |k: usize| old[k] > TOLERANCE * TOLERANCE * total[k];
        if !(0..LOADS).any(left) {
            return Ok(());
        }
        operator.apply(factors, &d, work, &mut image);
        let curvature = dot(&d, &image);
        // a load whose residual is zero does not change any more
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        let step: [f64; LOADS] = std::array::from_fn(|k| ratio(old[k], curvature[k]));
        add(u, &d, &step);
        add(&mut r, &image, &step.map(|s| -s));
        preconditioner.apply(&r, &mut z);
        let new = dot(&r, &z);
        let conjugation: [f64; LOADS] = std::array::from_fn(|k| ratio(new[k], old[k]));
        for (d, z) in d.iter_mut().zip(&z) {
            for (c, (d, z)) in d.iter_mut().zip(z).enumerate() {
                *d = z + *d * conjugation[c / 3];
            }
        }
        old = new;
    }
    Ok(())
}
