//! Passes over one half of a symmetric inverse that add or remove up to three rows, in vector arithmetic on columns of full vectors.

use pulp::{Simd, WithSimd};

use super::packed::{GROUP, column_range, numbers};

/// Most rows that are added at once: the axes of a node.
pub const BLOCK: usize = 3;

/// Three columns of padded numbers as vectors.
#[inline(always)]
fn three_columns<S: Simd>(columns: &[f64], padded: usize) -> [&[S::f64s]; BLOCK] {
    let vectors = padded / S::F64_LANES;
    let (all, _) = S::as_simd_f64s(columns);
    let (first, rest) = all.split_at(vectors);
    let (second, third) = rest.split_at(vectors);
    [first, second, &third[..vectors]]
}

/// `P = C⁻¹ C12` for three columns, and `C21 P`.
pub(super) struct ResponsePass<'a> {
    /// The inverse, packed.
    pub inverse: &'a [f64],
    /// Rows in use and rounded up to whole groups.
    pub size: usize,
    pub padded: usize,
    /// Three columns of `C12`, `padded` apart, zero behind `size`.
    pub columns: &'a [f64],
    /// `P`, three columns, `padded` apart: zero before and behind `size`.
    pub p: &'a mut [f64],
}

impl WithSimd for ResponsePass<'_> {
    type Output = [[f64; BLOCK]; BLOCK];

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> Self::Output {
        for group in 0..self.padded / GROUP {
            for part in 0..GROUP / COLUMNS_TOGETHER {
                self.columns(simd, group, GROUP * group + COLUMNS_TOGETHER * part);
            }
        }
        for column in self.p.chunks_exact_mut(self.padded.max(1)) {
            column[self.size..].fill(0.0);
        }
        let (c, p) = (
            three_columns::<S>(self.columns, self.padded),
            three_columns::<S>(self.p, self.padded),
        );
        let mut products = [[simd.splat_f64s(0.0); BLOCK]; BLOCK];
        for i in 0..c[0].len() {
            for (row, c) in products.iter_mut().zip(&c) {
                for (sum, p) in row.iter_mut().zip(&p) {
                    *sum = simd.mul_add_e_f64s(c[i], p[i], *sum);
                }
            }
        }
        let mut sums = [[0.0; BLOCK]; BLOCK];
        for (out, row) in sums.iter_mut().zip(products) {
            for (out, sum) in out.iter_mut().zip(row) {
                *out = simd.reduce_sum_f64s(sum);
            }
        }
        sums
    }
}

/// Columns that are read side by side: their twelve sums and twelve factors stay in registers.
const COLUMNS_TOGETHER: usize = 4;

impl ResponsePass<'_> {
    /// Adds to `P` the contributions of the columns from `j` on, which belong to one group, and of their mirror images.
    #[inline(always)]
    fn columns<S: Simd>(&mut self, simd: S, group: usize, j: usize) {
        let vectors = self.padded / S::F64_LANES;
        let (start, length) = column_range(j);
        let rows = length / S::F64_LANES;
        let above = group * GROUP / S::F64_LANES;
        let (all, _) = S::as_simd_f64s(&self.inverse[start..start + COLUMNS_TOGETHER * length]);
        let (first, second) = all.split_at(2 * rows);
        let (x0, x1) = first.split_at(rows);
        let (x2, x3) = second.split_at(rows);
        let [c0, c1, c2] = three_columns::<S>(self.columns, self.padded).map(|c| &c[..rows]);
        let zero = simd.splat_f64s(0.0);
        let mut factors = [[zero; COLUMNS_TOGETHER]; BLOCK];
        for (c, factors) in factors.iter_mut().enumerate() {
            let numbers = &self.columns[c * self.padded + j..][..COLUMNS_TOGETHER];
            for (factor, number) in factors.iter_mut().zip(numbers) {
                *factor = simd.splat_f64s(*number);
            }
        }
        let mut sums = [[zero; COLUMNS_TOGETHER]; BLOCK];
        let (p, _) = S::as_mut_simd_f64s(self.p);
        let (p0, rest) = p.split_at_mut(vectors);
        let (p1, p2) = rest.split_at_mut(vectors);
        let (p0, p1, p2) = (&mut p0[..rows], &mut p1[..rows], &mut p2[..rows]);
        for i in 0..above {
            let x = [x0[i], x1[i], x2[i], x3[i]];
            let c = [c0[i], c1[i], c2[i]];
            let mut p = [p0[i], p1[i], p2[i]];
            for b in 0..BLOCK {
                for k in 0..COLUMNS_TOGETHER {
                    p[b] = simd.mul_add_e_f64s(x[k], factors[b][k], p[b]);
                    sums[b][k] = simd.mul_add_e_f64s(x[k], c[b], sums[b][k]);
                }
            }
            [p0[i], p1[i], p2[i]] = p;
        }
        // the square on the diagonal is stored in full
        for i in above..rows {
            let x = [x0[i], x1[i], x2[i], x3[i]];
            let mut p = [p0[i], p1[i], p2[i]];
            for b in 0..BLOCK {
                for k in 0..COLUMNS_TOGETHER {
                    p[b] = simd.mul_add_e_f64s(x[k], factors[b][k], p[b]);
                }
            }
            [p0[i], p1[i], p2[i]] = p;
        }
        for (out, sums) in self.p.chunks_exact_mut(self.padded).zip(sums) {
            for (out, sum) in out[j..j + COLUMNS_TOGETHER].iter_mut().zip(sums) {
                *out += simd.reduce_sum_f64s(sum);
            }
        }
    }
}

