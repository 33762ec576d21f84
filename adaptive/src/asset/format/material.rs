//! Serialization of the material.

use pliant_core::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};

use crate::asset::format::bytes::{AssetFormatError, Reader, Writer, corrupt, positive};

pub(crate) fn write_material(w: &mut Writer, material: &Material) {
    w.f64(material.elastic.young);
    w.f64(material.elastic.poisson);
    w.f64(material.density);
    match material.damping {
        Damping::Ratio(zeta) => {
            w.u32(0);
            w.f64(zeta);
            w.f64(0.0);
        }
        Damping::Parameters(d) => {
            w.u32(1);
            w.f64(d.phi);
            w.f64(d.psi);
        }
    }
    w.text(material.law.name());
}

pub(crate) fn read_material(r: &mut Reader<'_>) -> Result<Material, AssetFormatError> {
    let elastic = YoungPoisson {
        young: positive(r.f64()?, "Young's modulus")?,
        poisson: r.f64()?,
    };
    if !(elastic.poisson > -1.0 && elastic.poisson < 0.5) {
        return Err(corrupt("Poisson's ratio"));
    }
    let density = positive(r.f64()?, "density")?;
    let (kind, a, b) = (r.u32()?, r.f64()?, r.f64()?);
    if !(a.is_finite() && b.is_finite()) {
        return Err(corrupt("damping"));
    }
    let damping = match kind {
        0 => Damping::Ratio(a),
        1 => Damping::Parameters(DampingParameters { phi: a, psi: b }),
        _ => return Err(corrupt("kind of damping")),
    };
    let law = MaterialLaw::from_name(&r.text()?).ok_or(corrupt("law"))?;
    Ok(Material {
        elastic,
        density,
        damping,
        law,
    })
}
