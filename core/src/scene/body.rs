//! Reading the `[[body]]` table.

use toml::Value;

use crate::material::{Damping, DampingParameters, Material, MaterialLaw, YoungPoisson};
use crate::scene::lattice::read_lattice;
use crate::scene::layout::read_layout;
use crate::scene::quasistatic::read_quasistatic;
use crate::scene::read::Reader;
use crate::scene::selection::read_selection;
use crate::scene::{
    AdaptiveDescription, BodyDescription, MeshRepair, MeshSource, Paint, SceneError,
    SupportDescription,
};

pub(super) fn read_body(body: &Reader<'_>) -> Result<BodyDescription, SceneError> {
    let mut supports = Vec::new();
    for support in body.tables("support") {
        match support.get("motion") {
            None => {}
            Some(Value::String(word)) if word == "fixed" => {}
            Some(_) => {
                return Err(SceneError::NotYetSupported {
                    path: support.at("motion"),
                    instead: "write \"fixed\", or move a [[grab]]".into(),
                });
            }
        }
        supports.push(SupportDescription {
            name: support.required_text("name")?.to_string(),
            select: read_selection(&support.required_table("select")?)?,
        });
    }
    Ok(BodyDescription {
        name: body.text("name")?.unwrap_or("body").to_string(),
        mesh: read_mesh(&body.required_table("mesh")?)?,
        material: read_material(body)?,
        supports,
        layout: read_layout(body)?,
        adaptive: read_adaptive(body)?,
        lattice: read_lattice(body)?,
        quasistatic: read_quasistatic(body)?,
    })
}

fn read_mesh(mesh: &Reader<'_>) -> Result<MeshSource, SceneError> {
    match (mesh.text("procedural")?, mesh.text("file")?) {
        (Some(name), None) => {
            let size = mesh.vector("size")?.map(|v| [v.x, v.y, v.z]);
            if size.is_some_and(|s| s.iter().any(|x| *x <= 0.0)) {
                return Err(mesh.bad("size", "must be three positive lengths in metres"));
            }
            Ok(MeshSource::Procedural {
                name: name.to_string(),
                size,
                edge: mesh.length("edge")?,
                longest: checked_length(mesh, "longest")?,
            })
        }
        (None, Some(path)) => {
            let unit = match mesh.text("units")? {
                None | Some("m") => 1.0,
                Some("cm") => 0.01,
                Some("mm") => 0.001,
                Some("in") => 0.0254,
                Some(other) => {
                    return Err(
                        mesh.bad("units", format!("must be mm, cm, m or in, got \"{other}\""))
                    );
                }
            };
            let z_up = match mesh.text("up")? {
                None | Some("y") => false,
                Some("z") => true,
                Some(other) => {
                    return Err(mesh.bad("up", format!("must be y or z, got \"{other}\"")));
                }
            };
            let repair = match mesh.text("repair")? {
                // `wrap` and `report` are older words for `auto`
                None | Some("auto" | "wrap" | "report") => MeshRepair::Auto,
                Some("off") => MeshRepair::Off,
                Some(other) => {
                    return Err(mesh.bad("repair", format!("must be auto or off, got \"{other}\"")));
                }
            };
            Ok(MeshSource::File {
                path: path.into(),
                scale: mesh.length("scale")?.unwrap_or(1.0),
                unit,
                z_up,
                longest: checked_length(mesh, "longest")?,
                rest_on_floor: mesh.flag("rest_on_floor")?,
                repair,
                thickness: mesh.length("thickness")?,
                given: None,
            })
        }
        (Some(_), Some(_)) => Err(mesh.bad(
            "file",
            "stands beside `procedural`\n  remedy: keep one of them",
        )),
        (None, None) => Err(SceneError::MissingKey {
            path: mesh.at("procedural"),
        }),
    }
}

