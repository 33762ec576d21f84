//! Tools: name, shape, contact and motion.

use std::collections::BTreeMap;

use crate::boundary::Friction;
use crate::contact::{Adhesion, PosePath};
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
    /// Whether the body sticks to it.
    pub adhesion: Option<Adhesion>,
    /// Motion.
    pub motion: MotionDescription,
    /// Whether it follows the pointer of a window; without a window it follows its motion.
    pub follows_pointer: bool,
    /// Whether it is one of the copies that `tool.repeat` describes, which come after all others.
    pub is_copy: bool,
}

/// Reads a `[[tool]]` table.
pub(crate) fn read_tool(
    tool: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
) -> Result<ToolDescription, SceneError> {
    let shape = read_shape(&tool.required_table("shape")?)?;
    let is_touching_blade = shape.is_blade() && tool.get("contact").is_some();
    let text = "a blade cuts without resistance and has no contact\n  remedy: leave it out";
    tool.refuse_if(is_touching_blade, "contact", text)?;
    let (friction, adhesion) = read_contact(tool)?;
    Ok(ToolDescription {
        name: tool.required_text("name")?.to_string(),
        shape,
        friction,
        adhesion,
        motion: read_motion(tool, paths)?,
        follows_pointer: tool
            .table("motion")
            .is_some_and(|m| m.get("device").is_some()),
        is_copy: false,
    })
}

/// Largest allowed limit of the pull, N.
const MAX_PULL_LIMIT: f64 = 1e6;

fn read_contact(tool: &Reader<'_>) -> Result<(Friction, Option<Adhesion>), SceneError> {
    let contact = tool.table_or_empty("contact");
    let coefficient_key = ["mu_s", "mu_k"]
        .into_iter()
        .find(|key| contact.get(key).is_some());
    let kind = match (contact.text("kind")?, coefficient_key) {
        // coefficients of friction alone say that there is friction
        (None, Some(_)) => Some("coulomb"),
        (Some(kind @ ("frictionless" | "sticky" | "bonded")), Some(key)) => {
            return Err(contact.bad(
                key,
                format!("a tool of kind \"{kind}\" has no friction\n  remedy: write kind = \"coulomb\", or leave {key} out"),
            ));
        }
        (kind, _) => kind,
    };
    // an unknown kind is reported below
    let is_useless =
        matches!(kind, None | Some("frictionless" | "coulomb")) && contact.get("f_max").is_some();
    let text = "applies only to a tool to which the body sticks, and which releases it at this pull\n  remedy: write kind = \"sticky\" or \"bonded\", or leave it out";
    contact.refuse_if(is_useless, "f_max", text)?;
    match kind {
        None | Some("frictionless") => Ok((Friction::None, None)),
        Some("coulomb") => {
            let coefficient = |key: &str| contact.number_in(key, (0.0, 10.0), "");
            let static_coefficient = coefficient("mu_s")?.unwrap_or(0.3);
            let kinetic_coefficient = coefficient("mu_k")?.unwrap_or(static_coefficient);
            if kinetic_coefficient > static_coefficient {
                return Err(contact.bad(
                    "mu_k",
                    format!("kinetic friction of {kinetic_coefficient} is above the static one, mu_s = {static_coefficient}\n  remedy: use a mu_k of at most mu_s, or leave it out"),
                ));
            }
            let friction = Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            };
            Ok((friction, None))
        }
        Some(kind @ ("sticky" | "bonded")) => {
            let pull_limit = contact.number_in("f_max", (0.0, MAX_PULL_LIMIT), "N")?;
            let pull_limit = pull_limit.unwrap_or(f64::INFINITY);
            let adhesion = match kind {
                "bonded" => Adhesion::Bonded { pull_limit },
                _ => Adhesion::Sticky { pull_limit },
            };
            Ok((Friction::None, Some(adhesion)))
        }
        Some("blade") => Err(contact.bad(
            "kind",
            "a blade is a shape\n  remedy: write shape = { blade = { length = METRES } } and leave out the kind",
        )),
        Some(other) => Err(contact.bad(
            "kind",
            format!("must be frictionless, coulomb, sticky or bonded, got \"{other}\""),
        )),
    }
}
