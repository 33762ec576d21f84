//! What can be wrong with a request for a procedural body.

use pliant_core::asset::Cancelled;
use pliant_core::math::numbers::decimal;

use super::bodies::table::names;

/// Failure to make a procedural body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProceduralError {
    /// No body has this name.
    #[error(
        "there is no procedural body `{name}`\n  remedy: {}",
        remedy(did_you_mean)
    )]
    UnknownBody {
        /// The requested name.
        name: String,
        /// The known name nearest to it, where one is near.
        did_you_mean: Option<&'static str>,
    },
    /// A length is not a usable number.
    #[error(
        "body `{body}`: {what} must be between {smallest} and {largest} m, got {value}\n  remedy: give it in metres"
    )]
    BadSize {
        /// Name of the body.
        body: &'static str,
        /// Which length.
        what: &'static str,
        /// The value given, m.
        value: f64,
        /// Smallest value allowed, m.
        smallest: f64,
        /// Largest value allowed, m.
        largest: f64,
    },
    /// A size an axis was given for a body that has only one size.
    #[error(
        "body `{body}` has no `size` for each axis\n  remedy: give its longest side as `longest`; only box and bar have a `size`"
    )]
    SizeNotUsed {
        /// Name of the body.
        body: &'static str,
    },
    /// The triangles would be too large to show the body's shape.
    #[error(
        "body `{body}`: an edge of {} m is too coarse for its shape\n  remedy: use {} m or less",
        decimal(*.edge), rounded_down(*.edge_that_works)
    )]
    EdgeTooCoarse {
        /// Name of the body.
        body: &'static str,
        /// The requested edge, m.
        edge: f64,
        /// An edge that is fine enough, m.
        edge_that_works: f64,
    },
    /// There would be too many triangles.
    #[error(
        "body `{body}`: an edge of {} m gives about {triangles} triangles (limit {limit})\n  remedy: use {} m or more",
        decimal(*.edge), rounded_up(*.edge_that_fits)
    )]
    EdgeTooFine {
        /// Name of the body.
        body: &'static str,
        /// The requested edge, m.
        edge: f64,
        /// Triangles it would give, about.
        triangles: u64,
        /// The most that is allowed.
        limit: u64,
        /// The smallest edge that fits, m.
        edge_that_fits: f64,
    },
    /// Cancelled by the owner of the job.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// With three digits, and not more than `edge`.
fn rounded_down(edge: f64) -> String {
    decimal(0.995 * edge)
}

/// With three digits, and not less than `edge`.
fn rounded_up(edge: f64) -> String {
    decimal(1.005 * edge)
}

fn remedy(did_you_mean: &Option<&'static str>) -> String {
    match did_you_mean {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("use one of {}", names().join(", ")),
    }
}
