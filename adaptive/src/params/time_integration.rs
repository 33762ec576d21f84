//! Rules of the time integration: stable step, damping, filter, and steps that differ between elements.

/// How the stable time step is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepRule {
    /// From the highest frequency of every element, its stretch and the damping: an upper bound for the assembled mesh.
    #[default]
    ElementBound,
    /// Shortest edge over wave speed (Debunne et al. 2001, Eq. 10), times 0.4 because the printed factor 1 is not stable. The method of the paper, for
    /// comparison.
    Courant,
}

/// What a damping ratio becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DampingRule {
    /// Strain damping alone, as in the 2001 paper: the ratio grows with the frequency, and with it the number of steps; on fine levels several times.
    #[default]
    Strain,
    /// As much strain damping as costs a quarter of the step, and drag relative to the body's rigid motion for the rest: the ratio is the same at
    /// the lowest mode and smaller above. Rigid motion is never braked.
    Rayleigh,
}

impl DampingRule {
    /// The name used in panels and scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strain => "strain",
            Self::Rayleigh => "rayleigh",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Strain, Self::Rayleigh]
            .into_iter()
            .find(|rule| rule.name() == name)
    }
}

/// Whether velocities of one level are filtered, so that steps may be twice as long (see [`crate::step::filter`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FilterRule {
    /// Not at all.
    #[default]
    Off,
    /// The whole velocity (Debunne et al. 2001, Eq. 11): brakes all motion, falling too. The method of the paper, for comparison.
    Paper,
}

impl FilterRule {
    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Paper => "paper",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Off, Self::Paper]
            .into_iter()
            .find(|rule| rule.name() == name)
    }
}

/// How elements with different steps go together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Every element kicks its corners at its own rate (see [`crate::step::multirate`]): momentum is kept, energy nearly.
    #[default]
    ElementImpulses,
    /// Every node is kicked at its own rate by all elements around it, and jumps by its whole step: its neighbours see it where it will be (Debunne et al. 2001,
    /// section 3.3 and figure 7 as printed). Momentum is not kept, and without damping the motion diverges. The method of the paper, for comparison.
    NodeJump,
}

impl Scheme {
    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::ElementImpulses => "element-impulses",
            Self::NodeJump => "node-jump",
        }
    }

    /// The scheme of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::ElementImpulses, Self::NodeJump]
            .into_iter()
            .find(|scheme| scheme.name() == name)
    }
}
