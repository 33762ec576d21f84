//! The forces of all tetrahedra of a chunk.

use pulp::Simd;

use crate::force::lanes::chunk::{GROUP, Local};
use crate::force::lanes::corners::{OnLines, corner_forces, edges, scatter, shares};
use crate::force::lanes::law::{COLLAPSE, Law};
use crate::force::lanes::level::{Kernel, Lanes};
use crate::force::lanes::matrix::{Matrix, columns, times_symmetric};
use crate::force::lanes::pack::VECTORS;

/// Forces on the corners of the tetrahedra of a block: corner by corner, tetrahedron by tetrahedron. The fourth number of corner 0 is the power of damping.
pub(super) type BlockForces<'a> = [&'a mut [[f32; 4]]; 4];

/// Replaces the forces of nearly inverted elements.
pub(super) trait Recovery: Send {
    /// `first` is the position of the block's first tetrahedron in the chunk.
    fn recover(&mut self, first: usize, forces: BlockForces<'_>);
}

/// Volume ratio in single precision above which no element is nearly inverted.
const RECOVERY_LIMIT: f32 = 0.21;

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
        let zero = o.splat(0.0);
        let [first, second] = const { shares(S::F32_LANES) };
        // forces are added one block later, while positions of the next block are loaded, so that the stores do not wait for arithmetic. Before the first block, zeros
        let mut pending = OnLines([[zero; 4]; 4]);
        let mut pending_corners: &[[u16; 4]] = &[[0; 4]; GROUP];
        let (shapes, _) = S::as_simd_f32s(self.shapes);
        let blocks = self.corners.chunks_exact(lanes);
        for (index, (corners, shape)) in blocks.zip(shapes.chunks_exact(VECTORS)).enumerate() {
            let minus_volume = o.sub(zero, shape[9]);
            let displacement_edges = edges::<S, FUSED>(o, corners, self.displacements);
            scatter::<S>(0..first, pending_corners, &pending.0, self.forces);
            // loaded where it is used, here and below: it would take most of sixteen registers
            let g = first_nine::<S>(shape);
            let h = gradient::<S, FUSED>(o, &displacement_edges, &g);
            scatter::<S>(first..second, pending_corners, &pending.0, self.forces);
            let stress = self.law.stress(o, &h, minus_volume);
            let mut p = stress.piola;
            let mut power = zero;
            if DAMPED {
                let velocity_edges = edges::<S, FUSED>(o, corners, self.velocities);
                let rate = gradient::<S, FUSED>(o, &velocity_edges, &g);
                let viscous = self.viscous(o, &h, &rate, minus_volume);
                power = viscous.1;
                let mut k = 0;
                while k < 9 {
                    p[k] = o.add(p[k], viscous.0[k]);
                    k += 1;
                }
            }
            scatter::<S>(second..lanes, pending_corners, &pending.0, self.forces);
            let g = first_nine::<S>(shape);
            pending.0 = corner_forces::<S, FUSED, DAMPED>(o, &p, &g, power);
            let is_strained = L::MAY_COLLAPSE && simd.reduce_max_f32s(stress.collapse) > COLLAPSE;
            if is_strained && simd.reduce_min_f32s(volume_ratio(o, &h)) < RECOVERY_LIMIT {
                let [a, b, c, d] = &mut pending.0;
                let rows = [
                    bytemuck::cast_slice_mut(a.as_mut_slice()),
                    bytemuck::cast_slice_mut(b.as_mut_slice()),
                    bytemuck::cast_slice_mut(c.as_mut_slice()),
                    bytemuck::cast_slice_mut(d.as_mut_slice()),
                ];
                self.recovery.recover(index * lanes, rows);
            }
            pending_corners = corners;
        }
        scatter::<S>(0..lanes, pending_corners, &pending.0, self.forces);
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

/// `Σ_k (value_k − value_0) ⊗ ∇L^k`, row by row.
#[inline(always)]
fn gradient<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    edges: &[[S::f32s; 4]; 3],
    g: &Matrix<S>,
) -> Matrix<S> {
    let mut h = *g;
    let mut row = 0;
    while row < 3 {
        let edge = [edges[0][row], edges[1][row], edges[2][row]];
        let mut column = 0;
        while column < 3 {
            h[3 * row + column] = o.dot(edge, [g[column], g[3 + column], g[6 + column]]);
            column += 1;
        }
        row += 1;
    }
    h
}
