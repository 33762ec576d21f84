//! What the left button does on the skin.

use pliant_simulation::setup::Setup;

/// What the left button does on the skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HandMode {
    /// Takes hold of the skin and moves it: each method needs a force of its own for that.
    #[default]
    Grab,
    /// Pulls at the skin with a force that grows with the distance to the pointer: the displacement depends on the stiffness of each method.
    Pull,
    /// Presses the scene's tool into it.
    Poke,
    /// Cuts with a blade along the view, wherever the drag goes.
    Cut,
}

impl HandMode {
    /// Whether a scene allows the mode. Bodies are prepared to be cut only where the scene has a blade; [`Command::PrepareForCutting`](pliant_simulation::command::Command::PrepareForCutting) adds one. A body that nothing holds would fly away under a constant force.
    pub fn is_possible(self, setup: &Setup) -> bool {
        match self {
            Self::Grab => true,
            Self::Pull => !setup.is_group() && setup.held.contains(&true),
            Self::Poke => setup.tools.iter().any(|tool| tool.follows_pointer),
            Self::Cut => setup.description.blades().next().is_some(),
        }
    }

    /// The mode with the control key: poking, or grabbing if the mode is poking.
    pub fn with_control(self) -> Self {
        match self {
            Self::Grab | Self::Pull => Self::Poke,
            Self::Poke => Self::Grab,
            Self::Cut => Self::Cut,
        }
    }
}
