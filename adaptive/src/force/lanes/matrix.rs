//! Arithmetic of the laws on lanes: products of matrices, cofactors.

use pulp::Simd;

use crate::force::lanes::level::Lanes;

/// Nine numbers a lane, row by row.
pub(super) type Matrix<S> = [<S as Simd>::f32s; 9];

/// `S + H S` for a symmetric `S` given as xx, yy, zz, yz, xz, xy: `F S`.
#[inline(always)]
pub(super) fn times_symmetric<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    h: &Matrix<S>,
    s: [S::f32s; 6],
) -> Matrix<S> {
    let full = [s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2]];
    let mut p = full;
    let mut row = 0;
    while row < 3 {
        let mut column = 0;
        while column < 3 {
            let mut sum = full[3 * row + column];
            let mut k = 0;
            while k < 3 {
                sum = o.fma(h[3 * row + k], full[3 * k + column], sum);
                k += 1;
            }
            p[3 * row + column] = sum;
            column += 1;
        }
        row += 1;
    }
    p
}

/// `Σ_r a_ri b_rj`.
#[inline(always)]
pub(super) fn columns<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    a: &Matrix<S>,
    i: usize,
    b: &Matrix<S>,
    j: usize,
) -> S::f32s {
    o.dot([a[i], a[3 + i], a[6 + i]], [b[j], b[3 + j], b[6 + j]])
}

/// `K` of `cof F = I + K`, and `J − 1`: neither is a difference of large numbers.
#[inline(always)]
pub(super) fn cofactor_and_growth<S: Simd, const FUSED: bool>(
    o: Lanes<S, FUSED>,
    h: &Matrix<S>,
) -> (Matrix<S>, S::f32s) {
    let trace = o.add(o.add(h[0], h[4]), h[8]);
    // K = (tr H) I − Hᵀ + cof H
    let mut cofactor = *h;
    let mut difference = *h;
    let mut row = 0;
    while row < 3 {
        let mut column = 0;
        while column < 3 {
            let (r1, r2) = (3 * ((row + 1) % 3), 3 * ((row + 2) % 3));
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3);
            let c = o.minor(h[r1 + c1], h[r2 + c2], h[r1 + c2], h[r2 + c1]);
            cofactor[3 * row + column] = c;
            difference[3 * row + column] = o.sub(c, h[3 * column + row]);
            column += 1;
        }
        difference[4 * row] = o.add(difference[4 * row], trace);
        row += 1;
    }
    // J − 1 = tr H + sum of principal minors + det H
    let minors = o.add(o.add(cofactor[0], cofactor[4]), cofactor[8]);
    let determinant = o.dot([h[0], h[1], h[2]], [cofactor[0], cofactor[1], cofactor[2]]);
    let growth = o.add(o.add(trace, minors), determinant);
    (difference, growth)
}
