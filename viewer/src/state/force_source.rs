//! Which force the panes and curves show.

use pliant_core::math::Vec3;
use pliant_simulation::setup::SetupTool;
use pliant_simulation::snapshot::{PaneSnapshot, WorldSnapshot};

/// What the big number of a pane is.
#[derive(Debug, Clone, PartialEq)]
pub enum ForceSource {
    /// Force on a tool: its index and name.
    Tool(usize, String),
    /// Force that a grab needs.
    Grab,
    /// The scene has neither.
    Nothing,
}

impl ForceSource {
    /// What counts now: the grab while one is held, else the tool that follows the pointer, else the first one that moves. Blades feel nothing.
    pub fn of(snapshot: &WorldSnapshot, grabbing: bool) -> Self {
        let Some(setup) = &snapshot.setup else {
            return Self::Nothing;
        };
        if grabbing {
            return Self::Grab;
        }
        let moving = |t: &&SetupTool| t.shape.inner_radius().is_finite() && !t.shape.is_blade();
        let tool = setup
            .tools
            .iter()
            .position(|t| t.follows_pointer)
            .or_else(|| setup.tools.iter().position(|t| moving(&t)));
        match tool {
            Some(k) => Self::Tool(k, setup.tools[k].name.clone()),
            None if !setup.grabs.is_empty() => Self::Grab,
            None => Self::Nothing,
        }
    }

    /// The force of a pane, N.
    pub fn force(&self, pane: &PaneSnapshot) -> Vec3 {
        self.force_of(&pane.tool_forces, pane.grab_force)
    }

    /// The force where `tools` (N) act on the tools, and `grab` (N) on the grab of the pointer.
    pub fn force_of(&self, tools: &[Vec3], grab: Vec3) -> Vec3 {
        match self {
            Self::Tool(k, _) => tools.get(*k).copied().unwrap_or_else(Vec3::zeros),
            Self::Grab => grab,
            Self::Nothing => Vec3::zeros(),
        }
    }

    /// Caption below the number.
    pub fn caption(&self) -> String {
        match self {
            Self::Tool(_, name) => format!("force on the {name}"),
            Self::Grab => "force on the hand".to_string(),
            Self::Nothing => "no tool".to_string(),
        }
    }
}
