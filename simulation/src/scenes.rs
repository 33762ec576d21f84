//! Bundled scenes, compiled into the program, and the drop-in scene that wraps a mesh.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_core::diagnostics::nearest_name;
use pliant_core::scene::{MeshRepair, SceneDescription, SceneError, load_scene};
pub use pliant_meshing::io::keep_file;
use pliant_meshing::io::kept_file;
use pliant_meshing::procedural::names;

use crate::error::{BuildError, why_unreadable};
use crate::setup::hand::{HandMotion, split};

/// Names with the texts of the scene files of that name.
macro_rules! with_texts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../scenes/", $name, ".toml")))),+]
    };
}

/// Name and text of every bundled scene, in the order in which they are listed.
pub const BUNDLED: &[(&str, &str)] = with_texts![
    "welcome",
    "penguins",
    "heap",
    "blocks",
    "drops",
    "shatter",
    "cut",
    "tear",
    "slice",
    "incision",
    "fracture",
    "toy",
    "materials",
    "buddha",
    "buddha-shell",
    "infant",
    "pull",
    "abuse",
    "poke",
    "liver",
    "grasp",
    "grasp-2",
    "grasp-5",
    "pinch",
    "kidney",
    "spatula",
    "banana-seat",
    "torso",
    "octahedron-nu0",
    "octahedron-nu03",
    "octahedron-nu05",
    "finger-pad",
    "rabbit",
    "dragon",
    "cantilever",
    "cube-oscillation",
    "drop-in",
];

const DROP_IN_TEXT: &str = include_str!("../scenes/drop-in.toml");

/// How an imported mesh is to be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportOptions {
    /// `mm`, `cm`, `m` or `in`; `None` scales the body to a longest side of 0.3 m.
    pub units: Option<String>,
    /// Whether z is up in the file.
    pub z_up: bool,
    /// What is done to a surface that is no solid.
    pub repair: MeshRepair,
    /// Thickness of the walls that a surface which is no solid becomes, m; `None` refuses sheets.
    pub thickness: Option<f64>,
}

/// A checked scene and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedScene {
    /// What it says.
    pub description: SceneDescription,
    /// The scene file, the mesh file, or the bundled scene's name.
    pub origin: PathBuf,
    /// Folder that relative paths count from.
    pub folder: PathBuf,
    /// The text, for reports.
    pub text: String,
    /// The motion of a hand, where its text ends with a table `[hand]`.
    pub hand: Option<Arc<HandMotion>>,
}

impl LoadedScene {
    /// The scene of a text that was made by a program, called `origin` in messages; relative paths count from the current folder.
    ///
    /// # Errors
    /// [`BuildError::Scene`].
    pub fn of_text(origin: &str, text: impl Into<String>) -> Result<Self, BuildError> {
        parse(Path::new(origin), Path::new("."), text.into())
    }

    /// The error of something that is wrong in its text.
    pub(crate) fn wrong(&self, source: SceneError) -> BuildError {
        let file = self.origin.clone();
        BuildError::Scene { file, source }
    }

    /// Whether it is the drop-in scene around a mesh file.
    pub fn is_dropped_mesh(&self) -> bool {
        is_drop_in(&self.text)
    }
}

/// Loads a scene file (`.toml`), a bundled scene by name, or any mesh file, which is wrapped into the drop-in scene.
///
/// # Errors
/// [`BuildError::NoSuchScene`], [`BuildError::Unreadable`], [`BuildError::Scene`].
pub fn load<S: AsRef<OsStr> + ?Sized>(
    source: &S,
    import: &ImportOptions,
) -> Result<LoadedScene, BuildError> {
    let source = source.as_ref();
    if let Some((name, text)) = BUNDLED.iter().find(|(name, _)| *name == source) {
        let text = text.replace("$MESH", "penguin");
        let text = if *name == "drop-in" {
            as_procedural(&text)
        } else {
            text
        };
        return parse(Path::new(name), Path::new("."), text);
    }
    let path = Path::new(source);
    let is_scene = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    if is_scene {
        let text = read_text(path).map_err(|e| {
            let mut reason = why_unreadable(&e);
            let stem = path.file_stem().unwrap_or_default();
            if e.kind() == ErrorKind::NotFound
                && let Some((name, _)) = BUNDLED.iter().find(|(name, _)| *name == stem)
            {
                reason += &format!(", or open the bundled scene `{name}`");
            }
            let file = path.to_path_buf();
            BuildError::Unreadable { file, reason }
        })?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        return parse(path, &folder, text);
    }
    let name = source.to_string_lossy();
    let is_there = path.exists() || kept_file(path).is_some();
    if !is_there && path.extension().is_none() && !name.contains(['/', '\\']) {
        return Err(BuildError::NoSuchScene {
            instead: suggestion(&name),
            name: name.into_owned(),
        });
    }
    wrapped(DROP_IN_TEXT.to_string(), path, import)
}

/// The remedy for a `name` that is neither a file nor a bundled scene.
fn suggestion(name: &str) -> String {
    let scenes = || BUNDLED.iter().map(|(scene, _)| *scene);
    match nearest_name(name, scenes().chain(names().iter().copied())) {
        Some(near) if scenes().any(|scene| scene == near) => {
            format!("did you mean `{near}`? `pliant scenes` lists the bundled ones")
        }
        Some(body) => format!(
            "`{body}` is a procedural body: `pliant mesh`, `remesh` and `voxelise` take it, a scene has it as `mesh = {{ procedural = \"{body}\" }}`"
        ),
        None => "`pliant scenes` lists the bundled ones".to_string(),
    }
}

