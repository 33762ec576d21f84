//! Tools: what they are called, how they touch, and what moves them.

use std::collections::BTreeMap;

use crate::boundary::Friction;
use crate::contact::PosePath;
use crate::scene::error::SceneError;
use crate::scene::motion::{MotionDescription, read_motion};
use crate::scene::text::Reader;
use crate::scene::tool::shape::{ShapeDescription, read_shape};

/// A tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    /// Name.
    pub name: String,
    /// Shape.
    pub shape: ShapeDescription,
    /// Friction.
    pub friction: Friction,
    /// What moves it.
    pub motion: MotionDescription,
    /// Whether the pointer of a window takes it over; without a window its motion is the script.
    pub follows_pointer: bool,
}

/// Reads a `[[tool]]` table.
pub(crate) fn read_tool(
    tool: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
) -> Result<ToolDescription, SceneError> {
    let shape = read_shape(&tool.required_table("shape")?)?;
    if shape.is_blade() && tool.get("contact").is_some() {
        return Err(tool.bad(
            "contact",
            "a blade cuts without resistance and has no contact\n  remedy: leave it out",
        ));
    }
    Ok(ToolDescription {
        name: tool.required_text("name")?.to_string(),
        shape,
        friction: read_contact(tool)?,
        motion: read_motion(tool, paths)?,
        follows_pointer: tool
            .table("motion")
            .is_some_and(|m| m.get("device").is_some()),
    })
}

fn read_contact(tool: &Reader<'_>) -> Result<Friction, SceneError> {
    let Some(contact) = tool.table("contact") else {
        return Ok(Friction::None);
    };
    match contact.text("kind")? {
        None | Some("frictionless") => Ok(Friction::None),
        Some("coulomb") => {
            let static_coefficient = contact
                .number_in("mu_s", Some(0.3), (0.0, 10.0), "")?
                .unwrap_or(0.3);
            let kinetic_coefficient = contact
                .number_in("mu_k", Some(static_coefficient), (0.0, 10.0), "")?
                .unwrap_or(static_coefficient);
            Ok(Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            })
        }
        Some("blade") => Err(contact.bad(
            "kind",
            "a blade is a shape\n  remedy: write shape = { blade = { length = METRES } } and leave out the kind",
        )),
        Some(kind @ ("sticky" | "bonded")) => Err(SceneError::NotYetSupported {
            path: format!("{} = \"{kind}\"", contact.at("kind")),
            instead: "use frictionless, coulomb, or a [[grab]]".into(),
        }),
        Some(other) => Err(contact.bad(
            "kind",
            format!("must be frictionless or coulomb, got \"{other}\""),
        )),
    }
}
