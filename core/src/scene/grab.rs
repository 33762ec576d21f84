//! Grabs: skin vertices that move along a path.

use std::collections::BTreeMap;

use crate::boundary::ConstrainedDirections;
use crate::contact::{Pose, PosePath};
use crate::math::Vec3;
use crate::scene::body::named_body;
use crate::scene::error::SceneError;
use crate::scene::motion::{MotionDescription, read_motion};
use crate::scene::selection::{Selection, read_selection};
use crate::scene::text::Reader;

/// A grab.
#[derive(Debug, Clone, PartialEq)]
pub struct GrabDescription {
    /// Name.
    pub name: String,
    /// Index of the kind of bodies that it holds; `None` for all.
    pub body: Option<usize>,
    /// The vertices that it holds.
    pub select: Selection,
    /// Displacement from rest over time.
    pub path: PosePath,
    /// Directions in which it holds; the vertices slide in the others.
    pub directions: ConstrainedDirections,
}

/// Reads a `[[grab]]` table; `names` are those of the bodies.
pub(crate) fn read_grab(
    grab: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
    names: &[&String],
) -> Result<GrabDescription, SceneError> {
    let path = match read_motion(grab, paths)? {
        MotionDescription::Path(path) => path,
        MotionDescription::Fixed => PosePath::still(Pose::at(Vec3::zeros())),
        MotionDescription::ScriptedPoke
        | MotionDescription::RandomPokes
        | MotionDescription::Carried { .. } => {
            return Err(grab.bad("motion", "must be { path = NAME }"));
        }
    };
    Ok(GrabDescription {
        name: grab.required_text("name")?.to_string(),
        body: named_body(grab, names)?,
        select: read_selection(&grab.required_table("select")?)?,
        path,
        directions: read_directions(grab)?,
    })
}

/// Reads the keys `along` and `across`, which exclude each other.
fn read_directions(grab: &Reader<'_>) -> Result<ConstrainedDirections, SceneError> {
    let unit = |key: &str| -> Result<Option<Vec3>, SceneError> {
        let Some(direction) = grab.vector(key)? else {
            return Ok(None);
        };
        let largest = direction.amax();
        grab.refuse_if(largest == 0.0, key, "must not be zero")?;
        // scaled first, so that squares do not underflow or overflow
        Ok(Some((direction / largest).normalize()))
    };
    match (unit("along")?, unit("across")?) {
        (None, None) => Ok(ConstrainedDirections::All),
        (Some(direction), None) => Ok(ConstrainedDirections::Along(direction)),
        (None, Some(direction)) => Ok(ConstrainedDirections::Across(direction)),
        (Some(_), Some(_)) => Err(grab.bad(
            "across",
            "contradicts `along`\n  remedy: keep one of them, or none to hold in all directions",
        )),
    }
}
