//! Stress laws on one lane: matrices are nine numbers, row by row, so that loops over lanes become vector code.

use pliant_core::elasticity::law::{NeoHookeanConstants, first_piola_kirchhoff_stress};
use pliant_core::material::{LameParameters, MaterialLaw};
use pliant_core::math::Mat3;

use crate::force::ElementConstants;

/// `Σ_k edge_k g_kᵀ`, row by row.
#[inline(always)]
pub(super) fn gradient(edges: &[f64; 9], g: &[f64; 9]) -> [f64; 9] {
    let mut m = [0.0; 9];
    for row in 0..3 {
        for column in 0..3 {
            m[3 * row + column] = edges[row] * g[column]
                + edges[3 + row] * g[3 + column]
                + edges[6 + row] * g[6 + column];
        }
    }
    m
}

#[inline(always)]
pub(super) fn determinant(m: &[f64; 9]) -> f64 {
    m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
        + m[2] * (m[3] * m[7] - m[4] * m[6])
}

/// `F (a I + b E)` for a symmetric `E` given as xx, yy, zz, yz, xz, xy.
#[inline(always)]
pub(super) fn symmetric_product(f: &[f64; 9], a: f64, b: f64, e: &[f64; 6]) -> [f64; 9] {
    let s = [
        a + b * e[0],
        a + b * e[1],
        a + b * e[2],
        b * e[3],
        b * e[4],
        b * e[5],
    ];
    let mut p = [0.0; 9];
    for row in 0..3 {
        let (x, y, z) = (f[3 * row], f[3 * row + 1], f[3 * row + 2]);
        p[3 * row] = x * s[0] + y * s[5] + z * s[4];
        p[3 * row + 1] = x * s[5] + y * s[1] + z * s[3];
        p[3 * row + 2] = x * s[4] + y * s[3] + z * s[2];
    }
    p
}

/// A stress law for one lane: first Piola–Kirchhoff stress from `F` (row by row) and its determinant.
pub(super) trait LaneLaw: Sync {
    fn new(constants: &ElementConstants) -> Self;
    fn stress(&self, f: &[f64; 9], determinant: f64) -> [f64; 9];
}

pub(super) struct GreenLaw {
    lambda: f64,
    two_mu: f64,
}

impl LaneLaw for GreenLaw {
    fn new(c: &ElementConstants) -> Self {
        Self {
            lambda: c.lame.lambda,
            two_mu: 2.0 * c.lame.mu,
        }
    }

    #[inline(always)]
    fn stress(&self, f: &[f64; 9], _: f64) -> [f64; 9] {
        let h = minus_identity(f);
        // E = ½(H + Hᵀ + HᵀH)
        let product = |i: usize, j: usize| h[i] * h[j] + h[3 + i] * h[3 + j] + h[6 + i] * h[6 + j];
        let e = [
            h[0] + 0.5 * product(0, 0),
            h[4] + 0.5 * product(1, 1),
            h[8] + 0.5 * product(2, 2),
            0.5 * (h[5] + h[7] + product(1, 2)),
            0.5 * (h[2] + h[6] + product(0, 2)),
            0.5 * (h[1] + h[3] + product(0, 1)),
        ];
        symmetric_product(f, self.lambda * (e[0] + e[1] + e[2]), self.two_mu, &e)
    }
}

pub(super) struct CauchyLaw {
    lambda: f64,
    mu: f64,
}

impl LaneLaw for CauchyLaw {
    fn new(c: &ElementConstants) -> Self {
        Self {
            lambda: c.lame.lambda,
            mu: c.lame.mu,
        }
    }

    #[inline(always)]
    fn stress(&self, f: &[f64; 9], _: f64) -> [f64; 9] {
        let h = minus_identity(f);
        let pressure = self.lambda * (h[0] + h[4] + h[8]);
        let mut p = [0.0; 9];
        for row in 0..3 {
            for column in 0..3 {
                p[3 * row + column] = self.mu * (h[3 * row + column] + h[3 * column + row]);
            }
            p[4 * row] += pressure;
        }
        p
    }
}

pub(super) struct SimplifiedLaw {
    lambda_mu: f64,
    mu: f64,
}

impl LaneLaw for SimplifiedLaw {
    fn new(c: &ElementConstants) -> Self {
        Self {
            lambda_mu: c.lame.lambda + c.lame.mu,
            mu: c.lame.mu,
        }
    }

    #[inline(always)]
    fn stress(&self, f: &[f64; 9], _: f64) -> [f64; 9] {
        let h = minus_identity(f);
        let pressure = self.lambda_mu * (h[0] + h[4] + h[8]);
        let mut p = h.map(|x| self.mu * x);
        for row in 0..3 {
            p[4 * row] += pressure;
        }
        p
    }
}

pub(super) struct NeoHookeanLaw(NeoHookeanConstants);

impl LaneLaw for NeoHookeanLaw {
    fn new(c: &ElementConstants) -> Self {
        Self(c.lame.into())
    }

    #[inline(always)]
    fn stress(&self, f: &[f64; 9], determinant: f64) -> [f64; 9] {
        let n = &self.0;
        let ic: f64 = f.iter().map(|x| x * x).sum();
        let a = n.mu * (1.0 - 1.0 / (ic + 1.0));
        let b = n.lambda * (determinant - n.alpha);
        let mut p = [0.0; 9];
        for row in 0..3 {
            for column in 0..3 {
                let (r1, r2) = (3 * ((row + 1) % 3), 3 * ((row + 2) % 3));
                let (c1, c2) = ((column + 1) % 3, (column + 2) % 3);
                let cofactor = f[r1 + c1] * f[r2 + c2] - f[r1 + c2] * f[r2 + c1];
                p[3 * row + column] = a * f[3 * row + column] + b * cofactor;
            }
        }
        p
    }
}

/// Any law by its equations, for laws without a fast kernel.
pub(super) struct ReferenceLaw {
    lame: LameParameters,
    law: MaterialLaw,
}

impl LaneLaw for ReferenceLaw {
    fn new(c: &ElementConstants) -> Self {
        Self {
            lame: c.lame,
            law: c.law,
        }
    }

    #[inline(always)]
    fn stress(&self, f: &[f64; 9], _: f64) -> [f64; 9] {
        let stress = first_piola_kirchhoff_stress(&Mat3::from_row_slice(f), &self.lame, self.law);
        std::array::from_fn(|k| stress[(k / 3, k % 3)])
    }
}

#[inline(always)]
fn minus_identity(f: &[f64; 9]) -> [f64; 9] {
    let mut h = *f;
    h[0] -= 1.0;
    h[4] -= 1.0;
    h[8] -= 1.0;
    h
}
