//! The elasticity of each tetrahedron: the material of the body, factors on its stiffness, fibres.

use pliant_core::asset::BodyGeometry;
use pliant_core::elasticity::shape_function::ShapeGradients;
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::LameParameters;
use pliant_core::math::{Mat3, Vec3};
use pliant_core::mesh::{TetMesh, TriangleTree};
use pliant_core::scene::Selection;

use crate::error::BakeError;
use crate::finite_elements::tensor::ElasticTensor;
use crate::finite_elements::voigt::{Voigt, strain};
use crate::params::{QuasistaticParams, StiffnessPart};

/// Hooke's law of every tetrahedron of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyElasticity {
    lame: LameParameters,
    /// takes the place of `lame` where there are fibres
    tensor: Option<ElasticTensor>,
    /// factor of each tetrahedron; `None`: 1 everywhere
    factors: Option<Vec<f64>>,
}

impl BodyElasticity {
    /// One isotropic material everywhere.
    pub fn isotropic(lame: LameParameters) -> Self {
        Self {
            lame,
            tensor: None,
            factors: None,
        }
    }

    /// The elasticity of the tetrahedra of `mesh` by `params`.
    ///
    /// # Errors
    /// [`BakeError::FibresNotPositive`], [`BakeError::InvalidStiffness`], [`BakeError::StiffnessNowhere`], [`BakeError::StiffnessCount`].
    pub fn new(
        geometry: &BodyGeometry,
        mesh: &TetMesh,
        params: &QuasistaticParams,
    ) -> Result<Self, BakeError> {
        let elastic = geometry.material.elastic;
        let tensor = match &params.fibres {
            None => None,
            Some(fibres) => Some(ElasticTensor::with_fibres(elastic, fibres).ok_or(
                BakeError::FibresNotPositive {
                    young: fibres.young,
                    shear: fibres.shear,
                    poisson: fibres.poisson.unwrap_or(elastic.poisson),
                },
            )?),
        };
        Ok(Self {
            lame: geometry.material.lame(),
            tensor,
            factors: factors(geometry, mesh, &params.stiffness)?,
        })
    }

    /// Factor on the stiffness of tetrahedron `tet`.
    pub fn factor(&self, tet: usize) -> f64 {
        self.factors.as_ref().map_or(1.0, |factors| factors[tet])
    }

    /// Block `K_ab` of the stiffness of tetrahedron `tet`, N/m.
    pub fn block(&self, tet: usize, shape: &ShapeGradients, a: usize, b: usize) -> Mat3 {
        let factor = self.factor(tet);
        match &self.tensor {
            None => linear_stiffness_block(shape, &self.scaled(factor), a, b),
            Some(tensor) => tensor.block(shape, a, b) * factor,
        }
    }

    /// Stress in tetrahedron `tet` (Pa) for a displacement gradient `∂u_i/∂x_j`.
    pub fn stress(&self, tet: usize, gradient: &Mat3) -> Voigt {
        let factor = self.factor(tet);
        if let Some(tensor) = &self.tensor {
            return tensor.stress(gradient).map(|s| s * factor);
        }
        let LameParameters { lambda, mu } = self.scaled(factor);
        let [xx, yy, zz, yz, xz, xy] = strain(gradient);
        let pressure = lambda * (xx + yy + zz);
        let normal = |e: f64| pressure + 2.0 * mu * e;
        [
            normal(xx),
            normal(yy),
            normal(zz),
            mu * yz,
            mu * xz,
            mu * xy,
        ]
    }

    fn scaled(&self, factor: f64) -> LameParameters {
        LameParameters {
            lambda: self.lame.lambda * factor,
            mu: self.lame.mu * factor,
        }
    }
}

/// The factor of each tetrahedron, from the last part that concerns it; `None` without parts.
fn factors(
    geometry: &BodyGeometry,
    mesh: &TetMesh,
    parts: &[StiffnessPart],
) -> Result<Option<Vec<f64>>, BakeError> {
    if parts.is_empty() {
        return Ok(None);
    }
    let skin = &geometry.skin;
    let centers: Vec<Vec3> = (0..mesh.tets.len())
        .map(|t| mesh.corners(t).iter().sum::<Vec3>() / 4.0)
        .collect();
    let tree = TriangleTree::new(&skin.positions, &skin.triangles);
    // the mean over the corners of the closest triangle of the skin
    let on_skin = |x: &Vec3, value: &dyn Fn(u32) -> f64| {
        tree.closest(x).map(|found| {
            let corners = skin.triangles[found.triangle as usize].iter();
            let parts = corners.zip(found.weights).map(|(&v, w)| value(v) * w);
            parts.sum::<f64>()
        })
    };
    let mut factors = vec![1.0; mesh.tets.len()];
    for (entry, part) in parts.iter().enumerate() {
        match part {
            StiffnessPart::Region { selection, factor } => {
                let selected = match selection {
                    Selection::List(_) | Selection::Group(_) => selection.skin_vertices(skin),
                    _ => Vec::new(),
                };
                let bounds = skin.bounds();
                let on = |v: u32| f64::from(u8::from(selected.binary_search(&v).is_ok()));
                let mut any = false;
                for (x, slot) in centers.iter().zip(&mut factors) {
                    let inside = selection
                        .contains(x, &bounds)
                        .unwrap_or_else(|| on_skin(x, &on).is_some_and(|share| share > 0.5));
                    if inside {
                        *slot = *factor;
                        any = true;
                    }
                }
                if !any {
                    return Err(BakeError::StiffnessNowhere { entry });
                }
            }
            StiffnessPart::Skin(values) => {
                count(entry, values.len(), skin.vertex_count(), "skin vertices")?;
                for (x, slot) in centers.iter().zip(&mut factors) {
                    *slot = on_skin(x, &|v| values[v as usize]).unwrap_or(1.0);
                }
            }
            StiffnessPart::Tetrahedra(values) => {
                count(entry, values.len(), factors.len(), "tetrahedra")?;
                factors.copy_from_slice(values);
            }
        }
        for (&value, at) in factors.iter().zip(&centers) {
            if !(value.is_finite() && value > 0.0) {
                return Err(BakeError::InvalidStiffness {
                    entry,
                    value,
                    at: *at,
                });
            }
        }
    }
    Ok(Some(factors))
}

fn count(entry: usize, given: usize, wanted: usize, what: &'static str) -> Result<(), BakeError> {
    if given == wanted {
        return Ok(());
    }
    Err(BakeError::StiffnessCount {
        entry,
        given,
        wanted,
        what,
    })
}