/// The text of a file, on the disk or in memory.
fn read_text(path: &Path) -> std::io::Result<String> {
    match kept_file(path) {
        Some(kept) => String::from_utf8(kept.to_vec())
            .map_err(|e| std::io::Error::new(ErrorKind::InvalidData, e)),
        None => std::fs::read_to_string(path),
    }
}

/// Whether `text` is that of the drop-in scene, with its mesh still to be put in.
pub(crate) fn is_drop_in(text: &str) -> bool {
    text == DROP_IN_TEXT
}

/// The scene of `text` with its mesh taken from a file.
///
/// # Errors
/// [`BuildError::Scene`] for a text that is no scene and for impossible import options.
pub(crate) fn wrapped(
    text: String,
    mesh: &Path,
    import: &ImportOptions,
) -> Result<LoadedScene, BuildError> {
    let mut scene = parse(mesh, Path::new("."), text)?;
    if let pliant_core::scene::MeshSource::File {
        path,
        unit,
        z_up,
        longest,
        repair,
        thickness,
        ..
    } = &mut scene.description.body.mesh
    {
        *path = mesh.to_path_buf();
        *z_up = import.z_up;
        *repair = import.repair;
        *thickness = import.thickness;
        if let Some(name) = &import.units {
            *longest = None;
            *unit = metres_of(name).ok_or_else(|| BuildError::Scene {
                file: mesh.to_path_buf(),
                source: SceneError::BadValue {
                    path: "units".into(),
                    reason: format!("must be mm, cm, m or in, got \"{name}\""),
                },
            })?;
        }
    }
    scene.description.name = mesh
        .file_stem()
        .map_or_else(|| "mesh".to_string(), |s| s.to_string_lossy().into_owned());
    scene.description.title = "held at its foot and poked from above".into();
    scene.origin = mesh.to_path_buf();
    Ok(scene)
}

/// Units of meshes by name, with their metres.
pub(crate) const UNITS: [(&str, f64); 4] =
    [("mm", 0.001), ("cm", 0.01), ("m", 1.0), ("in", 0.0254)];

/// Metres of a unit by its name; `None` for an unknown one.
pub fn metres_of(unit: &str) -> Option<f64> {
    let known = UNITS.iter().find(|(name, _)| *name == unit);
    known.map(|(_, metres)| *metres)
}

/// The absolute path, so that it can be read from another folder.
pub(crate) fn absolute(path: &Path) -> String {
    // an empty path has no absolute form; it is the present folder
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    let found = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    found.display().to_string()
}

/// Without a file the drop-in scene shows a body of ours.
fn as_procedural(text: &str) -> String {
    text.lines()
        .map(|line| {
            if line.starts_with("mesh = ") {
                "mesh = { procedural = \"penguin\", longest = 0.3 }".to_string()
            } else {
                line.to_string()
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// The scene of a text.
pub(crate) fn parse(origin: &Path, folder: &Path, text: String) -> Result<LoadedScene, BuildError> {
    let read = split(&text).and_then(|(scene, hand)| Ok((load_scene(scene)?, hand)));
    let (description, hand) = read.map_err(|source| BuildError::Scene {
        file: origin.to_path_buf(),
        source,
    })?;
    Ok(LoadedScene {
        description,
        hand: hand.map(Arc::new),
        origin: origin.to_path_buf(),
        folder: folder.to_path_buf(),
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_scene_is_valid() {
        for (name, _) in BUNDLED {
            let scene = load(name, &ImportOptions::default()).expect("valid");
            assert_eq!(scene.description.name, *name);
            assert!(
                !scene.description.title.is_empty(),
                "{name} has a line for `pliant scenes`"
            );
        }
    }

    #[test]
    fn unknown_names_and_missing_files_are_told_apart() {
        let import = ImportOptions::default();
        let code = |source: &str| load(source, &import).expect_err("refused").code();
        assert_eq!(code("nonsense"), "NoSuchScene");
        assert_eq!(code("missing.toml"), "Unreadable");
        for (asked, meant) in [
            ("Poke", "did you mean `poke`?"),
            ("pokee", "did you mean `poke`?"),
            ("kidny", "did you mean `kidney`?"),
            ("poke.toml", "the bundled scene `poke`"),
            ("nodule", "`nodule` is a procedural body"),
            ("nodul", "`nodule` is a procedural body"),
            ("nonsense", "`pliant scenes`"),
        ] {
            let told = load(asked, &import).expect_err("refused").to_string();
            assert!(told.contains(meant), "{asked}: {told}");
        }
        // a mesh file is opened when its body is built
        assert!(load("missing.stl", &import).is_ok());
        keep_file("latin.toml", b"name = 'bl\xf6ck'".as_slice());
        let told = load("latin.toml", &import)
            .expect_err("refused")
            .to_string();
        assert!(told.contains("no text in UTF-8"), "{told}");
        keep_file("dropped", b"v 0 0 0".as_slice());
        assert!(load("./dropped", &import).is_ok(), "it is kept in memory");
        let unknown = ImportOptions {
            units: Some("ell".into()),
            ..import
        };
        let refused = load("missing.stl", &unknown).expect_err("refused");
        assert!(refused.code() == "BadValue" && refused.to_string().contains("\"ell\""));
    }
}
