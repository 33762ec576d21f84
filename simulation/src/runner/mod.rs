//! The simulation thread of a window: commands in, snapshots out, baking in the background.

mod accuracy;
mod background;
mod bakes;
mod clock;
pub mod command;
mod commands;
mod grab_follower;
mod handle;
mod pane;
mod simulation;
pub mod snapshot;
mod timeline;
mod written_scene;

pub use handle::Runner;
pub use timeline::TimelineStatus;
