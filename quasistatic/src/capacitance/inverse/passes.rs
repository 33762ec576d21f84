//! Passes over an inverse while it is bordered by up to three rows: vector arithmetic, columns padded with zeros to whole vectors.

use pulp::{Simd, WithSimd};

/// Most rows that are added at once: the axes of a node.
pub const BLOCK: usize = 3;
/// Numbers of the widest vector; columns are padded to a multiple.
pub(super) const ROOM: usize = 8;

/// Vectors of rows that are held in registers while the columns go by; the rest is matched one by one below.
const PANEL: usize = 4;

/// `P = C⁻¹ C12` and `Q = C21 C⁻¹`.
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
    /// Whether the rows are the columns and the inverse is symmetric up to rounding: `Q = Pᵀ` then.
    pub symmetric: bool,
    /// Results: `P` and `Qᵀ`, three columns each, `padded` apart.
    pub p: &'a mut [f64],
    pub q: &'a mut [f64],
}

impl WithSimd for ResponsePass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        if self.size == 0 {
            return;
        }
        let vectors = self.padded / S::F64_LANES;
        let mut i = 0;
        while i + PANEL <= vectors {
            self.panel::<S, PANEL>(simd, i);
            i += PANEL;
        }
        // what is left goes together too: one vector alone waits for its own sums
        match vectors - i {
            3 => self.panel::<S, 3>(simd, i),
            2 => self.panel::<S, 2>(simd, i),
            1 => self.panel::<S, 1>(simd, i),
            _ => {}
        }
        if self.symmetric {
            self.q.copy_from_slice(self.p);
            return;
        }
        let mut j = 0;
        while j + PANEL <= self.size {
            self.products::<S, PANEL>(simd, j);
            j += PANEL;
        }
        while j < self.size {
            self.products::<S, 1>(simd, j);
            j += 1;
        }
    }
}

impl ResponsePass<'_> {
    /// `N` vectors of rows of `P`, from vector `i` on.
    #[inline(always)]
    fn panel<S: Simd, const N: usize>(&mut self, simd: S, i: usize) {
        let n = self.padded;
        let (c0, rest) = self.columns.split_at(n);
        let (c1, c2) = rest.split_at(n);
        let zero = simd.splat_f64s(0.0);
        let (mut p0, mut p1, mut p2) = ([zero; N], [zero; N], [zero; N]);
        let columns = self.inverse.chunks_exact(self.stride).take(self.size);
        for (((column, a), b), c) in columns.zip(c0).zip(c1).zip(c2) {
            let x = &S::as_simd_f64s(column).0[i..i + N];
            let (a, b, c) = (
                simd.splat_f64s(*a),
                simd.splat_f64s(*b),
                simd.splat_f64s(*c),
            );
            for k in 0..N {
                p0[k] = simd.mul_add_f64s(x[k], a, p0[k]);
                p1[k] = simd.mul_add_f64s(x[k], b, p1[k]);
                p2[k] = simd.mul_add_f64s(x[k], c, p2[k]);
            }
        }
        let (out, _) = S::as_mut_simd_f64s(self.p);
        let vectors = n / S::F64_LANES;
        out[i..i + N].copy_from_slice(&p0);
        out[vectors + i..vectors + i + N].copy_from_slice(&p1);
        out[2 * vectors + i..2 * vectors + i + N].copy_from_slice(&p2);
    }

    /// `N` columns of `Q`, from column `j` on.
    #[inline(always)]
    fn products<S: Simd, const N: usize>(&mut self, simd: S, j: usize) {
        let n = self.padded;
        let vectors = n / S::F64_LANES;
        let (rows, _) = S::as_simd_f64s(self.rows);
        let (r0, rest) = rows.split_at(vectors);
        let (r1, r2) = rest.split_at(vectors);
        let mut columns = [r0; N];
        for (k, column) in columns.iter_mut().enumerate() {
            let at = (j + k) * self.stride;
            *column = S::as_simd_f64s(&self.inverse[at..at + n]).0;
        }
        let zero = simd.splat_f64s(0.0);
        let (mut q0, mut q1, mut q2) = ([zero; N], [zero; N], [zero; N]);
        for (i, ((a, b), c)) in r0.iter().zip(r1).zip(r2).enumerate() {
            for k in 0..N {
                let x = columns[k][i];
                q0[k] = simd.mul_add_f64s(x, *a, q0[k]);
                q1[k] = simd.mul_add_f64s(x, *b, q1[k]);
                q2[k] = simd.mul_add_f64s(x, *c, q2[k]);
            }
        }
        for k in 0..N {
            self.q[j + k] = simd.reduce_sum_f64s(q0[k]);
            self.q[n + j + k] = simd.reduce_sum_f64s(q1[k]);
            self.q[2 * n + j + k] = simd.reduce_sum_f64s(q2[k]);
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
    fn with_simd<S: Simd>(mut self, simd: S) {
        if self.size == 0 {
            return;
        }
        let vectors = self.padded / S::F64_LANES;
        let mut i = 0;
        while i + PANEL <= vectors {
            self.panel::<S, PANEL>(simd, i);
            i += PANEL;
        }
        // what is left goes together too: one vector alone waits for its own sums
        match vectors - i {
            3 => self.panel::<S, 3>(simd, i),
            2 => self.panel::<S, 2>(simd, i),
            1 => self.panel::<S, 1>(simd, i),
            _ => {}
        }
    }
}

impl CorrectionPass<'_> {
    /// `N` vectors of rows, from vector `i` on.
    #[inline(always)]
    fn panel<S: Simd, const N: usize>(&mut self, simd: S, i: usize) {
        let n = self.padded;
        let vectors = n / S::F64_LANES;
        let zero = simd.splat_f64s(0.0);
        let (p, _) = S::as_simd_f64s(self.p);
        let (mut p0, mut p1, mut p2) = ([zero; N], [zero; N], [zero; N]);
        p0.copy_from_slice(&p[i..i + N]);
        p1.copy_from_slice(&p[vectors + i..vectors + i + N]);
        p2.copy_from_slice(&p[2 * vectors + i..2 * vectors + i + N]);
        let (w0, rest) = self.w.split_at(n);
        let (w1, w2) = rest.split_at(n);
        let columns = self.inverse.chunks_exact_mut(self.stride).take(self.size);
        for (((column, a), b), c) in columns.zip(w0).zip(w1).zip(w2) {
            let x = &mut S::as_mut_simd_f64s(column).0[i..i + N];
            let (a, b, c) = (
                simd.splat_f64s(*a),
                simd.splat_f64s(*b),
                simd.splat_f64s(*c),
            );
            for k in 0..N {
                let near = simd.mul_add_f64s(p1[k], b, simd.mul_add_f64s(p0[k], a, x[k]));
                x[k] = simd.mul_add_f64s(p2[k], c, near);
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
