//! Reading `[[path]]` and `[[tool]]` tables: what moves, how it is shaped, and how it touches.

use std::collections::BTreeMap;

use nalgebra::UnitQuaternion;
use toml::Value;

use crate::boundary::Friction;
use crate::contact::ToolShape;
use crate::math::Vec3;
use crate::path::{Interpolation, Key, PosePath};
use crate::scene::read::{Reader, as_number, as_vector};
use crate::scene::{MotionDescription, SceneError, ToolDescription};

pub(super) fn read_paths(scene: &Reader<'_>) -> Result<BTreeMap<String, PosePath>, SceneError> {
    let mut paths = BTreeMap::new();
    for path in scene.tables("path") {
        let name = path.required_text("name")?.to_string();
        let interpolation = match path.text("interpolation")? {
            None | Some("linear") => Interpolation::Linear,
            Some("smooth") => Interpolation::Smooth,
            Some("hermite") => Interpolation::Hermite,
            Some(other) => {
                return Err(path.bad(
                    "interpolation",
                    format!("must be linear, smooth or hermite, got \"{other}\""),
                ));
            }
        };
        let Some(Value::Array(items)) = path.get("keys") else {
            return Err(SceneError::MissingKey {
                path: path.at("keys"),
            });
        };
        let mut keys = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let bad = || {
                path.bad(&format!("keys[{index}]"), "must be { t = SECONDS, at = [x, y, z] }, with `turn` as [x, y, z] degrees if wanted")
            };
            let table = item.as_table().ok_or_else(bad)?;
            if let Some(key) = table
                .keys()
                .find(|k| !["t", "at", "turn"].contains(&k.as_str()))
            {
                return Err(SceneError::UnknownKey {
                    path: path.at(&format!("keys[{index}].{key}")),
                    did_you_mean: None,
                });
            }
            let time = table.get("t").and_then(as_number).ok_or_else(bad)?;
            let position = table.get("at").and_then(as_vector).ok_or_else(bad)?;
            let turn = match table.get("turn") {
                None => Vec3::zeros(),
                Some(value) => as_vector(value).ok_or_else(bad)?,
            };
            keys.push(Key {
                time,
                position,
                orientation: UnitQuaternion::from_euler_angles(
                    turn.x.to_radians(),
                    turn.y.to_radians(),
                    turn.z.to_radians(),
                ),
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

pub(super) fn read_tool(
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

pub(super) fn read_motion(
    at: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
) -> Result<MotionDescription, SceneError> {
    match at.get("motion") {
        None => Ok(MotionDescription::Fixed),
        Some(Value::String(word)) if word == "fixed" => Ok(MotionDescription::Fixed),
        Some(Value::Table(table)) => {
            let motion = Reader::new(table, &at.at("motion"));
            const KNOWN: [&str; 3] = ["path", "device", "script"];
            for key in table.keys() {
                if ["pivot", "fallback", "max_force", "template"].contains(&key.as_str()) {
                    return Err(SceneError::NotYetSupported {
                        path: motion.at(key),
                        instead: "leave it out".into(),
                    });
                }
                if !KNOWN.contains(&key.as_str()) {
                    return Err(SceneError::UnknownKey {
                        path: motion.at(key),
                        did_you_mean: None,
                    });
                }
            }
            match motion.text("device")? {
                None | Some("pointer") => {}
                Some(other) => {
                    return Err(SceneError::NotYetSupported {
                        path: format!("{} = \"{other}\"", motion.at("device")),
                        instead: "use \"pointer\"".into(),
                    });
                }
            }
            // what moves a device's tool without a window is its script
            let (key, name) = match (motion.text("path")?, motion.text("script")?) {
                (Some(name), _) => ("path", name),
                (None, Some("$POKE")) => return Ok(MotionDescription::ScriptedPoke),
                (None, Some("$POKES")) => return Ok(MotionDescription::RandomPokes),
                (None, Some("$STROKE")) => {
                    return Err(SceneError::NotYetSupported {
                        path: format!("{} = \"$STROKE\"", motion.at("script")),
                        instead: "use \"$POKE\", \"$POKES\" or the name of a path".into(),
                    });
                }
                (None, Some(name)) => ("script", name),
                (None, None) => {
                    return Err(SceneError::MissingKey {
                        path: motion.at("path"),
                    });
                }
            };
            named_path(&motion, key, name, paths).map(MotionDescription::Path)
        }
        Some(_) => Err(at.bad(
            "motion",
            "must be \"fixed\", { path = NAME } or { device = \"pointer\", script = NAME }",
        )),
    }
}

fn named_path(
    at: &Reader<'_>,
    key: &str,
    name: &str,
    paths: &BTreeMap<String, PosePath>,
) -> Result<PosePath, SceneError> {
    paths
        .get(name)
        .cloned()
        .ok_or_else(|| SceneError::UnknownName {
            path: at.at(key),
            kind: "path",
            name: name.to_string(),
        })
}
