//! The reference of a scene, and the material of the comparison.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// The reference that the results of a scene are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReferenceChoice {
    /// None: methods are compared with each other only.
    #[default]
    None,
    /// The same scene with some 3,000 nodes of finite elements and inertia: a quick estimate of the errors of methods.
    Estimate,
    /// The same with fine levels.
    Dynamic,
    /// The same without inertia: in each frame the body has come to rest.
    Static,
    /// The same without inertia and with small strains: linear elasticity.
    Linear,
    /// The dynamic one, and the effect of each simplification of the methods on the force.
    Explained,
}

crate::named!(ReferenceChoice {
    None => "none",
    Estimate => "estimate",
    Dynamic => "dynamic",
    Static => "static",
    Linear => "linear",
    Explained => "explained",
});

/// Reads the table `compare` of a scene: whether Poisson's ratio is zero everywhere, and the reference.
pub(crate) fn read_comparison(scene: &Reader<'_>) -> Result<(bool, ReferenceChoice), SceneError> {
    let compare = scene.table_or_empty("compare");
    let nu0 = compare.is_second("material", ["natural", "nu0"])?;
    let name = compare.text("reference")?.unwrap_or("none");
    let reference = ReferenceChoice::from_name(name).ok_or_else(|| {
        let known = ReferenceChoice::NAMES.join(", ");
        compare.bad(
            "reference",
            format!("must be one of {known}, got \"{name}\""),
        )
    })?;
    Ok((nu0, reference))
}
