//! What every panel works with.

use pliant_simulation::command::Command;
use pliant_simulation::snapshot::WorldSnapshot;

use crate::state::UiState;

/// Passed to every panel: what to show, the user's choices, and a list for commands.
pub struct Context<'a> {
    /// The newest state of the simulation.
    pub snapshot: &'a WorldSnapshot,
    /// The user's choices.
    pub state: &'a mut UiState,
    /// What the simulation is asked for.
    pub commands: &'a mut Vec<Command>,
}
