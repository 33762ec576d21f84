//! Failure of a command: one line and an exit code.

use std::path::Path;

use pliant_core::asset::Cancelled;
use pliant_core::diagnostics::nearest_name;
use pliant_core::scene::Method;
use pliant_meshing::error::MeshingError;
use pliant_meshing::io::ReadError;
use pliant_meshing::repair::RepairError;
use pliant_simulation::advice::AdviceError;
use pliant_simulation::error::{BuildError, Fault, variant_name};
use serde_json::{Value, json};

/// Exit code of a failed check.
pub const CHECK_FAILED: u8 = 1;
/// Exit code of bad usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// Exit code of an internal fault.
pub const INTERNAL: u8 = 3;
/// Exit code after Ctrl-C.
pub const CANCELLED: u8 = 130;

/// A command that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Name of the error for scripts.
    pub code: String,
    /// One line: what and where.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// File with line or byte, table and key, or method and frame.
    pub place: Option<String>,
    /// Exit code.
    pub exit: u8,
}

impl Failure {
    /// Bad input.
    pub fn bad_input(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            code: code.to_string(),
            message: message.into(),
            hint: hint.into(),
            place: None,
            exit: BAD_INPUT,
        }
    }

    /// With a place.
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// With the enclosing file before message and place, unless they begin with it.
    pub fn within(mut self, file: &Path) -> Self {
        if self.exit == CANCELLED {
            return self;
        }
        let file = file.display().to_string();
        for text in [Some(&mut self.message), self.place.as_mut()]
            .into_iter()
            .flatten()
        {
            // a mesh of the drop-in scene is named from the present folder
            if let Some(rest) = text.strip_prefix("./").filter(|t| t.starts_with(&file)) {
                *text = rest.to_string();
            } else if !text.starts_with(&file) {
                *text = format!("{file}: {text}");
            }
        }
        self.place.get_or_insert(file);
        self
    }

    /// With the nearest of the `known` names before the hint, if one is similar to `name`.
    pub fn meaning<'a>(mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        if let Some(near) = nearest_name(name, known) {
            self.hint = format!("did you mean `{near}`? {}", self.hint);
        }
        self
    }

    /// The key `error` of a JSON object.
    pub fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message, "hint": self.hint, "where": self.place })
    }

    /// An output file could not be written.
    pub fn unwritable(path: &Path, error: &std::io::Error) -> Self {
        Self::bad_input(
            "Unwritable",
            format!("{} cannot be written: {error}", path.display()),
            "choose another place, or free some space",
        )
        .at(path.display().to_string())
    }

    /// From an error whose text carries its remedy in a second line.
    pub fn from_text(code: &str, text: &str, place: Option<String>) -> Self {
        let (message, hint) = split_remedy(text);
        Self {
            code: code.to_string(),
            message,
            hint,
            place,
            exit: if code == "Cancelled" {
                CANCELLED
            } else {
                BAD_INPUT
            },
        }
    }

    /// From an error whose variant names its code.
    pub fn of(error: &impl std::error::Error, place: Option<String>) -> Self {
        Self::from_text(&variant_name(error), &error.to_string(), place)
    }

    /// From the only method, which cannot run the scene.
    pub fn not_applicable(method: Method, why: &Fault) -> Self {
        let name = method.name();
        let text = format!("{name} is not applicable: {}", why.reason);
        Self {
            exit: BAD_INPUT,
            ..Self::from_text(&why.code, &text, Some(name.into()))
        }
    }

    /// From a mesh reader, for a file.
    pub fn reading(path: &Path, error: &ReadError) -> Self {
        let place = match error.place() {
            Some(place) => format!("{}: {place}", path.display()),
            None => path.display().to_string(),
        };
        Self::from_text(&error.code(), &error.of_file(path), Some(place))
    }

    /// From a repair, for a file.
    pub fn repairing(path: &Path, error: &RepairError) -> Self {
        Self::from_text(
            &error.code(),
            &format!("{}: {error}", path.display()),
            Some(path.display().to_string()),
        )
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        Self::from_text(&error.code(), &error.to_string(), error.place())
    }
}

impl From<AdviceError> for Failure {
    fn from(error: AdviceError) -> Self {
        let place = match &error {
            AdviceError::Build(build) => build.place(),
            _ => None,
        };
        Self::from_text(&error.code(), &error.to_string(), place)
    }
}

impl From<MeshingError> for Failure {
    fn from(error: MeshingError) -> Self {
        Self::of(&error, None)
    }
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Self {
        Self::from_text("Cancelled", "cancelled", None)
    }
}

/// A reason and its remedy in one line.
pub fn one_line(text: &str) -> String {
    text.replace("\n  ", "; ")
}

/// Splits an error text at its "remedy:" line; further lines are joined.
fn split_remedy(text: &str) -> (String, String) {
    let (message, hint) = match text.split_once("remedy:") {
        Some((message, hint)) => (message, hint),
        None => (text, ""),
    };
    let joined = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
    (joined(message), joined(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_becomes_the_hint() {
        let f = Failure::from_text("X", "a thing is wrong\n  remedy: do this\n and that", None);
        assert_eq!(
            (f.message.as_str(), f.hint.as_str()),
            ("a thing is wrong", "do this and that")
        );
        assert_eq!(Failure::from(Cancelled).exit, CANCELLED);
        let file = Path::new("a.toml");
        let within = f.within(file);
        assert_eq!(within.message, "a.toml: a thing is wrong");
        assert_eq!(within.place.as_deref(), Some("a.toml"));
        assert_eq!(within.clone().within(file), within);
        let dotted = Failure::from_text("X", "./a.stl: bad", None).within(Path::new("a.stl"));
        assert_eq!(dotted.message, "a.stl: bad");
        let cancelled = Failure::from(Cancelled);
        assert_eq!(cancelled.clone().within(file), cancelled);
    }
}
