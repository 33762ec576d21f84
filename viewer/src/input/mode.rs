//! What the left button does on the skin.

use pliant_simulation::setup::Setup;

/// What the left button does on the skin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HandMode {
    /// Takes hold of the skin and moves it: each method needs a force of its own for that.
    #[default]
    Grab,
    /// Pulls at the skin with a force that grows with the way of the pointer: each method is moved as far as it gives way.
    Pull,
    /// Presses the scene's tool into it.
    Poke,
    /// Cuts with a blade along the view, wherever the drag goes.
    Cut,
}

impl HandMode {
    /// Whether a scene has what it takes: bodies are prepared to be cut where the scene has a blade. A body that nothing holds would fly away with a force that stays.
    pub fn is_possible(self, setup: &Setup) -> bool {
        match self {
            Self::Grab => true,
            Self::Pull => !setup.is_group() && setup.held.contains(&true),
            Self::Poke => setup.tools.iter().any(|tool| tool.follows_pointer),
            Self::Cut => setup.description.blades().next().is_some(),
        }
    }

    /// What the left button does in this mode with the control key: it pokes, and where it pokes already, it takes hold.
    pub fn with_control(self) -> Self {
        match self {
            Self::Grab | Self::Pull => Self::Poke,
            Self::Poke => Self::Grab,
            Self::Cut => Self::Cut,
        }
    }
}
