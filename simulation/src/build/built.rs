//! What a build gives.

use pliant_core::model::DeformableModel;
use pliant_core::scene::Method;

/// A model that is ready to run.
pub struct BuiltMethod {
    /// Which method.
    pub method: Method,
    /// The model at rest.
    pub model: Box<dyn DeformableModel>,
    /// Wall time it took, s.
    pub seconds: f64,
    /// Whether the asset came from the cache.
    pub from_cache: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}
