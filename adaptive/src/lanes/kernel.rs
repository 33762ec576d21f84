//! The forces of all tetrahedra of a chunk.

use pulp::Simd;

use crate::lanes::chunk::Local;
use crate::lanes::law::{COLLAPSE, Law, Matrix, columns, times_symmetric};
use crate::lanes::level::{Kernel, Lanes};
use crate::lanes::pack::VECTORS;

/// Forces on the corners of the tetrahedra of a block: corner by corner, tetrahedron by tetrahedron. The fourth number of corner 0 is the power of damping.
pub(super) type BlockForces<'a> = [&'a mut [[f32; 4]]; 4];

/// Replaces forces of elements that collapse.
pub(super) trait Recovery: Send {
    /// `first` is the position of the block's first tetrahedron in the chunk.
    fn recover(&mut self, first: usize, forces: BlockForces<'_>);
}

/// Volume ratio in single precision from which on no element is nearly inverted.
const MAY_RECOVER: f32 = 0.21;

/// Nothing collapses.
pub(super) struct NoRecovery;

impl Recovery for NoRecovery {
    fn recover(&mut self, _: usize, _: BlockForces<'_>) {}
}

/// One pass over a chunk: adds elastic, and when `DAMPED` viscous, forces to `forces`.
pub(super) struct ChunkPass<'a, L, R, const DAMPED: bool> {
    pub(super) law: L,
    pub(super) phi: f32,
    pub(super) psi: f32,
    pub(super) corners: &'a [[u16; 4]],
    pub(super) shapes: &'a [f32],
    pub(super) displacements: &'a Local,
    pub(super) velocities: &'a Local,
    pub(super) forces: &'a mut Local,
    pub(super) recovery: &'a mut R,
}

impl<L: Law, R: Recovery, const DAMPED: bool> Kernel for ChunkPass<'_, L, R, DAMPED> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd, const FUSED: bool>(self, simd: S) {
        let o = Lanes::<S, FUSED>(simd);
        let lanes = S::F32_LANES;
        let (shapes, _) = S::as_simd_f32s(self.shapes);
        let blocks = self.corners.chunks_exact(lanes);
        for (index, (corners, shape)) in blocks.zip(shapes.chunks_exact(VECTORS)).enumerate() {
            let g = first_nine::<S>(shape);
            let minus_volume = o.sub(o.splat(0.0), shape[9]);
            let h = gradient::<S, FUSED>(o, corners, self.displacements, &g);
            let stress = self.law.stress(o, &h, minus_volume);
            let mut p = stress.piola;
            let mut power = o.splat(0.0);
            if DAMPED {
                let rate = gradient::<S, FUSED>(o, corners, self.velocities, &g);
                let viscous = self.viscous(o, &h, &rate, minus_volume);
                power = viscous.1;
                let mut k = 0;
                while k < 9 {
                    p[k] = o.add(p[k], viscous.0[k]);
                    k += 1;
                }
            }
            let mut out = corner_forces::<S, FUSED>(o, &p, &g, power);
            let is_strained = L::MAY_COLLAPSE && simd.reduce_max_f32s(stress.collapse) > COLLAPSE;
            if is_strained && simd.reduce_min_f32s(volume_ratio(o, &h)) < MAY_RECOVER {
                let [a, b, c, d] = &mut out;
                let rows = [
                    bytemuck::cast_slice_mut(a.as_mut_slice()),
                    bytemuck::cast_slice_mut(b.as_mut_slice()),
                    bytemuck::cast_slice_mut(c.as_mut_slice()),
                    bytemuck::cast_slice_mut(d.as_mut_slice()),
                ];
                self.recovery.recover(index * lanes, rows);
            }
            scatter::<S>(corners, &out, self.forces);
        }
    }
}

impl<L: Law, R: Recovery, const DAMPED: bool> ChunkPass<'_, L, R, DAMPED> {
    /// Viscous stress times `−V`, and the power that it takes: `S = φ tr Ė I + 2ψ Ė`, `Ė = sym(Fᵀ Ḟ)`.
    #[inline(always)]
    fn viscous<S: Simd, const FUSED: bool>(
        &self,
        o: Lanes<S, FUSED>,
        h: &Matrix<S>,
        rate: &Matrix<S>,
        minus_volume: S::f32s,
    ) -> (Matrix<S>, S::f32s) {
        let xx = o.add(rate[0], columns(o, h, 0, rate, 0));
        let yy = o.add(rate[4], columns(o, h, 1, rate, 1));
        let zz = o.add(rate[8], columns(o, h, 2, rate, 2));
        // off-diagonal entries doubled
        let twice = |i: usize, j: usize, a: S::f32s, b: S::f32s| {
            o.add(
                o.add(a, columns(o, h, i, rate, j)),
                o.add(b, columns(o, h, j, rate, i)),
            )
        };
        let yz = twice(1, 2, rate[5], rate[7]);
        let xz = twice(0, 2, rate[2], rate[6]);
        let xy = twice(0, 1, rate[1], rate[3]);
        let psi = o.mul(o.splat(self.psi), minus_volume);
        let two_psi = o.add(psi, psi);
        let trace = o.add(o.add(xx, yy), zz);
        let pressure = o.mul(o.mul(o.splat(self.phi), minus_volume), trace);
        let s = [
            o.fma(two_psi, xx, pressure),
            o.fma(two_psi, yy, pressure),
            o.fma(two_psi, zz, pressure),
            o.mul(psi, yz),
            o.mul(psi, xz),
            o.mul(psi, xy),
        ];
        // −V S:Ė, negated
        let shear = o.dot([s[3], s[4], s[5]], [yz, xz, xy]);
        let power = o.add(shear, o.dot([s[0], s[1], s[2]], [xx, yy, zz]));
        (times_symmetric(o, h, s), o.sub(o.splat(0.0), power))
    }
}

