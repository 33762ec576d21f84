//! Errors in scenes.

use crate::diagnostics::nearest_name;
use crate::math::numbers::decimal;

/// A scene that cannot be used. The variant's name is the error code; every message names the key and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// Not TOML.
    #[error("line {line}: {message}\n  remedy: correct the TOML syntax there")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// The message of the parser.
        message: String,
    },
    /// An unknown key.
    #[error("unknown key `{path}`\n  remedy: {remedy}")]
    UnknownKey {
        /// Full path of the key, for example `body[0].materal`.
        path: String,
        /// The most similar known key, the known keys of the table, or the table that the key belongs to.
        remedy: String,
    },
    /// A key or value that is planned but not yet supported.
    #[error("`{path}` is not yet supported by this version\n  remedy: remove it, or {instead}")]
    NotYetSupported {
        /// Full path of the key, with the value where that is not supported.
        path: String,
        /// What to use today.
        instead: String,
    },
    /// A value of the wrong type or outside its range.
    #[error("`{path}`: {reason}")]
    BadValue {
        /// Full path of the key.
        path: String,
        /// What is wrong and what is allowed.
        reason: String,
    },
    /// A required key is missing.
    #[error("`{path}` is missing\n  remedy: add it")]
    MissingKey {
        /// Full path of the key.
        path: String,
    },
    /// A name refers to nothing.
    #[error(
        "`{path}` refers to {kind} `{name}`, which the scene does not define\n  remedy: {remedy}"
    )]
    UnknownName {
        /// Full path of the key.
        path: String,
        /// "path", "body", ...
        kind: &'static str,
        /// The name.
        name: String,
        /// The most similar name, or what to do where none is similar.
        remedy: String,
    },
    /// Two things of one kind have the same name.
    #[error("two things are called `{name}` in `{path}`\n  remedy: rename one")]
    DuplicateName {
        /// Table.
        path: String,
        /// The name.
        name: String,
    },
    /// A number that is probably in other units.
    #[error(
        "`{path}` = {} {unit} is suspicious: {reason}\n  remedy: Pliant uses SI units (m, kg, s, Pa)",
        decimal(*.value)
    )]
    UnitSuspicious {
        /// Full path of the key.
        path: String,
        /// Its value.
        value: f64,
        /// Its unit.
        unit: &'static str,
        /// Why.
        reason: &'static str,
    },
}

crate::error_code!(SceneError);

impl SceneError {
    /// The error of a `name` at the key `path`, where the `known` names of its kind are others.
    pub(crate) fn unknown_name<'a>(
        path: String,
        kind: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let remedy = match nearest_name(name, known) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "add it, or correct the name".to_string(),
        };
        Self::UnknownName {
            path,
            kind,
            name: name.to_string(),
            remedy,
        }
    }

    /// Line or key path.
    pub fn place(&self) -> String {
        match self {
            Self::Syntax { line, .. } => format!("line {line}"),
            Self::UnknownKey { path, .. }
            | Self::NotYetSupported { path, .. }
            | Self::BadValue { path, .. }
            | Self::MissingKey { path }
            | Self::UnknownName { path, .. }
            | Self::DuplicateName { path, .. }
            | Self::UnitSuspicious { path, .. } => path.clone(),
        }
    }
}
