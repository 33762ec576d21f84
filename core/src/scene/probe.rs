//! Probes: skin points whose motion is reported.

use crate::inspect::ProbeQuantity;
use crate::math::Vec3;
use crate::scene::body::named_body;
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// A probe.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeDescription {
    /// Name.
    pub name: String,
    /// The kind of bodies it reads, by number; all where the scene does not say.
    pub body: Option<usize>,
    /// The skin point nearest to this rest position is read, m.
    pub nearest_surface_point: Vec3,
    /// What is read.
    pub quantity: ProbeQuantity,
}

/// Reads a `[[probe]]` table; `names` are those of the bodies.
pub(crate) fn read_probe(
    probe: &Reader<'_>,
    names: &[&String],
) -> Result<ProbeDescription, SceneError> {
    let at = probe.required_table("at")?;
    let quantity = match probe.text("quantity")? {
        Some(word @ ("velocity" | "reaction")) => {
            let instead = "use displacement or position";
            return Err(probe.not_yet("quantity", word, instead));
        }
        _ => {
            let known = [
                ("displacement", ProbeQuantity::Displacement),
                ("position", ProbeQuantity::Position),
            ];
            probe.choice("quantity", ProbeQuantity::Displacement, known)?
        }
    };
    Ok(ProbeDescription {
        name: probe.required_text("name")?.to_string(),
        body: named_body(probe, names)?,
        nearest_surface_point: at.required_vector("nearest_surface_point")?,
        quantity,
    })
}
