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
    /// The kind of bodies it holds, by number; all where the scene does not say.
    pub body: Option<usize>,
    /// What it holds.
    pub select: Selection,
    /// Displacement from rest over time.
    pub path: PosePath,
    /// In which directions it holds: in the others the vertices slide.
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
        MotionDescription::ScriptedPoke | MotionDescription::RandomPokes => {
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

/// The keys `along` and `across`, of which one may be there.
fn read_directions(grab: &Reader<'_>) -> Result<ConstrainedDirections, SceneError> {
    let unit = |key: &str| -> Result<Option<Vec3>, SceneError> {
        let Some(direction) = grab.vector(key)? else {
            return Ok(None);
        };
        let largest = direction.amax();
        if largest == 0.0 {
            return Err(grab.bad(key, "must not be zero"));
        }
        // first to a size whose square is a number
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
