//! Source of the skin of a body: the table `mesh`.

use std::path::PathBuf;

use crate::scene::body::given_mesh::GivenMesh;
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// The source of a skin.
#[derive(Debug, Clone, PartialEq)]
pub enum MeshSource {
    /// A built-in generator.
    Procedural {
        /// Its name.
        name: String,
        /// Edge lengths of a box or bar, m.
        size: Option<[f64; 3]>,
        /// Target edge length of the skin, m.
        edge: Option<f64>,
        /// Longest side, m.
        longest: Option<f64>,
        /// Whether the body is put onto y = 0.
        rest_on_floor: bool,
    },
    /// A file.
    File {
        /// Path as written; relative paths count from the scene file.
        path: PathBuf,
        /// Factor on all coordinates after units.
        scale: f64,
        /// Metres per unit of the file.
        unit: f64,
        /// Whether z is up in the file.
        z_up: bool,
        /// Longest side that the body is scaled to, m.
        longest: Option<f64>,
        /// Whether the body is put onto y = 0.
        rest_on_floor: bool,
        /// Repair of a surface that does not bound a solid.
        repair: MeshRepair,
        /// Thickness (m) of the walls that replace a surface that does not bound a solid; `None` refuses open sheets.
        thickness: Option<f64>,
        /// The mesh itself, where a program has it in memory; `path` is then its name in messages. `None` in scene files.
        given: Option<GivenMesh>,
    },
}

/// Repair of a surface that does not bound a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshRepair {
    /// Repaired as far as possible, then closed, then wrapped in a new surface; every step is reported.
    #[default]
    Auto,
    /// None: refused unless it is closed, manifold and oriented.
    Off,
}

/// Keys that only a mesh file has.
const FILE_KEYS: [&str; 5] = ["scale", "units", "up", "repair", "thickness"];
/// Keys that only a generator has.
const GENERATOR_KEYS: [&str; 2] = ["size", "edge"];

pub(crate) fn read_mesh(mesh: &Reader<'_>) -> Result<MeshSource, SceneError> {
    match (mesh.text("procedural")?, mesh.text("file")?) {
        (Some(name), None) => {
            let text = "belongs to `file`, and this body is procedural\n  remedy: leave it out";
            mesh.refuse(&FILE_KEYS, text)?;
            let size = mesh.vector("size")?.map(|v| [v.x, v.y, v.z]);
            let is_flat = size.is_some_and(|s| s.iter().any(|x| *x <= 0.0));
            let text =
                "must be three positive lengths in metres\n  remedy: give lengths above zero";
            mesh.refuse_if(is_flat, "size", text)?;
            let longest = checked_length(mesh, "longest")?;
            // with a longest side, the sizes are only proportions
            if let (Some(size), None) = (size, longest) {
                require_likely(mesh, "size", size.into_iter().fold(0.0, f64::max))?;
            }
            Ok(MeshSource::Procedural {
                name: name.to_string(),
                size,
                edge: mesh.length("edge")?,
                longest,
                rest_on_floor: mesh.flag("rest_on_floor")?,
            })
        }
        (None, Some(path)) => {
            let text =
                "belongs to `procedural`, and this body comes from a file\n  remedy: leave it out";
            mesh.refuse(&GENERATOR_KEYS, text)?;
            let units = [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("in", 0.0254)];
            let unit = mesh.choice("units", 1.0, units)?;
            let z_up = mesh.is_second("up", ["y", "z"])?;
            let repair = match mesh.text("repair")? {
                // older words for `auto`
                Some("wrap" | "report") => MeshRepair::Auto,
                _ => {
                    let known = [("auto", MeshRepair::Auto), ("off", MeshRepair::Off)];
                    mesh.choice("repair", MeshRepair::Auto, known)?
                }
            };
            if repair == MeshRepair::Off {
                let text = "has no effect with repair = \"off\"\n  remedy: leave one of them out";
                mesh.refuse(&["thickness"], text)?;
            }
            Ok(MeshSource::File {
                path: path.into(),
                scale: mesh.factor("scale")?.unwrap_or(1.0),
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
            "cannot be combined with `procedural`\n  remedy: keep one of them",
        )),
        (None, None) => Err(mesh.missing("procedural")),
    }
}

fn checked_length(mesh: &Reader<'_>, key: &str) -> Result<Option<f64>, SceneError> {
    let value = mesh.length(key)?;
    if let Some(value) = value {
        require_likely(mesh, key, value)?;
    }
    Ok(value)
}

/// Refuses the length of a body, m, that comes probably from another unit.
fn require_likely(mesh: &Reader<'_>, key: &str, value: f64) -> Result<(), SceneError> {
    let is_unlikely = !(1e-4..=100.0).contains(&value);
    let reason = "bodies are between 0.1 mm and 100 m long";
    mesh.suspect_if(is_unlikely, key, (value, "m"), reason)
}
