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
    /// Index of the kind of bodies that it reads; `None` for all.
    pub body: Option<usize>,
    /// A position at rest, m; the nearest skin point is read.
    pub nearest_surface_point: Vec3,
    /// The quantity that is read.
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
