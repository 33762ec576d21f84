//! Where results, remarks and files go.

mod console;
mod folder;
mod ours;
mod watch;

pub use console::{Output, vector};
pub use folder::{OutFolder, Unfinished, abandon, write_whole};
pub use ours::{
    CELLS, CURVES, GREENS, PICTURE, RECORDING, SCHEMA, STATISTICS, TRACE, refuse_foreign,
};
pub use watch::Watch;
