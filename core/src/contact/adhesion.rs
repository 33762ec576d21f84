//! Tools to which a body sticks.

/// Adhesion of a tool. A vertex that the tool has pushed is then held in all directions: it is pulled as well as pushed, and does not slide.
///
/// Only a pull along the normal of the contact ends it; a force along the skin does not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Adhesion {
    /// The tool lets go of all vertices at once, where its pull on the body along their mean normal exceeds a limit. The body sticks to it again after the tool was away from it.
    Sticky {
        /// Largest pull of the tool, N; infinite for no limit.
        pull_limit: f64,
    },
    /// The tool lets go of each vertex by itself, where its pull on this vertex along the normal exceeds a limit. The vertex sticks to it again after the tool was away from it.
    Bonded {
        /// Largest pull on a vertex, N; infinite for no limit.
        pull_limit: f64,
    },
}
