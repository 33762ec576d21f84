//! Correction of coarse levels, which are too stiff.

/// Correction by the bake of large linear tetrahedra, which are too stiff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calibration {
    /// None.
    Off,
    /// One factor for each level, which gives it the frequencies of the finest (see [`crate::bake::calibration`]).
    #[default]
    Modes,
    /// One factor for each tetrahedron, which gives every level the response of quadratic elements to loads on any part, and then one for each level (see [`crate::bake::calibration::coarsening`]).
    Local,
}
