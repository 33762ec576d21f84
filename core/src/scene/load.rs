//! From TOML text to a checked scene.

use std::collections::BTreeMap;

use nalgebra::UnitQuaternion;
use toml::Value;

use crate::boundary::Friction;
use crate::contact::ToolShape;
use crate::math::Vec3;
use crate::path::{Interpolation, Key, PosePath};
use crate::probe::ProbeQuantity;
use crate::scene::body::read_body;
use crate::scene::keys::check_keys;
use crate::scene::read::{Reader, as_number, as_vector};
use crate::scene::selection::read_selection;
use crate::scene::{
    CheckDescription, GrabDescription, Method, MotionDescription, ProbeDescription,
    SceneDescription, SceneError, ToolDescription,
};

/// Length of a run without a window of a scene that has no end, s.
pub const DURATION_WITHOUT_END: f64 = 4.0;

/// Reads a scene: syntax, keys, types, ranges, names.
///
/// # Errors
/// [`SceneError`] names the first key that is wrong and what to do.
///
/// ```
/// use pliant_core::scene::load_scene;
/// let scene = load_scene(r#"
///     schema = 1
///     name = "hello"
///     body = [ { name = "ball", mesh = { procedural = "sphere", longest = 0.1 } } ]
/// "#)?;
/// assert_eq!(scene.frame_rate, 60.0);
/// let wrong = load_scene("schema = 1\nnamme = 'x'").unwrap_err();
/// assert_eq!(wrong.code(), "UnknownKey");
/// assert!(wrong.to_string().contains("did you mean `name`?"));
/// # Ok::<(), pliant_core::scene::SceneError>(())
/// ```
pub fn load_scene(text: &str) -> Result<SceneDescription, SceneError> {
    let table: toml::Table = text
        .parse()
        .map_err(|e: toml::de::Error| SceneError::Syntax {
            line: e.span().map_or(1, |span| {
                text[..span.start.min(text.len())].matches('\n').count() + 1
            }),
            message: e.message().trim().replace('\n', " "),
        })?;
    check_keys(&table)?;
    let scene = Reader::new(&table, "");
    match scene.get("schema") {
        None | Some(Value::Integer(1)) => {}
        Some(other) => {
            return Err(SceneError::NotYetSupported {
                path: format!("schema = {other}"),
                instead: "write schema = 1".into(),
            });
        }
    }
    let bodies = scene.tables("body");
    let body = match &bodies[..] {
        [] => {
            return Err(SceneError::MissingKey {
                path: "body".into(),
            });
        }
        [body] => read_body(body)?,
        _ => {
            return Err(SceneError::NotYetSupported {
                path: "body[1]".into(),
                instead: "describe one body".into(),
            });
        }
    };
    let paths = read_paths(&scene)?;
    let duration = scene
        .number_in("duration", Some(0.0), (0.0, 3600.0), "s")?
        .unwrap_or(0.0);
    let compare = scene.table("compare");
    let nu0 = match compare
        .as_ref()
        .map(|c| c.text("material"))
        .transpose()?
        .flatten()
    {
        None | Some("natural") => false,
        Some("nu0") => true,
        Some(other) => {
            return Err(SceneError::BadValue {
                path: "compare.material".into(),
                reason: format!("must be \"natural\" or \"nu0\", got \"{other}\""),
            });
        }
    };
    if let Some(reference) = compare
        .as_ref()
        .map(|c| c.text("reference"))
        .transpose()?
        .flatten()
    {
        return Err(SceneError::NotYetSupported {
            path: format!("compare.reference = \"{reference}\""),
            instead: "let a [[check]] compare with another method".into(),
        });
    }
    let mut methods = Vec::new();
    for name in scene.texts("methods")? {
        methods.push(method(&scene, "methods", name)?);
    }
    if methods.is_empty() {
        methods.extend(Method::ALL);
    }
    methods.sort_unstable();
    methods.dedup();
    let result = SceneDescription {
        name: scene.text("name")?.unwrap_or("scene").to_string(),
        title: scene.text("title")?.unwrap_or("").to_string(),
        duration: if duration > 0.0 {
            duration
        } else {
            DURATION_WITHOUT_END
        },
        has_end: duration > 0.0,
        frame_rate: scene
            .number_in("frame_rate", Some(60.0), (1.0, 10_000.0), "frames a second")?
            .unwrap_or(60.0),
        gravity: scene
            .vector("gravity")?
            .unwrap_or_else(|| Vec3::new(0.0, -9.81, 0.0)),
        strain_hint: scene
            .number_in("strain_hint", Some(0.0), (0.0, 10.0), "")?
            .unwrap_or(0.0),
        methods,
        nu0,
        tools: scene
            .tables("tool")
            .iter()
            .map(|t| read_tool(t, &paths))
            .collect::<Result<_, _>>()?,
        grabs: scene
            .tables("grab")
            .iter()
            .map(|g| read_grab(g, &paths, &body.name))
            .collect::<Result<_, _>>()?,
        probes: scene
            .tables("probe")
            .iter()
            .map(|p| read_probe(p, &body.name))
            .collect::<Result<_, _>>()?,
        checks: scene
            .tables("check")
            .iter()
            .map(read_check)
            .collect::<Result<_, _>>()?,
        body,
    };
    unique("tool", result.tools.iter().map(|t| &t.name))?;
    unique("grab", result.grabs.iter().map(|g| &g.name))?;
    unique("probe", result.probes.iter().map(|p| &p.name))?;
    unique(
        "body[0].support",
        result.body.supports.iter().map(|s| &s.name),
    )?;
    Ok(result)
}

