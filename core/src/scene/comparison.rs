//! What the results of a scene are compared with, and on which material.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// What the results of a scene are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReferenceChoice {
    /// Nothing: methods are compared with each other only.
    #[default]
    None,
    /// The same scene on some 3,000 nodes of finite elements, with inertia: how far methods are off, about and soon.
    Estimate,
    /// The same on fine levels.
    Dynamic,
    /// The same, and what each simplification of the methods alone does to the force.
    Explained,
}

impl ReferenceChoice {
    /// Names in scenes and on the command line.
    pub const NAMES: [&str; 4] = ["none", "estimate", "dynamic", "explained"];

    /// The choice of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "estimate" => Some(Self::Estimate),
            "dynamic" => Some(Self::Dynamic),
            "explained" => Some(Self::Explained),
            _ => None,
        }
    }
}

/// Whether Poisson's ratio is zero everywhere, and the reference: the table `compare` of a scene.
pub(crate) fn read_comparison(scene: &Reader<'_>) -> Result<(bool, ReferenceChoice), SceneError> {
    let compare = scene.table("compare");
    let nu0 = match compare
        .as_ref()
        .map(|c| c.text("material"))
        .transpose()?
        .flatten()
    {
        None | Some("natural") => false,
        Some("nu0") => true,
        Some(other) => {
            return Err(SceneError::BadValue {
                path: "compare.material".into(),
                reason: format!("must be \"natural\" or \"nu0\", got \"{other}\""),
            });
        }
    };
    let wanted_reference = compare
        .as_ref()
        .map(|c| c.text("reference"))
        .transpose()?
        .flatten();
    let reference = match wanted_reference {
        None => ReferenceChoice::None,
        Some(name) => ReferenceChoice::from_name(name).ok_or_else(|| SceneError::BadValue {
            path: "compare.reference".into(),
            reason: format!(
                "must be one of {}, got \"{name}\"",
                ReferenceChoice::NAMES.join(", ")
            ),
        })?,
    };
    Ok((nu0, reference))
}
