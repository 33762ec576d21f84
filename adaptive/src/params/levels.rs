//! The levels of a body: which of them move, the correction of coarse ones, and the interface between them.

/// Which level of the hierarchy is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LevelChoice {
    /// The finest one whose frame costs at most [`crate::AdaptiveParams::budget_units`]; the coarsest when none does.
    #[default]
    Auto,
    /// This one, 0 is the coarsest.
    Index(usize),
}

/// The resolution of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resolution {
    /// One level of the hierarchy everywhere.
    #[default]
    Level,
    /// A cut through all levels that adapts to contact and strain, every element with its own step (see [`crate::cut`] and [`crate::step::multirate`]).
    Cut,
}

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

/// Rule for tetrahedra whose corners are not all active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interface {
    /// Where levels overlap, the energy of a tetrahedron is weighted by its share of the body ([`crate::cut::Cut::compute_shares`]), and forces on ghosts are distributed to the
    /// nodes that they depend on. Forces have a potential, momenta are conserved, and every cut is stable without damping.
    #[default]
    Conservative,
    /// The whole force of the tetrahedra of its own level acts on an active node, and forces on ghosts are dropped (Debunne et al. 2001, section 2.3). Free
    /// bodies gain momentum, and without damping the motion is unstable. The method of the paper, for comparison.
    Paper,
}
