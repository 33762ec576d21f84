//! Checks: figures of a run that decide over the exit code.

use crate::scene::error::SceneError;
use crate::scene::method::{Method, read_method};
use crate::scene::text::Reader;

/// The name of the reference, with which a check may compare as with a method.
pub const REFERENCE: &str = "reference";

/// A check that decides over the exit code.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckDescription {
    /// Metric by name, for example `energy_balance` or `probe:tip`.
    pub metric: String,
    /// The method that is checked.
    pub of: Method,
    /// What it is compared with: a method's name, `reference`, or empty.
    pub against: String,
    /// Largest value that passes, SI or a plain fraction.
    pub max: f64,
}

/// Reads a `[[check]]` table.
pub(crate) fn read_check(check: &Reader<'_>) -> Result<CheckDescription, SceneError> {
    let metric = check.required_text("metric")?;
    const KNOWN: [&str; 9] = [
        "energy_balance",
        "volume_change",
        "force_max_n",
        "frame_cost_p99_ms",
        "surface_rms",
        "surface_max",
        "stiffness_error",
        "force_error",
        "force_rms",
    ];
    if !metric.starts_with("probe:") && !KNOWN.contains(&metric) {
        return Err(SceneError::NotYetSupported {
            path: format!("{} = \"{metric}\"", check.at("metric")),
            instead: format!("use probe:NAME or one of {}", KNOWN.join(", ")),
        });
    }
    let against = check.text("against")?.unwrap_or("");
    let is_known = against == REFERENCE || Method::from_name(against).is_some();
    if !against.is_empty() && !is_known {
        return Err(SceneError::NotYetSupported {
            path: format!("{} = \"{against}\"", check.at("against")),
            instead: format!("use a method's name or \"{REFERENCE}\""),
        });
    }
    Ok(CheckDescription {
        metric: metric.to_string(),
        of: read_method(check, "of", check.required_text("of")?)?,
        against: against.to_string(),
        max: check.required_number("max")?,
    })
}
