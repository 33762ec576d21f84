//! Somigliana's identity: displacement and stress at a point inside from displacements and tractions of the surface.
//!
//! `u(ξ) = ∫ U p dΓ − ∫ T u dΓ + ∫ U b dΩ`, and the stress by the kernels `D` and `S`, which follow from its gradient by Hooke's law (Brebbia, Telles and Wrobel 1984).
//! The point lies at a distance from the surface. Triangles are subdivided until they are smaller than their distance, so that no integral is singular.

use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::SurfaceMesh;

use super::element::Triangle;
use super::kernel::Kelvin;
use super::quadrature::Rule;
use crate::asset::inside::{NO_STRESS, StressRow, add_stress};
use crate::finite_elements::voigt::AXES;

/// Contribution of each node of a surface to displacement and stress of a point inside.
#[derive(Debug, Clone, PartialEq)]
pub struct PointIntegrals {
    /// Displacement for a traction at each node, times μ, m.
    pub displacement: Vec<Mat3>,
    /// `∫ T` of each node: minus the displacement for a unit displacement of the node.
    pub traction: Vec<Mat3>,
    /// Stress for a traction at each node.
    pub stress_of_traction: Vec<StressRow>,
    /// Minus the stress for a displacement of each node, over μ, 1/m.
    pub stress_of_displacement: Vec<StressRow>,
    /// Displacement for a unit body force along each axis (the columns), times μ, m².
    pub body_force: Mat3,
    /// Stress for a unit body force, m.
    pub body_stress: StressRow,
}

/// Smallest distance over the longest edge, and the number of points per side with a relative error of about 1e-8 at that distance. Nearer triangles are split into four.
const RULES_BY_DISTANCE: [(f64, usize); 3] = [(4.0, 4), (2.0, 6), (1.0, 10)];

/// The integrals over `surface` at `point`, summed for `nodes` nodes. `node_of(t, k)` gives the node of the shape function of corner `k` of triangle `t`, and
/// whether its traction acts there.
pub fn integrals(
    surface: &SurfaceMesh,
    kelvin: &Kelvin,
    point: &Vec3,
    nodes: usize,
    node_of: impl Fn(usize, usize) -> (u32, bool),
) -> PointIntegrals {
    let rules = RULES_BY_DISTANCE.map(|(_, m)| Rule::collapsed(m));
    let mut out = PointIntegrals {
        displacement: vec![Mat3::zeros(); nodes],
        traction: vec![Mat3::zeros(); nodes],
        stress_of_traction: vec![NO_STRESS; nodes],
        stress_of_displacement: vec![NO_STRESS; nodes],
        body_force: Mat3::zeros(),
        body_stress: NO_STRESS,
    };
    for t in 0..surface.triangles.len() {
        let triangle = Triangle::new(surface.corners(t));
        let owners = [0, 1, 2].map(|corner| node_of(t, corner));
        for piece in triangle.pieces(point, &RULES_BY_DISTANCE) {
            let (Triangle { corners, area, .. }, shape) = (piece.triangle, piece.shape);
            for (at, weight) in &rules[piece.rule].points {
                let x = corners[0] * at[0] + corners[1] * at[1] + corners[2] * at[2];
                // shape functions of the triangle before subdivision
                let values: [f64; 3] =
                    std::array::from_fn(|k| (0..3).map(|c| at[c] * shape[c][k]).sum());
                out.add(kelvin, &(x - point), &triangle.normal, weight * area, |k| {
                    (owners[k], values[k])
                });
            }
        }
    }
    out
}

impl PointIntegrals {
    /// Adds a piece of surface at `r` with its `area`; `corner(k)` is the node of a corner, whether its traction acts, and the value of its shape function.
    fn add(
        &mut self,
        kelvin: &Kelvin,
        r: &Vec3,
        normal: &Vec3,
        area: f64,
        corner: impl Fn(usize) -> ((u32, bool), f64),
    ) {
        let (u, t) = (kelvin.displacement(r), kelvin.traction(r, normal));
        let (d, s) = (
            kelvin.stress_of_force(r),
            kelvin.stress_of_motion(r, normal),
        );
        for k in 0..3 {
            let ((node, has_traction), share) = corner(k);
            let (node, weight) = (node as usize, share * area);
            self.traction[node] += t * weight;
            add_stress(&mut self.stress_of_displacement[node], &s, weight);
            if has_traction {
                self.displacement[node] += u * weight;
                add_stress(&mut self.stress_of_traction[node], &d, weight);
            }
        }
        self.body_force += kelvin.body_force(r, normal) * area;
        add_stress(
            &mut self.body_stress,
            &kelvin.stress_of_body_force(r, normal),
            area,
        );
    }
}

