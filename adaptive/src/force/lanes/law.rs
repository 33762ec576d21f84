//! Stress laws on lanes, in terms of the displacement gradient `H = F − I`, so that small strains are no differences of large numbers.

use pliant_core::elasticity::law::{NEO_HOOKEAN_LIMIT, NeoHookeanConstants};
use pliant_core::material::MaterialLaw;
use pulp::Simd;

use crate::force::ElementConstants;
use crate::force::lanes::level::Lanes;
use crate::force::lanes::matrix::{Matrix, cofactor_and_growth, columns, times_symmetric};

/// First Piola–Kirchhoff stress times `factor`.
pub(super) trait Law: Copy + Send + Sync {
    /// Whether nearly inverted elements need a look.
    const MAY_COLLAPSE: bool;

    fn new(constants: &ElementConstants) -> Self;

    fn stress<S: Simd, const FUSED: bool>(
        &self,
        o: Lanes<S, FUSED>,
        h: &Matrix<S>,
        factor: S::f32s,
    ) -> Stress<S>;
}

/// Whether a law has a kernel here. Corotated has none: small strains are differences of large numbers there.
pub(crate) fn has_lanes(law: MaterialLaw) -> bool {
    law != MaterialLaw::Corotated
}

/// What a law returns.
pub(super) struct Stress<S: Simd> {
    pub(super) piola: Matrix<S>,
    /// a number that is above [`COLLAPSE`] wherever the volume ratio is below a fifth; zero where the law does not care
    pub(super) collapse: S::f32s,
}

/// `|E|²` from which on the volume ratio may be below a fifth: then the smallest principal stretch is below `0.2^(1/3) = 0.585`, its strain below
/// `(0.585² − 1)/2 = −0.329`.
pub(super) const COLLAPSE: f32 = 0.108;

/// St. Venant–Kirchhoff with Green strain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Green {
    lambda: f32,
    mu: f32,
}

impl Law for Green {
    const MAY_COLLAPSE: bool = true;

    fn new(c: &ElementConstants) -> Self {
        Self {
            lambda: c.lame.lambda as f32,
            mu: c.lame.mu as f32,
        }
    }

    #[inline(always)]
    fn stress<S: Simd, const FUSED: bool>(
        &self,
        o: Lanes<S, FUSED>,
        h: &Matrix<S>,
        factor: S::f32s,
    ) -> Stress<S> {
        let half = o.splat(0.5);
        // E = ½(H + Hᵀ + HᵀH), off-diagonal entries doubled
        let xx = o.fma(half, columns(o, h, 0, h, 0), h[0]);
        let yy = o.fma(half, columns(o, h, 1, h, 1), h[4]);
        let zz = o.fma(half, columns(o, h, 2, h, 2), h[8]);
        let yz = o.add(o.add(h[5], h[7]), columns(o, h, 1, h, 2));
        let xz = o.add(o.add(h[2], h[6]), columns(o, h, 0, h, 2));
        let xy = o.add(o.add(h[1], h[3]), columns(o, h, 0, h, 1));
        let mu = o.mul(o.splat(self.mu), factor);
        let two_mu = o.add(mu, mu);
        let pressure = o.mul(
            o.mul(o.splat(self.lambda), factor),
            o.add(o.add(xx, yy), zz),
        );
        let s = [
            o.fma(two_mu, xx, pressure),
            o.fma(two_mu, yy, pressure),
            o.fma(two_mu, zz, pressure),
            o.mul(mu, yz),
            o.mul(mu, xz),
            o.mul(mu, xy),
        ];
        let off = o.mul(half, o.dot([yz, xz, xy], [yz, xz, xy]));
        Stress {
            piola: times_symmetric(o, h, s),
            collapse: o.add(off, o.dot([xx, yy, zz], [xx, yy, zz])),
        }
    }
}

/// Infinitesimal strain; `SYMMETRIC` false leaves the transposed gradient out (the Navier form).
#[derive(Debug, Clone, Copy)]
pub(super) struct Linear<const SYMMETRIC: bool> {
    bulk: f32,
    mu: f32,
}

impl<const SYMMETRIC: bool> Law for Linear<SYMMETRIC> {
    const MAY_COLLAPSE: bool = false;

    fn new(c: &ElementConstants) -> Self {
        let extra = if SYMMETRIC { 0.0 } else { c.lame.mu };
        Self {
            bulk: (c.lame.lambda + extra) as f32,
            mu: c.lame.mu as f32,
        }
    }

    #[inline(always)]
    fn stress<S: Simd, const FUSED: bool>(
        &self,
        o: Lanes<S, FUSED>,
        h: &Matrix<S>,
        factor: S::f32s,
    ) -> Stress<S> {
        let mu = o.mul(o.splat(self.mu), factor);
        let pressure = o.mul(
            o.mul(o.splat(self.bulk), factor),
            o.add(o.add(h[0], h[4]), h[8]),
        );
        let mut p = *h;
        let mut row = 0;
        while row < 3 {
            let mut column = 0;
            while column < 3 {
                let entry = h[3 * row + column];
                let both = if SYMMETRIC {
                    o.add(entry, h[3 * column + row])
                } else {
                    entry
                };
                p[3 * row + column] = o.mul(mu, both);
                column += 1;
            }
            p[4 * row] = o.add(p[4 * row], pressure);
            row += 1;
        }
        Stress {
            piola: p,
            collapse: o.splat(0.0),
        }
    }
}

