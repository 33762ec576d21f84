//! Tools to which a body sticks.

/// Adhesion of a tool. A vertex that the tool has pushed is then held in all directions: it is pulled as well as pushed, and does not slide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adhesion {
    /// Largest pull of the tool on the body along the mean normal of the vertices that stick, N; infinite for no limit. Beyond it the tool lets go of all of them.
    ///
    /// The body sticks to the tool again after the tool was away from it.
    pub pull_limit: f64,
}
