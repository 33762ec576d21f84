//! Output of results, remarks and files.

mod console;
mod file_kind;
mod folder;
mod watch;

pub use console::{Done, Output, vector};
pub use file_kind::{
    CELLS, CURVES, GREENS, PICTURE, RECORDING, SCHEMA, STATISTICS, TRACE, refuse_foreign,
};
pub use folder::{OutFolder, Unfinished, remove_unfinished, write_whole};
pub use watch::Watch;