fn checked_length(mesh: &Reader<'_>, key: &str) -> Result<Option<f64>, SceneError> {
    let value = mesh.length(key)?;
    match value {
        Some(value) if !(1e-4..=100.0).contains(&value) => Err(SceneError::UnitSuspicious {
            path: mesh.at(key),
            value,
            unit: "m",
            reason: "bodies are between 0.1 mm and 100 m long",
        }),
        _ => Ok(value),
    }
}

fn read_material(body: &Reader<'_>) -> Result<Material, SceneError> {
    let mut material = Material::default();
    let Some(at) = body.table("material") else {
        return Ok(material);
    };
    let young = at.length("young")?.unwrap_or(material.elastic.young);
    if young < 1.0 {
        return Err(SceneError::UnitSuspicious {
            path: at.at("young"),
            value: young,
            unit: "Pa",
            reason: "the softest tissue has some hundred pascals",
        });
    }
    material.elastic = YoungPoisson {
        young,
        poisson: at
            .number_in("poisson", Some(material.elastic.poisson), (-0.9, 0.499), "")?
            .unwrap_or(0.3),
    };
    material.density = at
        .number_in("density", Some(material.density), (1e-3, 1e5), "kg/m3")?
        .unwrap_or(material.density);
    material.damping = match (
        at.number_in("zeta", None, (0.0, 10.0), "")?,
        at.table("damping"),
    ) {
        (Some(_), Some(_)) => {
            return Err(at.bad(
                "damping",
                "stands beside `zeta`\n  remedy: keep one of them",
            ));
        }
        (Some(zeta), None) => Damping::Ratio(zeta),
        (None, Some(d)) => Damping::Parameters(DampingParameters {
            phi: d
                .number_in("phi", Some(0.0), (0.0, 1e12), "Pa s")?
                .unwrap_or(0.0),
            psi: d
                .number_in("psi", Some(0.0), (0.0, 1e12), "Pa s")?
                .unwrap_or(0.0),
        }),
        (None, None) => material.damping,
    };
    if let Some(name) = at.text("law")? {
        material.law = match MaterialLaw::from_name(name) {
            Some(law) => law,
            None => {
                return Err(at.bad(
                    "law",
                    format!(
                        "must be green, cauchy, simplified, stable_neo_hookean or corotated, got \"{name}\""
                    ),
                ));
            }
        };
    }
    Ok(material)
}

