//! The three methods, by name.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// The three methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Explicit Green-strain finite elements.
    Adaptive,
    /// Precomputed Green's functions.
    Quasistatic,
    /// Lattice shape matching.
    Lattice,
}

impl Method {
    /// All methods in the order in which panes and tables show them.
    pub const ALL: [Self; 3] = [Self::Adaptive, Self::Quasistatic, Self::Lattice];

    /// Name in scenes, on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Quasistatic => "quasistatic",
            Self::Lattice => "lattice",
        }
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// The method `name`, which is the value of `key`.
pub(crate) fn read_method(at: &Reader<'_>, key: &str, name: &str) -> Result<Method, SceneError> {
    Method::from_name(name).ok_or_else(|| {
        at.bad(
            key,
            format!("unknown method \"{name}\"\n  remedy: use adaptive, quasistatic or lattice"),
        )
    })
}
