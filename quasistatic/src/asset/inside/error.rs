//! Why a load on a point inside is refused.

/// Why a load on a point is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InsideLoadError {
    /// The body has no point of that name.
    #[error(
        "the body has no point inside called `{name}`{}\n  remedy: name one of them, or bake with it in `quasistatic.inside`",
        list(known)
    )]
    NoSuchPoint {
        /// The name given.
        name: String,
        /// The points of the body.
        known: Vec<String>,
    },
    /// Not a number, or infinite.
    #[error("the load on `{name}` is not finite\n  remedy: give three finite numbers in newtons")]
    LoadNotFinite {
        /// The point.
        name: String,
    },
}

pliant_core::error_code!(InsideLoadError);

fn list(known: &[String]) -> String {
    match known {
        [] => ": it has none".to_string(),
        _ => format!(": it has {}", known.join(", ")),
    }
}
