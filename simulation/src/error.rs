//! What can go wrong between a scene and its models.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use pliant_core::asset::Cancelled;
pub use pliant_core::diagnostics::variant_name;
use pliant_core::math::numbers::decimal;
use pliant_core::scene::{Method, SceneError};
use pliant_meshing::error::MeshingError;
use pliant_meshing::io::ReadError;
use pliant_meshing::procedural::ProceduralError;
use pliant_meshing::repair::RepairError;

/// A scene or a body cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The scene's text is wrong.
    #[error("{}: {source}", file.display())]
    Scene {
        /// The scene file, or the bundled scene's name.
        file: PathBuf,
        /// What is wrong.
        source: SceneError,
    },
    /// Neither a file nor a bundled scene.
    #[error("there is no file and no bundled scene called `{name}`\n  remedy: {instead}")]
    NoSuchScene {
        /// As it was asked for.
        name: String,
        /// What to do.
        instead: String,
    },
    /// A file cannot be read as text.
    #[error("{}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why, with a remedy.
        reason: String,
    },
    /// A file cannot be written.
    #[error("{}: {reason}\n  remedy: free some space or choose another place; what was finished is kept", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The mesh file is wrong.
    #[error("{}{}", key_prefix(key), source.of_file(file))]
    Mesh {
        /// The scene and the key that name the file; `None` where it was opened by itself.
        key: Option<String>,
        /// The mesh file.
        file: PathBuf,
        /// What is wrong.
        source: ReadError,
    },
    /// The mesh cannot be made a closed body.
    #[error("{}: {source}", file.display())]
    Repair {
        /// The mesh file.
        file: PathBuf,
        /// What is wrong.
        source: RepairError,
    },
    /// No such generator, or bad sizes.
    #[error("`{path}`: {source}")]
    Procedural {
        /// Key path of the mesh.
        path: String,
        /// What is wrong.
        source: ProceduralError,
    },
    /// A mesher failed.
    #[error("{method} of body `{body}`: {source}", method = .method.name())]
    Meshing {
        /// For which method.
        method: Method,
        /// Which body.
        body: String,
        /// What failed.
        source: MeshingError,
    },
    /// A selection holds nothing.
    #[error("`{path}` selects no vertex of the skin{reason}")]
    SelectionEmpty {
        /// Key path.
        path: String,
        /// Why, where it is known, and a remedy.
        reason: String,
    },
    /// A selection lists a vertex that the skin does not have.
    #[error(
        "`{path}` lists vertex {vertex}, but the skin has {count} vertices\n  remedy: list vertices from 0 to {}",
        count.saturating_sub(1)
    )]
    NoSuchVertex {
        /// Key path.
        path: String,
        /// The vertex, from 0.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// The mesh of a tool is no closed surface.
    #[error(
        "tool `{tool}`: {} is not watertight: {reason}\n  remedy: `pliant check {}` shows all problems; close it in a modeller, or let Pliant repair it (repair = \"auto\" in its mesh)",
        file.display(), file.display()
    )]
    ToolNotWatertight {
        /// The tool.
        tool: String,
        /// The mesh file.
        file: PathBuf,
        /// Edges with one triangle only.
        open_edges: usize,
        /// What is wrong, with a place.
        reason: String,
    },
    /// The distances of a tool's mesh cannot be sampled.
    #[error("`{path}`: {source}")]
    ToolMesh {
        /// Key path of the mesh.
        path: String,
        /// What is wrong.
        source: MeshingError,
    },
    /// The tool is smaller than the skin's triangles.
    #[error(
        "tool `{tool}` has a radius of {} m, too sharp for a skin with edges of {edge:.4} m\n  remedy: use at least {needed:.4} m, or a finer skin",
        decimal(*.radius)
    )]
    ToolTooSharp {
        /// The tool.
        tool: String,
        /// Its radius, m.
        radius: f64,
        /// Mean skin edge, m.
        edge: f64,
        /// The smallest radius, m.
        needed: f64,
    },
    /// The tool is much larger than the body.
    #[error(
        "tool `{tool}` has a radius of {} m and moves, but the body is only {} m large: the tool would cover the whole body\n  remedy: check the unit, lengths are in metres; a small body needs a small tool, and a tool that is meant as a floor must not move",
        decimal(*.radius), decimal(*.size)
    )]
    ToolTooLarge {
        /// The tool.
        tool: String,
        /// Its radius, m.
        radius: f64,
        /// Diagonal of the skin, m.
        size: f64,
    },
    /// The scene does not fit a body whose size is unlikely: probably its file has another unit.
    #[error("{message}")]
    SizeUnlikely {
        /// How large the body is and why, then what does not fit, and as remedy the unit first.
        message: String,
        /// What does not fit.
        cause: Box<BuildError>,
    },
    /// One method cannot run the scene; the others can.
    #[error("{} is not applicable: {reason}", .method.name())]
    NotApplicable {
        /// Which method.
        method: Method,
        /// Error code of the cause.
        code: String,
        /// Why, with a remedy.
        reason: String,
    },
    /// Cancelled by the owner of the job.
    #[error("cancelled")]
    Cancelled,
}

