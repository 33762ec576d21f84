//! Levels whose slivers are heavier.

use crate::hierarchy::Level;

/// Levels whose slivers are heavier, so that they do not dictate the step of what they push.
pub(crate) struct ScaledLevels {
    /// element bounds are those with the added masses
    pub(crate) levels: Vec<Level>,
    /// what each element of all levels got at each of its corners, kg
    pub(crate) heavier: Vec<f64>,
}
