//! The three methods, by name.

use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// The three methods, in the order in which panes and tables show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Explicit Green-strain finite elements.
    Adaptive,
    /// Precomputed Green's functions.
    Quasistatic,
    /// Lattice shape matching.
    Lattice,
}

crate::named!(Method {
    Adaptive => "adaptive",
    Quasistatic => "quasistatic",
    Lattice => "lattice",
});

/// The method `name`, which is the value of `key`.
pub(crate) fn read_method(at: &Reader<'_>, key: &str, name: &str) -> Result<Method, SceneError> {
    Method::from_name(name).ok_or_else(|| {
        at.bad(
            key,
            format!("unknown method \"{name}\"\n  remedy: use adaptive, quasistatic or lattice"),
        )
    })
}