/// Why something does not run, or stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Error code of the cause, as in the JSON output.
    pub code: String,
    /// Why, with a remedy in a line of its own.
    pub reason: String,
}

impl Fault {
    /// A fault of that code.
    pub fn new(code: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            reason: reason.into(),
        }
    }
}

/// The key that names a file, as the start of a message.
fn key_prefix(key: &Option<String>) -> String {
    key.as_ref()
        .map_or_else(String::new, |key| format!("{key}: "))
}

/// Why a file cannot be read, with a remedy.
pub fn why_unreadable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            "there is no such file\n  remedy: check the name and the folder".into()
        }
        ErrorKind::IsADirectory => "this is a folder\n  remedy: name a file in it".into(),
        ErrorKind::InvalidData => {
            "this is no text in UTF-8\n  remedy: save the text as UTF-8, or name another file"
                .into()
        }
        _ => format!("{error}\n  remedy: check the path and its permissions"),
    }
}

impl From<Cancelled> for BuildError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl BuildError {
    /// Name of the innermost variant: the error code of the JSON output.
    pub fn code(&self) -> String {
        match self {
            Self::Scene { source, .. } => source.code(),
            Self::Mesh { source, .. } => source.code(),
            Self::Repair { source, .. } => source.code(),
            Self::Procedural { source, .. } => variant_name(source),
            Self::Meshing { source, .. } | Self::ToolMesh { source, .. } => variant_name(source),
            Self::NotApplicable { code, .. } => code.clone(),
            Self::SelectionEmpty { .. } => "SupportEmpty".into(),
            Self::SizeUnlikely { cause, .. } => cause.code(),
            _ => variant_name(self),
        }
    }

    /// What is wrong, with a remedy, for somebody who is told beside which method cannot run the scene.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::NotApplicable { reason, .. } => reason.clone(),
            other => other.to_string(),
        }
    }

    /// File, line or key, as precisely as it is known.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Scene { file, source } => Some(format!("{}: {}", file.display(), source.place())),
            Self::Mesh { key, file, source } => Some(match source.place() {
                Some(place) => format!("{}{}: {place}", key_prefix(key), file.display()),
                None => format!("{}{}", key_prefix(key), file.display()),
            }),
            Self::Repair { file, .. }
            | Self::Unreadable { file, .. }
            | Self::Unwritable { file, .. } => Some(file.display().to_string()),
            Self::Meshing { method, body, .. } => Some(format!("{} of body {body}", method.name())),
            Self::SelectionEmpty { path, .. }
            | Self::NoSuchVertex { path, .. }
            | Self::Procedural { path, .. }
            | Self::ToolMesh { path, .. } => Some(path.clone()),
            Self::ToolTooSharp { tool, .. } | Self::ToolTooLarge { tool, .. } => {
                Some(format!("tool {tool}"))
            }
            Self::ToolNotWatertight { tool, file, .. } => {
                Some(format!("tool {tool}: {}", file.display()))
            }
            Self::NotApplicable { method, .. } => Some(method.name().to_string()),
            Self::NoSuchScene { name, .. } => Some(name.clone()),
            Self::SizeUnlikely { cause, .. } => cause.place(),
            Self::Cancelled => None,
        }
    }
}
