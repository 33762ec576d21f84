//! The table `material` of a body.

use crate::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

pub(crate) fn read_material(body: &Reader<'_>) -> Result<Material, SceneError> {
    let mut material = Material::default();
    let Some(at) = body.table("material") else {
        return Ok(material);
    };
    let young = at.length("young")?.unwrap_or(material.elastic.young);
    if young < 1.0 {
        return Err(SceneError::UnitSuspicious {
            path: at.at("young"),
            value: young,
            unit: "Pa",
            reason: "the softest tissue has some hundred pascals",
        });
    }
    material.elastic = YoungPoisson {
        young,
        poisson: at
            .number_in("poisson", Some(material.elastic.poisson), (-0.9, 0.499), "")?
            .unwrap_or(0.3),
    };
    material.density = at
        .number_in("density", Some(material.density), (1e-3, 1e5), "kg/m3")?
        .unwrap_or(material.density);
    material.damping = match (
        at.number_in("zeta", None, (0.0, 10.0), "")?,
        at.table("damping"),
    ) {
        (Some(_), Some(_)) => {
            return Err(at.bad(
                "damping",
                "stands beside `zeta`\n  remedy: keep one of them",
            ));
        }
        (Some(zeta), None) => Damping::Ratio(zeta),
        (None, Some(d)) => Damping::Parameters(DampingParameters {
            phi: d
                .number_in("phi", Some(0.0), (0.0, 1e12), "Pa s")?
                .unwrap_or(0.0),
            psi: d
                .number_in("psi", Some(0.0), (0.0, 1e12), "Pa s")?
                .unwrap_or(0.0),
        }),
        (None, None) => material.damping,
    };
    if let Some(name) = at.text("law")? {
        material.law = match MaterialLaw::from_name(name) {
            Some(law) => law,
            None => {
                let known = MaterialLaw::ALL.map(MaterialLaw::name).join(", ");
                return Err(at.bad("law", format!("must be one of {known}, got \"{name}\"")));
            }
        };
    }
    Ok(material)
}
