//! What every panel works with.

use pliant_simulation::command::Command;
use pliant_simulation::snapshot::WorldSnapshot;

use crate::state::UiState;

/// The newest state of the simulation, the user's choices, and the wishes that follow from them.
pub struct Context<'a> {
    /// The newest state of the simulation.
    pub snapshot: &'a WorldSnapshot,
    /// The user's choices.
    pub state: &'a mut UiState,
    /// What the simulation is asked for.
    pub commands: &'a mut Vec<Command>,
}
