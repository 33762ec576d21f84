//! The table `material` of a body.

use crate::material::{
    Damping, DampingParameters, FractureLimits, Material, MaterialLaw, YoungPoisson,
};
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Largest Young's modulus, Pa.
const MAX_YOUNG: f64 = 1e13;

pub(crate) fn read_material(body: &Reader<'_>) -> Result<Material, SceneError> {
    let mut material = Material::default();
    let at = body.table_or_empty("material");
    let young = at.modulus("young")?.unwrap_or(material.elastic.young);
    let reason = "the softest tissue has some hundred pascals";
    at.suspect_if(young < 1.0, "young", (young, "Pa"), reason)?;
    let reason = "diamond has about 1e12";
    at.suspect_if(young > MAX_YOUNG, "young", (young, "Pa"), reason)?;
    material.elastic = YoungPoisson {
        young,
        poisson: at
            .number_in("poisson", (-0.9, 0.499), "")?
            .unwrap_or(material.elastic.poisson),
    };
    material.density = at
        .number_in("density", (1e-3, 1e5), "kg/m3")?
        .unwrap_or(material.density);
    let density = material.density;
    let reason = "water has 1000, and the lightest foams some tens";
    at.suspect_if(density < 5.0, "density", (density, "kg/m3"), reason)?;
    material.damping = match (at.number_in("zeta", (0.0, 10.0), "")?, at.table("damping")) {
        (Some(_), Some(_)) => {
            return Err(at.bad(
                "damping",
                "cannot be combined with `zeta`\n  remedy: keep one of them",
            ));
        }
        (Some(zeta), None) => Damping::Ratio(zeta),
        (None, Some(d)) => Damping::Parameters(DampingParameters {
            phi: d.number_in("phi", (0.0, 1e12), "Pa s")?.unwrap_or(0.0),
            psi: d.number_in("psi", (0.0, 1e12), "Pa s")?.unwrap_or(0.0),
        }),
        (None, None) => material.damping,
    };
    if let Some(name) = at.text("law")? {
        material.law = match MaterialLaw::from_name(name) {
            Some(law) => law,
            None => {
                let known = MaterialLaw::NAMES.join(", ");
                return Err(at.bad("law", format!("must be one of {known}, got \"{name}\"")));
            }
        };
    }
    Ok(material)
}

/// Reads the limits beyond which the material breaks.
pub(crate) fn read_fracture(body: &Reader<'_>) -> Result<FractureLimits, SceneError> {
    let at = body.table_or_empty("material");
    Ok(FractureLimits {
        strength: at.number_in("strength", (1e-3, 1e12), "Pa")?,
        toughness: at.number_in("toughness", (1e-9, 1e9), "J/m2")?,
    })
}

#[cfg(test)]
mod tests {
    use crate::material::FractureLimits;
    use crate::scene::load_scene;

    fn limits(material: &str) -> Result<FractureLimits, String> {
        let text = format!(
            "[[body]]\nname = 'b'\nmesh = {{ procedural = 'sphere' }}\nmaterial = {{ {material} }}"
        );
        let scene = load_scene(&text).map_err(|e| e.to_string())?;
        Ok(scene.body.fracture)
    }

    #[test]
    fn limits_of_a_material_are_read_or_refused_in_one_line() {
        assert_eq!(limits("young = 1e4"), Ok(FractureLimits::default()));
        let both = FractureLimits {
            strength: Some(5e3),
            toughness: Some(20.0),
        };
        assert_eq!(limits("strength = 5e3, toughness = 20"), Ok(both));
        let refusal = |key: &str, range: &str, value: &str| {
            let least = range.split(' ').next().unwrap_or_default();
            Err(format!(
                "`body[0].material.{key}`: must be between {range}, got {value}\n  remedy: the nearest value that is allowed is {least}"
            ))
        };
        assert_eq!(
            limits("young = -5"),
            Err("`body[0].material.young`: must be a positive modulus in pascals, got -5\n  remedy: give a modulus above zero".to_string())
        );
        let stiff = limits("young = 2e14").expect_err("refused");
        assert!(
            stiff.contains("`body[0].material.young` = 2e14 Pa is suspicious"),
            "{stiff}"
        );
        for (written, value) in [("0", "0"), ("-5", "-5")] {
            assert_eq!(
                limits(&format!("strength = {written}")),
                refusal("strength", "0.001 and 1e12 Pa", value)
            );
            assert_eq!(
                limits(&format!("toughness = {written}")),
                refusal("toughness", "1e-9 and 1e9 J/m2", value)
            );
        }
    }
}
