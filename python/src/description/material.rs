//! What a body is made of.

use pliant::core::material::{Damping, DampingParameters};
use pliant::{Material as Inner, MaterialLaw};
use pyo3::prelude::*;

use crate::errors::{Failure, Outcome};

/// A homogeneous isotropic material.
///
/// young: Young's modulus, Pa. poisson: Poisson's ratio. density: kg/m³. damping_ratio: of the lowest elastic mode, 0.1 if nothing is said; or damping: (phi, psi), Pa·s. law: `green`
/// (St. Venant-Kirchhoff), `cauchy`, `simplified`, `stable_neo_hookean`, `corotated` or `neo_hookean`.
#[pyclass(frozen, module = "pliant")]
#[derive(Clone, Copy)]
pub struct Material {
    pub inner: Inner,
}

#[pymethods]
impl Material {
    #[new]
    #[pyo3(signature = (young=2e4, poisson=0.3, *, density=1000.0, damping_ratio=None, damping=None, law="green"))]
    fn new(
        young: f64,
        poisson: f64,
        density: f64,
        damping_ratio: Option<f64>,
        damping: Option<(f64, f64)>,
        law: &str,
    ) -> Outcome<Self> {
        let found = MaterialLaw::from_name(law).ok_or_else(|| {
            let names = MaterialLaw::ALL.map(|l| format!("`{}`", l.name()));
            Failure::argument(format!(
                "there is no law `{law}`\n  remedy: use {}",
                names.join(", ")
            ))
        })?;
        let mut inner = Inner::isotropic(young, poisson)
            .with_density(density)
            .with_law(found);
        match (damping_ratio, damping) {
            (None, None) => {}
            (Some(ratio), None) => inner = inner.with_damping_ratio(ratio),
            (None, Some((phi, psi))) => {
                inner.damping = Damping::Parameters(DampingParameters { phi, psi });
            }
            (Some(_), Some(_)) => {
                return Err(Failure::argument(
                    "`damping_ratio` and `damping` are both given\n  remedy: give one of them",
                ));
            }
        }
        Ok(Self { inner })
    }

    /// Young's modulus, Pa.
    #[getter]
    fn young(&self) -> f64 {
        self.inner.elastic.young
    }

    /// Poisson's ratio.
    #[getter]
    fn poisson(&self) -> f64 {
        self.inner.elastic.poisson
    }

    /// Density at rest, kg/m³.
    #[getter]
    fn density(&self) -> f64 {
        self.inner.density
    }

    /// Damping ratio of the lowest elastic mode; `None` where phi and psi are given.
    #[getter]
    fn damping_ratio(&self) -> Option<f64> {
        match self.inner.damping {
            Damping::Ratio(ratio) => Some(ratio),
            Damping::Parameters(_) => None,
        }
    }

    /// (phi, psi), Pa·s; `None` where a damping ratio is given.
    #[getter]
    fn damping(&self) -> Option<(f64, f64)> {
        match self.inner.damping {
            Damping::Ratio(_) => None,
            Damping::Parameters(p) => Some((p.phi, p.psi)),
        }
    }

    /// Name of the stress law.
    #[getter]
    fn law(&self) -> &'static str {
        self.inner.law.name()
    }

    /// Speed of longitudinal waves, m/s.
    #[getter]
    fn wave_speed(&self) -> f64 {
        self.inner.wave_speed()
    }

    fn __repr__(&self) -> String {
        let damping = match self.inner.damping {
            Damping::Ratio(ratio) => format!("damping_ratio={ratio}"),
            Damping::Parameters(p) => format!("damping=({}, {})", p.phi, p.psi),
        };
        format!(
            "Material(young={}, poisson={}, density={}, {damping}, law='{}')",
            self.young(),
            self.poisson(),
            self.density(),
            self.law()
        )
    }
}