/// `W = T Pᵀ` for a block `T`, and `inverse += P W`.
pub(super) struct CorrectionPass<'a> {
    /// The inverse, packed.
    pub inverse: &'a mut [f64],
    pub padded: usize,
    /// Three columns, `padded` apart.
    pub p: &'a [f64],
    pub block: &'a [[f64; BLOCK]; BLOCK],
    /// `W`, three rows, `padded` apart.
    pub w: &'a mut [f64],
}

impl WithSimd for CorrectionPass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let n = self.padded;
        let [p0, p1, p2] = three_columns::<S>(self.p, n);
        for (out, row) in self.w.chunks_exact_mut(n.max(1)).zip(self.block) {
            let x = simd.splat_f64s(row[0]);
            let (y, z) = (simd.splat_f64s(row[1]), simd.splat_f64s(row[2]));
            let (out, _) = S::as_mut_simd_f64s(out);
            for (((w, a), b), c) in out.iter_mut().zip(p0).zip(p1).zip(p2) {
                let two = simd.mul_add_e_f64s(*b, y, simd.mul_f64s(*a, x));
                *w = simd.mul_add_e_f64s(*c, z, two);
            }
        }
        let mut values = self.inverse;
        for group in 0..n / GROUP {
            let length = (group + 1) * GROUP;
            let rows = length / S::F64_LANES;
            let (p0, p1, p2) = (&p0[..rows], &p1[..rows], &p2[..rows]);
            let (square, behind) = values.split_at_mut(GROUP * length);
            values = behind;
            for (part, columns) in square
                .chunks_exact_mut(COLUMNS_TOGETHER * length)
                .enumerate()
            {
                let j = GROUP * group + COLUMNS_TOGETHER * part;
                let mut factors = [[simd.splat_f64s(0.0); COLUMNS_TOGETHER]; BLOCK];
                for (w, factors) in self.w.chunks_exact(n).zip(&mut factors) {
                    for (factor, number) in factors.iter_mut().zip(&w[j..j + COLUMNS_TOGETHER]) {
                        *factor = simd.splat_f64s(*number);
                    }
                }
                let (all, _) = S::as_mut_simd_f64s(columns);
                let (first, second) = all.split_at_mut(2 * rows);
                let (x0, x1) = first.split_at_mut(rows);
                let (x2, x3) = second.split_at_mut(rows);
                for i in 0..rows {
                    let p = [p0[i], p1[i], p2[i]];
                    let mut x = [x0[i], x1[i], x2[i], x3[i]];
                    for b in 0..BLOCK {
                        for k in 0..COLUMNS_TOGETHER {
                            x[k] = simd.mul_add_e_f64s(p[b], factors[b][k], x[k]);
                        }
                    }
                    [x0[i], x1[i], x2[i], x3[i]] = x;
                }
            }
        }
    }
}

/// `out = A x` of a packed matrix.
pub(super) struct MultiplyPass<'a> {
    pub values: &'a [f64],
    /// `padded` numbers, zero behind the rows in use.
    pub x: &'a [f64],
    /// `padded` numbers.
    pub out: &'a mut [f64],
}

impl WithSimd for MultiplyPass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { values, x, out } = self;
        out.fill(0.0);
        let (x_vectors, _) = S::as_simd_f64s(x);
        let mut values = &values[..numbers(x.len())];
        for group in 0..x.len() / GROUP {
            let length = (group + 1) * GROUP;
            let above = group * GROUP / S::F64_LANES;
            let rows = length / S::F64_LANES;
            let (square, behind) = values.split_at(GROUP * length);
            values = behind;
            for (part, columns) in square.chunks_exact(COLUMNS_TOGETHER * length).enumerate() {
                let j = GROUP * group + COLUMNS_TOGETHER * part;
                let (all, _) = S::as_simd_f64s(columns);
                let (first, second) = all.split_at(2 * rows);
                let (a, b) = first.split_at(rows);
                let (c, d) = second.split_at(rows);
                let mut factors = [simd.splat_f64s(0.0); COLUMNS_TOGETHER];
                for (factor, number) in factors.iter_mut().zip(&x[j..j + COLUMNS_TOGETHER]) {
                    *factor = simd.splat_f64s(*number);
                }
                let mut sums = [simd.splat_f64s(0.0); COLUMNS_TOGETHER];
                {
                    let (out, _) = S::as_mut_simd_f64s(out);
                    let (out, x) = (&mut out[..rows], &x_vectors[..rows]);
                    for i in 0..rows {
                        let columns = [a[i], b[i], c[i], d[i]];
                        let mut sum = out[i];
                        for k in 0..COLUMNS_TOGETHER {
                            sum = simd.mul_add_e_f64s(columns[k], factors[k], sum);
                        }
                        out[i] = sum;
                        // the square on the diagonal is stored in full
                        if i < above {
                            for k in 0..COLUMNS_TOGETHER {
                                sums[k] = simd.mul_add_e_f64s(columns[k], x[i], sums[k]);
                            }
                        }
                    }
                }
                for (k, sum) in sums.into_iter().enumerate() {
                    out[j + k] += simd.reduce_sum_f64s(sum);
                }
            }
        }
    }
}
