//! The interface rule: forces of tetrahedra between levels.

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
