//! Kelvin's fundamental solution: displacement and traction for a unit force in an infinite elastic body.

use pliant_core::math::{Mat3, Vec3};

/// Kelvin's solution for one Poisson's ratio and shear modulus 1.
///
/// With the shear modulus μ displacements are divided by μ, tractions do not change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kelvin {
    /// Poisson's ratio, above −1 and at most 0.5.
    pub poisson: f64,
}

impl Kelvin {
    /// `U_ij(r)`, 1/m: displacement along j at `r` from a unit force along i. Symmetric.
    pub fn displacement(&self, r: &Vec3) -> Mat3 {
        let distance = r.norm();
        let e = r / distance;
        (Mat3::identity() * (3.0 - 4.0 * self.poisson) + e * e.transpose())
            * (self.displacement_factor() / distance)
    }

    /// `T_ij(r)`, 1/m²: traction along j at `r` on the plane with unit `normal`, from a unit force along i.
    pub fn traction(&self, r: &Vec3, normal: &Vec3) -> Mat3 {
        let distance = r.norm();
        let e = r / distance;
        let k = 1.0 - 2.0 * self.poisson;
        let along = e.dot(normal);
        let even = (Mat3::identity() * k + e * e.transpose() * 3.0) * along;
        let odd = (e * normal.transpose() - normal * e.transpose()) * k;
        (even - odd) * (-self.traction_factor() / (distance * distance))
    }

    /// `1 / (16 π (1 − ν))`.
    pub fn displacement_factor(&self) -> f64 {
        0.0625 / (std::f64::consts::PI * (1.0 - self.poisson))
    }

    /// `1 / (8 π (1 − ν))`.
    pub fn traction_factor(&self) -> f64 {
        0.125 / (std::f64::consts::PI * (1.0 - self.poisson))
    }

    /// Displacement along the columns' axes that a unit body force along each axis makes, through the surface element at `r` with unit `normal`, m
    /// a unit of area (Galerkin's vector; Brebbia, Telles and Wrobel 1984).
    pub fn body_force(&self, r: &Vec3, normal: &Vec3) -> Mat3 {
        let e = r / r.norm();
        let factor = 0.125 / std::f64::consts::PI;
        (Mat3::identity() * e.dot(normal) - e * normal.transpose() * (0.5 / (1.0 - self.poisson)))
            * factor
    }

    /// `∫ U dΓ` over a flat triangle from a point inside of it, m, in closed form.
    pub fn self_displacement(&self, corners: &[Vec3; 3], point: &Vec3) -> Mat3 {
        let normal = (corners[1] - corners[0])
            .cross(&(corners[2] - corners[0]))
            .normalize();
        let mut inverse_distance = 0.0;
        let mut directions = Mat3::zeros();
        for m in 0..3 {
            let (p0, p1) = (corners[m], corners[(m + 1) % 3]);
            let b = (p1 - p0).normalize();
            let a = b.cross(&normal);
            let h = (p0 - point).dot(&a);
            let (x0, x1) = ((p0 - point).dot(&b) / h, (p1 - point).dot(&b) / h);
            // this form has no cancellation in sliver triangles
            let l = x1.asinh() - x0.asinh();
            let (r0, r1) = (x0.hypot(1.0), x1.hypot(1.0));
            let (ds, dc) = (x1 / r1 - x0 / r0, 1.0 / r1 - 1.0 / r0);
            inverse_distance += h * l;
            directions += (a * a.transpose() * ds - (a * b.transpose() + b * a.transpose()) * dc
                + b * b.transpose() * (l - ds))
                * h;
        }
        (Mat3::identity() * ((3.0 - 4.0 * self.poisson) * inverse_distance) + directions)
            * self.displacement_factor()
    }
}
