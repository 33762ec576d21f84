//! Errors of the library as exceptions of the module `pliant.errors`.

use pliant::recording::RecordingError;
use pliant::recording::export::ExportError;
use pliant::simulation::error::{BuildError, Fault, variant_name};
use pliant::simulation::recording::RecordError;
use pyo3::prelude::*;

/// A result that Python gets as a value or as an exception.
pub type Outcome<T> = Result<T, Failure>;

/// The exception to raise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `PliantError` itself.
    Base,
    /// `ArgumentError`, which is a `ValueError`, too.
    Argument,
    /// `BuildError`.
    Build,
    /// `StepError`.
    Step,
    /// `RecordingError`.
    Recording,
}

/// What Python raises: an exception, its code and its words.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    code: String,
    message: String,
}

impl Failure {
    /// An exception with a code.
    pub fn new(kind: Kind, code: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: code.to_string(),
            message: message.into(),
        }
    }

    /// An argument that cannot be used.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(Kind::Argument, "BadArgument", message)
    }

    /// A file that the system does not give.
    pub fn unreadable(path: &std::path::Path, error: &std::io::Error) -> Self {
        let words = format!(
            "{}: {error}\n  remedy: check the path and its permissions",
            path.display()
        );
        Self::new(Kind::Recording, "Unreadable", words)
    }

    /// A file that cannot be written.
    pub fn unwritable(path: &std::path::Path, error: &std::io::Error) -> Self {
        let words = format!(
            "{}: {error}\n  remedy: choose another place, or free some space",
            path.display()
        );
        Self::new(Kind::Base, "Unwritable", words)
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self {
            code: failure.code,
            reason: failure.message,
        }
    }
}

impl From<pliant::Error> for Failure {
    fn from(error: pliant::Error) -> Self {
        use pliant::Error;
        let kind = match &error {
            Error::Build(_) | Error::Mesh { .. } | Error::NothingHolds { .. } => Kind::Build,
            Error::Step(_) => Kind::Step,
            _ => Kind::Argument,
        };
        // names of the Rust library and of the program as Python writes them
        let words = error.to_string().replace("Body::", "Body.");
        let words = words.replace("`pliant scenes`", "`pliant.BUNDLED_SCENES`");
        Self::new(kind, &error.code(), words)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        pliant::Error::from(error).into()
    }
}

impl From<RecordingError> for Failure {
    fn from(error: RecordingError) -> Self {
        let words = error
            .to_string()
            .replace("a file that `--record` wrote", "a recording");
        Self::new(Kind::Recording, &variant_name(&error), words)
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Build(error) => error.into(),
            RecordError::Recording(error) => error.into(),
            other => Self::new(Kind::Recording, &variant_name(&other), other.to_string()),
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Recording(error) => error.into(),
            // options of the program as arguments of Python
            other => {
                let words = other.to_string().replace("--record-every ", "every=");
                let words = words.replace(" with --out", "");
                Self::new(Kind::Recording, &variant_name(&other), words)
            }
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| {
            let class = match failure.kind {
                Kind::Base => "PliantError",
                Kind::Argument => "ArgumentError",
                Kind::Build => "BuildError",
                Kind::Step => "StepError",
                Kind::Recording => "RecordingError",
            };
            let raised = py
                .import("pliant.errors")
                .and_then(|module| module.getattr(class))
                .and_then(|class| class.call1((failure.message, failure.code)));
            raised.map_or_else(|error| error, Self::from_value)
        })
    }
}
