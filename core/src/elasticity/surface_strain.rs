//! Strain of a surface in its own plane, and the stress of a free surface that follows from it.

use crate::material::YoungPoisson;
use crate::math::Vec3;

/// A triangle counts if it is thicker than so many roundings of its coordinates to single precision. What is computed of a thinner one is rounding.
const LEAST_THICKNESS: f64 = 10.0;

/// Green strain in the plane of a triangle, `E = (FᵀF − 1) / 2` with the deformation gradient `F` of its plane, along two perpendicular directions of the triangle at rest. A
/// rotation has none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SurfaceStrain {
    /// Along the first direction.
    pub xx: f64,
    /// Along the second direction.
    pub yy: f64,
    /// Shear; half the change of the angle for small strains.
    pub xy: f64,
}

impl SurfaceStrain {
    /// The strain of a triangle with these corners at `rest` and these `deformed` ones, m. Where coordinates `x` are rounded to single precision, it is off by about
    /// `6e-8 |x| / h`, with the height `h` of the triangle. `None` for a triangle so thin that this is all that there is.
    ///
    /// An edge `p` at rest that changes by `u` gives `pᵀ E q = (p·w + u·q + u·w) / 2` with another edge `q` that changes by `w`. The edges are the first one of the triangle, and the
    /// height on it.
    pub fn of(rest: [Vec3; 3], deformed: [Vec3; 3]) -> Option<Self> {
        let [first, second] = [1, 2].map(|k| rest[k] - rest[0]);
        let moved = [1, 2].map(|k| deformed[k] - deformed[0]);
        let length = first.norm();
        // the second edge without its part along the first one
        let share = second.dot(&first) / (length * length);
        let across = second - first * share;
        let height = across.norm();
        let longest = length.max(second.norm()).max((second - first).norm());
        let thickness = length * height / longest;
        let corners = rest.iter().chain(&deformed);
        let largest = corners.map(Vec3::amax).fold(0.0, f64::max);
        let rounding = f64::from(f32::EPSILON) * largest;
        if thickness.is_nan() || thickness <= LEAST_THICKNESS * rounding {
            return None;
        }
        // changes of the edges, so that small strains do not cancel
        let u = moved[0] - first;
        let w = moved[1] - second - u * share;
        Some(Self {
            xx: (first.dot(&u) + 0.5 * u.dot(&u)) / (length * length),
            yy: (across.dot(&w) + 0.5 * w.dot(&w)) / (height * height),
            xy: 0.5 * (first.dot(&w) + u.dot(&across) + u.dot(&w)) / (length * height),
        })
    }

    /// The principal strain that is largest in magnitude, without its sign: `|m| + √(((xx − yy) / 2)² + xy²)` with the mean `m = (xx + yy) / 2`.
    pub fn largest_principal(&self) -> f64 {
        let mean = 0.5 * (self.xx + self.yy);
        let half = 0.5 * (self.xx - self.yy);
        mean.abs() + (half * half + self.xy * self.xy).sqrt()
    }

