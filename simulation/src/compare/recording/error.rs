//! What ends a recorded run, or a replay.

use std::path::PathBuf;

use pliant_core::scene::Method;
use pliant_recording::RecordingError;

use crate::error::BuildError;

/// What ends a recorded run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The run itself.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The file.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A body that a program made has no file to name.
    #[error(
        "the mesh of body `{body}` exists in memory only, but a recording refers to files\n  remedy: write the mesh to a file, and name it in the scene"
    )]
    MeshInMemory {
        /// The body.
        body: String,
    },
    /// A program gave a tool a shape, a place or a motion that the text does not have.
    #[error(
        "tool `{tool}` differs from the text of the scene, but a recording contains only the text\n  remedy: write its shape and its motion into the text"
    )]
    ToolNotInText {
        /// The tool.
        tool: String,
    },
}

/// What ends a replay.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The scene can no longer be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A surface differs from the recorded one.
    #[error(
        "{} differs from the recording in frame {frame} ({time:.4} s)\n  remedy: the same program and vector instructions give the same bits; the recording was made by pliant {recorded}, this is {present}", method.name()
    )]
    ReplayDiverged {
        /// Which method.
        method: Method,
        /// The first frame that differs, from 0.
        frame: usize,
        /// Time at its end, s.
        time: f64,
        /// Version and kernels of the recording.
        recorded: String,
        /// Version and kernels of this program.
        present: String,
    },
    /// A method that ran cannot run any more.
    #[error("{} ran when the recording was made, and cannot run now: {reason}", method.name())]
    MethodMissing {
        /// Which method.
        method: Method,
        /// Why.
        reason: String,
    },
    /// The scene has become another body.
    #[error(
        "the skin has {found} vertices, that of the recording {recorded}\n  remedy: use the program that made it: {program}"
    )]
    OtherSkin {
        /// Vertices now.
        found: usize,
        /// Vertices of the recording.
        recorded: usize,
        /// Version and kernels of the recording.
        program: String,
    },
    /// A file of the scene is gone.
    #[error(
        "{}: {reason}\n  remedy: the recording needs this file of its scene; put it back there", file.display()
    )]
    SourceMissing {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file of the scene has changed.
    #[error(
        "{} has changed since the recording was made\n  remedy: put the file back as it was", file.display()
    )]
    SourceChanged {
        /// The file.
        file: PathBuf,
    },
}

impl ReplayError {
    /// File, or method and frame.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Build(error) => error.place(),
            Self::ReplayDiverged { method, frame, .. } => {
                Some(format!("{}, frame {frame}", method.name()))
            }
            Self::MethodMissing { method, .. } => Some(method.name().to_string()),
            Self::OtherSkin { .. } => None,
            Self::SourceMissing { file, .. } | Self::SourceChanged { file } => {
                Some(file.display().to_string())
            }
        }
    }
}
