//! What the bake does about coarse levels that are too stiff.

/// What the bake does about linear tetrahedra being too stiff where they are large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calibration {
    /// Nothing.
    Off,
    /// One factor a level, with which it vibrates like the finest (see [`crate::bake::calibration`]).
    #[default]
    Modes,
    /// A factor a tetrahedron, with which every level answers loads on any part like quadratic elements do, and then one a level (see [`crate::bake::calibration::coarsening`]).
    Local,
}