fn read_adaptive(body: &Reader<'_>) -> Result<AdaptiveDescription, SceneError> {
    let Some(at) = body.table("adaptive") else {
        return Ok(AdaptiveDescription::default());
    };
    let target_edges = at.numbers("target_edges")?;
    if target_edges.iter().any(|e| *e <= 0.0) {
        return Err(at.bad("target_edges", "must be positive lengths in metres"));
    }
    let mut nodes = Vec::new();
    for n in at.numbers("nodes")? {
        if !(4.0..=1e7).contains(&n) || n.fract() != 0.0 {
            return Err(at.bad("nodes", "must be whole numbers from 4 to 10 million"));
        }
        nodes.push(n as usize);
    }
    if !nodes.is_empty() && !target_edges.is_empty() {
        return Err(at.bad(
            "nodes",
            "stands beside `target_edges`\n  remedy: keep one of them",
        ));
    }
    at.flag("one_level_each")?;
    for model in at.texts("models")? {
        if !["green", "cauchy", "simplified", "spring"].contains(&model) {
            return Err(at.bad(
                "models",
                format!(
                    "unknown model \"{model}\"\n  remedy: use green, cauchy, simplified or spring"
                ),
            ));
        }
    }
    let courant = match at.text("dt_rule")? {
        None | Some("element") => false,
        Some("courant") => true,
        Some(other) => {
            return Err(at.bad(
                "dt_rule",
                format!("must be element or courant, got \"{other}\""),
            ));
        }
    };
    let double_precision = match at.text("precision")? {
        None | Some("f32") => false,
        Some("f64") => true,
        Some(other) => {
            return Err(at.bad("precision", format!("must be f32 or f64, got \"{other}\"")));
        }
    };
    let cut = match at.text("resolution")? {
        None | Some("auto") => None,
        Some("level") => Some(false),
        Some("cut") => Some(true),
        Some(other) => {
            return Err(at.bad(
                "resolution",
                format!("must be auto, level or cut, got \"{other}\""),
            ));
        }
    };
    let interface = at.text("interface")?.unwrap_or("conservative");
    if !["conservative", "paper", "patch"].contains(&interface) {
        return Err(at.bad(
            "interface",
            format!("must be conservative, paper or patch, got \"{interface}\""),
        ));
    }
    let scheme = at.text("scheme")?.unwrap_or("element-impulses");
    if !["element-impulses", "node-drift", "node-jump"].contains(&scheme) {
        return Err(at.bad(
            "scheme",
            format!("must be element-impulses, node-drift or node-jump, got \"{scheme}\""),
        ));
    }
    if scheme != "element-impulses" && cut != Some(true) {
        return Err(at.bad(
            "scheme",
            format!(
                "\"{scheme}\" needs resolution = \"cut\": one level has one step for all nodes"
            ),
        ));
    }
    let filter = at.text("filter")?.unwrap_or("off");
    if !["off", "paper", "scalar"].contains(&filter) {
        return Err(at.bad(
            "filter",
            format!("must be off, paper or scalar, got \"{filter}\""),
        ));
    }
    if filter != "off" && cut == Some(true) {
        return Err(at.bad(
            "filter",
            format!(
                "\"{filter}\" needs resolution = \"level\": a cut has a step of its own for every element instead"
            ),
        ));
    }
    match at.text("recover")? {
        None | Some("blend") => {}
        Some(other) => {
            return Err(SceneError::NotYetSupported {
                path: format!("{} = \"{other}\"", at.at("recover")),
                instead: "use \"blend\"".into(),
            });
        }
    }
    Ok(AdaptiveDescription {
        target_edges,
        nodes,
        budget_ms: at.number_in("budget_ms", None, (1e-3, 1e6), "ms")?,
        courant,
        double_precision,
        cut,
        gamma_max: at.number_in("gamma_max", None, (1e-9, 1e3), "m")?,
        interface: interface.to_string(),
        scheme: scheme.to_string(),
        filter: filter.to_string(),
        allow_unstable: at.flag("allow_unstable")?,
        uncalibrated: at.get("calibrate").is_some() && !at.flag("calibrate")?,
        models: at
            .texts("models")?
            .into_iter()
            .map(str::to_string)
            .collect(),
        body_contact: flag_or_none(&at, "body_contact")?,
        self_contact: flag_or_none(&at, "self_contact")?,
        friction: at.number_in("friction", None, (0.0, 10.0), "")?,
    })
}

fn flag_or_none(at: &Reader<'_>, key: &str) -> Result<Option<bool>, SceneError> {
    at.get(key).map(|_| at.flag(key)).transpose()
}

/// What is painted on the skin.
pub(super) fn read_paint(at: &Reader<'_>, key: &str) -> Result<Vec<Paint>, SceneError> {
    let mut paint = Vec::new();
    for part in at.tables(key) {
        if let Some(name) = part.text("attribute")? {
            if let Some(other) = ["select", "factor"].iter().find(|k| part.get(k).is_some()) {
                let text = "means nothing beside `attribute`, whose numbers lie at all vertices\n  remedy: make it an entry of its own";
                return Err(part.bad(other, text));
            }
            paint.push(Paint::Attribute(name.to_string()));
            continue;
        }
        let select = read_selection(&part.required_table("select")?)?;
        let Some(factor) = part.number_in("factor", None, (1e-3, 1e3), "")? else {
            return Err(SceneError::MissingKey {
                path: part.at("factor"),
            });
        };
        paint.push(Paint::Part { select, factor });
    }
    Ok(paint)
}
