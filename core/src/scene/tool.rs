//! Tools: how they are shaped, how they touch, and what moves them.

use std::collections::BTreeMap;

use crate::boundary::Friction;
use crate::contact::{PosePath, ToolShape};
use crate::scene::error::SceneError;
use crate::scene::motion::{MotionDescription, read_motion};
use crate::scene::text::Reader;

/// A tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    /// Name.
    pub name: String,
    /// Shape.
    pub shape: ToolShape,
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
    let shape = tool.required_table("shape")?;
    let (kind, _) = shape.only_entry()?;
    let inner = shape.required_table(kind)?;
    let radius = || -> Result<f64, SceneError> {
        inner
            .length("radius")?
            .ok_or_else(|| SceneError::MissingKey {
                path: inner.at("radius"),
            })
    };
    let shape = match kind {
        "sphere" => ToolShape::Sphere { radius: radius()? },
        "capsule" => ToolShape::Capsule {
            radius: radius()?,
            half_length: inner.required_number("half_length")?.max(0.0),
        },
        "box" => {
            let half_size = inner.required_vector("size")? * 0.5;
            if half_size.min() <= 0.0 {
                return Err(inner.bad("size", "must be three positive lengths in metres"));
            }
            let largest = half_size.min();
            let rounding = inner
                .number_in("rounding", Some(0.1 * largest), (0.0, largest), "m")?
                .unwrap_or(0.0);
            ToolShape::Box {
                half_size,
                rounding,
            }
        }
        _ => {
            let normal = inner.required_vector("normal")?;
            if normal.norm() == 0.0 {
                return Err(inner.bad("normal", "must not be zero"));
            }
            ToolShape::HalfSpace {
                point: inner.required_vector("point")?,
                normal: normal.normalize(),
            }
        }
    };
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
        Some(kind @ ("sticky" | "bonded" | "blade")) => Err(SceneError::NotYetSupported {
            path: format!("{} = \"{kind}\"", contact.at("kind")),
            instead: "use frictionless, coulomb, or a [[grab]]".into(),
        }),
        Some(other) => Err(contact.bad(
            "kind",
            format!("must be frictionless or coulomb, got \"{other}\""),
        )),
    }
}
