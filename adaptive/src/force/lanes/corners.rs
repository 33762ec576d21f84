//! Transfer from the nodes of a chunk to the lanes of a block, and back. Corners are loaded, and forces added, as rows of four numbers, one tetrahedron after the other;
//! rows are transposed in registers.

use std::ops::Range;

use pulp::Simd;

use crate::force::lanes::chunk::{Local, WIDTH};
use crate::force::lanes::level::Lanes;
use crate::force::lanes::matrix::Matrix;

/// Aligned to cache lines: a vector across two of them costs two stores.
#[repr(align(64))]
pub(super) struct OnLines<T>(pub(super) T);

/// Values of corner `K` of the tetrahedra of a block: rows of (x, y, z, 0), one tetrahedron after the other.
#[inline(always)]
fn gather<S: Simd, const K: usize>(simd: S, corners: &[[u16; 4]], values: &Local) -> [S::f32s; 4] {
    let mut vectors = [simd.splat_f32s(0.0); 4];
    let rows: &mut [[f32; 4]] = bytemuck::cast_slice_mut(&mut vectors);
    let mut lane = 0;
    while lane < S::F32_LANES {
        rows[lane] = row_at(values, corners[lane][K]);
        lane += 1;
    }
    vectors
}

/// The four numbers at `place`, in one load: otherwise the compiler drops unused ones and loads the others one by one.
#[inline(always)]
fn row_at(values: &Local, place: u16) -> [f32; WIDTH] {
    let at = usize::from(place);
    let mut row = [0.0; WIDTH];
    row.copy_from_slice(&values[at..at + WIDTH]);
    row
}

/// `value_K − value_0`, component by component. The transposition follows the subtraction, so that there are three of them and not four.
#[inline(always)]
fn edge<S: Simd, const FUSED: bool, const K: usize>(
    o: Lanes<S, FUSED>,
    corners: &[[u16; 4]],
    values: &Local,
    origin: &[S::f32s; 4],
) -> [S::f32s; 4] {
    let mut rows = gather::<S, K>(o.0, corners, values);
    let mut k = 0;
    while k < 4 {
        rows[k] = o.sub(rows[k], origin[k]);
        k += 1;
    }
    o.0.deinterleave_shfl_f32s(rows)
}

/// The three edges from corner 0. Their fourth numbers are zeros.
#[inline(always)]
pub(super) fn edges<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    corners: &[[u16; 4]],
    values: &Local,
) -> [[S::f32s; 4]; 3] {
    let origin = gather::<S, 0>(o.0, corners, values);
    [
        edge::<S, FUSED, 1>(o, corners, values, &origin),
        edge::<S, FUSED, 2>(o, corners, values, &origin),
        edge::<S, FUSED, 3>(o, corners, values, &origin),
    ]
}

/// `f_k = P ∇L^k` of a stress that holds the factor `−V`, and `f_0 = −Σ f_k`; each as rows of (x, y, z, extra) for one tetrahedron after the other.
/// The extra number of corner 0 is `power` where that is `DAMPED`, all others are zeros.
#[inline(always)]
pub(super) fn corner_forces<S: Simd, const FUSED: bool, const DAMPED: bool>(
    o: Lanes<S, FUSED>,
    p: &Matrix<S>,
    g: &Matrix<S>,
    power: S::f32s,
) -> [[S::f32s; 4]; 4] {
    let zero = o.splat(0.0);
    let mut f = [[zero; 4]; 3];
    let mut k = 0;
    while k < 3 {
        let gradient = [g[3 * k], g[3 * k + 1], g[3 * k + 2]];
        let mut row = 0;
        while row < 3 {
            let stress = [p[3 * row], p[3 * row + 1], p[3 * row + 2]];
            f[k][row] = o.dot(stress, gradient);
            row += 1;
        }
        k += 1;
    }
    let rows = [
        o.0.interleave_shfl_f32s(f[0]),
        o.0.interleave_shfl_f32s(f[1]),
        o.0.interleave_shfl_f32s(f[2]),
    ];
    let mut first = [zero; 4];
    if DAMPED {
        let mut row = 0;
        while row < 3 {
            first[row] = o.minus_sum([f[0][row], f[1][row], f[2][row]]);
            row += 1;
        }
        first[3] = power;
        first = o.0.interleave_shfl_f32s(first);
    } else {
        // sums of rows, which saves a transposition
        let mut k = 0;
        while k < 4 {
            first[k] = o.minus_sum([rows[0][k], rows[1][k], rows[2][k]]);
            k += 1;
        }
    }
    let [a, b, c] = rows;
    [first, a, b, c]
}

/// The lanes at which the second and the third share of a block begin.
///
/// With eight lanes in sixteen registers, a block has more instructions than the out-of-order window of the processor: loads and stores are interleaved with arithmetic.
/// With sixteen lanes there are enough registers to add everything in the first share.
pub(super) const fn shares(lanes: usize) -> [usize; 2] {
    if lanes > 8 {
        [lanes; 2]
    } else {
        [lanes / 4, lanes * 5 / 8]
    }
}

/// Adds corner forces of the tetrahedra in `share` to their nodes, one after the other: an order that does not depend on the number of lanes.
#[inline(always)]
pub(super) fn scatter<S: Simd>(
    share: Range<usize>,
    corners: &[[u16; 4]],
    out: &[[S::f32s; 4]; 4],
    forces: &mut Local,
) {
    let rows: [&[[f32; 4]]; 4] = [
        bytemuck::cast_slice(&out[0]),
        bytemuck::cast_slice(&out[1]),
        bytemuck::cast_slice(&out[2]),
        bytemuck::cast_slice(&out[3]),
    ];
    let mut lane = share.start;
    while lane < share.end {
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
