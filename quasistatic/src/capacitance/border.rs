//! Passes over an inverse while it is bordered by up to three rows: vector arithmetic, columns padded with zeros to whole vectors.

use pulp::{Simd, WithSimd};

/// Most rows that are added at once: the axes of a node.
pub(super) const BLOCK: usize = 3;
/// Numbers of the widest vector; columns are padded to a multiple.
pub(super) const ROOM: usize = 8;

/// `P = C⁻¹ C12` and `Q = C21 C⁻¹` in one pass.
pub(super) struct ResponsePass<'a> {
    /// Columns of the inverse, `stride` apart.
    pub inverse: &'a [f64],
    pub stride: usize,
    /// Rows in use and rounded up to whole vectors.
    pub size: usize,
    pub padded: usize,
    /// Three columns of `C12`, `padded` apart, zero behind `size`.
    pub columns: &'a [f64],
    /// Three rows of `C21`, `padded` apart, zero behind `size`.
    pub rows: &'a [f64],
    /// Results: `P` and `Qᵀ`, three columns each, `padded` apart.
    pub p: &'a mut [f64],
    pub q: &'a mut [f64],
}

impl WithSimd for ResponsePass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let n = self.padded;
        let (c0, rest) = self.columns.split_at(n);
        let (c1, c2) = rest.split_at(n);
        let (r0, rest) = self.rows.split_at(n);
        let (r1, r2) = rest.split_at(n);
        let (r0, _) = S::as_simd_f64s(r0);
        let (r1, _) = S::as_simd_f64s(r1);
        let (r2, _) = S::as_simd_f64s(&r2[..n]);
        self.p.fill(0.0);
        let (p0, rest) = self.p.split_at_mut(n);
        let (p1, p2) = rest.split_at_mut(n);
        let (p0, _) = S::as_mut_simd_f64s(p0);
        let (p1, _) = S::as_mut_simd_f64s(p1);
        let (p2, _) = S::as_mut_simd_f64s(&mut p2[..n]);
        let zero = simd.splat_f64s(0.0);
        let mut j = 0;
        while j < self.size {
            // behind an odd last column comes itself again, with factors of zero
            let k = if j + 1 < self.size { j + 1 } else { j };
            let both = if k > j { 1.0 } else { 0.0 };
            let (x, _) = S::as_simd_f64s(&self.inverse[j * self.stride..][..n]);
            let (y, _) = S::as_simd_f64s(&self.inverse[k * self.stride..][..n]);
            let (a0, a1, a2) = (
                simd.splat_f64s(c0[j]),
                simd.splat_f64s(c1[j]),
                simd.splat_f64s(c2[j]),
            );
            let (b0, b1, b2) = (
                simd.splat_f64s(both * c0[k]),
                simd.splat_f64s(both * c1[k]),
                simd.splat_f64s(both * c2[k]),
            );
            let (mut s0, mut s1, mut s2) = (zero, zero, zero);
            let (mut t0, mut t1, mut t2) = (zero, zero, zero);
            for i in 0..x.len() {
                let (u, v) = (x[i], y[i]);
                p0[i] = simd.mul_add_f64s(v, b0, simd.mul_add_f64s(u, a0, p0[i]));
                p1[i] = simd.mul_add_f64s(v, b1, simd.mul_add_f64s(u, a1, p1[i]));
                p2[i] = simd.mul_add_f64s(v, b2, simd.mul_add_f64s(u, a2, p2[i]));
                s0 = simd.mul_add_f64s(u, r0[i], s0);
                s1 = simd.mul_add_f64s(u, r1[i], s1);
                s2 = simd.mul_add_f64s(u, r2[i], s2);
                t0 = simd.mul_add_f64s(v, r0[i], t0);
                t1 = simd.mul_add_f64s(v, r1[i], t1);
                t2 = simd.mul_add_f64s(v, r2[i], t2);
            }
            self.q[j] = simd.reduce_sum_f64s(s0);
            self.q[n + j] = simd.reduce_sum_f64s(s1);
            self.q[2 * n + j] = simd.reduce_sum_f64s(s2);
            self.q[k] = if k > j {
                simd.reduce_sum_f64s(t0)
            } else {
                self.q[k]
            };
            self.q[n + k] = if k > j {
                simd.reduce_sum_f64s(t1)
            } else {
                self.q[n + k]
            };
            self.q[2 * n + k] = if k > j {
                simd.reduce_sum_f64s(t2)
            } else {
                self.q[2 * n + k]
            };
            j += 2;
        }
    }
}

/// `inverse += P W` for three columns of `P` and three rows of `W`.
pub(super) struct CorrectionPass<'a> {
    /// Columns to change, `stride` apart.
    pub inverse: &'a mut [f64],
    pub stride: usize,
    pub size: usize,
    pub padded: usize,
    /// Three columns, `padded` apart, zero behind `size`.
    pub p: &'a [f64],
    /// Three rows, `padded` apart.
    pub w: &'a [f64],
}

impl WithSimd for CorrectionPass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let n = self.padded;
        let (p0, rest) = self.p.split_at(n);
        let (p1, p2) = rest.split_at(n);
        let (p0, _) = S::as_simd_f64s(p0);
        let (p1, _) = S::as_simd_f64s(p1);
        let (p2, _) = S::as_simd_f64s(&p2[..n]);
        for j in 0..self.size {
            let (x, _) = S::as_mut_simd_f64s(&mut self.inverse[j * self.stride..][..n]);
            let w0 = simd.splat_f64s(self.w[j]);
            let w1 = simd.splat_f64s(self.w[n + j]);
            let w2 = simd.splat_f64s(self.w[2 * n + j]);
            for i in 0..x.len() {
                let near = simd.mul_add_f64s(p1[i], w1, simd.mul_add_f64s(p0[i], w0, x[i]));
                x[i] = simd.mul_add_f64s(p2[i], w2, near);
            }
        }
    }
}

/// `out = A x`, columns `stride` apart.
pub(super) struct MultiplyPass<'a> {
    pub values: &'a [f64],
    pub stride: usize,
    pub size: usize,
    pub padded: usize,
    pub x: &'a [f64],
    /// `padded` numbers.
    pub out: &'a mut [f64],
}

impl WithSimd for MultiplyPass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let n = self.padded;
        self.out.fill(0.0);
        let (out, _) = S::as_mut_simd_f64s(&mut self.out[..n]);
        let mut j = 0;
        while j + 4 <= self.size {
            let column = |k: usize| S::as_simd_f64s(&self.values[(j + k) * self.stride..][..n]).0;
            let (a, b, c, d) = (column(0), column(1), column(2), column(3));
            let (xa, xb) = (simd.splat_f64s(self.x[j]), simd.splat_f64s(self.x[j + 1]));
            let (xc, xd) = (
                simd.splat_f64s(self.x[j + 2]),
                simd.splat_f64s(self.x[j + 3]),
            );
            for i in 0..out.len() {
                let two = simd.mul_add_f64s(b[i], xb, simd.mul_add_f64s(a[i], xa, out[i]));
                out[i] = simd.mul_add_f64s(d[i], xd, simd.mul_add_f64s(c[i], xc, two));
            }
            j += 4;
        }
        while j < self.size {
            let (a, _) = S::as_simd_f64s(&self.values[j * self.stride..][..n]);
            let x = simd.splat_f64s(self.x[j]);
            for i in 0..out.len() {
                out[i] = simd.mul_add_f64s(a[i], x, out[i]);
            }
            j += 1;
        }
    }
}
