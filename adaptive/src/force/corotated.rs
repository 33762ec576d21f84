//! The corotated law on one lane: the rotation by Newton's iteration.

use pliant_core::math::Mat3;
use pliant_core::math::polar::nearest_rotation;

use crate::force::ElementConstants;
use crate::force::lane_law::{LaneLaw, determinant};

/// Volume ratio over the cube of the mean stretch below which the iteration would be slow, or lead to a mirrored rotation.
const NEARLY_FLAT: f64 = 1e-2;
/// Largest number of iterations; four or five are enough for strains that occur.
const MAX_STEPS: usize = 16;
/// Squared change of the rotation below which the iteration has converged to round-off.
const CONVERGED: f64 = 1e-30;

/// `P = 2μ (F − R) + λ tr(RᵀF − I) R`.
pub(super) struct CorotatedLaw {
    lambda: f64,
    two_mu: f64,
}

impl LaneLaw for CorotatedLaw {
    fn new(c: &ElementConstants) -> Self {
        Self {
            lambda: c.lame.lambda,
            two_mu: 2.0 * c.lame.mu,
        }
    }

    #[inline(always)]
    fn stress(&self, f: &[f64; 9], determinant: f64) -> [f64; 9] {
        let r = rotation(f, determinant);
        let trace: f64 = r.iter().zip(f).map(|(r, f)| r * f).sum();
        let pressure = self.lambda * (trace - 3.0);
        std::array::from_fn(|k| self.two_mu * (f[k] - r[k]) + pressure * r[k])
    }
}

/// Rotation nearest to `f`: `Q ← ½ (γ Q + Q⁻ᵀ/γ)` with Higham's scaling (Higham 1986), or by singular values where `f` is nearly flat or mirrored.
fn rotation(f: &[f64; 9], volume_ratio: f64) -> [f64; 9] {
    let mean_stretch = (f.iter().map(|x| x * x).sum::<f64>() / 3.0).sqrt();
    if volume_ratio < NEARLY_FLAT * mean_stretch.powi(3) || !mean_stretch.is_finite() {
        let r = nearest_rotation(&Mat3::from_row_slice(f)).transpose();
        let mut rows = [0.0; 9];
        rows.copy_from_slice(r.as_slice());
        return rows;
    }
    let mut q = *f;
    for _ in 0..MAX_STEPS {
        let c = cofactor(&q);
        let d = determinant(&q);
        let norm = |m: &[f64; 9]| m.iter().map(|x| x * x).sum::<f64>();
        let scale = (norm(&c) / (norm(&q) * d * d)).sqrt().sqrt();
        let (mut change, inverse) = (0.0, 1.0 / (scale * d));
        for (q, c) in q.iter_mut().zip(c) {
            let next = 0.5 * (scale * *q + inverse * c);
            change += (next - *q).powi(2);
            *q = next;
        }
        if change < CONVERGED {
            break;
        }
    }
    q
}

fn cofactor(m: &[f64; 9]) -> [f64; 9] {
    let minor = |a: usize, b: usize, c: usize, d: usize| m[a] * m[d] - m[b] * m[c];
    [
        minor(4, 5, 7, 8),
        minor(5, 3, 8, 6),
        minor(3, 4, 6, 7),
        minor(7, 8, 1, 2),
        minor(8, 6, 2, 0),
        minor(6, 7, 0, 1),
        minor(1, 2, 4, 5),
        minor(2, 0, 5, 3),
        minor(0, 1, 3, 4),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    #[test]
    fn the_iteration_agrees_with_singular_values() {
        for k in 0..200 {
            let a = f64::from(k);
            let turn = Rotation3::from_euler_angles(a, 2.3 * a, -0.7 * a).into_inner();
            let stretch = Mat3::from_diagonal(&nalgebra::Vector3::new(
                1.0 + 0.9 * (1.1 * a).sin(),
                1.0 + 0.95 * (1.7 * a).cos(),
                // mirrored now and then
                1.0 + 1.2 * (2.3 * a).sin(),
            ));
            let skew = Rotation3::from_euler_angles(-a, 0.4, a).into_inner();
            let f = turn * skew * stretch * skew.transpose();
            let rows: Vec<f64> = f.transpose().as_slice().to_vec();
            let rows: [f64; 9] = rows.try_into().expect("nine");
            let r = Mat3::from_row_slice(&rotation(&rows, f.determinant()));
            assert!((r - nearest_rotation(&f)).norm() < 1e-11, "{k}");
        }
    }
}
