//! Hooke's law of a transversely isotropic material: one with fibres along one direction.

use pliant_core::elasticity::shape_function::ShapeGradients;
use pliant_core::material::YoungPoisson;
use pliant_core::math::tangents::tangents;
use pliant_core::math::{Mat3, Vec3};

use crate::finite_elements::voigt::{AXES, Voigt, strain, symmetric};
use crate::params::Fibres;

/// Elastic stiffness `σ = C ε` in Voigt's notation, Pa; symmetric and positive definite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ElasticTensor {
    c: [[f64; 6]; 6],
}

impl ElasticTensor {
    /// The tensor of `material` with `fibres`: isotropic in the planes across them (Lekhnitskii 1963; five constants).
    ///
    /// With the fibres along the third axis and `E`, `ν` of the material, `E_L`, `G_L`, `ν_L` of the fibres, strains follow from stresses by
    /// `ε₁ = (σ₁ − ν σ₂)/E − ν_L σ₃/E_L`, `ε₃ = (σ₃ − ν_L (σ₁ + σ₂))/E_L`, `γ₁₃ = σ₁₃/G_L`, `γ₁₂ = 2 (1 + ν) σ₁₂/E`. `None` unless every strain has
    /// positive energy: all moduli positive, `|ν| < 1` and `(1 − ν) E_L > 2 ν_L² E`.
    pub fn with_fibres(material: YoungPoisson, fibres: &Fibres) -> Option<Self> {
        let (young, nu) = (material.young, material.poisson);
        let across = fibres.poisson.unwrap_or(nu);
        let all = [young, nu, fibres.young, fibres.shear, across];
        let length = fibres.direction.norm();
        let positive = young > 0.0 && fibres.young > 0.0 && fibres.shear > 0.0 && length > 0.0;
        let definite = nu.abs() < 1.0
            && (1.0 - nu) * fibres.young - 2.0 * across * across * young > 1e-9 * fibres.young;
        if !(positive && definite && length.is_finite() && all.iter().all(|x| x.is_finite())) {
            return None;
        }
        let (transverse, axial) = (-nu / young, -across / fibres.young);
        let compliance = Mat3::new(
            1.0 / young,
            transverse,
            axial,
            transverse,
            1.0 / young,
            axial,
            axial,
            axial,
            1.0 / fibres.young,
        );
        let stiffness = compliance.try_inverse()?;
        let mut local = [[0.0; 6]; 6];
        for (r, row) in local.iter_mut().enumerate().take(3) {
            for (c, entry) in row.iter_mut().enumerate().take(3) {
                *entry = 0.5 * (stiffness[(r, c)] + stiffness[(c, r)]);
            }
        }
        local[3][3] = fibres.shear;
        local[4][4] = fibres.shear;
        local[5][5] = 0.5 * young / (1.0 + nu);
        Some(Self { c: local }.rotated(&frame(&(fibres.direction / length))))
    }

    /// The tensor of a material whose axes are the columns of `axes`, which are orthonormal.
    fn rotated(&self, axes: &Mat3) -> Self {
        // strains along the material's axes for a unit of each strain
        let mut local_strains = [[0.0; 6]; 6];
        for (k, &(i, j)) in AXES.iter().enumerate() {
            let mut strain = Mat3::zeros();
            strain[(i, j)] += 0.5;
            strain[(j, i)] += 0.5;
            let local = axes.transpose() * strain * axes;
            for (row, &(p, q)) in local_strains.iter_mut().zip(&AXES) {
                row[k] = if p == q {
                    local[(p, q)]
                } else {
                    2.0 * local[(p, q)]
                };
            }
        }
        let mut c = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..=i {
                let mut sum = 0.0;
                for (p, row) in self.c.iter().enumerate() {
                    for (q, entry) in row.iter().enumerate() {
                        sum += local_strains[p][i] * entry * local_strains[q][j];
                    }
                }
                c[i][j] = sum;
                c[j][i] = sum;
            }
        }
        Self { c }
    }

    /// Stress (Pa) of a displacement gradient `∂u_i/∂x_j`.
    pub fn stress(&self, gradient: &Mat3) -> Voigt {
        let strain = strain(gradient);
        self.c
            .map(|row| row.iter().zip(&strain).map(|(c, e)| c * e).sum())
    }

    /// Block `K_ab = V B_aᵀ C B_b` of a tetrahedron's stiffness, N/m.
    pub fn block(&self, shape: &ShapeGradients, a: usize, b: usize) -> Mat3 {
        let (ga, gb) = (shape.gradients[a], shape.gradients[b]);
        let mut block = Mat3::zeros();
        for c in 0..3 {
            // stress of a unit displacement of corner b along axis c, and the force it makes on corner a
            let mut gradient = Mat3::zeros();
            gradient.set_row(c, &gb.transpose());
            let force = symmetric(&self.stress(&gradient)) * ga * shape.volume;
            block.set_column(c, &force);
        }
        block
    }
}

