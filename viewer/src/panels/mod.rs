//! Parts of the window. Each takes the snapshot and the user's choices and adds commands; none holds a solver.

pub mod accuracy;
pub mod details;
pub mod notices;
pub mod overlay;
pub mod pane;
pub mod plots;
#[cfg(test)]
mod tests;
pub mod top_bar;

use pliant_simulation::command::Command;
use pliant_simulation::snapshot::WorldSnapshot;

use crate::state::UiState;

/// What every panel works with.
pub struct Context<'a> {
    /// The newest state of the simulation.
    pub snapshot: &'a WorldSnapshot,
    /// The user's choices.
    pub state: &'a mut UiState,
    /// What the simulation is asked for.
    pub commands: &'a mut Vec<Command>,
}