    /// Von Mises stress `√(sxx² − sxx syy + syy² + 3 sxy²)` in plane stress by Hooke's law, Pa: nothing pulls or presses at the surface along its normal. There
    /// `sxx = E (xx + ν yy) / (1 − ν²)`, `syy` likewise, and `sxy = E xy / (1 + ν)`. For large strains it is that of the second Piola–Kirchhoff stress, which refers to the area at rest.
    pub fn von_mises(&self, elastic: &YoungPoisson) -> f64 {
        let YoungPoisson { young, poisson } = *elastic;
        let plane = young / (1.0 - poisson * poisson);
        let xx = plane * (self.xx + poisson * self.yy);
        let yy = plane * (self.yy + poisson * self.xx);
        let xy = young / (1.0 + poisson) * self.xy;
        (xx * xx - xx * yy + yy * yy + 3.0 * xy * xy).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Rotation3;

    use super::*;
    use crate::math::Mat3;

    const ELASTIC: YoungPoisson = YoungPoisson {
        young: 2.0e4,
        poisson: 0.3,
    };

    fn triangle() -> [Vec3; 3] {
        [
            Vec3::new(0.1, 0.2, 0.0),
            Vec3::new(0.13, 0.21, 0.0),
            Vec3::new(0.11, 0.24, 0.0),
        ]
    }

    fn strain(gradient: Mat3) -> SurfaceStrain {
        let rest = triangle();
        SurfaceStrain::of(rest, rest.map(|x| gradient * x)).expect("an area")
    }

    #[test]
    fn a_rotation_has_no_strain_and_adds_none() {
        let turn = Rotation3::from_euler_angles(0.4, 2.1, -0.7).into_inner();
        assert!(strain(turn).largest_principal() < 1e-13);
        let shear = Mat3::new(1.1, 0.2, 0.0, -0.1, 0.9, 0.0, 0.3, 0.0, 1.0);
        let (still, turned) = (strain(shear), strain(turn * shear));
        assert!((still.largest_principal() - turned.largest_principal()).abs() < 1e-13);
        let stress = still.von_mises(&ELASTIC);
        assert!((turned.von_mises(&ELASTIC) - stress).abs() < 1e-8 * stress);
        // the same as the Green strain of the body in this plane
        let c = shear.transpose() * shear;
        let (xx, yy) = (0.5 * (c[(0, 0)] - 1.0), 0.5 * (c[(1, 1)] - 1.0));
        let half = 0.5 * (xx - yy);
        let radius = (half * half + 0.25 * c[(0, 1)] * c[(0, 1)]).sqrt();
        let largest = (0.5 * (xx + yy)).abs() + radius;
        assert!((still.largest_principal() - largest).abs() < 1e-13);
    }

    #[test]
    fn stress_is_that_of_hooke_under_tension_and_under_shear() {
        // uniaxial tension: its sides contract, and the von Mises stress is the tension
        let e: f64 = 1e-3;
        let stretch = |strain: f64| (1.0 + 2.0 * strain).sqrt();
        let (along, across) = (stretch(e), stretch(-ELASTIC.poisson * e));
        let pulled = strain(Mat3::from_diagonal(&Vec3::new(along, across, across)));
        let tension = ELASTIC.young * e;
        assert!((pulled.largest_principal() - e).abs() < 1e-12);
        assert!((pulled.von_mises(&ELASTIC) - tension).abs() < 1e-9 * tension);
        // without contraction: E e / (1 - ν²) times √(1 - ν + ν²)
        let held = strain(Mat3::from_diagonal(&Vec3::new(along, 1.0, 1.0)));
        let expected = tension / 0.91 * 0.79_f64.sqrt();
        assert!((held.von_mises(&ELASTIC) - expected).abs() < 1e-9 * expected);
        // pure shear: √3 times the shear stress 2 μ e
        let sheared = SurfaceStrain {
            xy: e,
            ..SurfaceStrain::default()
        };
        let expected = 3.0_f64.sqrt() * tension / 1.3;
        assert!((sheared.von_mises(&ELASTIC) - expected).abs() < 1e-9 * expected);
        assert_eq!(sheared.largest_principal(), e);
    }

    #[test]
    fn a_triangle_that_single_precision_flattens_has_no_strain() {
        let [a, b, _] = triangle();
        let thin = |height: f64| [a, b, a + Vec3::new(-0.01, 0.03, 0.0) * height];
        assert_eq!(SurfaceStrain::of(thin(0.0), thin(0.0)), None);
        assert_eq!(SurfaceStrain::of([a; 3], [a; 3]), None);
        assert_eq!(SurfaceStrain::of(thin(1e-6), thin(1e-6)), None);
        assert!(SurfaceStrain::of(thin(1e-3), thin(1e-3)).is_some());
        let lost = [a, b, Vec3::repeat(f64::NAN)];
        assert_eq!(SurfaceStrain::of(lost, thin(1.0)), None);
    }
}
