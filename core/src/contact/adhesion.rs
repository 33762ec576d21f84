//! Tools to which a body sticks.

/// What a tool with it has pushed is held in all directions: it is pulled as well as pushed, and does not slide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Adhesion {
    /// Force along the mean normal of what sticks with which the tool pulls the body before it lets go of all of it, N; infinite where it never does.
    ///
    /// It takes hold again once it was away from the body.
    pub pull_limit: f64,
}
