//! What can go wrong between a program and its bodies.

use std::fmt;

use pliant_core::boundary::BoundaryError;
use pliant_core::inspect::ParameterError;
use pliant_core::model::{SnapshotMismatch, StepError};
use pliant_core::scene::GivenMeshError;
use pliant_simulation::error::BuildError;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. [`Display`](fmt::Display) names the thing, the place and the remedy; [`Error::code`] is a code for programs.
///
/// [`Debug`](fmt::Debug) gives the same text, so that `fn main() -> pliant::Result<()>` ends with a sentence.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene, its mesh or a method's asset could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A frame could not be computed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A mesh in memory that cannot be used.
    #[error("body `{body}`: {source}")]
    Mesh {
        /// The body.
        body: String,
        /// What is wrong.
        source: GivenMeshError,
    },
    /// A dotted key of [`Body::set`](crate::Body::set) or [`Scene::set`](crate::Scene::set) with a part that is no table.
    #[error(
        "`{key}` of {thing} cannot be set: `{within}` is no table\n  remedy: use a key of docs/scenes.md, with dots between tables"
    )]
    Key {
        /// "body `liver`" or "the scene".
        thing: String,
        /// The key.
        key: String,
        /// The part that is no table.
        within: String,
    },
    /// A name that the scene does not have.
    #[error("the scene has no {kind} called `{name}`\n  remedy: {}", names_hint(.names))]
    NoSuchName {
        /// "tool", "support", ...
        kind: &'static str,
        /// The requested name.
        name: String,
        /// The names that it has.
        names: Vec<String>,
    },
    /// A body without a support for a method that has no inertia.
    #[error(
        "nothing holds body `{body}`, so the quasistatic method finds no equilibrium\n  remedy: hold a part of it with Body::hold, or use adaptive or lattice"
    )]
    NothingHolds {
        /// The body.
        body: String,
    },
    /// A vertex number beyond the skin.
    #[error("the skin has no vertex {vertex}\n  remedy: use 0 to {last}")]
    NoSuchVertex {
        /// The requested vertex.
        vertex: u32,
        /// The last one.
        last: usize,
    },
    /// Another number of displacements than of vertices.
    #[error(
        "there are {displacements} displacements for {vertices} vertices\n  remedy: give one for each vertex"
    )]
    DisplacementCount {
        /// Number of vertices.
        vertices: usize,
        /// Number of displacements.
        displacements: usize,
    },
    /// A vertex that is named with two different displacements.
    #[error("vertex {vertex} has two different displacements\n  remedy: name it once")]
    VertexTwice {
        /// The vertex.
        vertex: u32,
    },
    /// A number that is NaN or infinite.
    #[error("{what} is not finite\n  remedy: look where it comes from")]
    NotFinite {
        /// What has the number, for example "the position of tool `finger`".
        what: String,
    },
    /// Conditions that contradict each other.
    #[error(transparent)]
    Boundary(#[from] BoundaryError),
    /// A parameter of a model.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A snapshot of another world.
    #[error(transparent)]
    Snapshot(#[from] SnapshotMismatch),
}

impl Error {
    /// The innermost variant's name, the same as in the JSON of the program: `FileNotFound`, `BadValue`, `ToolTooSharp`, ...
    pub fn code(&self) -> String {
        match self {
            Self::Build(error) => error.code(),
            Self::Step(error) => error.code(),
            Self::Mesh { source, .. } => pliant_simulation::error::variant_name(source),
            Self::Key { .. } => "Key".into(),
            Self::NoSuchName { .. } => "NoSuchName".into(),
            Self::NothingHolds { .. } => "Unconstrained".into(),
            Self::NoSuchVertex { .. } => "NoSuchVertex".into(),
            Self::DisplacementCount { .. } => "DisplacementCount".into(),
            Self::VertexTwice { .. } => "VertexTwice".into(),
            Self::NotFinite { .. } => "NotFinite".into(),
            Self::Boundary(error) => pliant_simulation::error::variant_name(error),
            Self::Parameter(error) => pliant_simulation::error::variant_name(error),
            Self::Snapshot(_) => "SnapshotMismatch".into(),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The remedy for a name that the scene does not have.
fn names_hint(names: &[String]) -> String {
    match names {
        [] => "add one".into(),
        names => format!("it has {}", names.join(", ")),
    }
}