fn delta(i: usize, j: usize) -> f64 {
    f64::from(u8::from(i == j))
}

impl Kelvin {
    /// `D_kij(r)`, 1/m²: stress at a point for a unit force along each axis at `r` from it.
    pub fn stress_of_force(&self, r: &Vec3) -> StressRow {
        let distance = r.norm();
        let e = r / distance;
        let one = 1.0 - 2.0 * self.poisson;
        let factor = self.traction_factor() / (distance * distance);
        AXES.map(|(i, j)| {
            Vec3::from_fn(|k, _| {
                let even = delta(k, i) * e[j] + delta(k, j) * e[i] - delta(i, j) * e[k];
                factor * (one * even + 3.0 * e[i] * e[j] * e[k])
            })
        })
    }

    /// `S_kij(r)` over μ, 1/m³: minus the stress at a point for a unit displacement along each axis of a unit area at `r` with unit `normal`.
    pub fn stress_of_motion(&self, r: &Vec3, normal: &Vec3) -> StressRow {
        let distance = r.norm();
        let (e, n, nu) = (r / distance, normal, self.poisson);
        let one = 1.0 - 2.0 * nu;
        let along = e.dot(n);
        let factor = 2.0 * self.traction_factor() / distance.powi(3);
        AXES.map(|(i, j)| {
            Vec3::from_fn(|k, _| {
                let mixed = delta(i, k) * e[j] + delta(j, k) * e[i];
                let slope = one * delta(i, j) * e[k] + nu * mixed - 5.0 * e[i] * e[j] * e[k];
                let sides = n[i] * e[j] * e[k] + n[j] * e[i] * e[k];
                let flat = 3.0 * n[k] * e[i] * e[j] + n[j] * delta(i, k) + n[i] * delta(j, k);
                factor
                    * (3.0 * along * slope + 3.0 * nu * sides + one * flat
                        - (1.0 - 4.0 * nu) * n[k] * delta(i, j))
            })
        })
    }

    /// Stress at a point for a unit body force along each axis, through the surface element at `r` with unit `normal`, 1/m.
    ///
    /// The slope of Galerkin's vector by Hooke's law; its divergence is `∓(1 − 2ν)/(8πμ(1 − ν)) ∫ b·n / R`, by Gauss' theorem, so that the pressure
    /// `−ν/(4π(1 − ν)) ∫ b·n / R` is there at `ν = 1/2` too.
    pub fn stress_of_body_force(&self, r: &Vec3, normal: &Vec3) -> StressRow {
        let distance = r.norm();
        let (e, n) = (r / distance, normal);
        let along = e.dot(n);
        let factor = -0.125 / (std::f64::consts::PI * distance);
        let half = 0.5 / (1.0 - self.poisson);
        // ∂g_i/∂ξ_j for a force along k
        let slope = |i: usize, j: usize, k: usize| {
            (n[j] - along * e[j]) * delta(i, k) - (delta(i, j) - e[i] * e[j]) * n[k] * half
        };
        AXES.map(|(i, j)| {
            Vec3::from_fn(|k, _| {
                let pressure = 4.0 * half * self.poisson * n[k] * delta(i, j);
                factor * (pressure + slope(i, j, k) + slope(j, i, k))
            })
        })
    }
}

