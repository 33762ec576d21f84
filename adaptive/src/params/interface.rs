//! The interface rule: what tetrahedra do where levels meet.

/// What tetrahedra do whose corners do not all move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interface {
    /// The energy of a tetrahedron counts by its share in the body where levels lie over each other ([`crate::cut::Cut::compute_shares`]), and forces on ghosts go to the nodes that
    /// they follow: forces have an energy, momenta are kept, and every cut is stable without damping.
    #[default]
    Conservative,
    /// An active node feels the whole force of the tetrahedra of its own level, forces on ghosts are dropped (Debunne et al. 2001, section 2.3). Free
    /// bodies gain momentum, and without damping motion grows until it breaks. The method of the paper, for comparison.
    Paper,
}

impl Interface {
    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conservative => "conservative",
            Self::Paper => "paper",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Conservative, Self::Paper]
            .into_iter()
            .find(|rule| rule.name() == name)
    }
}
