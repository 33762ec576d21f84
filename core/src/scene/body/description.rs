//! One body and its parameters for each method: the table `[[body]]`.

use toml::Value;

use crate::material::{FractureLimits, Material};
use crate::scene::body::adaptive::{AdaptiveDescription, read_adaptive};
use crate::scene::body::lattice::{LatticeDescription, read_lattice};
use crate::scene::body::layout::{LayoutDescription, read_layout};
use crate::scene::body::material::{read_fracture, read_material};
use crate::scene::body::mesh_source::{MeshSource, read_mesh};
use crate::scene::body::quasistatic::{QuasistaticDescription, read_quasistatic};
use crate::scene::error::SceneError;
use crate::scene::selection::{Selection, read_selection};
use crate::scene::text::Reader;

/// One body and its parameters for each method.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyDescription {
    /// Name.
    pub name: String,
    /// Source of its skin.
    pub mesh: MeshSource,
    /// Material.
    pub material: Material,
    /// Limits beyond which the material breaks.
    pub fracture: FractureLimits,
    /// Lasting supports.
    pub supports: Vec<SupportDescription>,
    /// Its copies, where the scene has several.
    pub layout: Option<LayoutDescription>,
    /// Parameters of the adaptive method.
    pub adaptive: AdaptiveDescription,
    /// Parameters of the lattice.
    pub lattice: LatticeDescription,
    /// Parameters of the quasistatic method.
    pub quasistatic: QuasistaticDescription,
}

/// A lasting support.
#[derive(Debug, Clone, PartialEq)]
pub struct SupportDescription {
    /// Name.
    pub name: String,
    /// The vertices that it holds.
    pub select: Selection,
}

pub(crate) fn read_body(body: &Reader<'_>) -> Result<BodyDescription, SceneError> {
    let supports = body.each("support", read_support)?;
    Ok(BodyDescription {
        name: body.text("name")?.unwrap_or("body").to_string(),
        mesh: read_mesh(&body.required_table("mesh")?)?,
        material: read_material(body)?,
        fracture: read_fracture(body)?,
        supports,
        layout: read_layout(body)?,
        adaptive: read_adaptive(body)?,
        lattice: read_lattice(body)?,
        quasistatic: read_quasistatic(body)?,
    })
}

fn read_support(support: &Reader<'_>) -> Result<SupportDescription, SceneError> {
    match support.get("motion") {
        None => {}
        Some(Value::String(word)) if word == "fixed" => {}
        Some(_) => {
            return Err(SceneError::NotYetSupported {
                path: support.at("motion"),
                instead: "write \"fixed\", or move a [[grab]]".into(),
            });
        }
    }
    Ok(SupportDescription {
        name: support.required_text("name")?.to_string(),
        select: read_selection(&support.required_table("select")?)?,
    })
}

/// Index of the body that the key `body` names, among `names`; `None` where the key is missing.
pub(crate) fn named_body(at: &Reader<'_>, names: &[&String]) -> Result<Option<usize>, SceneError> {
    let Some(name) = at.text("body")? else {
        return Ok(None);
    };
    match names.iter().position(|known| *known == name) {
        Some(k) => Ok(Some(k)),
        None => {
            let known = names.iter().map(|known| known.as_str());
            Err(SceneError::unknown_name(at.at("body"), "body", name, known))
        }
    }
}