/// `det(I + H)`.
#[inline(always)]
fn volume_ratio<S: Simd, const FUSED: bool>(o: Lanes<S, FUSED>, h: &Matrix<S>) -> S::f32s {
    let one = o.splat(1.0);
    let (x, y, z) = (o.add(h[0], one), o.add(h[4], one), o.add(h[8], one));
    let minors = [
        o.minor(y, z, h[5], h[7]),
        o.minor(h[5], h[6], h[3], z),
        o.minor(h[3], h[7], y, h[6]),
    ];
    o.dot([x, h[1], h[2]], minors)
}

#[inline(always)]
fn first_nine<S: Simd>(shape: &[S::f32s]) -> Matrix<S> {
    [
        shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], shape[6], shape[7], shape[8],
    ]
}

/// Values of corner `K` of the tetrahedra of a block, component by component.
#[inline(always)]
fn gather<S: Simd, const K: usize>(simd: S, corners: &[[u16; 4]], values: &Local) -> [S::f32s; 4] {
    let mut vectors = [simd.splat_f32s(0.0); 4];
    let rows: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut vectors);
    let mut lane = 0;
    while lane < S::F32_LANES {
        let at = usize::from(corners[lane][K]);
        rows[lane] = [values[at], values[at + 1], values[at + 2], values[at + 3]];
        lane += 1;
    }
    simd.deinterleave_shfl_f32s(vectors)
}

/// `Σ_k (value_k − value_0) ⊗ ∇L^k`, row by row.
#[inline(always)]
fn gradient<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    corners: &[[u16; 4]],
    values: &Local,
    g: &Matrix<S>,
) -> Matrix<S> {
    let origin = gather::<S, 0>(o.0, corners, values);
    let a = gather::<S, 1>(o.0, corners, values);
    let b = gather::<S, 2>(o.0, corners, values);
    let c = gather::<S, 3>(o.0, corners, values);
    let mut h = *g;
    let mut row = 0;
    while row < 3 {
        let edge = [
            o.sub(a[row], origin[row]),
            o.sub(b[row], origin[row]),
            o.sub(c[row], origin[row]),
        ];
        let mut column = 0;
        while column < 3 {
            h[3 * row + column] = o.dot(edge, [g[column], g[3 + column], g[6 + column]]);
            column += 1;
        }
        row += 1;
    }
    h
}

/// `f_k = P ∇L^k` of a stress that holds the factor `−V`, and `f_0 = −Σ f_k`; each as rows of (x, y, z, extra) for one tetrahedron after the other.
#[inline(always)]
fn corner_forces<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    p: &Matrix<S>,
    g: &Matrix<S>,
    power: S::f32s,
) -> [[S::f32s; 4]; 4] {
    let zero = o.splat(0.0);
    let mut f = [[zero; 4]; 4];
    let mut row = 0;
    while row < 3 {
        let stress = [p[3 * row], p[3 * row + 1], p[3 * row + 2]];
        let a = o.dot(stress, [g[0], g[1], g[2]]);
        let b = o.dot(stress, [g[3], g[4], g[5]]);
        let c = o.dot(stress, [g[6], g[7], g[8]]);
        f[0][row] = o.sub(zero, o.add(o.add(a, b), c));
        f[1][row] = a;
        f[2][row] = b;
        f[3][row] = c;
        row += 1;
    }
    f[0][3] = power;
    [
        o.0.interleave_shfl_f32s(f[0]),
        o.0.interleave_shfl_f32s(f[1]),
        o.0.interleave_shfl_f32s(f[2]),
        o.0.interleave_shfl_f32s(f[3]),
    ]
}

/// Adds corner forces to their nodes, one tetrahedron after the other: an order that does not depend on the number of lanes.
#[inline(always)]
fn scatter<S: Simd>(corners: &[[u16; 4]], out: &[[S::f32s; 4]; 4], forces: &mut Local) {
    let rows: [&[[f32; 4]]; 4] = [
        bytemuck::cast_slice(&out[0]),
        bytemuck::cast_slice(&out[1]),
        bytemuck::cast_slice(&out[2]),
        bytemuck::cast_slice(&out[3]),
    ];
    let mut lane = 0;
    while lane < S::F32_LANES {
        let mut k = 0;
        while k < 4 {
            let at = usize::from(corners[lane][k]);
            let f = rows[k][lane];
            forces[at] += f[0];
            forces[at + 1] += f[1];
            forces[at + 2] += f[2];
            forces[at + 3] += f[3];
            k += 1;
        }
        lane += 1;
    }
}