/// Orthonormal axes whose third is `direction`, a unit vector.
fn frame(direction: &Vec3) -> Mat3 {
    let [first, second] = tangents(direction);
    Mat3::from_columns(&[first, second, *direction])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::elasticity::stiffness::linear_stiffness_block;
    use pliant_core::material::LameParameters;

    fn shape() -> ShapeGradients {
        let corners = [
            Vec3::zeros(),
            Vec3::x(),
            Vec3::y() * 1.1,
            Vec3::new(0.2, 0.1, 0.8),
        ];
        ShapeGradients::new(corners).expect("volume")
    }

    fn fibres(direction: Vec3, young: f64, shear: f64) -> Fibres {
        Fibres {
            direction,
            young,
            shear,
            poisson: None,
        }
    }

    #[test]
    fn fibres_like_the_material_make_the_isotropic_stiffness() {
        let material = YoungPoisson {
            young: 2e4,
            poisson: 0.3,
        };
        let lame = LameParameters::from(material);
        let same = fibres(Vec3::new(0.3, -1.0, 2.0), 2e4, lame.mu);
        let tensor = ElasticTensor::with_fibres(material, &same).expect("definite");
        let shape = shape();
        for a in 0..4 {
            for b in 0..4 {
                let isotropic = linear_stiffness_block(&shape, &lame, a, b);
                let block = tensor.block(&shape, a, b);
                assert!((block - isotropic).norm() < 1e-12 * 2e4, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_pull_along_or_across_meets_the_modulus_of_that_direction() {
        let material = YoungPoisson {
            young: 2e4,
            poisson: 0.2,
        };
        let along = Vec3::new(1.0, 2.0, -0.5).normalize();
        let mut stiff = fibres(along, 9e4, 3e4);
        stiff.poisson = Some(0.35);
        let tensor = ElasticTensor::with_fibres(material, &stiff).expect("definite");
        let across = along.cross(&Vec3::x()).normalize();
        let third = along.cross(&across);
        // the strains of a unit pull, in the axes of the material
        let pull = |along_fibres: bool| {
            let (axis, stretch, sides) = if along_fibres {
                (
                    along,
                    1.0 / 9e4,
                    [(across, 0.35 / 9e4), (third, 0.35 / 9e4)],
                )
            } else {
                (across, 1.0 / 2e4, [(third, 0.2 / 2e4), (along, 0.35 / 9e4)])
            };
            let mut gradient = axis * axis.transpose() * stretch;
            for (side, shrink) in sides {
                gradient -= side * side.transpose() * shrink;
            }
            let wanted = axis * axis.transpose();
            (symmetric(&tensor.stress(&gradient)) - wanted).norm()
        };
        assert!(pull(true) < 1e-12 && pull(false) < 1e-12);
        let gradient = along * across.transpose();
        let shear = symmetric(&tensor.stress(&gradient));
        assert!(((shear * along).dot(&across) - 3e4).abs() < 1e-7);
    }

    #[test]
    fn what_would_give_energy_away_is_no_tensor() {
        let material = YoungPoisson {
            young: 9e4,
            poisson: 0.4,
        };
        let tensor = |young, shear| {
            ElasticTensor::with_fibres(material, &fibres(Vec3::y(), young, shear)).is_some()
        };
        // (1 − 0.4) E_L must exceed 2 · 0.16 · 9e4
        assert!(tensor(4.9e4, 1e3) && !tensor(4.7e4, 1e3));
        assert!(!tensor(9e4, 0.0) && !tensor(-9e4, 1e3) && !tensor(f64::NAN, 1e3));
        let nowhere = fibres(Vec3::zeros(), 9e4, 1e3);
        assert!(ElasticTensor::with_fibres(material, &nowhere).is_none());
    }
}
