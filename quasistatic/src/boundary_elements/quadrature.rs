//! Quadrature over a triangle: a far rule, collapsed Gauss rules for near points, and the rule with a singular corner.

use pliant_core::math::Vec3;

/// A quadrature rule on a triangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Barycentric coordinates and weight; the weights add up to 1.
    pub points: Vec<([f64; 3], f64)>,
}

impl Rule {
    /// Symmetric rule of degree 5 with seven points (Radon 1948), for distances of two edges and more.
    pub fn seven_points() -> Self {
        let root = 15.0_f64.sqrt();
        let mut points = vec![([1.0 / 3.0; 3], 9.0 / 40.0)];
        for sign in [1.0, -1.0] {
            let a = (6.0 + sign * root) / 21.0;
            let weight = (155.0 + sign * root) / 1200.0;
            for k in 0..3 {
                let mut at = [a; 3];
                at[k] = 1.0 - 2.0 * a;
                points.push((at, weight));
            }
        }
        Self { points }
    }

    /// `m × m` Gauss points collapsed at corner 0: exact for the singularity `1/R` there (Duffy 1982).
    pub fn collapsed(m: usize) -> Self {
        let gauss = gauss_legendre(m);
        let mut points = Vec::with_capacity(m * m);
        for &(s, ws) in &gauss {
            for &(t, wt) in &gauss {
                let at = [1.0 - s, s * (1.0 - t), s * t];
                points.push((at, 2.0 * s * ws * wt));
            }
        }
        Self { points }
    }
}

/// Points and weights on [0, 1], exact for polynomials of degree `2 m − 1`.
pub fn gauss_legendre(m: usize) -> Vec<(f64, f64)> {
    (0..m)
        .map(|k| {
            let mut x = -(std::f64::consts::PI * (k as f64 + 0.75) / (m as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..60 {
                let (mut p, mut before) = (x, 1.0);
                for n in 2..=m {
                    let n = n as f64;
                    (p, before) = (((2.0 * n - 1.0) * x * p - (n - 1.0) * before) / n, p);
                }
                slope = m as f64 * (x * p - before) / (x * x - 1.0);
                let step = p / slope;
                x -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// Distance over the longest edge from which on the seven points have an error of at most 1e-4 of a block.
pub const FAR_DISTANCE: f64 = 2.0;
/// Distance of the centre over the longest edge from which on an element of any shape is far.
pub(super) const SURELY_FAR_DISTANCE: f64 = 3.0;
/// Below this distance over the longest edge, point and element touch.
pub(super) const TOUCHING_DISTANCE: f64 = 1e-6;
/// Rules for nearer points: smallest distance over the longest edge, and points per side.
pub const NEAR_RULES: [(f64, usize); 3] = [(0.75, 6), (0.5, 8), (0.35, 12)];
/// How often an element is split into four at most, for points that are nearer still.
pub const MAX_SUBDIVISIONS: usize = 6;

/// The shape functions of a triangle at its own corners.
pub(super) const CORNER_SHAPES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The four triangles between corners and midpoints of edges, with the shape functions of the original triangle at their corners.
pub(super) fn quarters(
    corners: &[Vec3; 3],
    shape: &[[f64; 3]; 3],
) -> [([Vec3; 3], [[f64; 3]; 3]); 4] {
    let corner = |k: usize| (corners[k], shape[k]);
    let middle = |a: usize, b: usize| {
        let values = std::array::from_fn(|k| 0.5 * (shape[a][k] + shape[b][k]));
        ((corners[a] + corners[b]) * 0.5, values)
    };
    let (m0, m1, m2) = (middle(0, 1), middle(1, 2), middle(2, 0));
    let pieces = [
        [corner(0), m0, m2],
        [m0, corner(1), m1],
        [m2, m1, corner(2)],
        [m0, m1, m2],
    ];
    pieces.map(|piece| (piece.map(|(x, _)| x), piece.map(|(_, s)| s)))
}

/// Distance of a point from a triangle, m (Ericson 2005, section 5.1.5).
pub fn distance_to_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> f64 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ap.norm();
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return bp.norm();
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (ap - ab * (d1 / (d1 - d3))).norm();
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return cp.norm();
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (ap - ac * (d2 / (d2 - d6))).norm();
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (bp - (c - b) * w).norm();
    }
    let normal = ab.cross(&ac);
    (ap.dot(&normal) / normal.norm()).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_integrate_polynomials_exactly() {
        let moment = |rule: &Rule, f: fn(f64, f64) -> f64| {
            rule.points
                .iter()
                .map(|(at, w)| w * f(at[1], at[2]))
                .sum::<f64>()
        };
        // mean of x^a y^b over the unit triangle: 2 a! b! / (a + b + 2)!
        for rule in [
            Rule::seven_points(),
            Rule::collapsed(4),
            Rule::collapsed(12),
        ] {
            assert!((moment(&rule, |_, _| 1.0) - 1.0).abs() < 1e-14);
            assert!((moment(&rule, |x, y| x * x * y) - 2.0 * 2.0 / 120.0).abs() < 1e-14);
            assert!(
                (moment(&rule, |x, y| x.powi(2) * y.powi(3)) - 2.0 * 12.0 / 5040.0).abs() < 1e-14
            );
        }
        let one = gauss_legendre(1);
        assert!((one[0].0 - 0.5).abs() < 1e-15 && (one[0].1 - 1.0).abs() < 1e-15);
    }

    #[test]
    fn distances_reach_face_edge_and_corner() {
        let t = [Vec3::zeros(), Vec3::x(), Vec3::y()];
        let d = |x, y, z| distance_to_triangle(&Vec3::new(x, y, z), &t);
        assert!((d(0.2, 0.2, 3.0) - 3.0).abs() < 1e-15);
        assert!((d(0.5, -2.0, 0.0) - 2.0).abs() < 1e-15);
        assert!((d(2.0, 2.0, 0.0) - 1.5 * 2.0_f64.sqrt()).abs() < 1e-14);
        assert!((d(-3.0, -4.0, 0.0) - 5.0).abs() < 1e-15);
    }
}