fn unique<'a>(path: &str, names: impl Iterator<Item = &'a String>) -> Result<(), SceneError> {
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|w| w[0] == w[1]) {
        Some(pair) => Err(SceneError::DuplicateName {
            path: path.to_string(),
            name: pair[0].clone(),
        }),
        None => Ok(()),
    }
}

fn method(at: &Reader<'_>, key: &str, name: &str) -> Result<Method, SceneError> {
    Method::from_name(name).ok_or_else(|| {
        at.bad(
            key,
            format!("unknown method \"{name}\"\n  remedy: use adaptive, quasistatic or lattice"),
        )
    })
}

fn read_paths(scene: &Reader<'_>) -> Result<BTreeMap<String, PosePath>, SceneError> {
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

fn read_tool(
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

fn read_motion(
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
                (None, Some("$STROKE")) => {
                    return Err(SceneError::NotYetSupported {
                        path: format!("{} = \"$STROKE\"", motion.at("script")),
                        instead: "use \"$POKE\" or the name of a path".into(),
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

fn same_body(at: &Reader<'_>, body: &str) -> Result<(), SceneError> {
    match at.text("body")? {
        Some(name) if name != body => Err(SceneError::UnknownName {
            path: at.at("body"),
            kind: "body",
            name: name.to_string(),
        }),
        _ => Ok(()),
    }
}

fn read_grab(
    grab: &Reader<'_>,
    paths: &BTreeMap<String, PosePath>,
    body: &str,
) -> Result<GrabDescription, SceneError> {
    same_body(grab, body)?;
    let path = match read_motion(grab, paths)? {
        MotionDescription::Path(path) => path,
        MotionDescription::Fixed => PosePath::still(crate::contact::Pose::at(Vec3::zeros())),
        MotionDescription::ScriptedPoke => {
            return Err(grab.bad("motion", "must be { path = NAME }"));
        }
    };
    Ok(GrabDescription {
        name: grab.required_text("name")?.to_string(),
        select: read_selection(&grab.required_table("select")?)?,
        path,
    })
}

fn read_probe(probe: &Reader<'_>, body: &str) -> Result<ProbeDescription, SceneError> {
    same_body(probe, body)?;
    let at = probe.required_table("at")?;
    let quantity = match probe.text("quantity")? {
        None | Some("displacement") => ProbeQuantity::Displacement,
        Some("position") => ProbeQuantity::Position,
        Some(word @ ("velocity" | "reaction")) => {
            return Err(SceneError::NotYetSupported {
                path: format!("{} = \"{word}\"", probe.at("quantity")),
                instead: "use displacement or position".into(),
            });
        }
        Some(other) => {
            return Err(probe.bad(
                "quantity",
                format!("must be displacement or position, got \"{other}\""),
            ));
        }
    };
    Ok(ProbeDescription {
        name: probe.required_text("name")?.to_string(),
        nearest_surface_point: at.required_vector("nearest_surface_point")?,
        quantity,
    })
}

fn read_check(check: &Reader<'_>) -> Result<CheckDescription, SceneError> {
    let metric = check.required_text("metric")?;
    const KNOWN: [&str; 6] = [
        "energy_balance",
        "force_max_n",
        "frame_cost_p99_ms",
        "surface_rms",
        "surface_max",
        "stiffness_error",
    ];
    if !metric.starts_with("probe:") && !KNOWN.contains(&metric) {
        return Err(SceneError::NotYetSupported {
            path: format!("{} = \"{metric}\"", check.at("metric")),
            instead: format!("use probe:NAME or one of {}", KNOWN.join(", ")),
        });
    }
    let against = check.text("against")?.unwrap_or("");
    if !against.is_empty() && Method::from_name(against).is_none() {
        return Err(SceneError::NotYetSupported {
            path: format!("{} = \"{against}\"", check.at("against")),
            instead: "use a method's name".into(),
        });
    }
    Ok(CheckDescription {
        metric: metric.to_string(),
        of: method(check, "of", check.required_text("of")?)?,
        against: against.to_string(),
        max: check.required_number("max")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "schema = 1\nname = 'x'\n";
    const BODY: &str = "[[body]]\nname = 'b'\nmesh = { procedural = 'sphere', longest = 0.1 }\n";

    fn error(text: &str) -> SceneError {
        load_scene(text).expect_err("must be refused")
    }

    #[test]
    fn errors_name_the_key() {
        let cases = [
            (format!("{HEAD}name = 2"), "Syntax", "line 3"),
            (HEAD.to_string(), "MissingKey", "body"),
            (
                format!("{HEAD}{BODY}materal = {{}}"),
                "UnknownKey",
                "body[0].materal",
            ),
            (
                format!("{HEAD}{BODY}count = 3"),
                "NotYetSupported",
                "body[0].count",
            ),
            (
                format!("{HEAD}duration = 'long'\n{BODY}"),
                "BadValue",
                "duration",
            ),
            (
                format!("{HEAD}{BODY}material = {{ poisson = 0.6 }}"),
                "BadValue",
                "body[0].material.poisson",
            ),
            (
                format!(
                    "{HEAD}{BODY}[[tool]]\nname = 't'\nshape = {{ sphere = {{ radius = 0.1 }} }}\nmotion = {{ path = 'p' }}"
                ),
                "UnknownName",
                "tool[0].motion.path",
            ),
            (
                format!("{HEAD}{BODY}[[check]]\nmetric = 'pop'\nof = 'adaptive'\nmax = 1"),
                "NotYetSupported",
                "check[0].metric = \"pop\"",
            ),
            (
                format!("{HEAD}methods = ['magic']\n{BODY}"),
                "BadValue",
                "methods",
            ),
        ];
        for (text, code, place) in cases {
            let e = error(&text);
            assert_eq!((e.code(), e.place().as_str()), (code, place), "{e}");
        }
    }

    #[test]
    fn a_full_scene_is_read() {
        let scene = load_scene(&format!(
            "{HEAD}gravity = [0, 0, 0]\nmethods = ['lattice', 'adaptive']\n{BODY}\
             material = {{ young = 5e3, zeta = 0.2, law = 'stable_neo_hookean' }}\n\
             support = [{{ name = 's', select = {{ lowest = 0.1 }}, motion = 'fixed' }}]\n\
             [[tool]]\nname = 't'\nshape = {{ capsule = {{ radius = 0.01, half_length = 0.02 }} }}\n\
             contact = {{ kind = 'coulomb', mu_s = 0.4 }}\nmotion = {{ device = 'pointer', script = '$POKE' }}\n\
             [[grab]]\nname = 'g'\nselect = {{ sphere = {{ center = [0, 0, 0], radius = 1 }} }}\nmotion = {{ path = 'p' }}\n\
             [[path]]\nname = 'p'\nkeys = [{{ t = 0, at = [0, 0, 0] }}, {{ t = 1, at = [0, 1, 0], turn = [0, 90, 0] }}]\n"
        ))
        .expect("valid");
        assert_eq!(scene.methods, vec![Method::Adaptive, Method::Lattice]);
        assert_eq!(scene.duration, DURATION_WITHOUT_END);
        assert!(!scene.has_end);
        assert_eq!(scene.tools[0].motion, MotionDescription::ScriptedPoke);
        assert_eq!(scene.grabs[0].path.pose(1.0).position.y, 1.0);
        assert_eq!(scene.body.material.elastic.young, 5e3);
    }
}