/// Stable neo-Hookean of Smith, de Goes, Kim 2018, written so that the stress at rest is zero to the bit:
/// `P = ¾μ (H − K) + μ i/(4(4 + i)) F + λ (J − 1) cof F` with `cof F = I + K` and `i = tr FᵀF − 3`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NeoHookean {
    lambda: f32,
    mu: f32,
}

impl Law for NeoHookean {
    const MAY_COLLAPSE: bool = false;

    fn new(c: &ElementConstants) -> Self {
        let n: NeoHookeanConstants = c.lame.into();
        Self {
            lambda: n.lambda as f32,
            mu: n.mu as f32,
        }
    }

    #[inline(always)]
    fn stress<S: Simd, const FUSED: bool>(
        &self,
        o: Lanes<S, FUSED>,
        h: &Matrix<S>,
        factor: S::f32s,
    ) -> Stress<S> {
        let trace = o.add(o.add(h[0], h[4]), h[8]);
        let mut squares = o.mul(h[0], h[0]);
        let mut k = 1;
        while k < 9 {
            squares = o.fma(h[k], h[k], squares);
            k += 1;
        }
        let i = o.add(o.add(trace, trace), squares);
        let (difference, growth) = cofactor_and_growth(o, h);
        let mu = o.mul(o.splat(self.mu), factor);
        let four = o.splat(4.0);
        let a = o.mul(mu, o.splat(0.75));
        let b = o.div(o.mul(mu, i), o.mul(four, o.add(four, i)));
        let c = o.mul(o.mul(o.splat(self.lambda), factor), growth);
        let on_diagonal = o.add(b, c);
        let mut p = *h;
        let mut k = 0;
        while k < 9 {
            let first = o.mul(a, o.sub(h[k], difference[k]));
            p[k] = o.fma(b, h[k], o.fma(c, difference[k], first));
            if k % 4 == 0 {
                p[k] = o.add(p[k], on_diagonal);
            }
            k += 1;
        }
        Stress {
            piola: p,
            collapse: o.splat(0.0),
        }
    }
}

/// Neo-Hookean with the logarithm of the volume ratio, written so that the stress at rest is zero to the bit:
/// `P = μ (H − K) + (λ ln J + μ (J − 1))/J cof F` with `cof F = I + K`. Below its limit `J` stays there.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogNeoHookean {
    lambda: f32,
    mu: f32,
}

impl Law for LogNeoHookean {
    const MAY_COLLAPSE: bool = true;

    fn new(c: &ElementConstants) -> Self {
        Self {
            lambda: c.lame.lambda as f32,
            mu: c.lame.mu as f32,
        }
    }

    #[inline(always)]
    fn stress<S: Simd, const FUSED: bool>(
        &self,
        o: Lanes<S, FUSED>,
        h: &Matrix<S>,
        factor: S::f32s,
    ) -> Stress<S> {
        let (difference, growth) = cofactor_and_growth(o, h);
        let lower_limit = (NEO_HOOKEAN_LIMIT - 1.0) as f32;
        let clamped = o.0.max_f32s(growth, o.splat(lower_limit));
        let mu = o.mul(o.splat(self.mu), factor);
        let lambda = o.mul(o.splat(self.lambda), factor);
        let pressure = o.fma(lambda, log_of_one_and(o, clamped), o.mul(mu, clamped));
        let c = o.div(pressure, o.add(o.splat(1.0), clamped));
        let mut p = *h;
        let mut k = 0;
        while k < 9 {
            p[k] = o.fma(c, difference[k], o.mul(mu, o.sub(h[k], difference[k])));
            if k % 4 == 0 {
                p[k] = o.add(p[k], c);
            }
            k += 1;
        }
        // above COLLAPSE from a little above the limit down
        let from = COLLAPSE + 1e-3 + lower_limit;
        Stress {
            piola: p,
            collapse: o.sub(o.splat(from), growth),
        }
    }
}

/// `ln(1 + x)` for `x` from −0.8 to 250, to the last digits of single precision: `8 ln r` of the eighth root `r`, `ln r = 2 artanh((r − 1)/(r + 1))`. Roots and
/// quotients are rounded alike on every machine.
#[inline(always)]
fn log_of_one_and<S: Simd, const FUSED: bool>(o: Lanes<S, FUSED>, x: S::f32s) -> S::f32s {
    let one = o.splat(1.0);
    let mut root = x;
    let mut k = 0;
    while k < 3 {
        // √(1 + x) − 1 without a difference
        root = o.div(root, o.add(one, o.0.sqrt_f32s(o.add(one, root))));
        k += 1;
    }
    let z = o.div(root, o.add(o.splat(2.0), root));
    let square = o.mul(z, z);
    let mut sum = o.splat(1.0 / 13.0);
    let mut odd = 11;
    while odd > 0 {
        sum = o.fma(sum, square, o.splat(1.0 / odd as f32));
        odd -= 2;
    }
    o.mul(o.splat(16.0), o.mul(z, sum))
}
