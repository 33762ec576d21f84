//! Motion of tools and grabs: `[[path]]` tables and the key `motion`.

use std::collections::BTreeMap;

use nalgebra::UnitQuaternion;
use toml::Value;

use crate::contact::{Interpolation, Key, Pose, PosePath};
use crate::math::Vec3;
use crate::scene::error::SceneError;
use crate::scene::text::{Reader, as_number, as_vector};

/// The motion of a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum MotionDescription {
    /// None.
    Fixed,
    /// A path.
    Path(PosePath),
    /// A script that is made for the body when it is loaded: a poke at the highest point above the supports (`$POKE`).
    ScriptedPoke,
    /// Pokes at one point after another, chosen by the seed of the scene (`$POKES`).
    RandomPokes,
    /// Another tool carries it.
    Carried {
        /// Name of the tool that carries it.
        by: String,
        /// Poses in the axes of that tool, from its origin; one that does not change where it is fixed there.
        place: PosePath,
    },
}

/// The paths of a scene by name.
pub(crate) fn read_paths(scene: &Reader<'_>) -> Result<BTreeMap<String, PosePath>, SceneError> {
    let mut paths = BTreeMap::new();
    for path in scene.tables("path") {
        let name = path.required_text("name")?.to_string();
        let known = [
            ("linear", Interpolation::Linear),
            ("smooth", Interpolation::Smooth),
            ("hermite", Interpolation::Hermite),
        ];
        let interpolation = path.choice("interpolation", Interpolation::Linear, known)?;
        let Some(Value::Array(items)) = path.get("keys") else {
            return Err(path.missing("keys"));
        };
        let mut keys = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let bad = || {
                path.bad(&format!("keys[{index}]"), "must be { t = SECONDS, at = [x, y, z] }, with `turn` as [x, y, z] degrees if wanted")
            };
            let table = item.as_table().ok_or_else(bad)?;
            let time = table.get("t").and_then(as_number).ok_or_else(bad)?;
            let position = table.get("at").and_then(as_vector).ok_or_else(bad)?;
            let turn = match table.get("turn") {
                None => Vec3::zeros(),
                Some(value) => as_vector(value).ok_or_else(bad)?,
            };
            keys.push(Key {
                time,
                position,
                orientation: orientation_of(&turn),
            });
        }
        let built = PosePath::new(keys, interpolation, path.flag("loop")?).map_err(|e| {
            path.bad(
                "keys",
                format!("{e}\n  remedy: give keys with rising times"),
            )
        })?;
        if paths.insert(name.clone(), built).is_some() {
            return Err(SceneError::DuplicateName {
                path: "path".into(),
                name,
            });
        }
    }
    Ok(paths)
}

/// The orientation of a `turn` about x, then y, then z, degrees.
fn orientation_of(turn: &Vec3) -> UnitQuaternion<f64> {
    let [x, y, z] = [turn.x, turn.y, turn.z].map(f64::to_radians);
    UnitQuaternion::from_euler_angles(x, y, z)
}

/// Reads the key `motion` of a tool or grab.
pub(crate) fn read_motion(
    at: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
) -> Result<MotionDescription, SceneError> {
    match at.get("motion") {
        None => Ok(MotionDescription::Fixed),
        Some(Value::String(word)) if word == "fixed" => Ok(MotionDescription::Fixed),
        Some(Value::Table(table)) => {
            let motion = Reader::new(table, &at.at("motion"));
            if let Some(carried) = read_carried(&motion, paths)? {
                return Ok(carried);
            }
            match motion.text("device")? {
                None | Some("pointer") => {}
                Some(other) => return Err(motion.not_yet("device", other, "use \"pointer\"")),
            }
            if motion.get("path").is_some() {
                let reason = "cannot be combined with `path`\n  remedy: keep one of them";
                motion.refuse(&["script"], reason)?;
            }
            // without a window, a tool of a device follows its script
            let (key, name) = match (motion.text("path")?, motion.text("script")?) {
                (Some(name), _) if name.starts_with('$') => {
                    return Err(motion.bad(
                        "path",
                        format!("`{name}` is a script\n  remedy: write script = \"{name}\""),
                    ));
                }
                (Some(name), _) => ("path", name),
                (None, Some("$POKE")) => return Ok(MotionDescription::ScriptedPoke),
                (None, Some("$POKES")) => return Ok(MotionDescription::RandomPokes),
                (None, Some(name @ "$STROKE")) => {
                    let instead = "use \"$POKE\", \"$POKES\" or the name of a path";
                    return Err(motion.not_yet("script", name, instead));
                }
                (None, Some(name)) => ("script", name),
                (None, None) => return Err(motion.missing("script")),
            };
            named_path(&motion, key, name, paths).map(MotionDescription::Path)
        }
        Some(_) => Err(at.bad(
            "motion",
            "must be \"fixed\", { path = NAME }, { device = \"pointer\", script = NAME }, or for a tool { carried_by = NAME }",
        )),
    }
}

/// The motion of a tool that another one carries; `None` without the key `carried_by`.
fn read_carried(
    motion: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
) -> Result<Option<MotionDescription>, SceneError> {
    let Some(by) = motion.text("carried_by")? else {
        let reason = "applies only to a tool that another one carries\n  remedy: write carried_by = NAME, or leave it out";
        motion.refuse(&["at", "turn"], reason)?;
        return Ok(None);
    };
    let reason = format!(
        "a carried tool follows no pointer and no script by itself\n  remedy: leave it out, and move `{by}`, which carries it; path = NAME moves the tool relative to that"
    );
    motion.refuse(&["device", "script"], &reason)?;
    let vector = |key: &str| -> Result<Vec3, SceneError> {
        Ok(motion.vector(key)?.unwrap_or_else(Vec3::zeros))
    };
    let offset = Pose {
        position: vector("at")?,
        orientation: orientation_of(&vector("turn")?),
    };
    let mut place = PosePath::still(offset);
    if let Some(name) = motion.text("path")? {
        place = place.carrying_along(&named_path(motion, "path", name, paths)?);
    }
    Ok(Some(MotionDescription::Carried {
        by: by.to_string(),
        place,
    }))
}

fn named_path(
    at: &Reader<'_>,
    key: &str,
    name: &str,
    paths: &BTreeMap<String, PosePath>,
) -> Result<PosePath, SceneError> {
    paths.get(name).cloned().ok_or_else(|| {
        let known = paths.keys().map(String::as_str);
        SceneError::unknown_name(at.at(key), "path", name, known)
    })
}