/// Solid angle of a closed surface at a point over the full solid angle: 1 inside, 0 outside (Van Oosterom and Strackee 1983).
pub fn winding_number(surface: &SurfaceMesh, point: &Vec3) -> f64 {
    let mut angle = 0.0;
    for t in 0..surface.triangles.len() {
        let [a, b, c] = surface.corners(t).map(|x| x - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let volume = a.dot(&b.cross(&c));
        let rest = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        angle += 2.0 * volume.atan2(rest);
    }
    angle / (4.0 * std::f64::consts::PI)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    const KELVIN: Kelvin = Kelvin { poisson: 0.3 };

    fn cube() -> SurfaceMesh {
        box_surface(Vec3::repeat(2.0), [3; 3], CellStyle::Kuhn)
    }

    fn integrals_at(surface: &SurfaceMesh, point: &Vec3) -> PointIntegrals {
        let owner = |t: usize, k: usize| (surface.triangles[t][k], true);
        integrals(surface, &KELVIN, point, surface.vertex_count(), owner)
    }

    #[test]
    fn linear_fields_are_reproduced_inside() {
        let (surface, point) = (cube(), Vec3::new(0.1, -0.3, 0.55));
        let rows = integrals_at(&surface, &point);
        // one traction a vertex cannot jump at edges: tractions are summed triangle by triangle
        let gradient = Mat3::new(0.1, 0.7, -0.2, 0.3, -0.4, 0.5, 0.2, 0.1, 0.6);
        let lambda = 2.0 * 0.3 / (1.0 - 0.6);
        let strain = (gradient + gradient.transpose()) * 0.5;
        let stress = Mat3::identity() * (lambda * strain.trace()) + strain * 2.0;
        let (mut u, mut sigma) = (Vec3::zeros(), [0.0; 6]);
        for (v, x) in surface.positions.iter().enumerate() {
            let moved = gradient * x;
            u -= rows.traction[v] * moved;
            for (k, s) in sigma.iter_mut().enumerate() {
                *s -= rows.stress_of_displacement[v][k].dot(&moved);
            }
        }
        let count = surface.triangles.len();
        let each = integrals(&surface, &KELVIN, &point, count, |t, _| (t as u32, true));
        for t in 0..count {
            let pull = stress * Triangle::new(surface.corners(t)).normal;
            u += each.displacement[t] * pull;
            for (k, s) in sigma.iter_mut().enumerate() {
                *s += each.stress_of_traction[t][k].dot(&pull);
            }
        }
        assert!((u - gradient * point).norm() < 1e-7, "{u}");
        for (s, &(i, j)) in sigma.iter().zip(&AXES) {
            assert!((s - stress[(i, j)]).abs() < 1e-6, "{i}{j}: {s}");
        }
    }

    #[test]
    fn stresses_are_those_of_the_slopes_of_displacements() {
        let (surface, point, step) = (cube(), Vec3::new(0.2, 0.1, -0.3), 1e-4);
        let rows = integrals_at(&surface, &point);
        let shifted = |axis: usize, side: f64| {
            integrals_at(&surface, &(point + Vec3::ith(axis, side * step)))
        };
        let neighbours: [[PointIntegrals; 2]; 3] =
            std::array::from_fn(|axis| [shifted(axis, 1.0), shifted(axis, -1.0)]);
        let lambda = 2.0 * 0.3 / (1.0 - 0.6);
        let hooke = |moved: &dyn Fn(&PointIntegrals) -> Vec3| {
            let slopes: [Vec3; 3] = std::array::from_fn(|axis| {
                let [after, before] = &neighbours[axis];
                (moved(after) - moved(before)) / (2.0 * step)
            });
            let gradient = Mat3::from_columns(&slopes);
            let strain = (gradient + gradient.transpose()) * 0.5;
            Mat3::identity() * (lambda * strain.trace()) + strain * 2.0
        };
        let same = |row: &StressRow, k: usize, stress: Mat3| {
            for (value, &(i, j)) in row.iter().zip(&AXES) {
                let error = value[k] - stress[(i, j)];
                assert!(
                    error.abs() < 1e-6 * stress.norm().max(0.01),
                    "{i}{j}{k} {error}"
                );
            }
        };
        for k in 0..3 {
            for v in 0..surface.vertex_count() {
                let column = |m: &Mat3| m.column(k).into_owned();
                same(
                    &rows.stress_of_traction[v],
                    k,
                    hooke(&|p| column(&p.displacement[v])),
                );
                same(
                    &rows.stress_of_displacement[v],
                    k,
                    hooke(&|p| column(&p.traction[v])),
                );
            }
            same(
                &rows.body_stress,
                k,
                hooke(&|p| p.body_force.column(k).into_owned()),
            );
        }
    }

    #[test]
    fn the_winding_number_is_one_inside_and_zero_outside() {
        let surface = cube();
        assert!((winding_number(&surface, &Vec3::new(0.9, -0.9, 0.2)) - 1.0).abs() < 1e-12);
        assert!(winding_number(&surface, &Vec3::new(1.1, 0.2, 0.3)).abs() < 1e-12);
    }
}
